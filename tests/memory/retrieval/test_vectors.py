from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from se_agent.memory.retrieval.vectors import TABLE, SqliteVectors, VectorIndex, VectorRow
from tests.contracts.vector_index import DIMENSIONS, Open, VectorIndexContract, drawn


class Table:
    """The table `vectors` in memory."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        self.db.execute(TABLE)

    def rows(self, query: str, values: tuple[Any, ...] = (), *, where: str) -> Iterable[Any]:
        return self.db.execute(query, values)

    def execute_each(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        self.db.executemany(statement, rows)


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.db.close()


@pytest.mark.row("SQ-61")
class TestSqliteVectors(VectorIndexContract):
    @pytest.fixture
    def open_index(self, table: Table) -> Open:
        def opened(embedder: str, dimensions: int) -> VectorIndex:
            return SqliteVectors(table, embedder, dimensions)

        return opened


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET v = x'00' WHERE item = 'L1'",
        "UPDATE vectors SET v = 'text' WHERE item = 'L1'",
        "UPDATE vectors SET v = NULL WHERE item = 'L1'",
        "UPDATE vectors SET v = x'007e007e007e007e007e007e007e007e' WHERE item = 'L1'",  # NaN
        "UPDATE vectors SET about = 'no JSON' WHERE item = 'L1'",
        "UPDATE vectors SET about = '[1]' WHERE item = 'L1'",
        "UPDATE vectors SET dim = 384 WHERE item = 'L1'",
        "UPDATE vectors SET embedder = 'two' WHERE item = 'L1'",
    ],
)
def test_a_row_that_cannot_be_compared_is_missing_and_no_more(
    table: Table, damage: str
) -> None:
    index = SqliteVectors(table, "one", DIMENSIONS)
    index.add(VectorRow(f"L{n}", vector) for n, vector in enumerate(drawn(3)))
    table.db.execute(damage)
    again = SqliteVectors(table, "one", DIMENSIONS)
    assert sorted(again.about()) == ["L0", "L2"]
    again.add([VectorRow("L1", drawn(3)[1])])
    assert sorted(SqliteVectors(table, "one", DIMENSIONS).about()) == ["L0", "L1", "L2"]


def test_rows_are_half_precision(table: Table) -> None:
    SqliteVectors(table, "one", DIMENSIONS).add([VectorRow("L1", drawn(1)[0])])
    ((blob,),) = table.db.execute("SELECT v FROM vectors")
    assert np.frombuffer(blob, dtype=np.float16) == pytest.approx(drawn(1)[0], abs=1e-3)
