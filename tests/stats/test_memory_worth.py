"""Steps with memory and without are counted, and the interval of their difference holds."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from se_agent.events import Learned, Selected
from se_agent.memory_events import ShownMemory
from se_agent.stats.memory_worth import Side, Weighing, Worth
from se_agent.values.evaluation import Branch, Status, Verdict

SIDES = st.integers(0, 60).flatmap(
    lambda steps: st.builds(Side, st.integers(0, steps), st.just(steps))
)
PROVEN = Verdict(
    status=Status.AC,
    perf_diff=1.0,
    effect=0.5,
    interval=(0.4, 0.6),
    significant=True,
    branch=Branch.SUCCESS,
)


def weighed(*steps: tuple[bool | None, Verdict | None]) -> Worth:
    """What is counted of steps that were informed or not, and judged so or not at all."""
    fold = Weighing()
    for slot, (informed, _) in enumerate(steps):
        name = f"Gen1_Sol_{slot}"
        fold.apply(Selected(slot=slot, child=name, parents=(), operator="a", informed=informed))
    for slot, (_, verdict) in enumerate(steps):
        fold.apply(
            Learned(slot=slot, child=f"Gen1_Sol_{slot}", verdict=verdict, best="Gen0_Sol_0")
        )
    return fold.worth


def test_judged_steps_that_memory_had_a_say_in_are_counted() -> None:
    noise = replace(PROVEN, significant=False)
    found = weighed(
        (True, PROVEN), (True, noise), (False, PROVEN), (False, None), (None, PROVEN)
    )
    assert found == Worth(Side(1, 2), Side(1, 1))


def test_the_interval_is_the_one_in_the_paper() -> None:
    # Newcombe 1998, table II, method 10: 56/70 against 48/80.
    low, high = Worth(Side(56, 70), Side(48, 80)).interval
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


@given(SIDES.filter(lambda s: s.steps > 0), SIDES.filter(lambda s: s.steps > 0))
def test_the_interval_holds_the_difference(informed: Side, withheld: Side) -> None:
    found = Worth(informed, withheld)
    low, high = found.interval
    assert low <= found.difference <= high or math.isclose(low, high)


@given(SIDES, SIDES, SIDES, SIDES)
def test_runs_together_are_their_steps_together(a: Side, b: Side, c: Side, d: Side) -> None:
    both = Worth(a, b) + Worth(c, d)
    assert both.informed.steps == a.steps + c.steps
    assert both.withheld.gains == b.gains + d.gains
    assert both.has_steps == (Worth(a, b).has_steps or Worth(c, d).has_steps)


def test_gain_for_a_thousand_tokens_counts_proven_effects_of_prompts_that_show_memory() -> None:
    fold = Weighing()
    noise = replace(PROVEN, significant=False)
    asked = [(True, 400, PROVEN), (True, 600, noise), (False, 0, PROVEN), (True, 0, PROVEN)]
    for slot, (informed, tokens, verdict) in enumerate(asked):
        step = Selected(slot=slot, child="", parents=(), operator="a", informed=informed)
        told = ShownMemory(tokens=tokens)
        fold.apply(step.model_copy(update={"shown_memory": told}))
        fold.apply(Learned(slot=slot, verdict=verdict, best="Gen0_Sol_0"))
    assert fold.worth.tokens == 1000
    assert fold.worth.gain_per_1000 == PROVEN.effect
    assert (fold.worth + fold.worth).gain_per_1000 == PROVEN.effect
    assert Worth().gain_per_1000 is None
