"""LocalMemory as Markdown for a system prompt (LM-30 to LM-33).

Pure, and without limits of its own: what a memory holds fits already, whatever of it is shown.
Redundant keys are dropped and core values kept; each entry is one line, made of inline text,
under a heading that only this module writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeVar

from se_agent.chat.escaping import inline
from se_agent.config.sections import LocalSection
from se_agent.values.evaluation import Branch
from se_agent.values.lesson import Direction, GlobalStatus, Item, Metric, Outcome
from se_agent.values.objective import amount

if TYPE_CHECKING:
    from se_agent.memory.local.memory import LocalMemory

_Entry = TypeVar("_Entry", Item, Direction)

_UNIT_WIDTH = 12
_LINES = 512  # more entries than a memory holds; most stay from one step to the next
_ALL = LocalSection()
TITLE = "## Memory of this run\n"
_SUGGESTED = "### Suggested by a person, not tried yet\n"
_FARED = {
    Outcome.SUCCESS: "### Recommended directions\n",
    Outcome.FAILED: "### Tabu directions\n",
    Outcome.NEUTRAL: "### Directions without a proven effect\n",
}
_TAUGHT = {Branch.SUCCESS: "### What worked\n", Branch.FAILURE: "### What failed\n"}


def render_markdown(memory: LocalMemory) -> str:
    """Return the Markdown for a system prompt; empty before anything was learned (LM-32)."""
    return "".join(rendered_lines(memory))


def rendered_lines(memory: LocalMemory) -> Iterator[str]:
    """Give what a prompt shows of a memory, line by line; nothing of an empty one."""
    if not memory.empty:
        yield from lines(
            memory.global_status,
            memory.attempted_directions,
            memory.reasoning_bank,
            shown=memory.limits,
        )


def lines(
    status: GlobalStatus,
    directions: Sequence[Direction],
    items: Sequence[Item],
    *,
    shown: LocalSection = _ALL,
) -> Iterator[str]:
    """Give the rendering line by line, each with its end of line.

    Tokens never span two of these lines, so their counts add up. What a switch of `shown`
    hides is a line, or the evidence at the end of one: a rendering with less never costs more.
    """
    found = [] if shown.status_only else list(_entries(directions, items, shown))
    if found or shown.status:
        yield TITLE
        yield from [status_line(status)] if shown.status else []
        yield from found


def _entries(
    directions: Sequence[Direction], items: Sequence[Item], shown: LocalSection
) -> Iterator[str]:
    yield from direction_lines(directions, shown=shown)
    hidden = _hidden(shown)
    told = steps_told(entry for entry in directions if entry.outcome not in hidden)
    for branch, heading in _TAUGHT.items():
        if shown.bank and (shown.failures or branch is Branch.SUCCESS):
            yield from _section(heading, items, partial(_item_line, told=told), shown)


def direction_lines(
    directions: Sequence[Direction], *, shown: LocalSection = _ALL
) -> Iterator[str]:
    """Give the directions by how they fared, line by line; those of a person first."""
    hidden = {_FARED[outcome] for outcome in _hidden(shown)}
    for heading in (_SUGGESTED, *_FARED.values()):
        if heading not in hidden:
            yield from _section(heading, directions, direction_line, shown)


def _section(
    heading: str, entries: Sequence[_Entry], line: Callable[..., str], shown: LocalSection
) -> Iterator[str]:
    found = [entry for entry in entries if heading_of(entry) == heading]
    if found:
        yield heading
        yield from (line(entry, evidence=shown.evidence) for entry in found)


def heading_of(entry: Direction | Item) -> str:
    """Return the heading that an entry stands below."""
    if isinstance(entry, Item):
        return _TAUGHT[entry.type]
    return _SUGGESTED if entry.untried else _FARED[entry.outcome]


def steps_told(directions: Iterable[Direction]) -> frozenset[str]:
    """Return the ids of the steps that directions tell of."""
    return frozenset(entry.source_ref.solution_id for entry in directions if entry.tries)


@lru_cache(_LINES)
def status_line(status: GlobalStatus) -> str:
    """Return the line that says where the run stands (LM-02)."""
    text = f"Generation {status.current_generation}, best {status.best_solution_id}"
    if status.best_runtime is not None:
        text += f": {metric(status.best_runtime)}"
    if status.current_approach:
        text += f", by {inline(status.current_approach)}"
    return f"{text}.\n"


@lru_cache(_LINES)
def direction_line(entry: Direction, *, evidence: bool = True) -> str:
    """Return the line of a direction; one that nobody tried comes from no step."""
    text = inline(entry.direction)
    if evidence and entry.evidence:
        text += f": {inline(entry.evidence)}"
    tried = f", {entry.tries} tries" if entry.tries > 1 else ""
    return f"- {text}" + ("" if entry.untried else f" ({_id(entry)}{tried})") + "\n"


def entry_line(entry: Direction | Item) -> str:
    """Return the line of an entry with all that is told of it."""
    return direction_line(entry) if isinstance(entry, Direction) else item_line(entry)


def _id(entry: Direction | Item) -> str:
    return entry.source_ref.solution_id


def _hidden(shown: LocalSection) -> frozenset[Outcome]:
    """Return the outcomes of directions that are not shown."""
    hidden = {Outcome.SUCCESS: not shown.recommended, Outcome.FAILED: not shown.tabu}
    return frozenset(outcome for outcome, is_hidden in hidden.items() if is_hidden)


def _item_line(item: Item, *, told: frozenset[str], evidence: bool = True) -> str:
    """Return the line of a lesson; `told` are the steps of which the directions tell."""
    return item_line(item, evidence=evidence, known=_id(item) in told)


@lru_cache(_LINES)
def item_line(item: Item, *, evidence: bool = True, known: bool = False) -> str:
    """Return the line of a lesson: title, insight, evidence, where it comes from.

    Args:
        item: The lesson.
        evidence: Whether what supports it is told.
        known: Whether the direction of its step stands above, with what was measured: it is
            not told twice.
    """
    found = item.evidence
    parts = [item.content] if known else [item.description, item.content]
    if evidence:
        delta = "" if known else found.metrics_delta
        holds = f"Holds for {found.context}" if found.context else ""
        parts += [found.code_change, delta, holds]
    text = " ".join(_sentence(part) for part in map(inline, parts) if part)
    seen = f", {item.merged} times" if item.merged > 1 else ""
    origin = ", ".join(filter(None, [inline(item.related_operator), _source(item)]))
    return f"- **{inline(item.title)}** ({origin}{seen}) {text}".rstrip() + "\n"


def _source(item: Item) -> str:
    parent = item.source_ref.parent_id
    return _id(item) + (f" from {parent}" if parent else "")


def _sentence(text: str) -> str:
    return text if text[-1] in ".!?…。" else f"{text}."


def metric(value: Metric) -> str:
    """Return a figure with its unit, such as `120 ms`; seconds in a unit that suits."""
    mark = "" if value.trusted else " (untrusted)"
    return amount(value.value, inline(value.unit[:_UNIT_WIDTH])) + mark
