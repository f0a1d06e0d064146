"""Programs have one normal form if they differ in layout and local names only."""

from __future__ import annotations

import ast

import pytest

from se_agent.program.normal_form import normal_form


def form(text: str, *, rename: bool = True) -> str:
    return normal_form(ast.parse(text), rename=rename)


PLAIN = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"


@pytest.mark.parametrize(
    "other",
    [
        PLAIN.replace("total", "t"),
        PLAIN.replace("for x in", "for each in").replace("+= x", "+= each"),
        "# a comment\n" + PLAIN.replace("total = 0", "total = (0)"),
    ],
    ids=["local", "variable of a loop", "layout"],
)
def test_layout_and_local_names_make_no_difference(other: str) -> None:
    assert form(other) == form(PLAIN)


@pytest.mark.parametrize(
    "other",
    [
        PLAIN.replace("xs", "values"),
        PLAIN.replace("f(", "g("),
        PLAIN.replace("+= x", "+= total"),
        PLAIN + "\n    print(total)",
    ],
    ids=["parameter", "function", "another variable", "statement"],
)
def test_what_is_seen_from_outside_does(other: str) -> None:
    assert form(other) != form(PLAIN)


def test_names_of_a_comprehension_are_its_own() -> None:
    assert form("y = [a for a in b]") == form("y = [c for c in b]")
    assert form("y = [a for a in b]") != form("y = [c for c in d]")


def test_names_of_a_class_are_kept() -> None:
    assert form("class A:\n    size = 1") != form("class A:\n    room = 1")


def test_without_new_names_only_layout_is_dropped() -> None:
    assert form(PLAIN, rename=False) == form(PLAIN.replace("= 0", "=  0"), rename=False)
    assert form(PLAIN, rename=False) != form(PLAIN.replace("total", "t"), rename=False)
