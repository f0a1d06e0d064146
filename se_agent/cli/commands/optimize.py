"""`optimize`: make one function of the user's faster, and change its file only when told to."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.checks.no_candidates import barren
from se_agent.cli.commands.prove import Given, clean
from se_agent.cli.commands.run import (
    AcceptOption,
    JsonOption,
    ModelOption,
    SetOption,
    accepted,
    overridden,
    require_plugins,
)
from se_agent.cli.commands.workload import GivenWorkload, prepared
from se_agent.cli.drive import RunWatch, drive
from se_agent.cli.function_options import (
    InputOptions,
    SettingOptions,
    UseOptions,
    with_groups,
)
from se_agent.cli.level import doubts
from se_agent.cli.screen import Screen, say_note
from se_agent.cli.spinner import phase
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.engine.journal.result import Result
    from se_agent.problem.model import Gate, Problem
    from se_agent.protocols import Listener
    from se_agent.user_function.function import UserFunction
    from se_agent.user_function.gate import Recording
    from se_agent.user_function.plan import ProofPlan
    from se_agent.user_function.workloads.targets import Target

_BUDGET = "budget.evaluations=40"
"""A first answer within a minute or two; `--set` changes it."""

_PATIENCE = "budget.patience=12"
"""Without a model: what rules find late is little. It costs 1 % of the gain, and saves most of
the time where one of the first candidates is the best."""

TargetArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET...",
        help="The function to make faster, FILE.py:FUNCTION; what it uses of its file may "
        "change with it. With --workload also methods (FILE.py:Class.method), classes, whole "
        "modules (FILE.py), and several of them; left out: the function that `advise` finds "
        "hottest and a change can be tried of.",
    ),
]

_NOTHING = "nothing is named that is to be faster"
_CALL_IT = (
    "write a function that uses it, plain data in and out, and name that one as well: "
    "--workload FILE.py:FUNCTION (docs/workload.md)"
)
_LOOKING = "looking at the inputs: of which sizes they are, and how long a call takes"


@with_groups
def optimize(
    function: TargetArgument = None,
    *,
    use: UseOptions,
    called_on: InputOptions,
    setting: SettingOptions,
    set_: SetOption = None,
    model: ModelOption = None,
    write: Annotated[
        bool, typer.Option("--write", help="Change the file if a gain is proven.")
    ] = False,
    accept: AcceptOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make code faster without changing its answers; print the change as a diff.

    Exit codes: those of `run`. Without a proven gain the file is left alone.
    """
    from se_agent.cli.write_back import require_text
    from se_agent.config import run_file

    _refuse_problem(set_ or ())
    named = accepted(accept)
    screen = Screen(as_json=as_json)
    overrides = [*_budget(overridden(set_, model)), *setting.overrides]
    if not function:
        function = _hottest(use, called_on, setting, overrides, screen)
    called, aims = _found(function, use.workload)
    require_text(*(aim.module.path for aim in aims), Path.cwd())
    chosen = run_file.parse(_named(aims).replace(".", ":"), overrides, say_note)
    screen.warn(doubts(chosen.sandbox))
    operators = require_plugins(chosen)
    given = Given(called, called_on, setting, use.tests, function[0])
    with clean(given):
        if use.workload:
            asked = GivenWorkload(given, aims, _may_wait(chosen), bool(chosen.models))
            problem, notes = prepared(asked, chosen.sandbox.isolation, screen)
        else:
            problem, notes = _prepared(given, chosen, screen)

    def work(listener: Listener, watch: RunWatch) -> Result:
        from se_agent.engine.run.start import start

        def announce(folder: Path) -> None:
            _kept(aims, folder, write=write, accepted=named, advise=_advice_of(use, setting))
            watch(folder)

        return start(
            chosen,
            problem=problem,
            listeners=[listener],
            operators=operators,
            announce=announce,
            doubted=barren,
            notes=notes,
        )

    raise typer.Exit(drive(work, screen))


def _budget(said: Sequence[str]) -> list[str]:
    """Return overrides of a run file with those that nobody gave."""
    models = any(one.startswith("models.") for one in said)
    return [_BUDGET, *([] if models else [_PATIENCE]), *said]


def _found(specs: Sequence[str], workload: str) -> tuple[UserFunction, tuple[Target, ...]]:
    """Return the function that is called, and what may change: its file, or what is named."""
    from se_agent.errors import ConfigError, UncallableError
    from se_agent.user_function.function import find
    from se_agent.user_function.own_code import own_code
    from se_agent.user_function.workloads.targets import Target, find_targets
    from se_agent.user_function.workloads.workload import find_workload

    if workload:
        return find_workload(workload), find_targets(specs)
    if len(specs) > 1:
        raise ConfigError(
            f"{len(specs)} targets: without --workload there is one function to make faster",
            hint="--workload FILE.py:FUNCTION names your code that uses all of them",
        )
    try:
        found = find(specs[0])
    except UncallableError as err:
        raise UncallableError(str(err), hint=_CALL_IT) from err
    own = own_code(found.module, found.function)
    return found, (Target(module=found.module, names=own),)


def _hottest(
    use: UseOptions,
    called_on: InputOptions,
    setting: SettingOptions,
    overrides: Sequence[str],
    screen: Screen,
) -> list[str]:
    """Return the functions that take most of a workload's time and have something to try."""
    from se_agent.cli.commands.advise import hottest_targets, of_workload
    from se_agent.config import run_file
    from se_agent.errors import ConfigError

    if not use.workload:
        raise ConfigError(
            _NOTHING,
            hint="give FILE.py:FUNCTION, or --workload FILE.py:FUNCTION, your slow code",
        )
    chosen = run_file.parse("advise", overrides, say_note)
    seen = of_workload(use.workload, called_on, setting.python, setting.opened, screen)
    spots = [one.hotspot for one in hottest_targets(seen, chosen)]
    for spot in spots:
        told = f"{spot.name} takes {spot.own:.0%} of the CPU time itself"
        screen.say(f"{told}: that is made faster")
    return [f"{spot.file}:{spot.name}" for spot in spots]


def _named(aims: Sequence[Target]) -> str:
    first, *_ = aims
    return ".".join([first.module.name, *first.names[:1]])


def _kept(
    aims: Sequence[Target],
    folder: Path,
    *,
    write: bool,
    accepted: tuple[str, ...],
    advise: tuple[str, ...],
) -> None:
    """Keep with the run what it is for."""
    from se_agent.cli.write_back import Aim, AimedFile
    from se_agent.user_function.workloads.targets import editable_of

    target, *others = aims
    Aim(
        path=target.module.path,
        function=editable_of(aims),
        text=target.module.text,
        more=tuple(
            AimedFile(path=one.module.path, name=one.path, text=one.module.text)
            for one in others
        ),
        write=write,
        folder=folder.resolve(),
        accepted=accepted,
        advise=advise,
    ).keep()


def _advice_of(use: UseOptions, setting: SettingOptions) -> tuple[str, ...]:
    """Return the words of the command that says where a workload's time goes."""
    if not use.workload:
        return ()
    environment = ("--python", setting.python) if setting.python else ()
    return ("advise", "--workload", use.workload, *environment)


def _refuse_problem(overrides: Sequence[str]) -> None:
    """Refuse the one setting that this command has no use for: the function is its problem."""
    from se_agent.config import sources
    from se_agent.errors import ConfigError

    for setting in sources.overrides(overrides):
        if setting.path[0] == "problem":
            raise ConfigError(
                f"{setting.source}: `optimize` makes its problem of the function",
                hint="leave it out, or use `se-agent run`, which takes a problem",
            )


def _prepared(given: Given, chosen: Run, screen: Screen) -> tuple[Problem, Sequence[str]]:
    """Return the problem, and doubts about its inputs."""
    from evaluators.counterexample.function.further import further
    from se_agent.cli.jail import ForkedJail
    from se_agent.user_function.filling import filled
    from se_agent.user_function.gate import Recording
    from se_agent.user_function.inputs import source
    from se_agent.user_function.jail_calls import Caller
    from se_agent.user_function.plan import plan
    from se_agent.user_function.site import access
    from se_agent.user_function.survey import Survey
    from se_agent.user_function.task import to_optimize

    target, isolation = given.target, chosen.sandbox.isolation
    gate, recording = _tests(given, isolation, screen) if given.tests else (None, Recording(()))
    inputs = source(target, given.called_on.inputs, given.called_on.examples, recording.inputs)
    reach = access([target.module, *inputs.modules], given.setting.python, given.setting.opened)
    with closing(ForkedJail(reach, isolation)) as jail, phase(screen, _LOOKING):
        survey = Survey(Caller(jail, target, _may_wait(chosen), reach), inputs)
        if not _may_wait(chosen):  # else nobody knows here how many calls are enough
            survey = filled(survey, further, enough=chosen.measure.fast_seconds)
        found = plan(survey, split=True)
    if found.choice:
        screen.say(found.choice)
    if given.tests and recording.inputs and not _may_wait(chosen):
        _advise(given, found, chosen, screen)
    notes = (*recording.notes, *found.notes)
    return to_optimize(target, survey, found, reach, gate), notes


def _advise(given: Given, found: ProofPlan, chosen: Run, screen: Screen) -> None:
    """Say what the inputs can show, and how larger ones are given, before time is spent."""
    from se_agent.user_function.advice import InputSizes, advice
    from se_agent.wording import command

    ladder = found.ladder
    inputs = len({*ladder.search, *ladder.final}) or found.distinct
    sizes = InputSizes(found.seconds, inputs, chosen.measure.fast_seconds)
    if told := advice(sizes, tests=given.tests):
        screen.warn([told])
        what = f"{given.target.module.path.name}:{given.target.function}"
        larger = ("--tests", given.tests, "--inputs", "inputs.py:generate")
        why = "larger ones come from a file of yours with generate(rng, size)"
        screen.offer(why, command("optimize", given.named or what, *larger))


def _may_wait(chosen: Run) -> bool:
    """Whether something else than CPU time is made smaller."""
    return chosen.objective not in ("", "cpu") or bool(chosen.weights)


def _tests(given: Given, isolation: str, screen: Screen) -> tuple[Gate, Recording]:
    """Run the user's tests once, to see that they pass and which calls they make."""
    from evaluators.suite.suite import Suite
    from se_agent.user_function.gate import calls, gate, recorder
    from se_agent.user_function.site import access

    found = gate(given.target, given.tests, given.setting.python)
    with phase(screen, "running the tests once, to record their calls"):
        opened = access([], opened=given.setting.opened).opened
        done = Suite(found, isolation, opened).require(recorder(given.target), recording=True)
    recording = calls(given.target, done.calls, given.tests)
    number = len(recording.inputs)
    screen.say(f"the tests pass, and make {counted(number, 'distinct call')}")
    if not given.called_on.inputs and not given.called_on.examples:
        recording.require(given.tests)
    return found, recording
