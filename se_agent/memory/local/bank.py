"""The reasoning bank: which lessons stay when it is compressed.

Pure. What compression drops leaves the prompt only: the ledger keeps every item of the run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from se_agent.memory.local.directions import age
from se_agent.values.evaluation import Branch, Status
from se_agent.values.lesson import Item

TRIVIAL = math.log1p(0.01)
"""An effect of at most this, either way, teaches nothing once room is short."""

_RANK = {
    Status.AC: 0,
    Status.TLE: 1,
    Status.MLE: 2,
    Status.RE: 2,
    Status.CE: 2,
    Status.WA: 3,
    Status.REJECTED: 4,
}
_WORD = re.compile(r"\w+")
_SIMILAR = 0.6  # share of the words of two titles that are common
_SOURCES = 3  # further sources that a merged item names
_ABOUT = 8  # constructs of a merged item


def severity(item: Item) -> tuple[int, float]:
    """Rank a failure: a wrong answer outranks a crash, a timeout, a slow-down, a small one."""
    return _RANK[item.status], -item.effect


def weight(item: Item) -> tuple[tuple[float, ...], tuple[int, int]]:
    """Return what ranks items of one type: gain or severity, then how new they are."""
    worth = (item.effect,) if item.type is Branch.SUCCESS else severity(item)
    return worth, age(item.source_ref)


def summarize_memory(
    items: Iterable[Item], *, successes: int = 3, failures: int = 2
) -> tuple[Item, ...]:
    """Compress the bank (LM-56 to LM-60), in the order of X-11.

    Stale and trivial items go, similar ones are merged into the best of them, and of these
    the largest gains and the severest failures stay, in their original order.

    Args:
        items: The bank, oldest first.
        successes: Successes to keep, by effect.
        failures: Failures to keep, by severity.
    """
    bank = list(items)
    won, lost = ranked_items(bank, Branch.SUCCESS), ranked_items(bank, Branch.FAILURE)
    kept = _merged(won)[:successes] + _merged(lost)[:failures]
    places = {id(item): place for place, item in enumerate(bank)}
    return tuple(item for _, item in sorted((places[id(old)], new) for old, new in kept))


def ranked_items(bank: Sequence[Item], branch: Branch) -> list[Item]:
    """Return the items of a type that teach something still, best or severest first."""
    teaching = [item for item in bank if item.type is branch and not idle(item, bank)]
    return sorted(teaching, key=weight, reverse=True)


def idle(item: Item, bank: Sequence[Item]) -> bool:
    """Say whether an item teaches nothing any more: a tiny effect, or out of date."""
    return trivial(item) or (item.type is Branch.FAILURE and _overtaken(item, bank))


def trivial(item: Item) -> bool:
    """Say whether an effect is too small to teach anything once room is short."""
    return item.status is Status.AC and abs(item.effect) <= TRIVIAL


def _overtaken(item: Item, bank: Sequence[Item]) -> bool:
    """Say whether what failed here has worked since, so that the warning is out of date."""
    return any(
        other.type is Branch.SUCCESS
        and age(other.source_ref) > age(item.source_ref)
        and not trivial(other)
        and similar(item, other)
        for other in bank
    )


def similar(one: Item, other: Item) -> bool:
    """Say whether two items speak of one thing: same operator, mostly the same title words.

    Numbers and what follows a colon (where a measured title puts its figures) do not count.
    """
    if one.related_operator.casefold() != other.related_operator.casefold():
        return False
    first, second = topic_words(one.title), topic_words(other.title)
    return len(first & second) >= _SIMILAR * len(first | second)


def topic_words(title: str) -> frozenset[str]:
    """Return the words of a title by which it is compared: without numbers and figures."""
    words = _WORD.findall(title.partition(": ")[0].casefold())
    return frozenset(word for word in words if not word.isdecimal())


def _merged(ranked: Sequence[Item]) -> list[tuple[Item, Item]]:
    """Merge each item into the first that it resembles; return pairs of old and merged."""
    groups: list[list[Item]] = []
    for item in ranked:
        home = next((group for group in groups if similar(group[0], item)), None)
        if home is None:
            groups.append([item])
        else:
            home.append(item)
    return [(group[0], united_item(group)) for group in groups]


def united_item(group: Sequence[Item]) -> Item:
    """Return one item for several of one type, the best of them first: evidence and counts.

    Args:
        group: At least one.
    """
    best, *others = group
    if not others:
        return best
    sources = ", ".join(item.source_ref.solution_id for item in others[:_SOURCES])
    more = ", ..." if len(others) > _SOURCES else ""
    context = "; ".join(filter(None, [best.evidence.context, f"also {sources}{more}"]))
    return best.model_copy(
        update={
            "merged": sum(item.merged for item in group),
            "constructs": _constructs(group),
            "evidence": best.evidence.model_copy(update={"context": context}),
        }
    )


def _constructs(group: Sequence[Item]) -> tuple[str, ...]:
    """Return what any of these lessons is about; nothing where one is about any program."""
    if not all(item.constructs for item in group):
        return ()
    return tuple(dict.fromkeys(each for item in group for each in item.constructs))[:_ABOUT]
