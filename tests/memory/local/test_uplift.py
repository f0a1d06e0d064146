"""What showing a lesson was worth: by stage, and little is made of few steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.local.uplift import Stage, Uplift

STAGES: tuple[Stage, ...] = ("first_gain", "repair", "polish")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(STAGES), st.sets(st.sampled_from("abc"), max_size=3), st.booleans()
    ),
    max_size=40,
)


def after(*steps: tuple[Stage, str, bool]) -> Uplift:
    known = Uplift()
    for stage, lessons, gained in steps:
        known = known.after(stage, lessons, gained=gained)
    return known


def test_a_lesson_whose_steps_gain_more_than_others_is_worth_more() -> None:
    steps: list[tuple[Stage, str, bool]] = [("polish", "a", True), ("polish", "b", False)]
    known = after(*steps * 10)
    assert known.of("polish", "a") == pytest.approx(5 / 9)  # (10 + 4) / 18 - (0 + 4) / 18
    assert known.of("polish", "b") == pytest.approx(-5 / 9)


def test_stages_are_apart() -> None:
    known = after(("repair", "a", True), ("repair", "b", False))
    assert known.of("repair", "a") > 0
    assert known.of("polish", "a") == known.of("first_gain", "a") == 0


def test_few_steps_say_little() -> None:
    steps: list[tuple[Stage, str, bool]] = [("polish", "a", True), ("polish", "b", False)]
    few, many = after(*steps), after(*steps * 50)
    assert 0 < few.of("polish", "a") < 0.15 < 0.8 < many.of("polish", "a")


def test_what_is_always_shown_is_worth_nothing() -> None:
    always: tuple[Stage, str, bool] = ("polish", "a", True)
    known = after(*[always] * 30)
    assert abs(known.of("polish", "a")) < 0.05


@given(STEPS)
def test_values_are_bounded_and_do_not_depend_on_the_order_of_steps(
    steps: list[tuple[Stage, set[str], bool]],
) -> None:
    one, other = Uplift(), Uplift()
    for stage, lessons, gained in steps:
        one = one.after(stage, sorted(lessons), gained=gained)
    for stage, lessons, gained in reversed(steps):
        other = other.after(stage, sorted(lessons), gained=gained)
    for stage in STAGES:
        for lesson in "abc":
            assert -1 <= one.of(stage, lesson) <= 1
            assert one.of(stage, lesson) == pytest.approx(other.of(stage, lesson))
