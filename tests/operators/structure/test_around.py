"""The search that is put into programs, called as it stands."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from operators.structure.around import (
    elements_of,
    in_form_of,
    into_a_hole,
    scattered,
    search_around,
    shaken,
)

AXES = [(0, 0.0, 1.0), (1, 0.0, 2.0)]
SETTINGS = {
    "seed": 1,
    "rounds": 30,
    "seconds": 60.0,
    "fresh": 0.2,
    "relocate": 0.5,
    "moved": 2,
    "holes": 20,
    "step": 0.05,
    "slack": 0.01,
    "patience": 5,
}

ELEMENTS = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 2), st.floats(0.1, 0.3)).map(list),
    min_size=1,
    max_size=6,
)


@given(ELEMENTS, st.integers(0, 1000))
def test_positions_stay_in_their_box(elements: list[list[float]], seed: int) -> None:
    before = [list(element) for element in elements]
    rng = random.Random(seed)
    for moved in (shaken(rng, elements, AXES, SETTINGS), scattered(rng, elements, AXES)):
        assert elements == before
        assert [len(element) for element in moved] == [3] * len(elements)
        for axis, low, high in AXES:
            assert all(low <= element[axis] <= high for element in moved)


@given(ELEMENTS)
def test_an_answer_keeps_its_form(elements: list[list[float]]) -> None:
    flat = [value for element in elements for value in element]
    for like in (elements, flat, [tuple(element) for element in elements]):
        assert in_form_of(like, elements_of(like, 3)) == like


def test_a_hole_is_where_the_others_are_far() -> None:
    elements = [[0.1, 0.2, 0.2], [0.2, 0.4, 0.1], [0.15, 0.1, 0.3]]
    into_a_hole(random.Random(3), elements, 0, AXES, 300)
    x, y, rest = elements[0]
    assert x > 0.8
    assert y > 1.6
    assert rest == 0.05


def test_elements_are_put_into_holes_where_that_is_asked_for() -> None:
    elements = [[0.1, 0.2, 0.2], [0.2, 0.4, 0.1], [0.15, 0.1, 0.3]]
    always = {**SETTINGS, "relocate": 1.0, "moved": 1, "holes": 300, "step": 0.001}
    moved = shaken(random.Random(3), elements, AXES, always)
    far = [(at[0], at[1]) for at in moved if at[0] > 0.7 and at[1] > 1.4]
    assert len(far) == 1


def test_the_best_answer_is_returned_though_worse_ones_are_accepted() -> None:
    given_back = []

    def solve(start: list[list[float]] | None) -> list[list[float]]:
        answer = start or [[0.5, 1.0, 0.1]]
        given_back.append(answer)
        return answer

    def worth(answer: list[list[float]]) -> float:
        return answer[0][0]

    best = search_around(solve, worth, [[0.5, 1.0, 0.1]], (3, AXES), SETTINGS)
    assert len(given_back) == 31
    assert worth(best) == max(map(worth, given_back)) > 0.5


def test_a_line_that_gets_no_better_is_given_up_for_a_fresh_start() -> None:
    starts = []

    def solve(start: list[list[float]] | None) -> list[list[float]]:
        starts.append(start)
        return [[0.5, 1.0, 0.1]]

    settings = SETTINGS | {"fresh": 0.0, "relocate": 0.0, "step": 0.0, "rounds": 24}
    search_around(solve, lambda _: 1.0, [[0.5, 1.0, 0.1]], (3, AXES), settings)
    stayed = [start == [[0.5, 1.0, 0.1]] for start in starts[1:]]
    assert stayed == ([True] * 5 + [False]) * 4
