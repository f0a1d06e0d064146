"""The harvest of a run: what its journal has for the runs to come (LF-104, SQ-07). Pure.

The same events give the same harvest, however often they are read. Not here: what becomes of it
beside what earlier runs left (`promotion`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from se_agent.events import Confirmed, Event, Learned, Proposed, Started, Trimmed
from se_agent.memory.experience.champions import ArchetypeRow, archetype_row, solutions_of
from se_agent.memory.experience.execution_rows import Execution, execution_of
from se_agent.memory.experience.exposure_rows import ExposureRow, exposures_of
from se_agent.memory.experience.item_rows import ItemRow, ItemSource, ItemStatus, item_id
from se_agent.memory.experience.long_term import (
    FixRow,
    KnownRun,
    KnownSolution,
    KnownTest,
)
from se_agent.memory.experience.operator_counts import OperatorCounts
from se_agent.memory.experience.slot_records import Refutations, SlotRecord, records_of
from se_agent.memory.experience.test_runs import TestRun, test_runs_of
from se_agent.memory.experience.traits import traits
from se_agent.memory.graph.shapes import Derived
from se_agent.memory.graph.triples import GraphReading
from se_agent.memory.retrieval.query_words import text_words
from se_agent.memory_events import Recalled, Surveyed
from se_agent.problem.loading import fingerprint
from se_agent.problem.model import Problem
from se_agent.program.features import unified_diff
from se_agent.store.blobs import digest_of
from se_agent.values.evaluation import Branch
from se_agent.values.lesson import Item
from se_agent.values.recall import RECALL
from se_agent.values.session import ArchetypeRecord
from se_agent.values.solution import Solution

MOST_ITEMS = 200
"""Lessons that one run leaves at most: the proven ones with the largest effects first."""


@dataclass(frozen=True, kw_only=True)
class Harvest:
    """All that a run leaves.

    Attributes:
        run: The run.
        items: Lessons with the steps that they come from; one a failure may be seen once yet.
        solutions: Its champion, where its gain was proven.
        tests: Inputs that refuted programs, with how many.
        archetypes: The pattern that its program follows, where that was found out.
        fixes: What mended errors, and was seen to.
        executions: One for each closed step.
        test_runs: One for each evaluation that failed.
        recalled: Ids of the items that it took with it from earlier runs.
        exposures: Items that its slots might have been shown, and whether they were.
        counts: What each operator did; None: not known, so that what is known stays.
        graph: What the journal gives to the knowledge graph.
    """

    run: KnownRun
    items: tuple[tuple[ItemRow, ItemSource], ...] = ()
    solutions: tuple[KnownSolution, ...] = ()
    tests: tuple[KnownTest, ...] = ()
    archetypes: tuple[ArchetypeRow, ...] = ()
    fixes: tuple[FixRow, ...] = ()
    executions: tuple[Execution, ...] = ()
    test_runs: tuple[TestRun, ...] = ()
    recalled: tuple[str, ...] = ()
    exposures: tuple[ExposureRow, ...] = ()
    counts: tuple[OperatorCounts, ...] | None = None
    graph: Derived = field(default_factory=Derived)


@dataclass
class _Gathered:
    """What one pass over the events brings."""

    graph: GraphReading
    started: Started | None = None
    confirmed: Confirmed | None = None
    programs: dict[str, Solution] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    evaluations: int = 0
    recalled: tuple[str, ...] = ()
    archetype: ArchetypeRecord | None = None
    refutations: Refutations = field(default_factory=Refutations)
    records: list[SlotRecord] = field(default_factory=list)

    def watch(self, events: Iterable[tuple[int, Event]]) -> Iterator[tuple[int, Event]]:
        """Yield the events, and note what is no part of a step."""
        for number, event in events:
            self.graph.apply(event)
            self.refutations.apply(event)
            match event:
                case Started():
                    self.started = event
                    self.programs[event.initial.id] = event.initial
                case Proposed() if event.proposal is not None and not event.duplicate_of:
                    made = event.proposal.solution
                    self.programs[made.id] = made
                    self.parents[made.id] = made.parents[0] if made.parents else ""
                case Trimmed():
                    self.programs[event.solution.id] = event.solution
                    self.parents[event.solution.id] = event.reference
                case Learned():
                    self.withdrawn.update(event.withdrawn)
                    self.evaluations += event.verdict is not None
                case Confirmed():
                    self.confirmed = event
                case Recalled():
                    self.recalled = tuple(item.id for item in event.items)
                case Surveyed():
                    self.archetype = event.updates.archetype
            yield number, event

    def line(self) -> set[str]:
        """Return the ids of the proven champion and of all that it descends from."""
        found = set[str]()
        if self.confirmed is None or self.confirmed.status != "proven":
            return found
        here = self.confirmed.solution
        while here and here not in found:
            found.add(here)
            here = self.parents.get(here, "")
        return found


def harvest_of(
    events: Iterable[tuple[int, Event]],
    counts: Sequence[OperatorCounts] | None,
    *,
    run: str,
    problem: Problem,
) -> Harvest | None:
    """Return what a run leaves; None: it never started.

    Args:
        events: Its events with their numbers, oldest first.
        counts: What each operator did; None: not known.
        run: What tells it from all other runs, for good.
        problem: Its problem.
    """
    seen = _Gathered(GraphReading(run))
    seen.records = list(records_of(seen.watch(events)))
    if seen.started is None:
        return None
    initial = seen.started.initial
    text = next(iter(initial.files.values()))
    known = _run(seen, seen.started, problem, run, text)
    failed: dict[str, tuple[str, str]] = {}
    executions = (execution_of(one, failed, run, known.words) for one in seen.records)
    return Harvest(
        run=known,
        items=tuple(_items(seen, known)),
        solutions=tuple(_champion(seen, known, problem)),
        tests=tuple(seen.refutations.tests(known.fingerprint)),
        archetypes=() if seen.archetype is None else (archetype_row(seen.archetype, known),),
        fixes=tuple(_fixes(seen.records, known)),
        executions=tuple(one for one in executions if one is not None),
        test_runs=tuple(one for record in seen.records for one in test_runs_of(record, run)),
        recalled=seen.recalled,
        exposures=tuple(_exposures(seen.records, known)),
        counts=None if counts is None else tuple(counts),
        graph=seen.graph.graph_part,
    )


def descriptive_words(problem: Problem, text: str) -> tuple[str, ...]:
    """Return words that describe a program: its traits, and what it is built of."""
    words = (*traits(problem, text), *text_words(text, str(problem.language)))
    return tuple(dict.fromkeys(words))


def family_of(problem: Problem) -> str:
    """Return what a problem's runs are grouped by: its family, or itself."""
    return problem.family or problem.name


def _run(seen: _Gathered, started: Started, problem: Problem, run: str, text: str) -> KnownRun:
    replies = [reply for record in seen.records for reply in record.replies]
    confirmed = seen.confirmed
    champion = seen.programs.get(confirmed.solution) if confirmed else None
    return KnownRun(
        run=run,
        problem=problem.name,
        fingerprint=fingerprint(problem),
        family=family_of(problem),
        kind=str(problem.kind),
        language=str(problem.language),
        entry=problem.entry_point,
        entry_content=started.initial.content,
        traits=traits(problem, text),
        words=descriptive_words(problem, text),
        status=confirmed.status if confirmed else "",
        gain=(confirmed.gain or 0.0) if confirmed else 0.0,
        low=(confirmed.low or 0.0) if confirmed else 0.0,
        high=(confirmed.high or 0.0) if confirmed else 0.0,
        evaluations=seen.evaluations,
        calls=len(replies),
        tokens=sum(one.usage.prompt + one.usage.completion for one in replies),
        seed=int(started.config.get("seed") or 0),
        code=champion.content if champion else "",
        trusted=problem.trusted,
        started=started.at.isoformat(timespec="seconds"),
        ended=confirmed.at.isoformat(timespec="seconds") if confirmed else "",
    )


def _items(seen: _Gathered, known: KnownRun) -> list[tuple[ItemRow, ItemSource]]:
    """Return proven lessons and failures, each once, with the first step that it comes from."""
    line = seen.line()
    found: dict[str, tuple[ItemRow, ItemSource]] = {}
    times = Counter[str]()
    for record in seen.records:
        for item, key in _lessons(record):
            source = item.source_ref.solution_id
            if source in seen.withdrawn:
                continue
            row = _item_row(item, key, known, is_verified=source in line)
            id_ = item_id(row)
            times[id_] += 1
            first = found.get(id_)
            if first is None or abs(row.effect) > abs(first[0].effect):
                found[id_] = (row, _source(record, item, known.run, seen.programs))
    kept = _of_majority(found, times)
    ranked = sorted(
        kept.items(), key=lambda one: (-one[1][0].significant, -abs(one[1][0].effect), one[0])
    )
    return [(replace(row, merged=times[id_]), at) for id_, (row, at) in ranked[:MOST_ITEMS]]


def _of_majority(
    found: dict[str, tuple[ItemRow, ItemSource]], times: Counter[str]
) -> dict[str, tuple[ItemRow, ItemSource]]:
    """Return the lessons without those that more steps of the run speak against.

    A run says one thing of a direction; a gain wins a tie, for it is proven.
    """

    def weight(id_: str) -> tuple[int, bool]:
        return times[id_], found[id_][0].outcome == "Success"

    best = dict[str, str]()
    for id_, (row, _) in found.items():
        key = row.direction_key or id_
        best[key] = max(best.get(key, id_), id_, key=weight)
    kept = set(best.values())
    return {id_: found[id_] for id_ in found if id_ in kept}


def _lessons(record: SlotRecord) -> Iterator[tuple[Item, str]]:
    """Yield the lessons of a step that may be worth keeping, with the keys of directions.

    A program that was recalled teaches nothing anew: its own run has left what it showed.
    """
    lesson = record.learned.lesson if record.learned else None
    if lesson is None or record.learned is None:
        return
    if record.selected is not None and record.selected.operator == RECALL:
        return
    own = (
        one.key
        for one in lesson.updated_directions
        if one.source_ref.solution_id == record.learned.child
    )
    key = next(own, "")
    for item in lesson.items:
        if item.significant or item.type is Branch.FAILURE:
            yield item, key


def _item_row(item: Item, key: str, known: KnownRun, *, is_verified: bool) -> ItemRow:
    won = item.type is Branch.SUCCESS
    return ItemRow(
        outcome="Success" if won else "Failed",
        title=item.title,
        description=item.description,
        content="\n".join(filter(None, (item.content, item.evidence.context))),
        operator=item.related_operator,
        direction_key=key,
        words=known.words,
        language=known.language,
        family=known.family,
        scope=known.traits,
        effect=item.effect,
        low=item.effect,
        high=item.effect,
        significant=item.significant,
        verified=is_verified and won,
        status=ItemStatus.ACTIVE if is_verified and won else ItemStatus.CANDIDATE,
    )


def _source(
    record: SlotRecord, item: Item, run: str, programs: dict[str, Solution]
) -> ItemSource:
    ref, reply = item.source_ref, record.replies[-1] if record.replies else None
    old, new = programs.get(ref.parent_id), programs.get(ref.solution_id)
    return ItemSource(
        run=run,
        solution=ref.solution_id,
        parent=ref.parent_id,
        slot=record.number,
        event=record.event,
        request=reply.request if reply else "",
        reply=digest_of(reply.text) if reply else "",
        model=reply.model if reply else "",
        diff=_diff(old, new) if old and new else "",
    )


def _exposures(records: Iterable[SlotRecord], known: KnownRun) -> Iterator[ExposureRow]:
    effects: dict[str, float] = {}
    for record in records:
        yield from exposures_of(record, known.run, known.family, effects)
        learned = record.learned
        if learned is not None and learned.effect is not None:
            effects[learned.child] = learned.effect


def _champion(seen: _Gathered, known: KnownRun, problem: Problem) -> Iterator[KnownSolution]:
    done = seen.confirmed
    best = seen.programs.get(done.solution) if done else None
    if seen.started is not None and done is not None and best is not None:
        yield from solutions_of(done, best, seen.started.initial, known, problem)


def _fixes(records: Iterable[SlotRecord], known: KnownRun) -> Iterator[FixRow]:
    """Yield what mended errors, each once, with how often it did."""
    times = Counter[tuple[str, str]]()
    for record in records:
        updates = record.learned.session_updates if record.learned else None
        for fix in updates.known_fixes if updates else ():
            times[fix.error_pattern, fix.solution] += fix.verified
    for (pattern, solution), number in times.items():
        if number:
            yield FixRow(
                id=f"F{digest_of(json.dumps([pattern, solution, known.language]))[:12]}",
                error_pattern=pattern,
                solution=solution,
                frequency=number,
                language=known.language,
                verified=True,
                last_run=known.run,
            )


def _diff(old: Solution, new: Solution) -> str:
    paths = sorted({*old.files, *new.files})
    texts = ((old.files.get(path, ""), new.files.get(path, ""), path) for path in paths)
    return "".join(unified_diff(*one) for one in texts if one[0] != one[1])
