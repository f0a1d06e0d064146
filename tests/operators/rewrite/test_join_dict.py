"""Partners are looked up by key, in the order in which the loop would have met them."""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from operators.rewrite.join_dict import JoinDict
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(users, orders):
    out = []
    for u in users:
        for o in orders:  # all
            if o[0] == u[0] and o[1] > 0:
                out.append((u[1], o[1]))
    return out
"""
AFTER = """
def solve(users, orders):
    out = []
    orders_by_key = {}
    for o in orders:
        orders_by_key.setdefault(o[0], []).append(o)
    for u in users:
        for o in orders_by_key.get(u[0], ()):  # all
            if o[0] == u[0] and o[1] > 0:
                out.append((u[1], o[1]))
    return out
"""
PAIRS = """
def solve(xs, target):
    out = []
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if xs[i] + xs[j] == target:
                out.append((i, j))
    return out
"""
TRIPLES = """
def solve(xs, target):
    out = []
    for i, x in enumerate(xs):
        for j in range(i):
            for k, y in enumerate(xs):
                if k != j:
                    if target == x + (xs[j] + y):
                        out.append((i, j, k))
                        break
    return out
"""
SORTED = """
def solve(words):
    out = []
    for i in range(len(words)):
        for j in range(i + 1, len(words)):
            if sorted(words[i]) == sorted(words[j]):
                out.append((i, j))
    return out
"""
FILTERS = """
def solve(rows, keys):
    rows = [{"key": row, "size": n} for n, row in enumerate(rows)]
    found = {}
    for key in keys:
        found[key] = [row for row in rows if row["key"] == key]
        size = sum(row["size"] for row in rows if row["key"] == key and row["size"] > 1)
        found[key, "size"] = size, {r["size"] for r in rows if key == r["key"]}
    return found
"""


class TestContract(RuleContract):
    rule = JoinDict
    slow = SLOW
    others = (FILTERS,)


def test_a_join() -> None:
    assert rewritten(JoinDict(), SLOW) == [dedented(AFTER)]


def test_filters_walk_over_partners_alone() -> None:
    every, some, distinct = rewritten(JoinDict(), FILTERS)
    made = '        rows_by_key.setdefault({0}["key"], []).append({0})\n'
    assert made.format("row") in every
    assert "found[key] = list(rows_by_key.get(key, ()))\n" in every
    assert 'in rows_by_key.get(key, ()) if row["key"] == key and row["size"] > 1)' in some
    assert '{r["size"] for r in rows_by_key.get(key, ())}\n' in distinct
    assert made.format("r") in distinct


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("for key in keys:", "if key := keys:", id="no-loop"),
        pytest.param("found[key] = [", "rows[0] = [", id="elements-change"),
        pytest.param("for row in rows if row", "for row in iter(rows) if row", id="used-up"),
        pytest.param("row in rows if", "row in rows for _ in keys if", id="more-loops"),
        pytest.param('row["key"] == key]', 'row["key"] == row["size"]]', id="nothing-wanted"),
    ],
)
def test_filters_that_stay(old: str, new: str) -> None:
    head, _, _ = FILTERS.partition("        size = ")
    assert old in head
    assert rewritten(JoinDict(), head.replace(old, new)) == []


@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 4), max_size=4))
def test_filters_find_the_same(rows: list[int], keys: list[int]) -> None:
    assert_equivalent(JoinDict(), FILTERS, rows, keys)


def test_a_generator_that_waits_is_left_alone() -> None:
    text = "def f(rows, keys):\n    return [(r for r in rows if r[0] == k) for k in keys]\n"
    assert rewritten(JoinDict(), text) == []


def test_a_range_that_starts_late_is_bisected() -> None:
    (text,) = rewritten(JoinDict(), PAIRS)
    assert "partners = (xs_by_key.get(target - xs[i], ()) if whole and " in text
    assert "for j in partners[bisect_left(partners, i + 1) :]:" in text


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param("if a == b:\n    bs.append(a)", id="it-grows"),
        pytest.param("if a == b:\n    n += 1\nelse:\n    n -= 1", id="something-else-to-do"),
        pytest.param("n += 1\nif a == b:\n    n += 1", id="more-to-do"),
        pytest.param("if a < b:\n    n += 1", id="no-equality"),
        pytest.param("if a == b or c:\n    n += 1", id="or"),
        pytest.param("if a == b:\n    a = 3", id="the-key-changes"),
        pytest.param("if b == b:\n    n += 1", id="no-partner"),
        pytest.param("if f(b) == a:\n    n += 1", id="unknown-call"),
        pytest.param("if b is not None and b.key == a:\n    n += 1", id="no-key-of-none"),
        pytest.param("if b != 0 and 9 // b == a:\n    n += 1", id="no-key-of-zero"),
        pytest.param("if b.key == a:\n    b.key = n", id="its-key-changes"),
        pytest.param("if b == a:\n    n = lambda: b", id="asked-for-later"),
    ],
)
def test_must_not_fire(inner: str) -> None:
    body = inner.replace("\n", "\n            ")
    text = f"def f(xs, bs, n):\n    for a in xs:\n        for b in bs:\n            {body}\n"
    assert rewritten(JoinDict(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("for b in bs:\n    if b == a:\n        n += 1\n", id="one-pass"),
        pytest.param(
            "for a in xs:\n    for b in a:\n        if b == a:\n            n += 1\n",
            id="others",
        ),
        pytest.param(
            "for a in xs:\n    for b in bs:\n        if b == a:\n            n = a\nprint(b)\n",
            id="read-later",
        ),
        pytest.param(
            "bs = iter(xs)\nn = [[b for b in bs if b == a] for a in xs]\n", id="an-iterator"
        ),
        pytest.param("n = [[[b] for [b] in bs if b == a] for a in xs]\n", id="new-lists"),
        pytest.param(
            "bs.pop(); n = [[b for b in bs if b == a] for a in xs]\n", id="changed-in-the-line"
        ),
        pytest.param(
            "n = bs.pop(), [[b for b in bs if b == a] for a in xs]\n", id="changed-before"
        ),
    ],
)
def test_must_not_fire_there(text: str) -> None:
    text = "def f(xs, bs):\n" + indent(text, "    ")
    assert rewritten(JoinDict(), text) == []


def test_partners_in_a_tuple_of_tuples() -> None:
    text = "def f(xs, bs):\n    return [[c for (a, b), c in bs if a == x] for x in xs]\n"
    (new,) = rewritten(JoinDict(), text)
    assert "append(((a, b), c))" in new


rows = st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 4)), max_size=6)


@given(rows, rows)
def test_same_answers(users: list[tuple[int, int]], orders: list[tuple[int, int]]) -> None:
    assert_equivalent(JoinDict(), SLOW, users, orders)


@pytest.mark.parametrize("text", [PAIRS, TRIPLES], ids=["pairs", "triples"])
@given(xs=st.lists(st.integers(-4, 4), max_size=7), target=st.integers(-3, 3))
def test_same_answers_for_sums(text: str, xs: list[int], target: int) -> None:
    assert_equivalent(JoinDict(), text, xs, target)


@given(st.lists(st.text("ab", max_size=3), max_size=6))
def test_same_answers_for_keys_that_are_lists(words: list[str]) -> None:
    assert_equivalent(JoinDict(), SORTED, words)


TENTHS = st.integers(-9, 9).map(lambda tenths: tenths / 10) | st.booleans() | st.integers(-3, 3)


@pytest.mark.parametrize("text", [PAIRS, TRIPLES])
@given(st.lists(TENTHS, min_size=2, max_size=6))
@example([0.1, 0.2])
def test_sums_of_floats_are_found_as_before(text: str, xs: list[float]) -> None:
    assert_equivalent(JoinDict(), text, xs, xs[0] + xs[1])
    assert_equivalent(JoinDict(), text, xs, sum(xs[:3]))


def test_a_variable_that_the_outer_loop_reads_is_left_alone() -> None:
    text = "def f(xs, bs):\n    for a in xs:\n        for b in bs:\n            if b == a:\n"
    text += "                print(a)\n        print(b)\n"
    assert rewritten(JoinDict(), text) == []


OVER_A_CALL = """
def names(rows):
    return sorted({row[0] for row in rows})


def solve(rows):
    out = []
    for name in names(rows):
        mine = [row for row in rows if row[0] == name]
        out.append((name, len(mine)))
    return out
"""
OVER_A_METHOD = """
class Table:
    def __init__(self, rows):
        self.rows = rows

    def names(self):
        return sorted({row[0] for row in self.rows})

    def counts(self):
        out = []
        for name in self.names():
            mine = [row for row in self.rows if row[0] == name]
            out.append((name, len(mine)))
        return out


def solve(rows):
    return Table(rows).counts()
"""


OVER_A_GENERATOR = OVER_A_CALL.replace(
    "return sorted({row[0] for row in rows})", "yield from sorted({row[0] for row in rows})"
)


@pytest.mark.parametrize("text", [OVER_A_CALL, OVER_A_METHOD, OVER_A_GENERATOR])
def test_the_outer_loop_may_walk_over_what_a_function_of_the_program_computes(
    text: str,
) -> None:
    (new,) = rewritten(JoinDict(), text)
    assert "rows_by_key.get(name, ())" in new
    for rows in ([(3, 1), (1, 2), (3, 4)], []):
        assert_equivalent(JoinDict(), text, rows)


@pytest.mark.parametrize(
    "body",
    [
        "rows.append((1, 2))\n    return [row[0] for row in rows]",
        "yield rows.pop()",
        "global kept\n    kept = rows\n    return rows",
    ],
)
def test_but_not_what_one_changes_or_yields(body: str) -> None:
    text = OVER_A_CALL.replace("return sorted({row[0] for row in rows})", body)
    assert rewritten(JoinDict(), text) == []


def test_nor_elements_that_the_loop_changes_under_another_name() -> None:
    text = OVER_A_CALL.replace("sorted({row[0] for row in rows})", "rows")
    assert rewritten(JoinDict(), text.replace("mine =", "name[0] = 9\n        mine =")) == []
