"""What a run has cost of time and on models: the one fold that loop and reports share.

Pure. Not here: the clock (`se_agent.engine.state.budget`), and what a run may spend.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import ClassVar

from se_agent.chat.events import EventBase, Lost, Replied, RolledBack, Unanswered
from se_agent.chat.messages import Usage
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Ended,
    Evaluated,
    Event,
    GenerationOpened,
    Observed,
    Resumed,
    Retested,
    SearchEnded,
    Started,
)


@dataclass(frozen=True)
class Reading:
    """CPU seconds (engine and children) and wall seconds of a run so far."""

    cpu_seconds: float
    wall_seconds: float


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Calls of models, added up.

    Attributes:
        calls: Number of calls that got a reply.
        failed: Number of calls that got none, although there was room for them.
        usage: Tokens of the answered ones, and of attempts without a reply.
        estimated: Those of the tokens that attempts without a reply took, which may be billed.
        money: What these cost; None: one of them had no price.
        seconds: On the clock on the wall, of all of them, one after the other.
    """

    calls: int = 0
    failed: int = 0
    usage: Usage = field(default_factory=Usage)
    estimated: int = 0
    money: float | None = 0.0
    seconds: float = 0.0

    @classmethod
    def of(cls, event: Replied | Unanswered | Lost) -> Tally:
        """Return the tally of one call."""
        answered = isinstance(event, Replied)
        refused = isinstance(event, Unanswered) and event.limit
        return cls(
            calls=int(answered),
            failed=int(not answered and not refused),
            usage=event.paid,
            estimated=event.lost.total,
            money=event.money,
            seconds=event.seconds,
        )

    def __add__(self, other: Tally) -> Tally:
        unknown = self.money is None or other.money is None
        return Tally(
            calls=self.calls + other.calls,
            failed=self.failed + other.failed,
            usage=self.usage + other.usage,
            estimated=self.estimated + other.estimated,
            money=None if unknown else (self.money or 0.0) + (other.money or 0.0),
            seconds=self.seconds + other.seconds,
        )


@dataclass
class Asked:
    """Calls of models: of a run, or of one step.

    Attributes:
        tallies: By role and by the model's name in the run file.
    """

    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)

    def add(self, event: Replied | Unanswered | Lost) -> None:
        """Count one call."""
        key = (event.role, event.model)
        self.tallies[key] = self.tallies.get(key, Tally()) + Tally.of(event)

    @property
    def in_all(self) -> Tally:
        """All calls."""
        return reduce(add, self.tallies.values(), Tally())

    @property
    def by_role(self) -> dict[str, Tally]:
        """Calls by what they were for."""
        return _summed((role, tally) for (role, _), tally in self.tallies.items())

    @property
    def by_model(self) -> dict[str, Tally]:
        """Calls by who was asked, as the run file names it."""
        return _summed((model, tally) for (_, model), tally in self.tallies.items())


@dataclass
class Costs:
    """The fold.

    Attributes:
        evaluations: Candidates of the search that ran on the tests.
        child_seconds: CPU seconds of candidates.
        blocks: Blocks that were measured.
        block_seconds: CPU seconds of these.
        engine_seconds: CPU seconds of the engine itself, as last recorded.
        reading: What had been spent when it was last recorded, at `read_at`.
        last: When the run's last event was recorded.
        asked: Calls of models.
        surcharge: By model: what a prompt took over what it was counted as, at the most.
        longest: By model: tokens of its longest reply.
    """

    reads: ClassVar = (EventBase,)  # all: the last one of any kind says how far the run came

    evaluations: int = 0
    child_seconds: float = 0.0
    blocks: int = 0
    block_seconds: float = 0.0
    engine_seconds: float = 0.0
    reading: Reading = field(default_factory=lambda: Reading(0.0, 0.0))
    read_at: dt.datetime | None = None
    last: dt.datetime | None = None
    asked: Asked = field(default_factory=Asked)
    surcharge: dict[str, float] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        if not isinstance(event, RolledBack):  # by hand, perhaps days after the run stood still
            self.last = event.at
        match event:
            case Started():
                self.child_seconds += event.cost_seconds
                self._read(event)
            case Evaluated():
                self.evaluations += event.slot >= 0
                self.child_seconds += event.evaluation.cost_seconds
            case BlockMeasured():
                self.child_seconds += event.block.cost_seconds
                self.blocks += 1
                self.block_seconds += event.block.cost_seconds
            case Challenged():
                self.child_seconds += event.hunt.cost_seconds
            case Observed():
                self.child_seconds += event.observation.cost_seconds
            case Retested():
                self.child_seconds += event.evaluation.cost_seconds
            case Replied() | Unanswered() | Lost():
                self.asked.add(event)
                if isinstance(event, Replied):
                    self._learn(event)
            case GenerationOpened() | Resumed() | SearchEnded() | Ended():
                self._read(event)
            case _:
                pass

    def _read(self, event: Started | GenerationOpened | Resumed | SearchEnded | Ended) -> None:
        """Note what had been spent."""
        self.reading = Reading(event.cpu_seconds, event.wall_seconds)
        self.read_at = event.at
        self.engine_seconds = max(0.0, event.cpu_seconds - self.child_seconds)

    def _learn(self, reply: Replied) -> None:
        """Note what an endpoint counts beyond what it was expected to."""
        model, usage = reply.model, reply.usage
        self.longest[model] = max(usage.completion, self.longest.get(model, 0))
        if reply.counted:
            ratio = usage.prompt / reply.counted
            self.surcharge[model] = max(ratio, self.surcharge_of(model))

    @property
    def cpu_seconds(self) -> float:
        """Engine and candidates, as far as recorded."""
        return self.engine_seconds + self.child_seconds

    def surcharge_of(self, model: str) -> float:
        """Return by what the count of a prompt is multiplied for a model; at least 1."""
        return self.surcharge.get(model, 1.0)

    def so_far(self) -> Reading:
        """Return what was spent until the last event: a kill gives no time back."""
        since = (self.last - self.read_at).total_seconds() if self.last and self.read_at else 0
        return Reading(self.cpu_seconds, self.reading.wall_seconds + since)


def _summed(tallies: Iterable[tuple[str, Tally]]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for name, tally in tallies:
        found[name] = found.get(name, Tally()) + tally
    return found
