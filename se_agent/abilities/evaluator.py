"""What an evaluator can do besides evaluating: seams that no evaluator has to have.

Not here: the seams that all evaluators need (`se_agent.protocols`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from se_agent.values.evaluation import (
    Block,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    InputSet,
)
from se_agent.values.observation import GrowthPair, Observation
from se_agent.values.solution import Solution


@runtime_checkable
class Patient(Protocol):
    """An evaluator that can also wait for a program that is far slower than its reference."""

    def patient_block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Measure a block as `Evaluator.block` does, and cut no loser short.

        A comparison in the search may stop once it is lost; one that tells by how much may not.
        """
        ...


@runtime_checkable
class Drawing(Protocol):
    """An evaluator that draws inputs, so that another seed gives other ones."""

    def draw(self, seed: int) -> None:
        """Draw by this seed from now on: final inputs, those made up, and the order of turns.

        The inputs of the search stay those of the run.
        """
        ...


@runtime_checkable
class Challenger(Protocol):
    """An evaluator that can also look for inputs on which a program is not right."""

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Look for an input on which a right solution differs from the initial program.

        Args:
            solution: Right on all tests so far.
            seconds: CPU seconds that this may take.
            strict: Whether a difference on an input unlike those seen refutes it as well: so
                it is with programs that rest on what was observed, and on nothing else.
        """
        ...

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Say whether a solution is right on counterexamples to others; see `evaluate`."""
        ...


@runtime_checkable
class Reducing(Protocol):
    """An evaluator that can also make an input small on which a program is wrong."""

    def reduced(
        self, solution: Solution, failed: FailedCase, *, seconds: float
    ) -> Counterexample | None:
        """Return a small input on which a solution is wrong that failed a test or a block.

        Args:
            solution: It was evaluated, or measured, a moment ago.
            failed: What was told of its failure then.
            seconds: CPU seconds that this may take.

        Returns:
            The input, whole and no larger than the one that failed; None where it is not known.
        """
        ...


@runtime_checkable
class Growable(Protocol):
    """An evaluator that can also say how the time of two programs grows with the input."""

    def growth(self, old: Solution, new: Solution) -> GrowthPair | None:
        """Return how two right programs grow; None where that cannot be told.

        Costs some CPU seconds.
        """
        ...


@runtime_checkable
class Flagging(Protocol):
    """An evaluator that compiles all programs with the flags of the problem."""

    def flagged(self, solution: Solution) -> Solution | None:
        """Return a program that is compiled with more flags, to be measured beside the claim.

        None where there are none for its language.
        """
        ...


@runtime_checkable
class Observing(Protocol):
    """An evaluator that can also watch what a program does."""

    def observe(self, solution: Solution) -> Observation:
        """Return what a right solution was seen to do on small inputs.

        Costs about a CPU second. What cannot be watched gives an empty observation.
        """
        ...
