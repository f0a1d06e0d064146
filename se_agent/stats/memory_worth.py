"""What memory was worth: steps without it held against the others. Pure.

One slot in eight, drawn by the seed, is asked with no memory at all. The interval of the
difference of two shares is Newcombe's (1998), from two intervals of Wilson (1927). Not here:
how it is worded (`se_agent.report.words.memory_worth`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from se_agent.events import Event, Learned, Selected

_Z = 1.96


@dataclass(frozen=True)
class Side:
    """Judged steps, and those among them with a proven gain."""

    gains: int = 0
    steps: int = 0

    def __add__(self, other: Side) -> Side:
        """Return both together."""
        return Side(self.gains + other.gains, self.steps + other.steps)

    @property
    def share(self) -> float:
        """Share of the steps that brought a proven gain."""
        return self.gains / self.steps if self.steps else 0.0


@dataclass(frozen=True)
class Worth:
    """What was seen with memory and without it, of one run or of several.

    Attributes:
        informed: Steps with memory.
        withheld: Steps that were asked without.
        tokens: Tokens of memory in the prompts of judged steps; older journals do not tell.
        gain: Proven effects of the steps that these tokens were shown to, together.
    """

    informed: Side = Side()
    withheld: Side = Side()
    tokens: int = 0
    gain: float = 0.0

    def __add__(self, other: Worth) -> Worth:
        """Return both together."""
        return Worth(
            self.informed + other.informed,
            self.withheld + other.withheld,
            self.tokens + other.tokens,
            self.gain + other.gain,
        )

    @property
    def gain_per_1000(self) -> float | None:
        """Proven effect for a thousand tokens of memory; None: nobody was shown any."""
        return 1000 * self.gain / self.tokens if self.tokens else None

    @property
    def has_steps(self) -> bool:
        """Whether there is a step on either side."""
        return self.informed.steps + self.withheld.steps > 0

    @property
    def difference(self) -> float:
        """Share of proven gains with memory minus without."""
        return self.informed.share - self.withheld.share

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of the difference, 95 %; each side has a step."""
        low, high = wilson(self.informed)
        other_low, other_high = wilson(self.withheld)
        down = math.hypot(self.informed.share - low, other_high - self.withheld.share)
        up = math.hypot(high - self.informed.share, self.withheld.share - other_low)
        return self.difference - down, self.difference + up


@dataclass
class Weighing:
    """The fold of a run's events; steps that memory had nothing to say to are left out."""

    worth: Worth = Worth()
    _informed: dict[int, Selected] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        """Count a step that is closed, where it was judged."""
        if isinstance(event, Selected) and event.informed is not None:
            self._informed[event.slot] = event
        elif isinstance(event, Learned):
            asked = self._informed.pop(event.slot, None)
            if asked is None or event.verdict is None:
                return
            found = event.verdict
            step = Side(int(found.significant), 1)
            if not asked.informed:
                self.worth += Worth(withheld=step)
                return
            tokens = asked.shown_memory.tokens if asked.shown_memory else 0
            gain = max(found.effect, 0.0) if found.significant and tokens else 0.0
            self.worth += Worth(step, tokens=tokens, gain=gain)


def wilson(side: Side) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    n, p, square = side.steps, side.share, _Z * _Z
    middle = (p + square / (2 * n)) / (1 + square / n)
    half = _Z * math.sqrt(p * (1 - p) / n + square / (4 * n * n)) / (1 + square / n)
    return middle - half, middle + half
