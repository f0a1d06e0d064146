"""What a bandit knows of its arms: rewards between 0 and 1, which fade. Pure.

Thompson sampling with fractional rewards (Agrawal and Goyal, 2012). Not here: what the arms
are (`portfolio`), and what is known of them from earlier runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

DECAY = 0.98
"""What a reward is worth one step later: what paid off early does not rule for ever."""

_GONE = 1e-3  # an arm that weighs less than this is forgotten


@dataclass
class Rewards:
    """Gains per CPU second as rewards, measured by what a run gains on average.

    Attributes:
        gain: Sum of the gains of the steps so far, faded.
        seconds: CPU seconds that their evaluations took, faded.
    """

    gain: float = 0.0
    seconds: float = 0.0

    def reward(self, gain: float, seconds: float) -> float:
        """Return the reward of a step, 0 to 1: a half for what the average step gains a second.

        Args:
            gain: Proven effect; 0 for a step without one.
            seconds: CPU seconds of its evaluation.
        """
        seconds = max(seconds, 1e-9)  # an exact score may cost nothing
        self.gain = DECAY * self.gain + gain
        self.seconds = DECAY * self.seconds + seconds
        rate, mean = gain / seconds, self.gain / self.seconds
        return rate / (rate + mean) if rate else 0.0


@dataclass
class Arms:
    """Wins and losses by arm."""

    _counts: dict[str, tuple[float, float]] = field(default_factory=dict)

    def add(self, arm: str, reward: float) -> None:
        """Let all arms fade by one step, and reward one."""
        faded = ((name, (DECAY * w, DECAY * n)) for name, (w, n) in self._counts.items())
        self._counts = {name: counts for name, counts in faded if sum(counts) > _GONE}
        wins, losses = self._counts.get(arm, (0.0, 0.0))
        self._counts[arm] = wins + reward, losses + 1.0 - reward

    def lose(self, arm: str) -> None:
        """Count a loss that took no time: the others do not fade."""
        wins, losses = self._counts.get(arm, (0.0, 0.0))
        self._counts[arm] = wins, losses + 1.0

    def draw(self, arm: str, rng: Generator, prior: Mapping[str, tuple[float, float]]) -> float:
        """Return a draw of what an arm is worth, 0 to 1.

        Args:
            arm: Its name.
            rng: Draws.
            prior: Wins and losses to begin with; none for an arm that is not in it.
        """
        wins, losses = self._counts.get(arm, (0.0, 0.0))
        known_wins, known_losses = prior.get(arm, (0.0, 0.0))
        return float(rng.beta(1.0 + known_wins + wins, 1.0 + known_losses + losses))

    def best(
        self, arms: Iterable[str], rng: Generator, prior: Mapping[str, tuple[float, float]]
    ) -> str:
        """Return the arm with the best draw; empty: there is none."""
        draws = {arm: self.draw(arm, rng, prior) for arm in arms}
        return max(draws, key=lambda arm: draws[arm], default="")
