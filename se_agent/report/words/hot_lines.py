"""Where a program was seen to be hot, what memory it takes and how it scales, for a terminal.

Not here: how it was watched, and what else was seen: calls are for operators, not for people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from rich.text import Text

from se_agent.program.editable import may_change
from se_agent.report.story import lineage
from se_agent.report.terminal.columns import Columns
from se_agent.report.words import phrases
from se_agent.values.objective import amount

if TYPE_CHECKING:
    from rich.console import RenderableType

    from se_agent.report.story import Story
    from se_agent.values.observation import HotLine, Observation, Scaling

_LINES = 5
_ALLOCATIONS = 3
_TOLD = 3  # lines that are told in words
_CODE = 60  # characters of such a line
_LEAST = 0.02  # share of a line that is worth showing
_MOST = 0.5  # share of one function that is most of the cost


def seen(story: Story, solution_id: str) -> Iterator[RenderableType]:
    """Yield what people may want to know of what was seen of a solution.

    Args:
        story: Story of its run.
        solution_id: Id of the solution.
    """
    yield from hot_lines(story, solution_id)
    yield from allocations(story, solution_id)
    yield from scaling(story, solution_id)


def allocations(story: Story, solution_id: str) -> Iterator[RenderableType]:
    """Yield the lines of a solution that take most memory; nothing where none was told."""
    found = story.observed.get(solution_id)
    shown = [line for line in found.allocations if line.share >= _LEAST] if found else []
    if not shown:
        return
    yield Text(f"memory of {solution_id}, by lines that take it, given back or not", "bold")
    yield _table(
        (amount(line.bytes, "B"), line.function, line.line, line.text)
        for line in shown[:_ALLOCATIONS]
    )


def scaling(story: Story, solution_id: str) -> Iterator[RenderableType]:
    """Yield how CPU time of a solution grows with its input; nothing where none was told."""
    found = story.observed.get(solution_id)
    if found is not None and found.scaling is not None:
        grown = found.scaling
        sizes = f"n from {grown.sizes[0]} to {grown.sizes[-1]}"
        yield Text(f"CPU time of {solution_id} ~ n^{grown.exponent:.2f}, {sizes}")


def hot_lines(story: Story, solution_id: str) -> Iterator[RenderableType]:
    """Yield the hot lines of a solution; nothing where it was not watched.

    Args:
        story: Story of its run.
        solution_id: Id of the solution.
    """
    seen = story.observed.get(solution_id)
    shown = [line for line in seen.hot if line.share >= _LEAST][:_LINES] if seen else []
    if not shown:
        return
    of = "CPU time" if story.timed else "lines run"
    yield Text(f"hot lines of {solution_id}, by their share of {of} under watch", style="bold")
    yield _table((f"{line.share:4.0%}", line.function, line.line, line.text) for line in shown)


def in_words(found: Observation, *, of: str = "CPU time") -> Iterator[str]:
    """Yield where a program spends its time, and how that grows, a sentence each.

    Args:
        found: What was seen of it; nothing is said of what was not seen.
        of: What the shares are of.
    """
    for line in [line for line in found.hot if line.share >= _LEAST][:_TOLD]:
        where = f" of {line.function}()" if line.function else ""
        code = phrases.one_line(line.text, _CODE)
        yield f"{line.share:.0%} of the {of} is spent in line {line.line}{where}: {code}"
    if found.scaling is not None:
        yield _grows(found.scaling)


def _grows(grown: Scaling) -> str:
    sizes = f"from n = {grown.sizes[0]} to {grown.sizes[-1]}"
    return f"CPU time grows as n^{grown.exponent:.2f} {sizes}"


def hottest(story: Story, solution_id: str) -> tuple[HotLine, ...]:
    """Return the hot lines of a solution, or of its nearest ancestor that was watched."""
    watched = (story.observed.get(name) for name in reversed(lineage(story, solution_id)))
    return next((seen.hot for seen in watched if seen), ())


def elsewhere(hot: Iterable[HotLine], editable: str) -> tuple[str, float] | None:
    """Return the function where most of the cost is, if it is another one.

    Args:
        hot: The most expensive lines.
        editable: What may change, see `program.editable`.

    Returns:
        The other's qualified name, and its share, without what it calls; None: there is none.
    """
    shares = defaultdict[str, float](float)
    for line in hot:
        shares[line.function] += line.share
    name, share = max(shares.items(), key=itemgetter(1), default=("", 0.0))
    inside = may_change(name, editable)
    return None if not name or inside or share < _MOST else (name, share)


def _table(rows: Iterable[tuple[str, str, int, str]]) -> Columns:
    """Return a line of a program a row: its figure, its function, its number, its text."""
    table = Columns(styles=("", "cyan"), right=(0,), indent=2)
    for figure, function, line, text in rows:
        where = f" in {function}" if function else ""
        table.add(figure, f"line {line}{where}", phrases.one_line(text))
    return table
