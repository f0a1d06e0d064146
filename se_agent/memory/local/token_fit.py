"""How a memory is made to fit its limits, whatever it was given.

Pure. In the order of the design: the bank is compressed, then directions are cut, then
contents are shortened. A text that was shortened stays so; the journal has the whole. What is
kept does not depend on what of it is shown: a switch that hides something changes nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from se_agent.config.sections import LocalSection
from se_agent.memory.context.shortening import clipped_text
from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.local.bank import summarize_memory
from se_agent.memory.local.directions import age, next_cut
from se_agent.memory.local.rendering import (
    TITLE,
    direction_line,
    heading_of,
    item_line,
    status_line,
    steps_told,
)
from se_agent.values.lesson import Direction, Evidence, GlobalStatus, Item

_FIELDS = (48, 32, 24, 16, 12, 8, 5, 3, 2, 1)  # tokens that a field may have, tried in turn
_APPROACH = 32  # tokens of the current approach
_KNOWN = 512  # entries whose form is remembered; most stay from one step to the next
_LONG = 4000  # characters above which a text is cut before it is even counted


class Fitted(NamedTuple):
    """What is left, and whether the bank had to be compressed."""

    status: GlobalStatus
    directions: tuple[Direction, ...]
    items: tuple[Item, ...]
    compressed: bool


def fit(
    status: GlobalStatus,
    directions: Iterable[Direction],
    items: Iterable[Item],
    *,
    limits: LocalSection,
    counter: TokenCounter,
    held: Collection[int] = (),
) -> Fitted:
    """Return what fits: each entry, the number of directions, and the whole rendering.

    Args:
        status: Where the run stands.
        directions: The whole list.
        items: The whole bank.
        limits: What there is room for.
        counter: What counts the tokens.
        held: Identities (`id`) of entries that were made to fit before.
    """
    status = _shortened_status(status, counter)
    room = limits.item_token_limit
    bank = list(_shortened_items(items, room, counter, held))
    listed = list(_shortened_directions(directions, room, counter, held))
    while len(listed) > limits.directions_limit:
        del listed[next_cut(listed)]

    def over() -> bool:
        return tokens(status, listed, bank, counter) > limits.token_limit

    if not over():
        return Fitted(status, tuple(listed), tuple(bank), compressed=False)
    compressed = limits.compression != "none"
    if compressed:
        kept = summarize_memory(
            bank, successes=limits.keep_successes, failures=limits.keep_failures
        )
        bank[:] = _shortened_items(kept, room, counter)
    while (listed or bank) and limits.compression == "none" and over():
        _cut_oldest(listed, bank)
    while listed and over():
        del listed[next_cut(listed)]
    while bank and over():
        room = room * 3 // 4
        bank[:] = _shortened_items(bank, room, counter)
    return Fitted(status, tuple(listed), tuple(bank), compressed)


def _cut_oldest(listed: list[Direction], bank: list[Item]) -> None:
    """Give up the oldest entry of both lists; what a person suggested goes last."""
    entries: list[tuple[bool, tuple[int, int], int, list[Any]]]  # lists of either kind
    entries = [(False, age(item.source_ref), at, bank) for at, item in enumerate(bank)]
    entries += [(e.untried, age(e.source_ref), at, listed) for at, e in enumerate(listed)]
    _, _, place, oldest = min(entries, key=lambda entry: entry[:2])
    del oldest[place]


def tokens(
    status: GlobalStatus,
    directions: Sequence[Direction],
    items: Sequence[Item],
    counter: TokenCounter,
) -> int:
    """Return the tokens of the rendering (X-01): as many as `lines` come to, entry by entry."""
    told = steps_told(directions)
    parts = [_direction_part(entry, counter) for entry in directions]
    parts += [_item_part(i, counter, i.source_ref.solution_id in told) for i in items]
    headings = dict.fromkeys(heading for heading, _ in parts)  # each once
    once = sum(map(counter.count, (TITLE, status_line(status), *headings)))
    return once + sum(size for _, size in parts)


@lru_cache(_KNOWN)
def _direction_part(entry: Direction, counter: TokenCounter) -> tuple[str, int]:
    """Return the heading that a direction stands below, and the tokens of its line."""
    return heading_of(entry), counter.count(direction_line(entry))


@lru_cache(_KNOWN)
def _item_part(item: Item, counter: TokenCounter, known: bool) -> tuple[str, int]:
    """Return the same of a lesson."""
    return heading_of(item), counter.count(item_line(item, known=known))


@lru_cache(_KNOWN)
def _shortened_status(status: GlobalStatus, counter: TokenCounter) -> GlobalStatus:
    approach = _shortened_approach(status.current_approach, counter)
    if approach == status.current_approach:
        return status
    return status.model_copy(update={"current_approach": approach})


@lru_cache(_KNOWN)
def _shortened_approach(text: str, counter: TokenCounter) -> str:
    return clipped_text(text, _APPROACH, counter)


def _shortened_items(
    items: Iterable[Item], room: int, counter: TokenCounter, held: Collection[int] = ()
) -> Iterator[Item]:
    found = (i if id(i) in held else _shortened_item(i, room, counter) for i in items)
    return (item for item in found if item is not None)


def _shortened_directions(
    directions: Iterable[Direction], room: int, counter: TokenCounter, held: Collection[int]
) -> Iterator[Direction]:
    found = (
        entry if id(entry) in held else _shortened_direction(entry, room, counter)
        for entry in directions
    )
    return (entry for entry in found if entry is not None)


@lru_cache(_KNOWN)
def _shortened_item(item: Item, room: int, counter: TokenCounter) -> Item | None:
    forms = _item_forms(item, counter)
    return next((form for form in forms if counter.count(item_line(form)) <= room), None)


@lru_cache(_KNOWN)
def _shortened_direction(
    entry: Direction, room: int, counter: TokenCounter
) -> Direction | None:
    forms = _direction_forms(entry, counter)
    return next((form for form in forms if counter.count(direction_line(form)) <= room), None)


def _item_forms(item: Item, counter: TokenCounter) -> Iterator[Item]:
    evidence = item.evidence
    texts = (item.title, item.description, item.content, item.related_operator)
    if sum(map(len, (*texts, *_texts(evidence)))) <= _LONG:
        yield item
    for limit in _FIELDS:
        title, description, content, operator = (clipped_text(t, limit, counter) for t in texts)
        change, delta, context = (clipped_text(t, limit, counter) for t in _texts(evidence))
        yield item.model_copy(
            update={
                "title": title,
                "description": description,
                "content": content,
                "related_operator": operator,
                "evidence": Evidence(code_change=change, metrics_delta=delta, context=context),
            }
        )


def _texts(evidence: Evidence) -> tuple[str, str, str]:
    return evidence.code_change, evidence.metrics_delta, evidence.context


def _direction_forms(entry: Direction, counter: TokenCounter) -> Iterator[Direction]:
    if len(entry.direction) + len(entry.evidence) <= _LONG:
        yield entry
    for limit in _FIELDS:
        yield entry.model_copy(
            update={
                "direction": clipped_text(entry.direction, limit, counter),
                "evidence": clipped_text(entry.evidence, limit, counter),
            }
        )
