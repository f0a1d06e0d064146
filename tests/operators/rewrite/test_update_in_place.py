"""Dictionaries and sets are changed in place, where nobody holds them under another name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.update_in_place import UpdateInPlace
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(rows):
    found = {}
    for row in rows:
        for x in row:
            found = {**found, x: found.get(x, 0) + 1}  # counted
        if len(found) > 3:
            found = {k: v for k, v in found.items() if k != row[0]}
    return found
"""
AFTER = """
def solve(rows):
    found = {}
    for row in rows:
        for x in row:
            found[x] = found.get(x, 0) + 1  # counted
        if len(found) > 3:
            found.pop(row[0], None)
    return found
"""
SETS = """
def solve(rows):
    seen, gone = set(), 0
    known = set()
    for row in rows:
        known = known | set(row)
        known = known.union(row, [1])
        known = known - {0}
    return sorted(known)
"""
MERGED = """
def solve(rows):
    out = dict(a=0)
    for row in rows:
        more = dict.fromkeys(row, 1)
        out = {**out, **more, len(row): 2}
        out = dict(out, last=len(out))
        out = out | {3: 4}
    return out
"""
HELPED = '''
def extended(base, key, *more):
    """A copy with more in it."""
    result = dict(base)
    result[key] = 1
    for each in more:
        result.update(each)
    return result

def solve(rows):
    out = {}
    for row in rows:
        out = extended(out, len(row), dict.fromkeys(row), {9: 9})
    return out
'''

NESTED = """
def solve(tree, prefix=()):
    found = {}
    for key, value in tree.items():
        path = prefix + (key,)
        if isinstance(value, dict):
            found = {**found, **solve(value, path)}
        else:
            found[path] = value
    return found
"""


class TestContract(RuleContract):
    rule = UpdateInPlace
    slow = SLOW
    others = (SETS, MERGED, HELPED, NESTED)


def test_entries_may_be_set_beside_it() -> None:
    (after,) = rewritten(UpdateInPlace(), NESTED)
    assert "found.update(solve(value, path))" in after


def test_not_where_it_is_kept_among_its_own_entries() -> None:
    kept = NESTED.replace("found[path] = value", "found[path] = found")
    assert rewritten(UpdateInPlace(), kept) == []


def test_a_dictionary_that_is_asked_meanwhile() -> None:
    assert rewritten(UpdateInPlace(), SLOW) == [dedented(AFTER)]


def test_sets() -> None:
    (text,) = rewritten(UpdateInPlace(), SETS)
    for line in ("known |= set(row)", "known.update(row, [1])", "known -= {0}"):
        assert f"        {line}\n" in text


def test_a_function_that_copies_is_written_out() -> None:
    (text,) = rewritten(UpdateInPlace(), HELPED)
    assert (
        "        out[len(row)] = 1\n        out.update(dict.fromkeys(row))\n"
        "        out.update({9: 9})\n" in text
    )


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("d = {**d, x: 1}\nkept.append(d)", id="is-kept"),
        pytest.param("d = {**d, x: d}", id="holds-itself"),
        pytest.param("old = d\nd = {**d, x: 1}", id="has-another-name"),
        pytest.param("d = {x: 1, **d}", id="the-old-ones-win"),
        pytest.param("d = {**e, x: 1}", id="of-another"),
        pytest.param("d = {**d}", id="copied-only"),
        pytest.param("for k in d:\n    d = {**d, x: k}", id="walked-over-meanwhile"),
        pytest.param("yield d\nd = {**d, x: 1}", id="given-away"),
        pytest.param("d = {k: v for k, v in d.items() if k != v}", id="by-its-own-values"),
        pytest.param("d = {v: k for k, v in d.items() if k != x}", id="turned-round"),
        pytest.param("d = d & x", id="another-operator"),
        pytest.param("e = {**e, x: 1}", id="not-made-here"),
        pytest.param("try:\n    d = {**d, x: f(x)}\nexcept E:\n    pass", id="after-an-error"),
    ],
)
def test_must_not_fire(body: str) -> None:
    inner = "\n".join(f"        {line}" for line in body.splitlines())
    text = f"def f(e, xs, kept):\n    d = {{}}\n    for x in xs:\n{inner}\n    return d\n"
    assert rewritten(UpdateInPlace(), text) == []


@pytest.mark.parametrize(
    "helper",
    [
        pytest.param(
            "    out = dict(base)\n    out[x] = base\n    return out", id="holds-the-old"
        ),
        pytest.param("    base[x] = 1\n    return base", id="no-copy"),
        pytest.param("    out = dict(base)\n    log(out)\n    return out", id="hands-it-on"),
        pytest.param("    out = dict(base)\n    out[x] = x\n    return out", id="asks-twice"),
        pytest.param(
            "    out = dict(base)\n    out.clear()\n    return out", id="does-not-ask"
        ),
        pytest.param(
            "    out = dict(base)\n    return out.update({x: 1})", id="returns-another"
        ),
    ],
)
def test_a_function_of_another_kind_stays(helper: str) -> None:
    body = "    d = {}\n    for x in xs:\n        d = g(d, h(x))\n    return d\n"
    text = f"def g(base, x):\n{helper}\n\ndef f(xs):\n{body}"
    assert rewritten(UpdateInPlace(), text) == []


@pytest.mark.parametrize(
    "text", [SLOW, SETS, MERGED, HELPED], ids=["dict", "set", "merged", "helped"]
)
@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=3), max_size=5))
def test_same_answers(text: str, rows: list[list[int]]) -> None:
    assert_equivalent(UpdateInPlace(), text, rows)


def test_an_object_of_others_is_not_changed() -> None:
    text = """
        def solve(rows, given):
            found = {}
            if rows:
                found = given
            for row in rows:
                found = {**found, row: 1}
            return found
        """
    assert rewritten(UpdateInPlace(), text) == []


def test_a_key_comes_before_its_value() -> None:
    text = """
        def solve(row):
            found = {}
            while row:
                found = {**found, row.pop(): row.pop()}
            return found
        """
    assert_equivalent(UpdateInPlace(), text, [1, 2, 3, 4])
