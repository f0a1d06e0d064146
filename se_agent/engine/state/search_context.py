"""What a run knows besides its memory: how strategies fared, what failed, what made a contrast.

A fold over closed steps that stays small whatever their number: the programs that it names are
held here, for the population forgets them. Not here: what lessons say (`se_agent.memory`), nor
how any of it is put into words (`operators`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from se_agent.engine.state.open_generation import with_comparison
from se_agent.engine.state.population import Population
from se_agent.events import Event, Learned, Relayed
from se_agent.memory import result_phrase
from se_agent.program.features import features, unified_diff
from se_agent.values.evaluation import Evaluation, Status, Verdict
from se_agent.values.observation import Scaling
from se_agent.values.search_context import (
    Card,
    Failure,
    Repeat,
    SearchContext,
    Sibling,
    Strategy,
    StrategyRecord,
)
from se_agent.values.solution import Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import Member

if TYPE_CHECKING:
    from se_agent.engine.state.state import State

STRATEGIES = 64
"""Strategies that are kept in the ledger: the newest, and the best one."""

FAILURES = 8
"""Wrong candidates that are kept, the newest."""

CHANGES = 16
"""Strategies of which a win and a near miss are kept, those that were last tried."""

PARENTS, SIBLINGS = 64, 6
"""Parents of which rejected children are kept, those last tried; and how many of each."""

APART = 0.1
"""A program is unlike another one from here on, of 1: below, showing it teaches nothing."""

DIFF_LINES, DIFF_LETTERS = 60, 3000
"""Length of a card's difference; what is beyond is left out."""


class ContrastChange(NamedTuple):
    """A right candidate, what it was compared with, and what came of it."""

    parent: Solution
    child: Solution
    verdict: Verdict


@dataclass
class SearchFindings:
    """The fold.

    Attributes:
        ledger: By name of the strategy, in the order in which they were planned.
        failures: Programs of a model that are not right, oldest first.
        wins: The largest proven gain by strategy; under the empty name those of none.
        misses: The right candidate without a proven gain that came nearest to one, the same.
        repeat: What the last answers of models repeated; None: the last one was new.
        rejected: By the id of a parent, what was made from it in vain.
    """

    ledger: dict[str, StrategyRecord] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    wins: dict[str, ContrastChange] = field(default_factory=dict)
    misses: dict[str, ContrastChange] = field(default_factory=dict)
    repeat: Repeat | None = None
    rejected: dict[str, tuple[Sibling, ...]] = field(default_factory=dict)

    def tell(
        self, step: Step, fault: Evaluation | None, scaling: Scaling | None = None
    ) -> None:
        """Take note of a closed step.

        Args:
            step: The one.
            fault: How its solution was seen to be wrong.
            scaling: How its solution was seen to scale.
        """
        for strategy in step.planned:
            self._plan(strategy)
        if (record := self.ledger.get(step.slot.strategy)) is not None:
            self.ledger[step.slot.strategy] = _tried(record, step, fault, scaling)
        self._note_repeat(step)
        if step.proposal is None or step.verdict is None:
            return
        child = step.proposal.solution
        if not step.gain:
            self._note_rejected(step, fault)
        if step.effect is not None:
            found = self.wins if step.verdict.significant else self.misses
            _keep(found, ContrastChange(step.slot.parents[0], child, step.verdict))
        elif fault is not None and not child.base:
            self.failures = [*self.failures, Failure(solution=child, evaluation=fault)]
            self.failures = self.failures[-FAILURES:]

    def _note_repeat(self, step: Step) -> None:
        """Note a program of a model that was tried before, or that it made a new one."""
        if step.proposal is None or step.proposal.solution.base:
            return  # none, or a rule's
        times = (self.repeat.times if self.repeat else 0) + 1
        again = Repeat(times=times, known=step.duplicate_of, program=step.proposal.solution)
        self.repeat = again if step.duplicate_of else None

    def _note_rejected(self, step: Step, fault: Evaluation | None) -> None:
        """Note what was made of a parent in vain; of one direction the newest result."""
        assert step.proposal is not None
        assert step.verdict is not None
        direction, parent = step.proposal.direction, step.slot.parents[0].id
        result = _result(step, step.verdict.status, fault)
        one = Sibling(child=step.slot.child, direction=direction, result=result)
        before = self.rejected.pop(parent, ())
        kept = (*(each for each in before if each.direction != direction), one)
        self.rejected[parent] = kept[-SIBLINGS:]
        if len(self.rejected) > PARENTS:
            del self.rejected[next(iter(self.rejected))]

    def withdraw(self, gone: Collection[str], left: Iterable[Member]) -> None:
        """Forget what rests on solutions that turned out to be wrong.

        Args:
            gone: Their ids.
            left: Right solutions, best first: one of them may be the best of a strategy now.
        """
        for found in (self.wins, self.misses):
            for name, change in list(found.items()):
                if not {change.parent.id, change.child.id}.isdisjoint(gone):
                    del found[name]
        heirs = {m.solution.strategy: m for m in reversed([*left])}
        for name, record in self.ledger.items():
            if record.best in gone:
                heir = heirs.get(name)
                self.ledger[name] = replace(
                    record,
                    best=heir.solution.id if heir else "",
                    effect=heir.effect if heir else None,
                    scaling=None,
                )

    def copy(self) -> SearchFindings:
        """Return what is known by now, for a slot that sees no more."""
        wins, misses = {**self.wins}, {**self.misses}
        rejected = {**self.rejected}
        return SearchFindings(
            {**self.ledger}, self.failures[:], wins, misses, self.repeat, rejected
        )

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """All that are known, in the order in which they were planned."""
        return tuple(record.strategy for record in self.ledger.values())

    def repairable(self, members: Collection[str]) -> tuple[Failure, ...]:
        """Return the failures whose parent is a member, and can be built upon again."""
        return tuple(f for f in self.failures if f.solution.parents[0] in members)

    def failure(self, subject: str) -> Failure | None:
        """Return a program that is not right by its id; None: it is not kept."""
        return next((f for f in self.failures if f.solution.id == subject), None)

    def of(self, slot: Slot, population: Population) -> SearchContext:
        """Return all that is known for a slot."""
        named = self.ledger.get(slot.strategy)
        places = (population.members.get(parent.id) for parent in slot.parents)
        free = Strategy(name=slot.strategy) if slot.strategy else None
        other = diverse(population, slot.parents)
        best = population.best
        return SearchContext(
            effects=tuple(member.effect for member in places if member is not None),
            strategy=named.strategy if named else free,
            ledger=tuple(self.ledger.values()),
            failure=self.failure(slot.subject),
            cards=tuple(map(card, self._contrast())),
            siblings=self._siblings(slot),
            diverse=other,
            lead=best.effect if other is best.solution and best.effect > 0 else None,
            repeat=self.repeat,
        )

    def _siblings(self, slot: Slot) -> tuple[Sibling, ...]:
        """Return what was made of the first parent in vain, but for what shall be repaired."""
        found = self.rejected.get(slot.parents[0].id, ())
        return tuple(one for one in found if one.child != slot.subject)

    def _plan(self, strategy: Strategy) -> None:
        self.ledger.setdefault(strategy.name, StrategyRecord(strategy=strategy))
        if len(self.ledger) > STRATEGIES:
            best = max(self.ledger.values(), key=_rank).strategy.name
            del self.ledger[next(name for name in self.ledger if name != best)]

    def _contrast(self) -> Iterator[ContrastChange]:
        """Yield the largest gain, and the nearest miss of another strategy.

        Where no strategy is named, any two changes are a contrast.
        """
        win = max(self.wins.values(), key=_effect, default=None)
        if win is not None:
            yield win
        name = win.child.strategy if win else ""
        others = (m for m in self.misses.values() if not name or m.child.strategy != name)
        yield from sorted(others, key=_effect)[-1:]


class SearchFindingsFold(SearchFindings):
    """Knowledge, moved on by closed steps."""

    reads: ClassVar = (Learned, Relayed)

    def __init__(self, run: State) -> None:
        super().__init__()
        self._run = run

    def apply(self, event: Event) -> None:
        """Forget what is withdrawn, and take note of the closed step.

        Its solution may have been watched itself; it has not its parent's observation yet.
        """
        if isinstance(event, Relayed):  # the next policy begins with a fresh history
            SearchFindings.__init__(self)
            return
        assert isinstance(event, Learned)
        run, (stages, step) = self._run, self._run.open.last
        if event.withdrawn:
            self.withdraw(event.withdrawn, run.populated.elite)
        if step is not None:
            seen = run.observed.get(event.child)
            measured = with_comparison(step, stages, run.begun.measure)
            self.tell(measured, stages.fault, seen.scaling if seen else None)

    def at(self, slot: int) -> SearchFindings:
        """Return what is known when a slot is selected."""
        del slot
        return self.copy()


def card(change: ContrastChange) -> Card:
    """Return the card of a change."""
    return Card(
        child=change.child.id,
        strategy=change.child.strategy,
        diff=_diff(change.parent, change.child),
        effect=change.verdict.effect,
        interval=change.verdict.interval,
        significant=change.verdict.significant,
    )


def diverse(population: Population, parents: Sequence[Solution]) -> Solution | None:
    """Return a right program unlike the parents: the best one so far, if it is unlike them.

    Else the best of another strategy, else the one of the elite whose features differ most.
    The initial program is none: whoever reads a parent knows where it came from.
    """
    known = {population.initial.solution.content, *(parent.content for parent in parents)}
    others = [
        m.solution
        for m in population.elite
        if m.solution.content not in known and _apart(m.solution, parents) >= APART
    ]
    if population.best.solution in others:
        return population.best.solution
    followed = {"", *(parent.strategy for parent in parents)}
    other = next((one for one in others if one.strategy not in followed), None)
    return other or max(others, key=lambda one: _apart(one, parents), default=None)


def _tried(
    record: StrategyRecord, step: Step, fault: Evaluation | None, scaling: Scaling | None
) -> StrategyRecord:
    verdict, proposal = step.verdict, step.proposal
    record = replace(record, tries=record.tries + 1, gains=record.gains + (step.gain > 0))
    if verdict is None or proposal is None:
        return record
    if verdict.status is not Status.AC:
        return replace(record, failure=_result(step, verdict.status, fault))
    if step.effect is not None and (record.effect is None or step.effect > record.effect):
        best = proposal.solution.id
        return replace(record, best=best, effect=step.effect, scaling=scaling)
    return record


def _result(step: Step, status: Status, fault: Evaluation | None) -> str:
    """Return what was measured of a candidate, or how it failed, in a phrase."""
    seen = fault or Evaluation(status=status) if status is not Status.AC else step.evaluation
    return result_phrase(replace(step, evaluation=seen))


def _keep(found: dict[str, ContrastChange], change: ContrastChange) -> None:
    """Keep the larger effect, as the newest entry."""
    name = change.child.strategy
    before = found.pop(name, change)
    found[name] = max(before, change, key=_effect)
    if len(found) > CHANGES:
        del found[next(iter(found))]


def _effect(change: ContrastChange) -> float:
    return change.verdict.effect


def _rank(record: StrategyRecord) -> float:
    return float("-inf") if record.effect is None else record.effect


def _diff(old: Solution, new: Solution) -> str:
    """Return the unified diff of two solutions, capped at whole lines."""
    paths = sorted({*old.files, *new.files})
    whole = "".join(unified_diff(old.files.get(p, ""), new.files.get(p, ""), p) for p in paths)
    lines, room, kept = whole.splitlines(keepends=True), DIFF_LETTERS, list[str]()
    for line in lines[:DIFF_LINES]:
        room -= len(line)
        if room < 0:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    return "".join(kept) + (f"... {left} more lines\n" if left else "")


def _apart(one: Solution, others: Sequence[Solution]) -> float:
    """Return how unlike the nearest of others a solution is, 0 to 1 (weighted Jaccard)."""
    mine = _traits(one.all_text)
    return min((_far(mine, _traits(other.all_text)) for other in others), default=0.0)


def _far(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(min(number, other.get(name, 0)) for name, number in one.items())
    return 1 - shared / max(1, one.total() + other.total() - shared)


@lru_cache(maxsize=128)
def _traits(text: str) -> Counter[str]:
    """Return what a program is made of: its features, or its words where it is no Python."""
    found = asdict(features(text))
    if not found.pop("nodes"):
        return Counter(text.split())
    calls, imports = found.pop("calls"), found.pop("imports")
    return Counter(found) + Counter(dict(calls)) + Counter(imports)
