"""The verdict table: each distinct candidate of a problem is evaluated and compared once.

An evaluator over an evaluator. All arms and seeds of an ablation draw from one table, so that
they differ by what they chose, never by the noise of a second measurement.

Every search makes pairs of its own, but of the same candidates. So candidates are measured
against the initial program, and a block of two of them is the difference of their blocks of
the same number. Its noise is that of both; its effect is the same where both ran on inputs of
one size, and where they did not, the pair is measured as it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_json

from se_agent.protocols import Challenger, Evaluator, Observing
from se_agent.types import (
    Block,
    Counterexample,
    Evaluation,
    Hunt,
    InputSet,
    Kind,
    Observation,
    Preflight,
    Solution,
    Status,
)

T = TypeVar("T")

_EVALUATION = TypeAdapter(Evaluation)
_BLOCK = TypeAdapter(Block)
_HUNT = TypeAdapter(Hunt)
_OBSERVATION = TypeAdapter(Observation)


class Whole(Evaluator, Challenger, Observing, Protocol):
    """An evaluator that can do all that a run may ask for."""


class Tabled:
    """Answers from the table, and measures what is not in it yet.

    Args:
        inner: Measures.
        path: Of the table.
        initial: What candidates are measured against.
    """

    def __init__(self, inner: Whole, path: Path, initial: Solution) -> None:
        self._inner = inner
        self._initial = initial
        path.parent.mkdir(parents=True, exist_ok=True)
        # Two jobs share a table: each waits for the other's short writes.
        self._db = sqlite3.connect(path, timeout=60, check_same_thread=False)
        with self._db:
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, body TEXT NOT NULL)"
            )

    @property
    def kind(self) -> Kind:
        """Of the evaluator inside."""
        return self._inner.kind

    def preflight(self, solution: Solution) -> Preflight:
        """Measured anew: it is cheap, and the machine may have changed."""
        return self._inner.preflight(solution)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Evaluate a content once."""
        key = f"evaluate {solution.content}"
        return self._once(key, _EVALUATION, lambda: self._inner.evaluate(solution))

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return a block of a pair of contents; each of them is measured once."""

        def measured(reference: Solution, candidate: Solution) -> Block:
            key = f"block {reference.content} {candidate.content} {inputs} {number}"
            return self._once(
                key,
                _BLOCK,
                lambda: self._inner.block(
                    reference, candidate, number=number, pairs=pairs, inputs=inputs
                ),
            )

        if reference.content == self._initial.content:
            return measured(reference, candidate)
        one, other = (measured(self._initial, side) for side in (reference, candidate))
        found = composed(one, other)
        return measured(reference, candidate) if found is None else found

    def hunt(self, solution: Solution, *, seconds: float) -> Hunt:
        """Look for a counterexample to a content once."""
        key = f"hunt {solution.content} {seconds}"
        return self._once(key, _HUNT, lambda: self._inner.hunt(solution, seconds=seconds))

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Run a content on the same counterexamples once."""
        key = f"retest {solution.content} {[test.key for test in tests]}"
        return self._once(key, _EVALUATION, lambda: self._inner.retest(solution, tests))

    def observe(self, solution: Solution) -> Observation:
        """Watch a content once."""
        key = f"observe {solution.content}"
        return self._once(key, _OBSERVATION, lambda: self._inner.observe(solution))

    def close(self) -> None:
        """Close the evaluator inside; the table stays open for `close` twice."""
        self._inner.close()

    def _once(self, key: str, form: TypeAdapter[T], measured: Callable[[], T]) -> T:
        row = self._db.execute("SELECT body FROM verdicts WHERE key = ?", (key,)).fetchone()
        if row:
            return form.validate_json(row[0])
        found = measured()
        with self._db:
            self._db.execute(
                "INSERT OR IGNORE INTO verdicts VALUES (?, ?)",
                (key, to_json(found, inf_nan_mode="strings").decode()),
            )
        return found


def composed(reference: Block, candidate: Block) -> Block | None:
    """Return the block of two programs, of which each has one against the same third.

    What it costs is what the candidate's did. None: the blocks cannot be compared, for the
    reference failed, or the inputs were not of one size. One that was cut short is a loss,
    whatever its size was.
    """
    if candidate.status is not Status.AC:
        return candidate
    apart = reference.level != candidate.level and candidate.pair_effects
    if reference.status is not Status.AC or apart:
        return None
    return replace(
        candidate,
        effect=candidate.effect - reference.effect,
        reference=reference.candidate,
        pair_effects=tuple(one - reference.effect for one in candidate.pair_effects),
        figures=(),
        alone=(),
    )


if TYPE_CHECKING:
    _: Callable[..., Whole] = Tabled
