"""Slow code without a rule is named by line, with the reason and what would help."""

from __future__ import annotations

import pytest

from se_agent.program.slow_spots import slow_spots

TEXT = """
def width(rows):
    return max(len(row) for row in rows)

def walk(tree, path):
    path = path + [tree[0]]
    for child in tree[1]:
        walk(child, path + [child])
        walk(child[1:], path)

def solve(rows, spans, needs):
    for row in rows:
        print(row.ljust(width(rows)))
    i = 0
    while needs:
        spans.pop(i + 1)
        spans.insert(i, needs)
        spans.pop(0)
        needs = {k: v for k, v in needs.items() if v}
    return walk(rows, [])
"""


def test_each_spot_is_named_once() -> None:
    found = [(spot.line, spot.code) for spot in slow_spots(TEXT)]
    assert found == [
        (8, "path + [child]"),
        (9, "child[1:]"),
        (13, "width(rows)"),
        (16, "spans.pop(i + 1)"),
        (17, "spans.insert(i, needs)"),
        (19, "needs"),
    ]


def test_a_reason_and_a_wish_go_with_it() -> None:
    for spot in slow_spots(TEXT):
        assert "no rule knows" in spot.reason
        assert spot.wish.startswith(("a ", "one ", "counters "))


def test_only_a_function_and_what_it_calls() -> None:
    assert [spot.line for spot in slow_spots(TEXT, "walk")] == [8, 9]
    assert slow_spots(TEXT, "width") == []
    assert len(slow_spots(TEXT, "solve")) == 6


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("def f(:\n", id="no-python"),
        pytest.param("def f(xs):\n    xs.pop(2)\n    xs.pop(i)\n", id="no-loop"),
        pytest.param(
            "def f(xs):\n    while xs:\n        xs.pop()\n        xs.pop(-1)\n", id="ends"
        ),
        pytest.param("def f(xs, n):\n    return f(xs, n + 1) if n else 0\n", id="a-number"),
    ],
)
def test_plain_code_has_none(text: str) -> None:
    assert slow_spots(text) == []
