"""Smaller values: large parts are left out first, and every element once."""

from __future__ import annotations

from evaluators.counterexample.function.values import keeps_of


def test_halves_are_left_out_before_single_elements() -> None:
    assert ["".join("x" if keep else "-" for keep in keeps) for keeps in keeps_of(4)] == [
        "----",
        "--xx",
        "xx--",
        "-xxx",
        "x-xx",
        "xx-x",
        "xxx-",
    ]


def test_nothing_can_be_left_out_of_nothing() -> None:
    assert [*keeps_of(0)] == []
