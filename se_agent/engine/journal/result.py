"""What a run came to, in the words of `--json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from se_agent.chat.events import Replied
from se_agent.config.changes import more
from se_agent.config.deviations import deviating
from se_agent.engine.journal.shares import FAILED, UNKNOWN, shares
from se_agent.events import (
    Confirmed,
    Ended,
    Event,
    Failed,
    GenerationOpened,
    Learned,
    Proposed,
    Resumed,
    SearchEnded,
    Started,
)
from se_agent.memory_events import Noted
from se_agent.stats.costs import Costs
from se_agent.stats.memory_worth import Weighing, Worth
from se_agent.values.evaluation import ComparisonKind, FlagsGain

RunStatus = Literal["proven", "not_proven", "not_tried", "interrupted", "running", "failed"]

RunVerdict = Literal["proven", "untrusted", "no_gain", "too_short", "unfinished"]
ENOUGH = 2
"""Generations from which on a search that found nothing says something."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One row of `--json`.

    Attributes:
        run: Path of the run folder.
        problem: Name of the problem.
        status: `interrupted` until the run has ended, `running` while a process is at work
            on it, and `not_tried` where it ended before any candidate was evaluated.
        best_solution_id: The confirmed champion, or the incumbent so far.
        gain: Initial / best on final inputs, in the objective; None for scored problems.
        gain_low: Lower end of its 99 % interval.
        gain_high: Upper end.
        score: Score of the champion on final inputs; None for timed problems.
        score_initial: Score of the initial program.
        direction: Whether a smaller or a larger score is better.
        trusted: Whether programs had no part in saying how good they are.
        objective: What was compared, by its weights; empty where that is a score.
        figures: What the initial program and the best one took, by quantity, as far as known.
        et: Share of the reference's CPU time (or wall time, where that is the objective) that
            is reached: min(1, reference / best); 0 for a run that failed, None before its end.
        mp: The same of the peak of memory.
        mi: The same of memory over CPU time.
        evaluations: Distinct candidates that were evaluated.
        generations: Generations that were finished.
        cpu_seconds: Engine and candidates.
        calls: Number of calls of models that got a reply.
        tokens: Tokens of these calls, prompts and replies.
        money: What they cost, in the currency of the run file's prices; None: not known.
        written: Programs that models wrote.
        memory: Steps with a proven gain, with memory and without it.
        budget_end: What ended the run; empty while it has not ended.
        with_flags: What compiler flags gain beyond `gain`; None where none were tried.
        notes: Doubts about the problem and its inputs, and what was not done beside the run, a
            sentence each.
        seed: Seed of every random choice of the run.
        settings: Those that differ from the default, by dotted key.
        unconfirmed: What kept the confirmation from being made; empty: nothing.
    """

    run: str
    problem: str
    status: RunStatus
    best_solution_id: str
    gain: float | None = None
    gain_low: float | None = None
    gain_high: float | None = None
    score: float | None = None
    score_initial: float | None = None
    direction: str | None = None
    trusted: bool = True
    objective: Mapping[str, float] = field(default_factory=dict)
    figures: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    et: float | None = None
    mp: float | None = None
    mi: float | None = None
    evaluations: int = 0
    generations: int = 0
    cpu_seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    money: float | None = 0.0
    written: int = 0
    memory: Worth = field(default_factory=Worth)
    budget_end: str = ""
    notes: tuple[str, ...] = ()
    with_flags: FlagsGain | None = None
    seed: int = 0
    settings: Mapping[str, object] = field(default_factory=dict)
    unconfirmed: str = ""

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end."""
        return self.status in ("proven", "not_proven", "not_tried")

    @property
    def is_in_vain(self) -> bool:
        """Whether models were asked, and no reply became a program."""
        return bool(self.calls) and not self.written

    @property
    def verdict(self) -> RunVerdict:
        """What may be concluded from the run.

        `untrusted`: a gain that programs had a part in telling. `too_short`: nothing is proven,
        and a budget ended the run before that could mean anything. `no_gain`: nothing is
        proven within the budget, or all that is known was tried.
        """
        if self.status == "proven":
            return "proven" if self.trusted else "untrusted"
        if self.status not in ("not_proven", "not_tried"):
            return "unfinished"
        by_budget = self.budget_end not in ("", "exhausted")
        few = self.status == "not_tried" or self.generations < ENOUGH
        return "too_short" if by_budget and (few or self.unconfirmed) else "no_gain"


class ResultFold:
    """What a run has come to so far, event by event; one without a start is a failed run."""

    def __init__(self, folder: Path) -> None:
        """Begin before the first event of the run in a folder."""
        begun = Result(run=str(folder), problem="", status="failed", best_solution_id="")
        self._fields, self._costs, self._weighing = dict(vars(begun)), Costs(), Weighing()
        self._started: Started | None = None
        self._confirmed: Confirmed | None = None
        self._replied: set[int] = set()
        self._written = 0

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        self._costs.apply(event)
        self._weighing.apply(event)
        self._fields |= _news(event, self._fields)
        if isinstance(event, Started):
            self._started = event
        elif isinstance(event, Confirmed):
            self._confirmed = event
        elif isinstance(event, Replied):
            self._replied.add(event.slot)
        elif isinstance(event, Proposed):
            self._written += event.slot in self._replied and event.proposal is not None
        elif isinstance(event, Ended) and self._started and self._confirmed:
            self._fields |= shares(self._started, self._confirmed)

    @property
    def result(self) -> Result:
        """The result after the last event."""
        costs, asked = self._costs, self._costs.asked.in_all
        found = self._fields | {
            "evaluations": costs.evaluations,
            "cpu_seconds": costs.cpu_seconds,
            "memory": self._weighing.worth,
            "calls": asked.calls,
            "tokens": asked.usage.total,
            "money": asked.money,
            "written": self._written,
        }
        if found["status"] == "not_proven" and not costs.evaluations:
            found["status"] = "not_tried"
        return Result(**found)


def summarize(folder: Path, events: Iterable[Event]) -> Result:
    """Fold a journal into its result."""
    found = ResultFold(folder)
    for event in events:
        found.apply(event)
    return found.result


def _news(event: Event, fields: dict[str, object]) -> dict[str, object]:
    match event:
        case Started():
            return _start(event)
        case GenerationOpened():
            return {"generations": event.generation - 1}
        case Learned():
            return _lesson(event, fields)
        case Confirmed():
            return _confirmation(event)
        case Failed():
            return {"status": "failed", **(FAILED if fields["objective"] else {})}
        case Resumed():
            ended = {} if not more(event.settings) else {"budget_end": ""}
            return {"status": "interrupted", **UNKNOWN, **ended}
        case Noted():
            return _note(event, fields)
        case SearchEnded():
            return {"generations": event.generations, "budget_end": event.budget_end}
        case Ended():
            return {"status": event.status}
        case _:
            return {}


def _note(event: Noted, fields: dict[str, object]) -> dict[str, object]:
    known = fields["notes"]
    assert isinstance(known, tuple)
    return {} if event.text in known else {"notes": (*known, event.text)}


def _start(event: Started) -> dict[str, object]:
    timed = event.measure is not ComparisonKind.EXACT
    return {
        "problem": event.name,
        "status": "interrupted",
        "best_solution_id": event.initial.id,
        **({"gain": 1.0, "gain_low": 1.0, "gain_high": 1.0} if timed else {}),
        "score_initial": None if timed else event.metric.value,
        "score": None if timed else event.metric.value,
        "direction": None if timed else event.metric.direction,
        "trusted": event.trusted,
        "notes": event.notes,
        "seed": event.config.get("seed", 0),
        "settings": deviating(event),
        "objective": {str(q): weight for q, weight in event.objective.weights} if timed else {},
    }


def _lesson(event: Learned, fields: dict[str, object]) -> dict[str, object]:
    news: dict[str, object] = {"best_solution_id": event.best, "status": "interrupted"}
    if fields["score"] is not None and event.best == event.child and event.effect is not None:
        sign = 1 if fields["direction"] == "maximize" else -1
        news["score"] = _number(fields, "score_initial") + sign * event.effect
    return news


def _confirmation(event: Confirmed) -> dict[str, object]:
    if event.gain is None:
        return {
            "best_solution_id": event.solution,
            "score": event.score,
            "score_initial": event.score_initial,
            "unconfirmed": event.note,
        }
    return {
        "unconfirmed": event.note,
        "best_solution_id": event.solution,
        "gain": event.gain,
        "gain_low": event.low,
        "gain_high": event.high,
        "with_flags": event.with_flags,
        "figures": {str(f.quantity): (f.reference, f.candidate) for f in event.figures},
    }


def _number(fields: dict[str, object], key: str) -> float:
    value = fields[key]
    assert isinstance(value, int | float)
    return value
