"""What memory would find out next: what is good with some of what is open, then swaps."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.engine.search.combined_edits import Unions
from se_agent.engine.search.edit_risk import TOGETHER, place
from se_agent.engine.search.group_testing import Trials
from se_agent.engine.search.policies import Choice
from se_agent.engine.search.portfolio import Portfolio
from se_agent.memory.local.edit_credit import Credit
from se_agent.values.memory_context import Advice, Believed
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import Member, Offer, View
from tests.contracts.policy import view
from tests.engine.search.test_policies import judged
from tests.memory.local.test_edit_credit import program, step

GOOD, OPEN = Believed(0.3, 0.01, 0.0), Believed(0.0, 0.1, 0.2)
BAD, NOTHING = Believed(0.0, 0.1, 1.0), Believed(0.0, 0.01, 0.0)


def edit(name: str, node: str = "") -> Edit:
    return Edit(rule=name, function="f", node=node or name)


def offered(edits: Iterable[Edit], parent: Solution, past: View) -> list[Choice]:
    return [
        Choice(past.fill(parent, operator=each.rule), Offer(edit=each, content=str(each)))
        for each in edits
    ]


class Asked:
    """A program with some changes, and what is on offer for it."""

    def __init__(
        self,
        believed: Mapping[Edit, Believed],
        *,
        has: Sequence[Edit] = (),
        given: Sequence[Slot] = (),
        unions: Unions | None = None,
    ) -> None:
        self.past = dataclasses.replace(
            view(8), open_slots=tuple(given), advice=Advice(believed=lambda: believed)
        )
        self.parent = program("Gen1_Sol_2", has)
        self.unions = unions or Unions("polish")
        self.trials = Trials(self.unions, self.past)

    def next(self, *edits: Edit) -> Slot | None:
        return self.trials.next(offered(edits, self.parent, self.past))

    def anew(self, *edits: Edit, seed: int = 0) -> Slot | None:
        first = self.past.initial.solution
        choices = offered(edits, first, self.past)
        return self.trials.anew(self.parent, choices, np.random.default_rng(seed))


def names(slot: Slot | None) -> list[str]:
    assert slot is not None
    return [each.rule for each in slot.edits] or [slot.operator]


def test_first_the_best_ranked_are_made_together() -> None:
    many = [edit(f"r{number}") for number in range(12)]
    assert names(Asked({}).next(*many)) == [each.rule for each in many[:TOGETHER]]


def test_what_is_good_is_made_at_once_with_some_that_are_open() -> None:
    believed = {edit("good"): GOOD, edit("bad"): BAD, edit("nothing"): NOTHING}
    asked = names(Asked(believed).next(*believed, edit("new"), edit("newer")))
    assert asked == ["good", "new", "newer"]


def test_what_is_accused_does_not_delay_what_is_good() -> None:
    one, other, accused, fresh = edit("one"), edit("two"), edit("three"), edit("four")
    known = {one: GOOD, other: GOOD, accused: Believed(0.0, 0.1, 0.45)}
    first = Asked(known).next(one, other, accused, fresh)
    assert names(first) == ["one", "two", "four"]
    assert names(Asked(known).next(accused)) == ["three"]


def test_what_is_accused_is_asked_once_the_good_ones_were_made() -> None:
    good, other, accused = edit("one"), edit("two"), edit("three")
    known = {good: GOOD, other: GOOD, accused: Believed(0.0, 0.1, 0.45)}
    unions = Unions("polish")
    made = Asked(known, unions=unions).next(good, other, accused)
    assert made is not None
    assert names(made) == ["one", "two"]
    told = judged(1, "polish", significant=True, edits=made.edits)
    unions.tell(dataclasses.replace(told, slot=made))
    again = Asked(known, unions=unions).next(good, other, accused)
    assert names(again) == ["one", "two", "three"]


def test_a_single_change_has_a_slot_of_its_own() -> None:
    slot = Asked({edit("bad"): BAD}).next(edit("bad"), edit("new"))
    assert slot is not None
    assert (slot.operator, slot.edits) == ("new", ())


def test_what_a_failure_left_in_doubt_is_divided() -> None:
    doubted = {edit(f"d{number}"): OPEN for number in range(5)}
    assert names(Asked(doubted).next(*doubted)) == ["d0", "d1", "d2"]


def test_nothing_is_asked_where_nothing_is_open() -> None:
    believed = {edit("bad"): BAD, edit("nothing"): NOTHING}
    assert Asked(believed).next(*believed) is None
    assert Asked({}).next() is None


def test_what_is_under_way_is_not_asked_again() -> None:
    first = Asked({edit("x"): BAD}).next(edit("a"), edit("b"), edit("c"), edit("d"))
    assert first is not None
    again = Asked({edit("x"): BAD}, given=[first]).next(
        edit("a"), edit("b"), edit("c"), edit("d")
    )
    assert not set(names(first)) & set(names(again))


def test_a_union_that_was_named_is_not_named_again() -> None:
    unions = Unions("polish")
    slot = Asked({edit("x"): BAD}, unions=unions).next(edit("a"), edit("b"))
    assert slot is not None
    told = judged(1, "polish", significant=True, edits=slot.edits)
    unions.tell(dataclasses.replace(told, slot=slot))
    again = Asked({edit("x"): BAD}, unions=unions)
    assert again.next(edit("a"), edit("b")) is None
    assert names(again.next(edit("a"), edit("b"), edit("c"))) == ["c"]


def test_what_found_no_place_beside_others_is_asked_alone_and_last() -> None:
    unions, first = Unions("polish"), Asked({edit("x"): NOTHING})
    slot = first.next(edit("a"), edit("b"), edit("c"))
    assert slot is not None
    told = judged(1, "polish", significant=True, edits=(edit("a"), edit("b")))
    unions.tell(dataclasses.replace(told, slot=slot))
    again = Asked({edit("x"): NOTHING}, unions=unions)
    assert names(again.next(edit("c"), edit("d"), edit("e"))) == ["d", "e"]
    assert names(again.next(edit("c"))) == ["c"]
    elsewhere = Asked({edit("x"): NOTHING}, unions=unions)
    elsewhere.parent = program("Gen1_Sol_7", ())
    assert names(elsewhere.next(edit("c"), edit("d"))) == ["c", "d"]


def test_unions_that_come_to_nothing_end() -> None:
    """A good change may replace the code of all that is open; nobody says so beforehand."""
    unions, rng = Unions("polish"), np.random.default_rng(1)
    many = [edit(f"r{number}") for number in range(20)]
    empty = 0
    while empty < 60:
        asked = Asked({edit("good"): GOOD}, unions=unions)
        slot = asked.next(edit("good"), *(many[i] for i in rng.permutation(20)))
        assert slot is not None
        if not slot.edits:
            break
        unions.tell(Step(slot=slot))
        empty += 1
    assert 0 < empty <= 20


def test_what_did_harm_is_left_out_at_once() -> None:
    has = [edit("good"), edit("harm"), edit("fine")]
    believed = {has[0]: GOOD, has[1]: Believed(-0.1, 0.01, 0.0), has[2]: GOOD}
    slot = Asked(believed, has=has).anew(edit("new"))
    assert names(slot) == ["good", "fine"]
    assert slot is not None
    assert [one.id for one in slot.parents] == ["Gen1_Sol_2", view(8).initial.solution.id]


@pytest.mark.parametrize("gain", [-1e-5, 0.0, 1e-5, -0.002])
def test_what_is_within_noise_did_no_harm(gain: float) -> None:
    has = [edit("good"), edit("other"), edit("neutral")]
    believed = {has[0]: GOOD, has[1]: GOOD, has[2]: Believed(gain, 0.003, 0.0)}
    slots = [Asked(believed, has=has).anew(edit("good"), seed=seed) for seed in range(20)]
    assert slots == [None] * 20


def test_what_is_known_to_bring_no_more_is_no_trial() -> None:
    has = [edit("sure"), edit("fine")]
    believed = {has[0]: GOOD, has[1]: GOOD, edit("dull"): Believed(0.001, 0.003, 0.0)}
    slots = [Asked(believed, has=has).anew(edit("dull"), seed=seed) for seed in range(20)]
    assert slots == [None] * 20


def test_what_is_under_way_stands_in_for_nothing() -> None:
    has = [edit("slow", node="1"), edit("fine")]
    believed = {has[0]: Believed(0.1, 0.01, 0.0), has[1]: GOOD}
    better = edit("quick", node="1")
    under_way = view(8).fill(program("Gen1_Sol_9", ()), operator="polish", edits=(better,))
    slots = [
        Asked(believed, has=has, given=[under_way]).anew(better, seed=seed)
        for seed in range(20)
    ]
    assert slots == [None] * 20


def test_then_another_change_stands_in_its_place_and_comes_first() -> None:
    has = [edit("slow", node="1"), edit("fine")]
    believed = {has[0]: Believed(0.1, 0.01, 0.0), has[1]: GOOD}
    better = edit("quick", node="1")
    found = [Asked(believed, has=has).anew(better, seed=seed) for seed in range(20)]
    tried = [names(slot) for slot in found if slot is not None]
    assert len(tried) > 5
    assert all(each == ["quick", "fine"] for each in tried)


def test_one_of_which_little_is_known_is_left_out_now_and_then() -> None:
    has = [edit("sure"), edit("doubtful"), edit("third")]
    believed = {has[0]: GOOD, has[1]: Believed(0.1, 0.1, 0.0), has[2]: GOOD}
    found = [Asked(believed, has=has).anew(edit("x"), seed=seed) for seed in range(40)]
    left = [sorted(names(slot)) for slot in found if slot is not None and len(slot.edits) == 2]
    assert left
    assert all(each == ["sure", "third"] for each in left)


@pytest.mark.parametrize("known", [BAD, Believed(-0.2, 0.001, 0.0)])
def test_what_is_known_to_be_bad_stands_in_for_nothing(known: Believed) -> None:
    has = [edit("fine", node="1"), edit("good")]
    believed = {has[0]: GOOD, has[1]: GOOD, edit("bad", node="1"): known}
    slots = (Asked(believed, has=has).anew(edit("bad", node="1"), seed=n) for n in range(20))
    assert [slot for slot in slots if slot is not None] == []


def offers_of(changes: Sequence[Edit]) -> Callable[[Solution], Mapping[str, tuple[Offer, ...]]]:
    """Offer each change whose place no change of a program has taken."""

    def offers(parent: Solution) -> Mapping[str, tuple[Offer, ...]]:
        taken = set(map(place, parent.edits))
        return {
            each.rule: (Offer(edit=each, content=f"{parent.id} {each}"),)
            if place(each) not in taken
            else ()
            for each in changes
        }

    return offers


def evaluations(saves: Mapping[Edit, float], wrong: set[Edit], *, memory: bool) -> int:
    """Return how many evaluations a portfolio takes until 90 % of the best log gain."""
    policy = Portfolio({each.rule: 1 for each in saves}, seed=3, uniting="polish")
    initial = program("Gen0_Sol_0", ())
    best, credit = (initial, 0.0), Credit()
    right = sum(gain for each, gain in saves.items() if gain > 0 and each not in wrong)
    goal, known = -0.9 * math.log(1 - right), {initial.id: Member(solution=initial)}
    for number in range(60):
        incumbent = Member(solution=best[0], effect=best[1])
        shown = View(
            slot=number,
            generation=1,
            index=number,
            initial=known[initial.id],
            best=incumbent,
            members=(incumbent,),
            solutions=known,
            offers=offers_of(list(saves)),
            advice=Advice(believed=partial(attrgetter("beliefs"), credit) if memory else None),
        )
        slot = policy.ask(shown)
        assert slot is not None
        made = slot.edits or tuple(e for e in saves if e.rule == slot.operator)
        parent = slot.parents[0]
        whole = (*parent.edits, *made)
        told = step(whole, parent.edits, child=f"Gen1_Sol_{number}", saves=saves, wrong=wrong)
        policy.tell(dataclasses.replace(told, slot=slot))
        credit = credit.after(told)
        if told.effect is not None and told.effect > best[1]:
            best = program(f"Gen1_Sol_{number}", whole), told.effect
        if best[1] >= goal:
            return number + 1
    return 60


@given(order=st.permutations(range(16)))
@settings(max_examples=15, deadline=None)
def test_all_that_is_good_is_found_among_what_is_wrong(order: list[int]) -> None:
    assert evaluations(*world(order), memory=True) <= 30


def test_memory_needs_fewer_evaluations_than_none() -> None:
    worlds = [np.random.default_rng(number).permutation(16) for number in range(12)]
    told, untold = (
        sum(evaluations(*world(order), memory=memory) for order in worlds)
        for memory in (True, False)
    )
    assert told < 0.75 * untold


def world(order: Iterable[int]) -> tuple[dict[Edit, float], set[Edit]]:
    """Return what changes save, five of sixteen something, and which three are wrong."""
    changes = [edit(f"r{number}") for number in order]
    return dict.fromkeys(changes, 0.0) | dict.fromkeys(changes[:5], 0.17), set(changes[5:8])
