"""The harvest of a run is taken in beside what earlier runs left: one transaction (law S8).

Lessons of one direction are one item, near-duplicates are merged with all their sources, and of
opposite outcomes on programs of the same traits the older one is superseded, with the time. A
run that is written again changes nothing. Not here: what a run leaves (`harvest`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from se_agent.memory.experience.champions import put_archetype
from se_agent.memory.experience.executions import ExecutionLog
from se_agent.memory.experience.exposure_rows import ExposureLog
from se_agent.memory.experience.harvest import Harvest
from se_agent.memory.experience.item_credit import quarantined_items
from se_agent.memory.experience.item_rows import (
    ItemKind,
    ItemRow,
    ItemSource,
    ItemStatus,
    item_id,
)
from se_agent.memory.experience.items import Items
from se_agent.memory.experience.long_term import LongTerm
from se_agent.memory.experience.schema import put_counts
from se_agent.memory.experience.test_runs import TestRunLog
from se_agent.memory.graph.ontology import EntityType, RelationType, entity_name
from se_agent.memory.graph.shapes import Edge, Triple
from se_agent.memory.graph.writing import Graph, put_derived

HARMFUL = "steps that were shown it fared worse"
"""How the reason begins for which an item is in quarantine."""

SEEN = 2
"""Steps that have to show a failure before it counts as a lesson."""


@dataclass(frozen=True, kw_only=True)
class PromotionReport:
    """What was taken in, by kind; of a run that was written before no item is new.

    Attributes:
        items: Lessons that are new.
        merged: Lessons that were counted into items that were there.
        superseded: Items that a lesson of this run took the place of.
        fixes: What mended errors.
        solutions: Proven champions.
        tests: Refuting inputs.
        executions: Closed steps.
        test_runs: Evaluations that failed.
        quarantined: Items that are not shown any more, as they were seen to harm.
    """

    items: int = 0
    merged: int = 0
    superseded: int = 0
    fixes: int = 0
    solutions: int = 0
    tests: int = 0
    executions: int = 0
    test_runs: int = 0
    quarantined: int = 0


def promote(harvest: Harvest, items: Items, *, at: str) -> PromotionReport:
    """Write a harvest.

    Args:
        harvest: What a run leaves; of a run that is not trusted nothing is taken.
        items: Where it goes, with all tables beside it.
        at: The time, UTC.

    Raises:
        MemoryFileError: It cannot be written; nothing of it is.
    """
    run, secrets = harvest.run.run, items.secrets
    long_term = LongTerm(items.db, secrets=secrets)
    if not harvest.run.trusted:
        return PromotionReport()
    with items.db.transaction():
        if harvest.counts is not None:
            put_counts(items.db, run, harvest.counts)
        items.table.touch(harvest.recalled, at=harvest.run.started)
        taken = [_take_in(items, row, source, at) for row, source in harvest.items]
        ExecutionLog(items.db, secrets=secrets).put(harvest.executions)
        TestRunLog(items.db, secrets=secrets).put(harvest.test_runs)
        ExposureLog(items.db).put(harvest.exposures)
        quarantined = _quarantine(items, at) if harvest.exposures else 0
        for solution in harvest.solutions:
            long_term.put_solution(solution)
        for test in harvest.tests:
            long_term.put_test(test, run)
        for archetype in harvest.archetypes:
            put_archetype(items.db, archetype)
        for fix in harvest.fixes:
            long_term.put_fix(fix)
        long_term.put_run(harvest.run)
        graph = Graph(db=items.db, run=run, secrets=secrets)
        put_derived(graph, *harvest.graph)
        put_derived(graph, _lesson_triples(harvest, items), ())
    return PromotionReport(
        items=sum(one.is_new for one in taken),
        merged=sum(one.is_merged for one in taken),
        superseded=sum(one.superseded for one in taken),
        fixes=len(harvest.fixes),
        solutions=len(harvest.solutions),
        tests=len(harvest.tests),
        executions=len(harvest.executions),
        test_runs=len(harvest.test_runs),
        quarantined=quarantined,
    )


def _quarantine(items: Items, at: str) -> int:
    """Take lessons out of use that were seen to harm; say how many.

    One that a person brought back from there stays in use: they know something.
    """
    lifts = ExposureLog(items.db).lifts()
    taken = 0
    for id_ in sorted(quarantined_items(lifts)):
        item = items.get(id_)
        if item is None or item.kind != ItemKind.LESSON or not ItemStatus(item.status).is_valid:
            continue
        if any(one.why.startswith(HARMFUL) for one in items.versions(id_)):
            continue
        lift, _, shown, withheld = lifts[id_]
        why = f"{HARMFUL}: log gain {lift:+.3f}, shown {shown} times, withheld {withheld} times"
        items.status(id_, ItemStatus.QUARANTINED, why=why, at=at)
        taken += 1
    return taken


def is_lesson(item: ItemRow) -> bool:
    """Say whether an item may be recalled: it is valid, and sure."""
    return ItemStatus(item.status).is_valid and is_sure(item)


def is_sure(item: ItemRow) -> bool:
    """Say whether an item is proven, is a failure that was seen again, or is no lesson."""
    return item.significant or item.outcome != "Failed" or item.merged >= SEEN


def _lesson_triples(harvest: Harvest, items: Items) -> Iterator[Triple]:
    """Yield what the graph says of lessons, but for those that were counted into others."""
    at, run = harvest.run.started, entity_name(EntityType.RUN, harvest.run.run)
    for row, _ in harvest.items:
        if items.get(item_id(row)) is None:
            continue
        lesson = entity_name(EntityType.LESSON, item_id(row))
        said = [(run, RelationType.DERIVES_FROM, EntityType.RUN)]
        if row.operator:
            rule = entity_name(EntityType.RULE, row.operator)
            said.append((rule, RelationType.MENTIONS, EntityType.RULE))
        for target, kind, target_type in said:
            yield Triple(Edge(lesson, target, kind.value), ("lesson", target_type.value), at)


class _Taken(NamedTuple):
    is_new: bool = False
    is_merged: bool = False
    superseded: int = 0


def _take_in(items: Items, row: ItemRow, source: ItemSource, at: str) -> _Taken:
    """Add a lesson, or count it into one that says the same, and let it end its opposites."""
    id_ = item_id(row)
    is_new = items.get(id_) is None
    near = items.similar(row, ended=True) if is_new else []
    if any(_has_source(items, other.id, source) for other in near):
        return _Taken()  # it was counted into one that has ended since
    alike = [other for other in near if ItemStatus(other.status).is_valid]
    if alike:
        id_, is_new = alike[0].id, False
    if _has_source(items, id_, source):
        return _Taken()
    if alike:
        items.merge_into(id_, row, source, at=at)
    else:
        id_ = items.add(row, source, at=at)
    kept = items.table.existing_row(id_)
    if row.verified and kept.status == ItemStatus.CANDIDATE:
        items.status(id_, ItemStatus.ACTIVE, why=f"part of the champion of {source.run}", at=at)
    return _Taken(is_new, not is_new, _end_opposites(items, id_, row, at))


def _has_source(items: Items, id_: str, source: ItemSource) -> bool:
    said = ((one.run, one.solution) for one in items.sources(id_))
    return (source.run, source.solution) in said


def _end_opposites(items: Items, id_: str, row: ItemRow, at: str) -> int:
    """Supersede items that say the opposite of a direction on programs of the same traits.

    Only what is sure ends another: a proven lesson, or a failure that was seen again.
    """
    kept = items.table.existing_row(id_)
    if kept.status == ItemStatus.SUPERSEDED and is_sure(kept):
        items.status(id_, ItemStatus.CANDIDATE, why="seen again", at=at)
        kept = items.table.existing_row(id_)
    if not row.direction_key or not is_lesson(kept):
        return 0
    ended = [
        other
        for other in items.table.near(kept)
        if ItemStatus(other.status).is_valid
        and (other.direction_key, other.language) == (kept.direction_key, kept.language)
        and other.outcome != kept.outcome
        and other.scope == row.scope
    ]
    for other in ended:
        items.supersede(other.id, id_, why="a newer run says otherwise", at=at)
    return len(ended)


def set_standing(items: Items, id_: str, status: ItemStatus, *, why: str, at: str) -> None:
    """Say where an item or a solution stands from now on.

    Args:
        items: The items, with all tables beside them.
        id_: Its id.
        status: Whether runs may be given it.
        why: Kept with it.
        at: The time, UTC.

    Raises:
        MemoryFileError: It cannot be written, or there is no such item or solution.
    """
    with items.db.transaction():
        solutions = LongTerm(items.db, secrets=items.secrets)
        if items.get(id_) is not None or not solutions.set_status(id_, status.value, why):
            items.status(id_, status, why=why, at=at)
