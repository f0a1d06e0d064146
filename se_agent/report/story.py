"""A run as people follow it: a fold of its events, live and from the journal alike.

Not here: what the loop needs to go on (`se_agent.engine.state`), nor how anything is worded or
drawn. A story takes any prefix of a run's events, so that an unfinished run has one too.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from se_agent.chat.events import Objected, Planned, Replied, Unanswered
from se_agent.chat.messages import LEARNING, Role, family_of
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Confirmed,
    Ended,
    Evaluated,
    Event,
    Failed,
    GenerationOpened,
    Learned,
    Observed,
    Proposed,
    Relayed,
    Remembered,
    Resumed,
    Retested,
    SearchEnded,
    Seeded,
    Selected,
    SelfTested,
    Started,
    Trimmed,
)
from se_agent.memory_events import Noted
from se_agent.report.words.extension import go_on
from se_agent.report.words.trial import ModelTrial
from se_agent.stats.costs import Asked, Costs
from se_agent.stats.memory_worth import Weighing
from se_agent.values.evaluation import ComparisonKind, Evaluation, Hunt, Status, Verdict
from se_agent.values.lesson import Item
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution

_TOP = 64
"""Programs that are kept with the newest ones: the best of them may be the incumbent again."""

_POINTS = 4096
"""Points of a curve of which some steps were forgotten: more than a picture has columns."""


class Standing(enum.StrEnum):
    """What may be said of a step, in the words of tables."""

    OPEN = "open"  # not closed yet
    BETTER = "better"  # than its parent, significantly; only the confirmation proves a gain
    NOISE = "within noise"  # right, and no difference is shown
    WORSE = "worse"  # right, and its whole interval is below zero
    FAILED = "failed"  # not right; the status says how
    DUPLICATE = "duplicate"  # of a program that was tried before
    NOTHING = "nothing new"  # the operator had no proposal
    PLANNED = "planned"  # it made strategies instead
    UNUSABLE = "unusable reply"  # and a second one was no better, or was not to be had
    UNANSWERED = "no reply"  # no model could be asked for one


_BARREN = (Standing.DUPLICATE, Standing.NOTHING, Standing.UNUSABLE)


@dataclass
class Chapter:
    """One step, as far as it got; `asked` has its calls for lessons, too."""

    slot: int
    generation: int = 0
    selected: Selected | None = None
    replied: Replied | None = None
    objected: Objected | None = None
    unanswered: Unanswered | None = None
    planned: Planned | None = None
    proposed: Proposed | None = None
    evaluated: Evaluated | None = None
    blocks: list[BlockMeasured] = field(default_factory=list)
    challenged: Challenged | None = None
    learned: Learned | None = None
    asked: Asked = field(default_factory=Asked)

    def hear(self, event: Replied | Unanswered) -> None:
        """Take note of what came of a call."""
        self.asked.add(event)
        if event.role in LEARNING:
            return  # what becomes of the step is known before
        if isinstance(event, Replied):
            self.replied = event
        else:
            self.unanswered = event

    @property
    def solution(self) -> Solution | None:
        """What was proposed, a duplicate included."""
        proposal = self.proposed.proposal if self.proposed else None
        return proposal.solution if proposal else None

    @property
    def id(self) -> str:
        """Id of the solution that was to be made here."""
        return self.selected.child if self.selected else ""

    @property
    def verdict(self) -> Verdict | None:
        """Against the parent, once the step is closed."""
        return self.learned.verdict if self.learned else None

    @property
    def evaluation(self) -> Evaluation | None:
        """On the tests."""
        return self.evaluated.evaluation if self.evaluated else None

    @property
    def standing(self) -> Standing:
        """What may be said of it now."""
        if self.proposed is not None and self.proposed.duplicate_of:
            return Standing.DUPLICATE
        if self.proposed is not None and self.proposed.proposal is None:
            return self._empty
        if self.learned is None:
            return Standing.OPEN
        if self.verdict is None:
            return Standing.NOTHING
        return _standing(self.verdict)

    @property
    def _empty(self) -> Standing:
        if self.planned is not None:
            return Standing.PLANNED
        down, said = self.unanswered, self.replied
        if said is not None and self.objected is not None:
            unusable = self.objected.attempt == said.attempt
            return Standing.UNUSABLE if unusable else Standing.NOTHING
        if down is not None and (said is None or not down.limit):
            return Standing.UNANSWERED
        # An older journal does not say what was objected.
        again = said is not None and (said.attempt > 0 or down is not None)
        return Standing.UNUSABLE if again else Standing.NOTHING


def _ending(chapter: Chapter) -> str:
    verdict, standing = chapter.verdict, chapter.standing
    return verdict.status if verdict and standing is Standing.FAILED else standing


def _standing(verdict: Verdict) -> Standing:
    if verdict.status is not Status.AC:
        return Standing.FAILED
    if verdict.significant:
        return Standing.BETTER
    return Standing.WORSE if verdict.interval[1] < 0 else Standing.NOISE


@dataclass
class Story:
    """The fold.

    Attributes:
        started: How the run began; None before that.
        spread: Spread of the self-test; None before it, and for scored problems.
        generation: The last one that was opened.
        chapters: Steps by slot.
        solutions: Every proposed program by id, the initial one included, duplicates not.
        ranks: Composed effects of right solutions over the initial program, by id. They claim
            nothing: each is made of steps that were chosen because they looked good.
        best: Id of the incumbent.
        curve: Evaluations done and the incumbent's effect, at each closed step.
        tally: Closed steps by how they ended; kept, so that no picture counts them anew.
        unclosed: Slots of the steps that are not closed.
        own_blocks: Blocks of the self-test and of the confirmation.
        observed: What was seen of the initial program and of each best, by id.
        hunts: What searches for a counterexample to each solution came to.
        drawn: Seed that the last confirmation drew its inputs by; None: that of the run.
        notes: Doubts about the problem, and what was not done beside the run, as sentences.
        trials: Edits of the champion that were left out for a trial, after the search, by slot.
        costs: What was spent of evaluations and time.
        weighing: What memory was worth.
        barren: Steps of models in a row, up to now, that brought no new program.
        closed: Steps that are closed.
        filled: Steps that something to try was selected for.
        search_ended: How and when the search ended; None before that.
        no_room: The last call that a budget had no room for.
        newest: How many closed steps it holds at least, and at most twice as many besides those
            of the open generation: memory of who watches a run shall not grow; 0: all.
        relays: Switches from one policy to another.
        running: Whether a process is at work on it; whoever looks at its lock may say so.
    """

    started: Started | None = None
    spread: float | None = None
    generation: GenerationOpened | None = None
    chapters: dict[int, Chapter] = field(default_factory=dict)
    solutions: dict[str, Solution] = field(default_factory=dict)
    ranks: dict[str, float] = field(default_factory=dict)
    best: str = ""
    curve: list[tuple[int, float]] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)
    unclosed: set[int] = field(default_factory=set)
    own_blocks: list[BlockMeasured] = field(default_factory=list)
    observed: dict[str, Observation] = field(default_factory=dict)
    hunts: dict[str, Hunt] = field(default_factory=dict)
    drawn: int | None = None
    costs: Costs = field(default_factory=Costs)
    weighing: Weighing = field(default_factory=Weighing)
    barren: int = 0
    closed: int = 0
    filled: int = 0
    confirmed: Confirmed | None = None
    failed: Failed | None = None
    search_ended: SearchEnded | None = None
    ended: Ended | None = None
    notes: dict[str, None] = field(default_factory=dict)
    trials: dict[int, ModelTrial] = field(default_factory=dict)
    no_room: Unanswered | None = None
    newest: int = 0
    relays: list[Relayed] = field(default_factory=list)
    running: bool = False

    @classmethod
    def of(cls, events: Iterable[Event]) -> Story:
        """Return the story that these events tell."""
        story = cls()
        for event in events:
            story.apply(event)
        return story

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        self.costs.apply(event)
        self.weighing.apply(event)
        if isinstance(event, Unanswered) and event.limit:
            self.no_room = event
        match event:
            case Started():
                self.started, self.best = event, event.initial.id
                self.solutions[event.initial.id] = event.initial
                self.ranks[event.initial.id] = 0.0
                self.notes |= dict.fromkeys(event.notes)
            case SelfTested():
                self.spread = event.spread
            case GenerationOpened():
                self.generation = event
            case Relayed():
                self.relays.append(event)
            case BlockMeasured():
                self._measure(event)
            case Seeded():
                self.drawn = event.seed
            case Confirmed():
                self.confirmed = event
            case Noted():
                self.notes[event.text] = None
            case Remembered() if event.note:
                self.notes[f"nothing was kept: {event.note}"] = None
            case Failed():
                self.failed = event
            case SearchEnded():
                self.search_ended = event
            case Resumed():
                go_on(self, event)
            case Ended():
                self.ended = event
            case Observed():
                self.observed[event.solution] = event.observation
            case Evaluated() | Retested() | Trimmed() if event.slot < -1:
                self._trial(event)
            case Challenged():
                earlier = self.hunts.get(event.solution, Hunt())
                self.hunts[event.solution] = event.hunt.after(earlier)
                if event.slot >= 0:
                    self._chapter(event.slot).challenged = event
            case Replied() | Unanswered() if event.slot >= 0:
                self._chapter(event.slot).hear(event)
            case Objected():
                self._chapter(event.slot).objected = event
            case Planned():
                self._chapter(event.slot).planned = event
            case Selected() | Proposed() | Evaluated() | Learned() if event.slot >= 0:
                self._step(event)

    @property
    def timed(self) -> bool:
        """Whether effects are logarithms of ratios of CPU time."""
        return self.started is None or self.started.measure is not ComparisonKind.EXACT

    @property
    def budget_end(self) -> str:
        """What ended the search; empty while it goes on."""
        return self.search_ended.budget_end if self.search_ended else ""

    @property
    def trusted(self) -> bool:
        """Whether programs have no part in saying how good they are."""
        return self.started is None or self.started.trusted

    def counts(self) -> Counter[str]:
        """Return how many steps ended how; failed ones by their status."""
        return self.tally + Counter(
            _ending(self.chapters[slot]) for slot in sorted(self.unclosed)
        )

    def chapter_of(self, solution_id: str) -> Chapter | None:
        """Return the step that made a solution; None for the initial one and a stranger."""
        return next((c for c in self.chapters.values() if c.id == solution_id), None)

    def _trial(self, event: Evaluated | Retested | BlockMeasured | Trimmed) -> None:
        self.trials.setdefault(event.slot, ModelTrial()).hear(event)
        if not isinstance(event, Trimmed):
            return
        self.solutions[event.solution.id] = event.solution
        if event.effect is not None:
            self.ranks[event.solution.id] = event.effect
            self.best = event.solution.id

    def _measure(self, event: BlockMeasured) -> None:
        if event.slot == -1:
            self.own_blocks.append(event)
        elif event.slot < -1:
            self._trial(event)
        else:
            self._chapter(event.slot).blocks.append(event)

    def _chapter(self, slot: int) -> Chapter:
        number = self.generation.generation if self.generation else 0
        if slot not in self.chapters:
            self.unclosed.add(slot)
        return self.chapters.setdefault(slot, Chapter(slot=slot, generation=number))

    def _step(self, event: Selected | Proposed | Evaluated | Learned) -> None:
        chapter = self._chapter(event.slot)
        match event:
            case Selected():
                chapter.selected = event
                self.filled += 1
            case Proposed():
                chapter.proposed = event
                if chapter.solution and not event.duplicate_of:
                    self.solutions[chapter.solution.id] = chapter.solution
            case Evaluated():
                chapter.evaluated = event
            case Learned():
                chapter.learned = event
                self._close(event)

    def _close(self, event: Learned) -> None:
        self.closed += 1
        chapter = self.chapters[event.slot]
        self.tally[_ending(chapter)] += 1
        if chapter.replied is not None and family_of(chapter.replied.role) != Role.PLAN:
            self.barren = self.barren + 1 if chapter.standing in _BARREN else 0
        self.unclosed.discard(event.slot)
        self.best = event.best
        if event.effect is not None:
            self.ranks[event.child] = event.effect
        for gone in event.withdrawn:
            self.ranks.pop(gone, None)
        self.curve.append((self.costs.evaluations, self.ranks.get(self.best, 0.0)))
        if self.newest and self.closed % self.newest == 0:
            _forget(self)


def lineage(story: Story, solution_id: str) -> list[str]:
    """Return the ids from the initial program to a solution, along first parents."""
    line = [solution_id]
    while (solution := story.solutions.get(line[-1])) and solution.parents:
        line.append(solution.parents[0])
    return line[::-1]


def items(story: Story) -> list[Item]:
    """Return every memory item ever, oldest first."""
    lessons = (c.learned.lesson for c in story.chapters.values() if c.learned)
    return [item for lesson in lessons if lesson for item in lesson.items]


def _forget(story: Story) -> None:
    """Keep the newest closed steps, their programs, the best ones and the initial one."""
    assert story.started is not None, "steps are closed in runs that were started"
    begin = story.generation.slot if story.generation else 0
    past = [n for n in story.chapters if n not in story.unclosed and n < begin]
    for slot in past[: -story.newest]:
        del story.chapters[slot]
    names = {chapter.id for chapter in story.chapters.values()}
    names |= {story.best, story.started.initial.id}
    names.update(sorted(story.ranks, key=lambda name: -story.ranks[name])[:_TOP])
    story.solutions = {name: s for name, s in story.solutions.items() if name in names}
    story.ranks = {name: rank for name, rank in story.ranks.items() if name in names}
    story.observed = {name: o for name, o in story.observed.items() if name in names}
    if len(story.curve) > _POINTS:
        story.curve = [*story.curve[:-1:2], story.curve[-1]]
