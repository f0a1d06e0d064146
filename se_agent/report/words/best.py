"""The best program of a run, and the commands that may come next.

Not here: what else there is to say of the run (`terminal.page`, `brief`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from se_agent.report.story import Story
from se_agent.report.terminal.columns import Columns
from se_agent.report.words import phrases
from se_agent.wording import command

if TYPE_CHECKING:
    from rich.console import RenderableType

    from se_agent.values.solution import Solution

LABEL = "bold cyan"


def champion(story: Story) -> Solution | None:
    """Return the confirmed champion, or the incumbent so far."""
    chosen = story.confirmed.solution if story.confirmed else story.best
    return story.solutions.get(chosen)


def winner(story: Story) -> Solution | None:
    """Return the champion if it is another program than the initial one."""
    best, started = champion(story), story.started
    return None if best is None or started is None or best.id == started.initial.id else best


def _longer(story: Story, folder: Path) -> Iterator[str]:
    """Yield the command that lets a search go on that a limit ended: with twice as much."""
    limits = story.started.config.get("budget", {}) if story.started else {}
    limit = limits.get(story.budget_end)
    if story.ended is not None and limit:
        yield command("resume", folder, "--set", f"budget.{story.budget_end}={2 * limit:g}")


def following(
    story: Story, folder: Path, *, lost: bool = False, more: str = ""
) -> Iterator[RenderableType]:
    """Yield where the best program is, and the commands that may come next.

    Args:
        story: The fold of the run's journal.
        folder: The run's.
        lost: Whether the run has not ended, and its folder lacks what going on takes.
        more: The command that shows more than this page; empty: the one that shows the run.
    """
    best, table = winner(story), Columns(styles=(LABEL,))
    for path in sorted(folder.glob("best.*")) if best else ():
        mark = phrases.untrusted(story.trusted)
        table.add("result", f"{path}{mark}")
    if not more:
        table.add("run", str(folder))
    yield table
    commands = [more or command("show", folder)]
    if story.ended is None and not lost:
        commands.insert(0, command("resume", folder))
    if story.confirmed is not None and story.confirmed.status == "proven":
        commands.append(command("patch", folder))
    elif best is not None and story.started:
        commands.append(command("diff", folder, story.started.initial.id, best.id))
    commands += _longer(story, folder)
    commands.append(command("report", folder, "--open"))
    yield Text("next:", style=LABEL)
    for each in commands:  # whole, to be copied
        yield Text(f"  {each}", no_wrap=True)
