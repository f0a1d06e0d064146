"""A machine of known noise, for programs of the study: their time is the turns they take."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Solution

Noise = Callable[[int], float]


def quiet(place: int) -> float:
    """Return a little noise."""
    return 0.001 * math.sin(place)


def loud(place: int) -> float:
    """Return noise with a deviation of 4 %."""
    return float(rng_at(0, place, Purpose.INPUTS).normal(0, 0.04))


class Machine:
    """Measures without running anything.

    Args:
        noise: Noise of a block, by how many came before it.
        stop: Interrupt the measurement after so many blocks.
        wrong: Say that candidates are wrong.
    """

    kind = ComparisonKind.TIMED

    def __init__(self, noise: Noise = quiet, *, stop: int = 10**9, wrong: bool = False) -> None:
        self._noise = noise
        self._stop = stop
        self._wrong = wrong
        self.blocks = 0
        self.closed = False

    def preflight(self, solution: Solution) -> Preflight:
        """Nobody asks."""
        raise NotImplementedError

    def evaluate(self, solution: Solution) -> Evaluation:
        """Nobody asks."""
        raise NotImplementedError

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Compare the turns of the two."""
        self.blocks += 1
        if self.blocks > self._stop:
            raise KeyboardInterrupt
        old, new = turns(reference), turns(candidate)
        effect = math.log(old / new) + self._noise(self.blocks)
        return Block(
            number=number,
            effect=effect,
            reference=old,
            candidate=new,
            pairs=pairs,
            status=Status.WA if self._wrong else Status.AC,
            feedback="not what it should be" if self._wrong else "",
            cost_seconds=0.1 * pairs,
            pair_effects=(effect,) * pairs,
        )

    def close(self) -> None:
        """Nothing runs."""
        self.closed = True


def turns(solution: Solution) -> int:
    """Return how many turns a program takes, as its text says."""
    return int(re.findall(r"range\((\d+)\):", solution.text)[-1])


if TYPE_CHECKING:
    from se_agent.protocols import Evaluator

    _: Evaluator = Machine()
