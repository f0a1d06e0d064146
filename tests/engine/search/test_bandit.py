"""Arms of a bandit: what is known of one, and how it is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from se_agent.engine.search.bandit import DECAY, Arms


class Noting:
    """A generator that draws the mean, and notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, float]] = []

    def beta(self, wins: float, losses: float) -> float:
        """Return the mean of the distribution."""
        self.asked.append((wins, losses))
        return wins / (wins + losses)


@pytest.fixture
def rng() -> Any:
    return Noting()


def test_an_arm_that_nobody_knows_may_be_worth_anything(rng: Any) -> None:
    assert Arms().draw("a", rng, {}) == 0.5
    assert rng.asked == [(1.0, 1.0)]


def test_rewards_count_and_fade_and_a_prior_is_added(rng: Any) -> None:
    arms = Arms()
    arms.add("a", 1.0)
    arms.add("b", 0.0)
    arms.lose("b")
    arms.draw("a", rng, {"a": (2.0, 3.0)})
    arms.draw("b", rng, {})
    assert rng.asked == [(3.0 + DECAY, 4.0), (1.0, 3.0)]


def test_the_best_draw_wins_and_without_arms_there_is_none(rng: Any) -> None:
    arms = Arms()
    arms.add("b", 1.0)
    assert arms.best(["a", "b", "c"], rng, {}) == "b"
    assert arms.best([], rng, {}) == ""
