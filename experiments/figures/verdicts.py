"""The verdict table: each distinct candidate of a problem is evaluated and compared once.

An evaluator over an evaluator. All arms and seeds of an ablation draw from one table, so that
they differ by what they chose, never by the noise of a second measurement.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter
from pydantic_core import to_json

from se_agent.protocols import Evaluator
from se_agent.types import Block, Evaluation, InputSet, Kind, Preflight, Solution

_EVALUATION = TypeAdapter(Evaluation)
_BLOCK = TypeAdapter(Block)


class Tabled:
    """Answers from the table, and measures what is not in it yet."""

    def __init__(self, inner: Evaluator, path: Path) -> None:
        self._inner = inner
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
        if (known := self._get(key)) is not None:
            return _EVALUATION.validate_json(known)
        found = self._inner.evaluate(solution)
        self._put(key, to_json(found, inf_nan_mode="strings"))
        return found

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
        if (known := self._get(key)) is not None:
            return _BLOCK.validate_json(known)
        found = self._inner.block(
            reference, candidate, number=number, pairs=pairs, inputs=inputs
        )
        self._put(key, to_json(found, inf_nan_mode="strings"))
        return found

    def close(self) -> None:
        """Close the evaluator inside; the table stays open for `close` twice."""
        self._inner.close()

    def _get(self, key: str) -> str | None:
        row = self._db.execute("SELECT body FROM verdicts WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _put(self, key: str, body: bytes) -> None:
        with self._db:
            self._db.execute(
                "INSERT OR IGNORE INTO verdicts VALUES (?, ?)", (key, body.decode())
            )


if TYPE_CHECKING:
    from collections.abc import Callable

    _: Callable[..., Evaluator] = Tabled
