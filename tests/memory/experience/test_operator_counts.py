"""Laws of the prior: pooled, bounded, never a ban."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.experience.operator_counts import WEIGHT, OperatorCounts, prior

names = st.sampled_from(["a", "b", "c"])
traits = st.lists(st.sampled_from(["loop", "text", "sorting"]), unique=True).map(tuple)


@st.composite
def trials(draw: st.DrawFn) -> OperatorCounts:
    tries = draw(st.integers(1, 1000))
    wins = draw(st.integers(0, tries))
    credit = draw(st.floats(0, wins))
    return OperatorCounts(
        rule=draw(names),
        family=draw(st.sampled_from(["x", "y"])),
        traits=draw(traits),
        tries=tries,
        wins=wins,
        credit=credit,
    )


def known(
    rule: str, tries: int, credit: float, *traits: str, family: str = "x"
) -> OperatorCounts:
    return OperatorCounts(rule=rule, family=family, traits=traits, tries=tries, credit=credit)


def mean(counts: tuple[float, float]) -> float:
    return counts[0] / sum(counts)


@given(st.lists(trials(), max_size=12), traits)
def test_counts_are_bounded_and_never_a_ban(
    rows: list[OperatorCounts], of: tuple[str, ...]
) -> None:
    for wins, losses in prior(rows, of, ["a", "b", "d"]).values():
        assert wins > 0
        assert losses > 0
        assert wins + losses <= WEIGHT + 1e-9


@given(st.lists(trials(), max_size=12), traits)
def test_the_order_of_runs_does_not_matter(
    rows: list[OperatorCounts], of: tuple[str, ...]
) -> None:
    there, back = prior(rows, of, ["a", "b"]), prior(rows[::-1], of, ["a", "b"])
    assert there.keys() == back.keys()
    for rule in there:
        assert there[rule] == pytest.approx(back[rule])


def test_nothing_known_is_no_prior() -> None:
    assert prior([], ["loop"], ["a"]) == {}


def test_what_worked_is_worth_more_than_what_failed() -> None:
    found = prior([known("a", 20, 15.0), known("b", 20, 0.0)], [], ["a", "b", "new"])
    assert mean(found["a"]) > mean(found["new"]) > mean(found["b"])
    assert sum(found["new"]) == pytest.approx(1.0)


def test_programs_of_the_same_kind_say_more() -> None:
    rows = [known("a", 20, 15.0, "text"), known("a", 20, 1.0, "sorting")]
    text, sorting = (prior(rows, [of], ["a"])["a"] for of in ("text", "sorting"))
    neither = prior(rows, ["loop"], ["a"])["a"]
    assert mean(text) > mean(neither) > mean(sorting)


def test_a_family_can_be_left_out() -> None:
    rows = [known("a", 20, 15.0, family="x"), known("a", 20, 0.0, family="y")]
    assert prior(rows, [], ["a"], exclude_families=["x"]) == prior(rows[1:], [], ["a"])
    assert prior(rows, [], ["a"], exclude_families=["x", "y"]) == {}
