"""What changes risk: of those that were tried, and of those that are like them."""

from __future__ import annotations

import numpy as np
import pytest

from se_agent.engine.search.edit_risk import HARMLESS, HOPELESS, SURE, TOGETHER, Risks, apart
from se_agent.values.memory_context import Believed
from se_agent.values.solution import Edit

GOOD, BAD = Believed(0.3, 0.01, 0.0), Believed(0.0, 0.1, 1.0)


def edit(rule: str, function: str = "f", node: str = "") -> Edit:
    return Edit(rule=rule, function=function, node=node or rule)


MANY = [edit(f"r{number}") for number in range(20)]


def test_the_risk_of_what_was_tried_is_its_blame() -> None:
    risks = Risks({edit("a"): Believed(0.1, 0.1, 0.25)})
    assert risks.of(edit("a")) == 0.25
    assert risks.is_open(edit("a"))
    assert not Risks({edit("a"): GOOD}).is_open(edit("a"))
    assert not Risks({edit("a"): BAD}).is_open(edit("a"))
    doubted, accused = (Believed(0.0, 0.1, blame) for blame in (SURE - 0.1, SURE + 0.02))
    assert Risks({edit("a"): doubted}).is_open(edit("a"))
    assert not Risks({edit("a"): accused}).is_open(edit("a"))


def test_what_nobody_tried_is_like_the_others_of_its_rule_in_its_function() -> None:
    known = {edit("a", node="1"): BAD, edit("b", node="1"): GOOD}
    risks = Risks(known)
    unlike = risks.of(edit("c"))
    assert risks.of(edit("b", node="2")) < unlike < risks.of(edit("a", node="2"))
    assert risks.of(edit("a", "g")) == unlike
    twice = Risks(known | {edit("a", node="3"): BAD})
    assert twice.of(edit("a", node="2")) > HOPELESS
    assert not twice.is_open(edit("a", node="2"))


def test_harm_makes_the_next_tries_smaller() -> None:
    def size(*blames: float) -> int:
        believed = {
            edit(f"k{number}"): Believed(0.0, 0.1, blame) for number, blame in enumerate(blames)
        }
        return len(Risks(believed).few(MANY))

    assert size(*[0.0] * 40) == TOGETHER
    assert size(*[0.0] * 40) > size() > size(*[1.0] * 3, *[0.0] * 3) >= 1


def test_they_mostly_do_no_harm_together() -> None:
    doubted = {edit(f"d{number}"): Believed(0.0, 0.1, 0.2) for number in range(6)}
    risks = Risks(doubted)
    chosen = risks.few(doubted)
    assert np.prod([1 - risks.of(one) for one in chosen]) >= HARMLESS
    assert len(chosen) == 3


def test_the_least_risky_one_is_tried_where_all_are_risky() -> None:
    believed = {edit("a"): Believed(0.0, 0.1, 0.9), edit("b"): Believed(0.0, 0.1, 0.7)}
    assert Risks(believed).few(believed) == (edit("b"),)
    assert Risks({}).few([]) == ()


def test_what_was_not_measured_is_hoped_for_as_what_nobody_tried() -> None:
    guess = Risks({edit("a"): Believed(0.0, 0.15, 0.125, measured=False)})
    assert guess.hope(edit("a"), instead=0.5) == Risks({}).hope(edit("a"), instead=0.5) > 0.5
    assert guess.of(edit("a")) == 0.125


def test_two_of_one_place_are_not_tried_together() -> None:
    first, second = edit("a", node="1"), edit("b", node="1")
    assert apart([first, second]) == (first,)
    assert Risks({}).few([first, second]) == (first,)


@pytest.mark.parametrize(
    ("known", "good"),
    [
        (GOOD, True),
        (BAD, False),
        (Believed(0.3, 0.01, 0.1), False),
        (Believed(0.001, 0.01, 0.0), False),
    ],
)
def test_good_is_what_brings_something_and_does_no_harm(known: Believed, good: bool) -> None:
    assert Risks({edit("a"): known}).is_good(edit("a")) == good
    assert not Risks({}).is_good(edit("a"))


def test_a_draw_is_as_sure_as_what_is_known() -> None:
    risks = Risks({edit("a"): GOOD, edit("b"): Believed(0.1, 0.2, 0.0)})

    def draws(name: str, instead: float = 0.0) -> list[float]:
        rng = np.random.default_rng(1)
        return [risks.drawn(edit(name), rng, instead=instead) for _ in range(300)]

    assert all(draw > 0.2 for draw in draws("a"))
    assert 0.2 < sum(draw < 0 for draw in draws("b")) / 300 < 0.4
    assert abs(float(np.mean(draws("new", 0.4))) - 0.4) < 0.05
    assert float(np.std(draws("new", 0.4))) > 2 * float(np.std(draws("new")))
