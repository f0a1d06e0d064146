"""Learning from texts has an end: its work is counted in calls, whatever the texts are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random

import pytest

from evaluators.counterexample.stdin.form import KnownInput, known_of, learned

_MOST = 3_000_000  # calls of functions, some two seconds of CPU time
_PIECES = ["a", "be ", "(x) ", ",", ", ", "; ", "\n", "\n\n", "= ", "7 ", "\t[ab]"]


class TooManyCallsError(Exception):
    """More functions were called than are allowed."""


def within(most: int, work: Callable[[], KnownInput | None]) -> KnownInput | None:
    """Return what some work comes to, unless it calls more functions than that."""
    left = most

    def count(_: object, event: str, __: object) -> None:
        nonlocal left
        left -= event == "call"
        if left < 0:
            raise TooManyCallsError

    sys.setprofile(count)
    try:
        return work()
    finally:
        sys.setprofile(None)


def free(number: int) -> list[str]:
    """Return free texts of so many pieces, and of fewer."""
    rng = Random(number)
    sizes = [10, 100, number // 2, number, number, number]
    return ["".join(rng.choice(_PIECES) for _ in range(size)) for size in sizes]


def rows(number: int) -> list[str]:
    """Return texts of so many rows of numbers, and of fewer, each with their number."""
    rng, sizes = Random(number), [number // 4, number, number // 2]
    return [
        "".join([f"{n}\n", *(f"{rng.randrange(99)} {rng.randrange(999)}\n" for _ in range(n))])
        for n in sizes
    ]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(free(60), id="free-text"),
        pytest.param(free(4000), id="much-free-text"),
        pytest.param(rows(1000), id="many-rows"),
    ],
)
def test_learning_a_layout_takes_a_bounded_number_of_calls(texts: Sequence[str]) -> None:
    within(_MOST, lambda: known_of(texts))


def test_free_text_has_no_layout() -> None:
    assert known_of(free(200)) is None


def test_of_many_texts_the_smallest_are_learned_from_in_their_order() -> None:
    texts = ["c" * 20_000, "a", "b" * 20_000, "d" * 9_000]
    assert learned(texts) == ["c" * 20_000, "a", "d" * 9_000]


def test_a_single_text_is_learned_from_however_large_it_is() -> None:
    assert learned(["x" * 100_000]) == ["x" * 100_000]
