"""What is read of elements stays only where nothing may set it, by whatever way."""

from __future__ import annotations

import libcst as cst
import pytest

from operators.rewrite.element_parts import elements_stay
from operators.rewrite.first_by_key import FirstByKey
from operators.rewrite.program import program
from tests.operators.rewrite.cases import rewritten

ROWS = """
def solve(rows, wanted, totals):
    where = {}
    for x in wanted:
        row = next((row for row in rows if row["id"] == x), None)
        totals[x] = where[x] = 1
    return where
"""
OBJECTS = """
class Row:
    def __init__(self, key):
        self._key = key

def solve(rows, wanted):
    found = []
    for x in wanted:
        row = next((row for row in rows if row.key == x), None)
        found.append(row)
    return found
"""


@pytest.mark.parametrize("text", [ROWS, OBJECTS], ids=["rows", "objects"])
def test_other_containers_may_change(text: str) -> None:
    assert len(rewritten(FirstByKey(), text)) == 1


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("row['id'] = 2", id="in-other-quotes"),
        pytest.param("row[x] = 2", id="at-any-index"),
        pytest.param("row[:] = []", id="a-slice"),
        pytest.param("row.reverse()", id="moved"),
        pytest.param("row.update(id=2)", id="by-a-method"),
        pytest.param("yield row", id="others-run-meanwhile"),
    ],
)
def test_an_index_may_be_set(line: str) -> None:
    assert rewritten(FirstByKey(), ROWS.replace("totals[x] = where[x] = 1", line)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("found.append(row)", 'setattr(row, "key", 2)', id="by-name"),
        pytest.param(
            "\ndef solve",
            "    @property\n    def key(self):\n        return self._key\n\ndef solve",
            id="a-property",
        ),
    ],
)
def test_an_attribute_may_be_set(old: str, new: str) -> None:
    assert rewritten(FirstByKey(), OBJECTS.replace(old, new)) == []


def test_what_an_index_of_a_target_reads_is_not_set() -> None:
    text = "def f(xs):\n    for x in xs:\n        found[x.key] = x\n        x.size = 1\n"
    parsed = program(text)
    assert parsed is not None
    loop = next(node for node in parsed.nodes if isinstance(node, cst.For))
    key, size = (cst.parse_expression(f"x.{name}") for name in ("key", "size"))
    assert elements_stay(parsed, loop, [key])
    assert not elements_stay(parsed, loop, [size])
