"""`prove`: the neutral referee between two functions. No search, no run folder."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import SetOption
from se_agent.cli.drive import INTERRUPTED
from se_agent.cli.function_options import InputOptions, SettingOptions, with_groups
from se_agent.cli.level import doubts
from se_agent.cli.progress import Progress
from se_agent.cli.screen import Screen, say_note
from se_agent.environment import own
from se_agent.wire.spelling import visible

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.redaction.redactor import Redactor
    from se_agent.user_function.function import UserFunction
    from se_agent.user_function.plan import ProofPlan
    from se_agent.user_function.referee import Proof

SeedOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, help="Draw inputs as an earlier proof did; else by a new seed."
    ),
]

_READ = ("judge", "measure", "sandbox")


@with_groups
def prove(
    old: Annotated[str, typer.Argument(metavar="OLD.py:FUNCTION", help="The reference.")],
    new: Annotated[str, typer.Argument(metavar="NEW.py:FUNCTION", help="The other one.")],
    *,
    called_on: InputOptions,
    setting: SettingOptions,
    seed: SeedOption = None,
    set_: SetOption = None,
    save_input: Annotated[
        str,
        typer.Option(metavar="FILE.py", help="Keep the input on which results differ."),
    ] = "",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a block for a pull request.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Compare two functions: same results, faster, by how much, how sure?

    Exit codes: 0 faster, and proven; 1 not proven; 2 you must act; 4 different results;
    130 interrupted.
    """
    from se_agent.cli import verdict
    from se_agent.user_function.function import find
    from se_agent.user_function.saved import require_free
    from se_agent.values.randomness import fresh_seed

    screen = Screen(as_json=as_json or markdown)
    if save_input:
        require_free(Path(save_input))
    given = Given(find(old), called_on, setting)
    drawn = fresh_seed() if seed is None else seed
    chosen = _chosen([*(set_ or ()), *setting.overrides])
    screen.warn(doubts(chosen.sandbox))
    try:
        with clean(given) as redact:
            proof = _proof(given, find(new), chosen, drawn, screen, redact)
    except KeyboardInterrupt:
        screen.say("interrupted; nothing was kept")
        raise typer.Exit(INTERRUPTED) from None
    if markdown:
        typer.echo(visible(verdict.markdown(proof, old, new)))
    else:
        for line in verdict.lines(proof, old, new):
            screen.say(line)
    if as_json:
        screen.answer(verdict.row(proof, old, new))
    if save_input:
        screen.say(_saved(Path(save_input), proof))
    raise typer.Exit(verdict.EXIT[proof.outcome])


def _saved(path: Path, proof: Proof) -> str:
    """Write the input on which results differ, and say so."""
    from se_agent.user_function.saved import save

    if proof.input is None:
        return f"{path}: not written: there is no input on which results differ"
    save(path, proof.input)
    return f"the input is in {path}: read it back with --inputs {path}:INPUTS"


def _chosen(overrides: Sequence[str]) -> Run:
    """Return the settings; one that this command does not read is an error."""
    from se_agent.config import run_file, sources
    from se_agent.errors import ConfigError

    for setting in sources.overrides(overrides):
        if setting.path[0] not in _READ:
            raise ConfigError(
                f"{setting.source}: `prove` has no use for it",
                hint=f"it takes keys of {', '.join(_READ)}",
            )
    return run_file.parse("prove", overrides, say_note)


@dataclass(frozen=True)
class Given:
    """What the command line says of a function and its inputs."""

    target: UserFunction
    called_on: InputOptions
    setting: SettingOptions
    tests: str = ""
    named: str = ""


@contextmanager
def clean(given: Given) -> Iterator[Redactor]:
    """Within it, errors hold no secret of the environment, or of the function's project."""
    from se_agent.engine.judging.redacting import clean_errors
    from se_agent.redaction.redactor import Redactor
    from se_agent.redaction.secret_values import secrets_in

    module = given.target.module
    roots = [str(module.root)] if module.needs_root or given.tests else []
    redact = Redactor(secrets_in(roots, own.given()))
    with clean_errors(redact):
        yield redact


def _proof(
    given: Given, new: UserFunction, chosen: Run, seed: int, screen: Screen, redact: Redactor
) -> Proof:
    from evaluators.kinds.function import FunctionEvaluator
    from se_agent.cli.jail import ForkedJail
    from se_agent.engine.judging.redacting import redacting
    from se_agent.engine.judging.terms import tolerated
    from se_agent.user_function.besides import besides
    from se_agent.user_function.inputs import source
    from se_agent.user_function.jail_calls import Caller
    from se_agent.user_function.plan import plan
    from se_agent.user_function.referee import Referee
    from se_agent.user_function.site import access
    from se_agent.user_function.survey import Survey
    from se_agent.user_function.task import to_prove

    old, isolation = given.target, chosen.sandbox.isolation
    inputs = source(old, given.called_on.inputs, given.called_on.examples)
    reach = access(
        [old.module, new.module, *inputs.modules], given.setting.python, given.setting.opened
    )
    with closing(ForkedJail(reach, isolation)) as jail:
        survey = Survey(Caller(jail, old, access=reach), inputs)
        found = plan(survey, split=False)
        Caller(jail, new, access=reach).require_loaded()
    if found.choice:
        screen.say(found.choice)
    screen.say(_expected(found, chosen))
    screen.say(f"inputs are drawn by seed {seed}: --seed {seed} draws the same again")
    problem = tolerated(to_prove(old, new, survey, found, reach), chosen)
    evaluator = FunctionEvaluator(
        problem, measure=chosen.measure, isolation=isolation, seed=seed
    )
    with closing(evaluator), Progress(screen) as progress:
        referee = Referee(
            redacting(evaluator, redact),
            chosen.judge,
            chosen.measure,
            progress.step,
            progress.at,
            within=problem.within,
        )
        return referee.compare(
            problem.initial("old"),
            problem.initial("new"),
            compared=len(problem.cases),
            distinct=found.distinct,
            seed=seed,
            notes=(*found.notes, *besides(old, new)),
        )


def _expected(found: ProofPlan, chosen: Run) -> str:
    from se_agent.stats.sequential import RECHECK
    from se_agent.user_function.outlook import outlook

    told = outlook(found.seconds, found.bytes, chosen.judge, chosen.measure)
    least, most = _roughly(told.least), _roughly(told.most)
    again = f"a gain above {math.exp(RECHECK):.0f}x is measured twice, in {told.twice}"
    return f"it takes {told.blocks} blocks at most, roughly {least} to {most}; {again}"


def _roughly(seconds: float) -> str:
    scale, unit = (1, "s") if seconds < 95 else (60, "min")
    return f"{float(f'{seconds / scale:.1g}'):g} {unit}"
