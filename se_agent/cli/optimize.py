"""`optimize`: make one function of the user's faster, and change its file only when told to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.drive import Watch, drive, save_best
from se_agent.cli.prove import ExampleOption, InputsOption, PythonOption
from se_agent.cli.row import read, row
from se_agent.cli.run import JsonOption, SetOption
from se_agent.cli.screen import Screen

if TYPE_CHECKING:
    from se_agent.config import Run
    from se_agent.engine.result import Result
    from se_agent.problem import Problem
    from se_agent.protocols import Listener
    from se_agent.target.function import Target

_BUDGET = "budget.evaluations=40"
"""A first answer within a minute or two; `--set` changes it."""


def optimize(
    function: Annotated[
        str, typer.Argument(metavar="FILE.py:FUNCTION", help="The function to make faster.")
    ],
    inputs: InputsOption = "",
    example: ExampleOption = None,
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
    prepared = _prepared(target, inputs, example or [], python, chosen, screen)

    def work(listener: Listener, watch: Watch) -> Result:
        from se_agent.engine.run import start

        return start(chosen, problem=prepared, listeners=[listener], announce=watch)

    end = Conclusion(target, write, screen.say)
    raise typer.Exit(drive(work, screen, conclude=end.show))


def _prepared(
    target: Target,
    inputs: str,
    examples: list[str],
    python: str,
    chosen: Run,
    screen: Screen,
) -> Problem:
    """Return the problem; notes on its inputs are shown at once."""
    from se_agent.cli.jail import ForkedJail
    from se_agent.target.inputs import source
    from se_agent.target.plan import plan
    from se_agent.target.site import access
    from se_agent.target.survey import Survey
    from se_agent.target.task import to_optimize

    given = source(target, inputs, examples)
    reach = access([target.module, *given.modules], python)
    with closing(ForkedJail(reach, chosen.sandbox.isolation)) as jail:
        survey = Survey(jail, target, given)
        found = plan(survey, split=True)
    for note in found.notes:
        screen.say(f"doubt: {note}")
    return to_optimize(target, survey, found, reach)


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
