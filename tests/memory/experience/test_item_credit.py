"""Credit of items: chance decides who is shown an item, and only that counts."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.figures import lift as simulated
from se_agent.memory.experience.item_credit import (
    LEAST,
    NOTHING_KNOWN,
    WIDEST,
    Exposure,
    Lift,
    item_lifts,
    quarantined_items,
)

EXPOSURES = st.lists(
    st.builds(
        Exposure,
        run=st.sampled_from(["a", "b"]),
        slot=st.integers(0, 6),
        item=st.sampled_from(["x", "y", "z"]),
        shown=st.booleans(),
        gain=st.floats(-2, 2),
        family=st.sampled_from(["", "strings"]),
        generation=st.integers(0, 9),
    ),
    max_size=40,
    unique_by=lambda one: (one.run, one.slot, one.item),
)


def slots(item: str, gain: float, many: int = 200, seed: int = 1) -> Iterator[Exposure]:
    """Yield slots in half of which an item is shown, which adds to a noisy gain."""
    draw = random.Random(seed)
    for number in range(many):
        shown = draw.random() < 0.5
        yield Exposure(
            run=item,
            slot=number,
            item=item,
            shown=shown,
            gain=draw.gauss(0.2, 0.1) + gain * shown,
        )


@given(EXPOSURES, st.randoms(use_true_random=False))
def test_the_order_of_exposures_changes_nothing(
    seen: list[Exposure], draw: random.Random
) -> None:
    """A slot's gain is one figure: all exposures of a slot have that of its first."""
    of_slot = {(one.run, one.slot): one for one in reversed(seen)}
    seen = [replace(of_slot[one.run, one.slot], item=one.item, shown=one.shown) for one in seen]
    mixed = seen[:]
    draw.shuffle(mixed)
    assert item_lifts(mixed) == item_lifts(seen)


@given(EXPOSURES)
def test_every_item_has_a_finite_lift_within_an_interval(seen: list[Exposure]) -> None:
    found = item_lifts(seen)
    assert set(found) == {one.item for one in seen}
    for lift in found.values():
        assert all(map(math.isfinite, lift))
        assert lift.low < lift.lift < lift.high
        assert 0 <= lift.harm <= 1


@pytest.mark.row("AM-65")
def test_an_item_that_was_never_withheld_tells_nothing() -> None:
    seen = [replace(one, shown=True, gain=3.0) for one in slots("x", 0.0)]
    assert item_lifts(seen)["x"] == Lift(0.0, WIDEST, shown=200, withheld=0)
    assert item_lifts([]) == {}
    assert (NOTHING_KNOWN.lift, NOTHING_KNOWN.error) == (0.0, WIDEST)


@pytest.mark.row("AM-65")
def test_a_lift_is_what_showing_adds() -> None:
    found = item_lifts([*slots("good", 0.2), *slots("idle", 0.0), *slots("bad", -0.2)])
    assert found["good"].low > 0.1
    assert found["bad"].high < -0.1
    assert found["idle"].low < 0 < found["idle"].high


def test_an_item_of_good_steps_is_not_good_for_that() -> None:
    """It is eligible where steps fare well anyway; a plain difference over all slots errs."""
    well = [replace(one, gain=one.gain + 1.0, family="easy") for one in slots("x", 0.0)]
    ill = [replace(one, family="hard") for one in slots("y", 0.0, seed=2)]
    found = item_lifts([*well, *ill])
    assert found["x"].low < 0 < found["x"].high


def test_one_leap_is_not_the_merit_of_an_item() -> None:
    seen = [*slots("x", 0.0)]
    first = next(n for n, one in enumerate(seen) if one.shown)
    leap = replace(seen[first], gain=math.log(1e9))
    changed = item_lifts([*seen[:first], leap, *seen[first + 1 :]])["x"]
    assert abs(changed.lift - item_lifts(seen)["x"].lift) < 0.03


def test_quarantine_waits_for_enough_exposures_and_is_sure() -> None:
    bad = Lift(-0.3, 0.05, LEAST - 10, 10)
    assert quarantined_items({"bad": bad, "idle": Lift(0.0, 0.05, 90, 10)}) == {"bad"}
    assert quarantined_items({"bad": bad._replace(withheld=9)}) == frozenset()
    assert quarantined_items({"unsure": Lift(-0.03, 0.05, 90, 10)}) == frozenset()
    assert quarantined_items({}) == frozenset()


def test_the_more_items_are_judged_the_surer_each_has_to_be() -> None:
    """One in twenty of a hundred idle items looks this bad by chance."""
    doubtful = Lift(-0.09, 0.05, 90, 10)
    assert quarantined_items({"alone": doubtful}) == {"alone"}
    idle = {str(n): Lift(0.0, 0.05, 90, 10) for n in range(99)}
    assert quarantined_items({"one": doubtful, **idle}) == frozenset()


@pytest.mark.tier("runs")
@pytest.mark.row("AM-65")
def test_in_made_up_runs_credit_is_right() -> None:
    """Ten worlds of 1,500 candidates: precision 0.85 at least, a tenth innocent at most."""
    worlds = [simulated.told([*simulated.exposures(1500, seed)]) for seed in range(100, 110)]
    called = sum(one.called for one in worlds)
    assert called >= 50
    assert sum(one.right for one in worlds) / called >= 0.85
    assert sum(one.innocent for one in worlds) <= 1  # of the quarantined of ten worlds
