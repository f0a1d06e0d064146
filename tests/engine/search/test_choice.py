"""The choice of a model: what each has brought for its cost shifts the weights."""

from __future__ import annotations

from collections import Counter

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Role, Usage
from se_agent.config.roles import RoleMatrix
from se_agent.config.sections import Endpoint
from se_agent.engine.search.choice import Returns, chosen, counted, weights
from se_agent.values.randomness import Purpose, rng_at

EVEN = {"a": 1.0, "b": 1.0}


def shares(given: dict[str, float], past: dict[str, Returns]) -> Counter[str]:
    draws = (rng_at(0, slot, Purpose.MODEL) for slot in range(400))
    return Counter(chosen(given, past, rng) for rng in draws)


def reply(model: str, *, role: Role = Role.MUTATE, money: float | None = 0.25) -> Replied:
    usage = Usage(prompt=90, completion=10)
    return Replied(role=role, model=model, text="", usage=usage, money=money)


@pytest.mark.parametrize(
    ("given", "past", "low", "high"),
    [
        pytest.param(EVEN, {}, 160, 240, id="nothing-known"),
        pytest.param({"a": 3.0, "b": 1.0}, {}, 270, 330, id="weights"),
        pytest.param(
            EVEN,
            {
                "a": Returns(steps=40, gains=20, tokens=40, money=4.0),
                "b": Returns(steps=40, gains=2, tokens=40, money=4.0),
            },
            330,
            395,
            id="better",
        ),
        pytest.param(
            EVEN,
            {
                "a": Returns(steps=40, gains=8, tokens=40, money=4.0),
                "b": Returns(steps=40, gains=8, tokens=40, money=40.0),
            },
            340,
            395,
            id="cheaper",
        ),
        pytest.param(
            EVEN,
            {
                "a": Returns(steps=40, gains=8, tokens=100, money=None),
                "b": Returns(steps=40, gains=8, tokens=1000, money=4.0),
            },
            340,
            395,
            id="shorter-where-a-price-is-missing",
        ),
        pytest.param(
            EVEN,
            {"b": Returns(steps=40, gains=0, tokens=100, money=4.0)},
            330,
            399,
            id="untried-is-tried",
        ),
        pytest.param(
            EVEN, {"b": Returns(steps=1, gains=0)}, 200, 330, id="one-failure-says-little"
        ),
    ],
)
def test_what_a_model_brings_for_its_cost_decides(
    given: dict[str, float], past: dict[str, Returns], low: int, high: int
) -> None:
    assert low <= shares(given, past)["a"] <= high


def test_a_single_model_needs_no_luck() -> None:
    assert shares({"only": 0.3}, {"only": Returns(steps=9)}) == {"only": 400}


def test_weight_0_is_never_and_no_weight_is_1() -> None:
    models = {
        "b": Endpoint(name="x", weights={Role.PLAN: 0.0}),
        "a": Endpoint(name="y", weights={Role.MUTATE: 2.5}),
    }
    assert weights(models, Role.PLAN) == {"a": 1.0}
    assert list(weights(models, Role.MUTATE).items()) == [("a", 2.5), ("b", 1.0)]


def test_a_step_counts_for_who_wrote_it_with_all_its_calls() -> None:
    past = counted({}, [reply("a"), reply("a")], RoleMatrix(), gain=True)
    past = counted(past, [reply("a")], RoleMatrix(), gain=False)
    past = counted(past, [reply("b", role=Role.EXTRACT)], RoleMatrix(), gain=True)
    assert dict(past) == {"a": Returns(steps=2, gains=1, tokens=300, money=0.75)}
    unpriced = counted(past, [reply("a", money=None)], RoleMatrix(), gain=False)
    assert unpriced["a"].money is None
    assert past["a"].steps == 2, "the fold leaves what it was given"


def test_huge_weights_are_weights() -> None:
    rng = rng_at(0, 0, Purpose.BOOTSTRAP)
    found = {chosen({"a": 1e308, "b": 1e308}, {}, rng) for _ in range(40)}
    assert found == {"a", "b"}
