"""The first element with a key is looked up, not searched for again and again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.first_by_key import FirstByKey
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(wanted, ys):
    rows = [{"id": y, "size": n} for n, y in enumerate(ys)]
    total = 0
    for x in wanted:
        row = next((row for row in rows if row["id"] == x), None)  # the first
        if row is not None:
            total += row["size"]
    return total
"""
AFTER = """
def solve(wanted, ys):
    rows = [{"id": y, "size": n} for n, y in enumerate(ys)]
    total = 0
    rows_by_id = {row["id"]: row for row in reversed([*rows])}
    for x in wanted:
        row = rows_by_id.get(x)  # the first
        if row is not None:
            total += row["size"]
    return total
"""
TWO = """
def solve(wanted, ys):
    pairs = [(y, n) for n, y in enumerate(ys)]
    found = []
    for x in wanted:
        found.append(next((p[1] for p in pairs if x == p[0]), -1))
        found.append(next((p[1] for p in pairs if x + 1 == p[0]), -2))
    return found
"""
ASKED = """
def solve(wanted, ys):
    rows = [{"id": y} for y in ys]
    known = [x for x in wanted if any(row["id"] == x for row in rows)]
    new = [x for x in wanted if all(x != y for y in ys)]
    return known, new, [not next((True for y in ys if y == x), False) for x in wanted]
"""


class TestContract(RuleContract):
    rule = FirstByKey
    slow = SLOW
    others = (TWO, ASKED)


def test_the_first_of_each_key_is_kept() -> None:
    assert rewritten(FirstByKey(), SLOW) == [dedented(AFTER)]


def test_searches_by_one_key_share_a_table() -> None:
    (text,) = rewritten(FirstByKey(), TWO)
    assert text.count("for p in reversed([*pairs])") == 1
    assert "found.append(pairs_by_key.get(x, -1))\n" in text
    assert "found.append(pairs_by_key.get(x + 1, -2))\n" in text


def test_whether_there_is_one_is_asked_of_a_set() -> None:
    known, new, not_one = rewritten(FirstByKey(), ASKED)
    assert '    rows_ids = {row["id"] for row in rows}\n' in known
    assert "if x in rows_ids]" in known
    assert "    ys_set = set(ys)\n" in new
    assert "if x not in ys_set]" in new
    assert "[x not in ys_set for x in wanted]" in not_one


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("for x in wanted:", "if x := wanted:", id="no-loop"),
        pytest.param("total += row", "rows.append(row)\n            total += row", id="grow"),
        pytest.param('total += row["size"]', 'row["id"] = 1', id="a-key-is-set"),
        pytest.param('total += row["size"]', "rename(row)", id="a-key-is-set-by-a-function"),
        pytest.param('row["id"] == x', 'row["id"] > x', id="not-equal"),
        pytest.param('row["id"] == x', "row[total] == x", id="no-fixed-key"),
        pytest.param('row["id"] == x', 'row["id"] == row["size"]', id="nothing-is-wanted"),
        pytest.param('row["id"] == x', 'row["id"] == x and total', id="more-is-asked"),
        pytest.param("in rows if", "in iter(rows) if", id="walked-over-once"),
        pytest.param("x), None)", "x), rows.pop())", id="another-value-is-made"),
        pytest.param("x), None)", "x))", id="raises"),
        pytest.param("next((row for", "next(([row] for", id="makes-a-list-each-time"),
        pytest.param("total += row", "mine = rows; mine.pop(); total += row", id="by-alias"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    rename = 'def rename(row):\n    row["id"] += 1\n'
    assert old in SLOW
    assert rewritten(FirstByKey(), rename + SLOW.replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, TWO, ASKED], ids=["one", "two", "asked"])
@given(st.lists(st.integers(0, 5), max_size=6), st.lists(st.integers(0, 5), max_size=6))
def test_same_answers(text: str, wanted: list[int], ys: list[int]) -> None:
    assert_equivalent(FirstByKey(), text, wanted, ys)
