"""LocalMemory as Markdown for a system prompt (LM-30 to LM-33).

Pure, and without limits of its own: what a memory holds fits already. Redundant keys are
dropped and core values kept; each entry is one line, made of inline text, under a heading
that only this module writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from se_agent.inline import inline
from se_agent.lessons import Direction, GlobalStatus, Item, Metric, Outcome
from se_agent.types import Branch

if TYPE_CHECKING:
    from se_agent.memory.local import LocalMemory

_UNIT_WIDTH = 12
_SECTIONS = (
    (Outcome.SUCCESS, "### Recommended directions"),
    (Outcome.FAILED, "### Tabu directions"),
    (Outcome.NEUTRAL, "### Directions without a proven effect"),
)
_BANK = ((Branch.SUCCESS, "### What worked"), (Branch.FAILURE, "### What failed"))
_TIMES = ((1.0, 1.0, "s"), (1e-4, 1e-3, "ms"))  # from, unit in seconds, name


def render_markdown(memory: LocalMemory) -> str:
    """Return the Markdown for a system prompt; empty before anything was learned (LM-32)."""
    if memory.empty:
        return ""
    return "".join(
        lines(memory.global_status, memory.attempted_directions, memory.reasoning_bank)
    )


def lines(
    status: GlobalStatus, directions: Sequence[Direction], items: Sequence[Item]
) -> Iterator[str]:
    """Give the rendering line by line, each with its end of line.

    Tokens never span two of these lines, so their counts add up.
    """
    yield "## Memory of this run\n"
    yield status_line(status)
    yield from direction_lines(directions)
    for branch, heading in _BANK:
        found = [item for item in items if item.type is branch]
        if found:
            yield f"{heading}\n"
            yield from map(item_line, found)


def direction_lines(directions: Sequence[Direction]) -> Iterator[str]:
    """Give the directions by how they fared, line by line."""
    for outcome, heading in _SECTIONS:
        chosen = [entry for entry in directions if entry.outcome is outcome]
        if chosen:
            yield f"{heading}\n"
            yield from map(direction_line, chosen)


def status_line(status: GlobalStatus) -> str:
    """Return the line that says where the run stands (LM-02)."""
    text = f"Generation {status.current_generation}, best {status.best_solution_id}"
    if status.best_runtime is not None:
        text += f": {metric(status.best_runtime)}"
    if status.current_approach:
        text += f", by {inline(status.current_approach)}"
    return f"{text}.\n"


def direction_line(entry: Direction) -> str:
    """Return the line of an attempted direction."""
    text = inline(entry.direction)
    if entry.evidence:
        text += f": {inline(entry.evidence)}"
    tried = f", {entry.tries} tries" if entry.tries > 1 else ""
    return f"- {text} ({entry.source_ref.solution_id}{tried})\n"


def item_line(item: Item) -> str:
    """Return the line of a lesson: title, insight, evidence, where it comes from."""
    evidence = item.evidence
    parts = [
        item.description,
        item.content,
        evidence.code_change,
        evidence.metrics_delta,
        f"Holds for {evidence.context}" if evidence.context else "",
    ]
    text = " ".join(_sentence(part) for part in map(inline, parts) if part)
    seen = f", {item.merged} times" if item.merged > 1 else ""
    origin = ", ".join(filter(None, [inline(item.related_operator), _source(item)]))
    return f"- **{inline(item.title)}** ({origin}{seen}) {text}".rstrip() + "\n"


def _source(item: Item) -> str:
    source = item.source_ref
    return source.solution_id + (f" from {source.parent_id}" if source.parent_id else "")


def _sentence(text: str) -> str:
    return text if text[-1] in ".!?…。" else f"{text}."


def metric(value: Metric) -> str:
    """Return a figure with its unit, such as `120 ms`; seconds in a unit that suits."""
    if value.unit == "s" and value.value > 0:
        return seconds(value.value)
    return f"{value.value:.4g} {inline(value.unit[:_UNIT_WIDTH])}".rstrip()


def seconds(value: float) -> str:
    """Return a time in s, ms or us with three digits, such as `0.11 ms`."""
    scale, unit = next(((u, name) for low, u, name in _TIMES if value >= low), (1e-6, "us"))
    return f"{float(f'{value / scale:.3g}'):g} {unit}"
