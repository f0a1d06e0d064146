"""The verdict table: a candidate is evaluated once, and a pair of them compared once.

An evaluator over an evaluator. All arms and seeds of an ablation draw from one table: where
they choose the same they find the same, and differ by what they chose, never by the noise of a
second measurement. What a verdict cost is what it cost when it was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_json

from se_agent.abilities.evaluator import Challenger, Observing
from se_agent.protocols import Evaluator
from se_agent.store.connection import connect
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Counterexample,
    Evaluation,
    Hunt,
    InputSet,
    Preflight,
)
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution

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
        path: Path of the table.
    """

    def __init__(self, inner: Whole, path: Path) -> None:
        self._inner = inner
        path.parent.mkdir(parents=True, exist_ok=True)
        # Two jobs share a table: each waits for the other's short writes.
        self._db = connect(path, patience=60.0)
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, body TEXT NOT NULL)"
        )

    @property
    def kind(self) -> ComparisonKind:
        """Kind of the evaluator inside."""
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
        """Measure a block of a pair of contents once."""
        key = f"block {reference.content} {candidate.content} {inputs} {number}"
        return self._once(
            key,
            _BLOCK,
            lambda: self._inner.block(
                reference, candidate, number=number, pairs=pairs, inputs=inputs
            ),
        )

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
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
        self._db.execute(
            "INSERT OR IGNORE INTO verdicts VALUES (?, ?)",
            (key, to_json(found, inf_nan_mode="strings").decode()),
        )
        return found


if TYPE_CHECKING:
    _: Callable[..., Whole] = Tabled
