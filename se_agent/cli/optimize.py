"""`optimize`: make one function of the user's faster, and change its file only when told to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.drive import Watch, drive, save_best
from se_agent.cli.prove import ExampleOption, Given, InputsOption, PythonOption
from se_agent.cli.row import read, row
from se_agent.cli.run import JsonOption, SetOption
from se_agent.cli.screen import Screen
from se_agent.cli.untried import more_time

if TYPE_CHECKING:
    from se_agent.config import Run
    from se_agent.engine.record.result import Result
    from se_agent.problem import Gate, Problem
    from se_agent.protocols import Listener
    from se_agent.target.function import Target
    from se_agent.target.gate import Recording

_BUDGET = "budget.evaluations=40"
"""A first answer within a minute or two; `--set` changes it."""


def optimize(
    function: Annotated[
        str, typer.Argument(metavar="FILE.py:FUNCTION", help="The function to make faster.")
    ],
    inputs: InputsOption = "",
    example: ExampleOption = None,
    tests: Annotated[
        str, typer.Option(metavar="PATH", help="Your pytest tests, which must pass as well.")
    ] = "",
    python: PythonOption = "",
    set_: SetOption = None,
    write: Annotated[
        bool, typer.Option("--write", help="Change the file if a gain is proven.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a function faster that still answers as it does now; print the change as a diff.

    Exit codes: those of `run`. Without a proven gain the file is left alone.
    """
    from se_agent import config
    from se_agent.target.function import find

    target = find(function)
    chosen = config.parse(target.name.replace(".", ":"), [_BUDGET, *(set_ or ())])
    screen = Screen(as_json=as_json)
    screen.warn(chosen.sandbox.warnings)
    given = Given(target, inputs, tuple(example or ()), python, tests)
    prepared = _prepared(given, chosen, screen)

    def work(listener: Listener, watch: Watch) -> Result:
        from se_agent.engine.run import start

        return start(chosen, problem=prepared, listeners=[listener], announce=watch)

    end = Conclusion(target, write, screen.say)
    raise typer.Exit(drive(work, screen, conclude=end.show))


def _prepared(given: Given, chosen: Run, screen: Screen) -> Problem:
    """Return the problem; notes on its inputs are shown at once."""
    from se_agent.cli.jail import ForkedJail
    from se_agent.target.gate import Recording
    from se_agent.target.inputs import source
    from se_agent.target.look import Caller
    from se_agent.target.plan import plan
    from se_agent.target.site import access
    from se_agent.target.survey import Survey
    from se_agent.target.task import to_optimize

    target, isolation = given.target, chosen.sandbox.isolation
    gate, recording = _tests(given, isolation, screen) if given.tests else (None, Recording(()))
    inputs = source(target, given.inputs, given.examples, recording.inputs)
    reach = access([target.module, *inputs.modules], given.python)
    with closing(ForkedJail(reach, isolation)) as jail:
        survey = Survey(Caller(jail, target, _may_wait(chosen)), inputs)
        found = plan(survey, split=True)
    for note in (*recording.notes, *found.notes):
        screen.say(f"doubt: {note}")
    return to_optimize(target, survey, found, reach, gate)


def _may_wait(chosen: Run) -> bool:
    """Whether something else than CPU time is made smaller."""
    return chosen.objective not in ("", "cpu") or bool(chosen.weights)


def _tests(given: Given, isolation: str, screen: Screen) -> tuple[Gate, Recording]:
    """Run the user's tests once, to see that they pass and which calls they make."""
    from evaluators.suite.suite import Suite
    from se_agent.target.gate import calls, gate, recorder

    found = gate(given.target, given.tests, given.python)
    screen.say("running the tests once, to record their calls ...")
    done = Suite(found, isolation).require(recorder(given.target), recording=True)
    recording = calls(given.target, done.calls, given.tests)
    screen.say(f"the tests pass, and make {len(recording.inputs)} distinct calls")
    return found, recording


@dataclass(frozen=True)
class Conclusion:
    """What is done with the result: shown, and written if that was asked for.

    Attributes:
        target: The function.
        write: Whether to change its file.
        say: Prints a line.
    """

    target: Target
    write: bool
    say: Callable[[str], None]

    def show(self, result: Result, screen: Screen) -> None:
        """Show verdict and diff, write the file if it shall be, and answer with the row."""
        from se_agent.report.page import champion, headline

        folder = Path(result.run)
        save_best(folder)
        story = read(folder)[1]
        best = champion(story)
        screen.show([headline(story)])
        more_time(folder, story, screen)
        written = False
        if result.status == "proven" and best is not None:
            written = self._changed(best.text)
        else:
            self.say(f"{self.target.module.path.name} is left as it is")
        self.say(f"the run: {folder}   (`se-agent show {folder}`)")
        screen.answer({**row(result), "written": written})

    def _changed(self, text: str) -> bool:
        from se_agent.target.change import Change

        module = self.target.module
        change = Change(module.path, module.text, text)
        self.say(change.diff(_shown(module.path)).rstrip("\n"))
        if not self.write:
            self.say("nothing was written; --write applies the change")
            return False
        kept = change.write()
        self.say(f"written: {module.path}" + (f" (before: {kept.name})" if kept else ""))
        return True


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else path.name
