"""Where a program was seen to be hot, as a table for a terminal.

Not here: how it was watched, and what else was seen: calls are for operators, not for people.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from se_agent.report import words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from se_agent.report.story import Story

_LINES = 5
_LEAST = 0.02  # share of a line that is worth showing


def hot_lines(story: Story, solution_id: str) -> Iterator[RenderableType]:
    """Yield the hot lines of a solution; nothing where it was not watched.

    Args:
        story: Of its run.
        solution_id: Of the solution.
    """
    seen = story.observed.get(solution_id)
    shown = [line for line in seen.hot if line.share >= _LEAST][:_LINES] if seen else []
    if not shown:
        return
    of = "CPU time" if story.timed else "lines run"
    yield Text(f"hot lines of {solution_id}, by their share of {of} under watch", style="bold")
    table = Table.grid(padding=(0, 2))
    for line in shown:
        where = f" in {line.function}" if line.function else ""
        table.add_row(
            f"  {line.share:4.0%}",
            Text(f"line {line.line}{where}", style="cyan"),
            Text(words.one_line(line.text)),
        )
    yield table
