"""`run`, `resume` and `replay`: make a run, go on with it, hold it against its record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.checks.no_candidates import barren
from se_agent.cli.drive import RunWatch, drive
from se_agent.cli.level import doubts
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen, say_note
from se_agent.errors import ConfigError
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.engine.journal.result import Result
    from se_agent.engine.run.chosen_policy import Operators
    from se_agent.problem.openevolve import OpenEvolveFolder
    from se_agent.protocols import Listener

RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="Run folder, name under results/, or `last`.")
]
_NAMES = {"operators", "without", "policy", "folds"}
_NOTHING = "nothing to run: name a problem or a run file"
_TARGET = "Shipped problem, problem folder, or run file (TOML)."
TargetArgument = Annotated[str, typer.Argument(metavar="PROBLEM|RUNFILE", help=_TARGET)]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a key of the run file."),
]
ResetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a limit, workers, or an address."),
]
AcceptOption = Annotated[
    str,
    typer.Option(
        metavar="DOUBTS",
        help="Write the file despite these doubts: outside, unsearched, ties, unseen.",
    ),
]
ModelOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="Short for --set models.main.name=NAME.")
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON line; all else goes to stderr.")
]


def run(
    target: Annotated[str, typer.Argument(metavar="PROBLEM|RUNFILE", help=_TARGET)] = "",
    set_: SetOption = None,
    as_json: JsonOption = False,
    problem_set: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Run every row, as `grid FILE.jsonl` does."),
    ] = None,
    model: ModelOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what models would be asked; ask nobody.")
    ] = False,
    openevolve: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Run a folder in OpenEvolve's format as it is."),
    ] = None,
) -> None:
    """Evolve a problem, and prove the gain on unseen inputs.

    `se-agent grid` runs experiments. Exit code 3: a budget ended in the first generation, with
    nothing proven.
    """
    from se_agent.config import run_file
    from se_agent.engine.run.start import start
    from se_agent.problem.loading import load_problem

    overrides = overridden(set_, model)
    if problem_set is not None:
        screen = Screen(as_json=as_json)
        raise typer.Exit(_run_set(problem_set, target, overrides, screen, dry_run=dry_run))
    foreign = None if openevolve is None else _foreign(openevolve, target)
    if foreign:
        target, overrides = foreign.problem.name, [*foreign.settings, *overrides]
    if not target:
        raise ConfigError(_NOTHING, hint="`se-agent problems` lists what is shipped")
    chosen = run_file.parse(target, overrides, say_note)
    operators = require_plugins(chosen)
    problem = foreign.problem if foreign else load_problem(chosen.problem)
    screen = Screen(as_json=as_json)
    if dry_run:
        from se_agent.cli.commands.dry_run import rehearse
        from se_agent.engine.run.resolve import ResolvedRun

        rehearse(ResolvedRun.of(chosen, problem, operators=operators), screen)
        return

    screen.warn([*doubts(chosen.sandbox), *idle(chosen)])

    def work(listener: Listener, watch: RunWatch) -> Result:
        return start(
            chosen,
            problem=problem,
            listeners=[listener],
            operators=operators,
            announce=watch,
            doubted=barren,
        )

    raise typer.Exit(drive(work, screen))


def _run_set(
    rows: Path, run_file: str, overrides: Sequence[str], screen: Screen, *, dry_run: bool
) -> int:
    """Run the rows of a problem set with the settings of a run, and return the exit code."""
    from se_agent.cli.commands.grid import run_set
    from se_agent.config.sources import overrides as written
    from se_agent.config.sources import read

    if run_file and not Path(run_file).is_file():
        raise ConfigError(
            f"{run_file}: no run file: --problem-set says which problems there are",
            hint="leave it out, or name a run file whose settings hold for every row",
        )
    settings = [*(read(Path(run_file)) if run_file else ()), *written(overrides)]
    return run_set(rows, settings, screen, dry_run=dry_run)


def _foreign(folder: Path, target: str) -> OpenEvolveFolder:
    """Return a folder in the format of OpenEvolve, as a problem with settings."""
    from se_agent.environment import own
    from se_agent.problem.openevolve import load_openevolve

    if target:
        raise ConfigError(
            f"--openevolve names the problem, and {target!r} another one",
            hint="leave one of them out; settings are given with --set",
        )
    found = load_openevolve(folder, has_key=bool(own.given().get("OPENAI_API_KEY")))
    if found.left:
        say_note(f"note: config.yaml: without a meaning here: {', '.join(found.left)}")
    if found.unseen:
        say_note(f"note: programs do not see {', '.join(found.unseen)}")
    return found


def accepted(names: str) -> tuple[str, ...]:
    """Return the doubts that are named, in spite of which a file is changed.

    Raises:
        ConfigError: There is no doubt of that name.
    """
    from se_agent.errors import ConfigError, meant_hint, nearest
    from se_agent.values.doubts import SERIOUS

    found = tuple(name.strip() for name in names.split(",") if name.strip())
    for name in found:
        if name not in SERIOUS:
            raise ConfigError(
                f"--accept {name}: there is no doubt of that name",
                hint=meant_hint(nearest(name, SERIOUS)) or f"known: {', '.join(SERIOUS)}",
            )
    return found


def overridden(set_: Sequence[str] | None, model: str | None) -> list[str]:
    """Return the overrides of a command: those of `--set`, then the name of `--model`."""
    named = [] if model is None else [f"models.main.name={json.dumps(model)}"]
    return [*(set_ or ()), *named]


def require_plugins(chosen: Run) -> Operators | None:
    """Refuse a name that is not registered before anything of the user's runs.

    Returns the operators that it made on the way. Where no name is given, nothing is loaded
    (None): a run does that while its problem is checked.

    Raises:
        SeAgentError: An operator, a policy or a tier of memory is not registered, or is none.
    """
    from se_agent.engine.run.chosen_policy import policy_of
    from se_agent.engine.run.resolve import counter_of, folds_of, made_operators
    from se_agent.memory import MemoryStack

    folds_of(chosen)
    if chosen.memory.enabled and chosen.memory.tiers:
        MemoryStack.of(chosen.memory, counter=counter_of(chosen))
    if not chosen.model_fields_set & _NAMES:
        return None
    operators = made_operators(chosen)
    policy_of(chosen, operators)
    return operators


def resume(
    run: RunArgument,
    set_: ResetOption = None,
    accept: AcceptOption = "",
    as_json: JsonOption = False,
) -> None:
    """Continue an interrupted run; no reply that was received is paid for twice.

    A larger budget continues a run that has ended: `--set budget.evaluations=200`.
    """
    from se_agent.cli.write_back import aim_of
    from se_agent.engine.journal.folder import configuration_of
    from se_agent.engine.run.start import resume as go_on

    folder, screen = run_folder(run), Screen(as_json=as_json)
    screen.warn(doubts(configuration_of(folder).sandbox))
    aim = aim_of(folder)
    if aim is not None and accept:
        aim = aim.model_copy(update={"accepted": accepted(accept)})
        aim.keep()
    if aim is not None and aim.stale:
        screen.warn([f"{aim.path}: changed since the run began; it will not be written over"])

    def work(listener: Listener, _: RunWatch) -> Result:
        return go_on(folder, listeners=[listener], overrides=set_ or ())

    raise typer.Exit(drive(work, screen, folder=folder))


def replay(run: RunArgument) -> None:
    """Repeat the search on its recorded measurements; compare.

    Exit code 0: the same; 1: it differs, line by line.
    """
    from se_agent.engine.run.replay import replay as again

    found, screen = again(run_folder(run)), Screen()
    for line in found.differences:
        screen.say(line)
    for name in found.without:
        screen.say(f"{name} was left out later, and is missing in the whole replay")
    if found.differences:
        screen.say(f"differs in {counted(len(found.differences), 'event')}")
        raise typer.Exit(1)
    what = "the whole run" if found.complete else "all that is recorded of an unfinished run"
    screen.say(f"identical: {what}, {counted(len(found.replayed), 'event')}")


def idle(chosen: Run) -> Iterator[str]:
    """Yield that some workers will have nothing to do, where that is so."""
    if chosen.schedule == "steady" and chosen.workers > chosen.lag:
        idle = f"workers={chosen.workers}, and lag={chosen.lag} keeps {chosen.lag} open"
        yield f"{idle}: the others idle; lag={chosen.workers} employs them all"
