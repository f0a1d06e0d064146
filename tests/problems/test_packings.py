"""The two scored problems: what their scorers accept, refuse and say."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.problem.loading import load_problem
from se_agent.values.evaluation import InputSet
from tests.problems.bench import Namespace, cpu, entry, measured

Circle = tuple[Any, ...]  # an answer may hold anything
CIRCLES = load_problem("circle_packing")
BINS = load_problem("bin_packing")


def scorer(source: str) -> Namespace:
    names: Namespace = {}
    exec(source, names)
    return names


rate_circles: Callable[..., float] = scorer(CIRCLES.scorer)["score"]
bin_scorer = scorer(BINS.scorer)


@pytest.mark.parametrize(
    ("circles", "total"),
    [
        pytest.param([(0.5, 0.5, 0.5)], 0.5, id="the-inscribed-circle-touches"),
        pytest.param([(0.25, 0.25, 0.25), (0.75, 0.25, 0.25)], 0.5, id="two-that-touch"),
        pytest.param([(0.5, 0.5, 0)], 0, id="a-point"),
        pytest.param([[0.5, 0.5, 0.25]], 0.25, id="a-list-will-do"),
    ],
)
def test_a_valid_packing_is_worth_its_radii(circles: list[Circle], total: float) -> None:
    assert rate_circles((len(circles),), circles) == total


above = math.nextafter(0.5, 1)


@pytest.mark.parametrize(
    ("circles", "why"),
    [
        pytest.param([(0.5, 0.5, above)], "circle 0 is not inside", id="one-ulp-too-large"),
        pytest.param([(above, 0.5, 0.5)], "circle 0 is not inside", id="one-ulp-aside"),
        pytest.param(
            [(0.25, 0.25, 0.25), (math.nextafter(0.75, 0), 0.25, 0.25)],
            "circles 0 and 1 overlap",
            id="one-ulp-of-overlap",
        ),
        pytest.param([(0.5, 0.5, -0.1)], "negative radius", id="negative"),
        pytest.param([(0.5, 0.5, math.nan)], "not a finite number", id="nan"),
        pytest.param([(math.nan, 0.5, 0.1)], "not a finite number", id="nan-centre"),
        pytest.param([(0.5, 0.5, math.inf)], "not a finite number", id="infinity"),
        pytest.param([(0.5, 0.5, True)], "not a finite number", id="bool"),
        pytest.param([(0.5, 0.5, "0.1")], "not a finite number", id="text"),
        pytest.param([(0.5, 0.5)], "not three numbers", id="a-pair"),
        pytest.param([7], "not three numbers", id="a-number"),
    ],
)
def test_an_invalid_packing_is_refused(circles: list[Circle], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        rate_circles((len(circles),), circles)


@pytest.mark.parametrize("wrong", [[], [(0.5, 0.5, 0.1)] * 2, None, "circle", {}])
def test_a_wrong_number_of_circles_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="not a list of 1 circles"):
        rate_circles((1,), wrong)


@pytest.mark.parametrize(("name", "low", "high"), [("ring", 1.3, 1.5), ("joint", 2.4, 2.62)])
def test_initial_packings_are_valid_and_leave_room(name: str, low: float, high: float) -> None:
    pack = entry(CIRCLES, CIRCLES.programs[name])
    packed: list[list[Circle]] = []
    assert cpu(lambda: packed.append(pack(26)), times=2) < 5
    assert packed[0] == packed[1]
    assert low < rate_circles((26,), packed[0]) < high


def shown(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what the program is given of the arguments: not what instances are drawn from."""
    assert BINS.shown == 1
    return arguments[: BINS.shown]


def tables(policy: Callable[[int, int, int], float]) -> Any:  # nested lists of numbers
    build = entry(BINS, "def priority(): ...")
    build.__globals__["priority"] = policy
    return build(*shown(measured(BINS, InputSet.SEARCH, 0)))


def best_fit(item: int, remaining: int, capacity: int) -> float:
    return -(remaining - item)


def by_hand(items: list[int], capacity: int, policy: Callable[[int, int, int], float]) -> int:
    """Pack one bin object at a time, the fullest of equally liked ones."""
    rooms: list[int] = []
    for item in items:
        fitting = [(policy(item, r, capacity), -r, i) for i, r in enumerate(rooms) if r >= item]
        new = (policy(item, capacity, capacity), -capacity, len(rooms))
        _, _, place = max([*fitting, new], key=lambda option: option[:2])
        if place == len(rooms):
            rooms.append(capacity)
        rooms[place] -= item
    return len(rooms)


@pytest.mark.tier("runs")
@given(
    st.lists(st.integers(1, 100), max_size=60),
    st.lists(st.integers(-3, 3), min_size=7, max_size=7),
)
def test_tables_pack_like_bins_one_by_one(items: list[int], moods: list[int]) -> None:
    def policy(item: int, remaining: int, capacity: int) -> float:
        return moods[(item * 31 + remaining) % 7]

    for shape, capacity in enumerate((150, 100)):
        used = bin_scorer["bins_used"](items, capacity, tables(policy)[shape])
        assert used == by_hand(items, capacity, policy)


def test_best_fit_is_the_initial_program_and_can_be_beaten() -> None:
    def no_small_gaps(item: int, remaining: int, capacity: int) -> float:
        left = remaining - item
        if left <= 3:
            return 1000 - left
        return -1000 if remaining == capacity else left if left > 25 else -2000 - left

    given = measured(BINS, InputSet.FINAL, 0)
    initial = bin_scorer["score"](given, entry(BINS, BINS.initial().text)(*shown(given)))
    assert initial == bin_scorer["score"](given, tables(best_fit))
    assert 0.03 < initial < 0.06
    assert bin_scorer["score"](given, tables(no_small_gaps)) < 0.95 * initial


def test_gaps_is_best_fit_until_it_is_tuned() -> None:
    text = BINS.programs["gaps"]
    plain = text.replace("ROOMY = 4 ", "ROOMY = 0 ")
    assert plain != text
    given = measured(BINS, InputSet.FINAL, 0)
    tuned = [
        bin_scorer["score"](given, entry(BINS, each)(*shown(given))) for each in (plain, text)
    ]
    assert tuned[0] == bin_scorer["score"](given, tables(best_fit))
    assert tuned[1] != tuned[0]


def test_final_instances_are_others_than_those_of_the_search() -> None:
    table = tables(best_fit)
    scores = {
        bin_scorer["score"](measured(BINS, which, index, 0), table)
        for which in InputSet
        for index in range(3)
    }
    assert len(scores) == 6


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        pytest.param(lambda t: t.pop(), "one table per shape", id="a-table-less"),
        pytest.param(lambda t: t[0].pop(), "one row per item", id="a-row-less"),
        pytest.param(lambda t: t[0][4].append(1.0), "one priority per room", id="too-many"),
        pytest.param(lambda t: t[1][4].__setitem__(2, math.nan), "of item 5 is not", id="nan"),
        pytest.param(lambda t: t[1][4].__setitem__(2, math.inf), "of item 5 is not", id="inf"),
        pytest.param(lambda t: t[1][4].__setitem__(2, True), "of item 5 is not", id="bool"),
        pytest.param(lambda t: t[1][4].__setitem__(2, "1"), "of item 5 is not", id="text"),
    ],
)
def test_a_broken_table_is_refused(spoil: Callable[[Any], None], why: str) -> None:
    table = tables(best_fit)
    spoil(table)
    with pytest.raises(ValueError, match=why):
        bin_scorer["score"](measured(BINS, InputSet.FINAL, 0, 0), table)
