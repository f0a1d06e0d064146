"""What a name stands for, and what rules make of it where nobody asked yet."""

from __future__ import annotations

import pytest

from tests.operators.rewrite.cases import answer, dedented, rule

HEADS = {
    "by default": "def solve(xs, ys=None):",
    "by its note": "def solve(xs, ys: list[int] | None):",
    "by a test": "def solve(xs, ys):",
}
BODIES = {
    "set_membership": "return [x for x in xs if ys is not None and x in ys]",
    "position_table": "return [ys.index(x) if ys is not None else 0 for x in xs]",
    "prefix_sums": "return [ys is not None and sum(ys[:i]) for i in range(len(xs))]",
    "join_dict": """n = 0
    for x in xs:
        if ys is not None:
            for y in ys:
                if x == y:
                    n += 1
    return n""",
}


@pytest.mark.parametrize("head", [pytest.param(h, id=name) for name, h in HEADS.items()])
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("ys", [None, [1, 2, 3]])
def test_what_may_be_none_is_not_walked_before_it_is_asked(
    name: str, head: str, ys: list[int] | None
) -> None:
    text = f"{head}\n    {BODIES[name]}\n"
    found = rule(name).candidates(text)
    assert found
    for candidate in found:
        assert answer(candidate.text, ([1, 2], ys)) == answer(text, ([1, 2], ys)), candidate


def test_what_is_tested_for_truth_may_be_none() -> None:
    text = "def solve(xs, ys):\n    return [x for x in xs if not (ys and x in ys)]\n"
    (candidate,) = rule("set_membership").candidates(dedented(text))
    assert answer(candidate.text, ([1], None)) == ([1], ([1], None))


def test_what_nobody_asks_about_stays_as_it_is() -> None:
    text = "def solve(xs, ys):\n    return [x for x in xs if x in ys]\n"
    (candidate,) = rule("set_membership").candidates(dedented(text))
    assert "ys_set = set(ys)\n" in candidate.text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    for x in xs:\n        n += x.count(ys.lower())", id="invariant"),
        pytest.param(
            "    for x in xs:\n        if x == ys:\n            n += len(xs)", id="scan"
        ),
    ],
)
@pytest.mark.parametrize("xs", [[], "ab", ["a"]])
def test_what_may_be_none_is_not_asked_before_the_loop(body: str, xs: list[str] | str) -> None:
    text = f"def solve(xs, ys=None):\n    n = 0\n{body}\n    return n\n"
    for name in ("loop_invariant", "scan_guard"):
        for candidate in rule(name).candidates(text):
            expected = answer(text, (xs, "A"))
            assert answer(candidate.text, (xs, "A")) == expected
            if not xs or "lower" not in body:
                assert answer(candidate.text, (xs, None)) == answer(text, (xs, None))


def test_it_is_worked_out_where_there_is_a_pass() -> None:
    text = "def solve(xs, ys=None):\n    n = 0\n    for x in xs:\n"
    text += "        n += x.count(ys.lower())\n    return n\n"
    (candidate,) = rule("loop_invariant").candidates(text)
    assert "ys_lower = ys.lower() if xs else None\n" in candidate.text


def test_an_alias_says_what_a_parameter_is() -> None:
    text = """
    Fields = {}[str, int]

    def solve(names, row: Fields):
        return [name for name in names if name in row]
    """
    lists, rows = (dedented(text.format(kind)) for kind in ("list", "dict"))
    assert rule("set_membership").candidates(lists)
    assert not rule("set_membership").candidates(rows)
