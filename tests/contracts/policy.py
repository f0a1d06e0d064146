"""What every policy keeps to."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import pytest

from se_agent.protocols import Policy
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import Member, Offer, View
from tests.fakes import solution

OPERATORS = {"a": 1, "b": 1, "c": 1, "cross": 2}


def view(slot: int, members: int = 3, *, given: Sequence[Slot | None] = ()) -> View:
    all_members = tuple(
        Member(solution=solution(f"x = {n}", id=f"Gen1_Sol_{n}"), effect=float(n))
        for n in reversed(range(members))
    )
    return View(
        slot=slot,
        generation=2,
        index=slot % 8,
        initial=Member(solution=solution("x = 0")),
        best=all_members[0] if all_members else Member(solution=solution("x = 0")),
        members=all_members,
        solutions={member.solution.id: member for member in all_members},
        open_slots=tuple(slot for slot in given if slot is not None),
    )


class Offered:
    """What there is: `a` has two changes, `b` has one, `c` has none, `cross` does not say.

    What was taken is gone.
    """

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def __call__(self, parent: Solution) -> Mapping[str, tuple[Offer, ...]]:
        whole = {"a": ("f", "f"), "b": ("g",), "c": ()}
        return {
            name: tuple(
                offer
                for number, function in enumerate(functions)
                if (offer := self._offer(parent, name, function, number)).content
                not in self.taken
            )
            for name, functions in whole.items()
        }

    def _offer(self, parent: Solution, name: str, function: str, number: int) -> Offer:
        edit = Edit(rule=name, function=function, node="0", occurrence=number)
        return Offer(edit=edit, content=f"{parent.id} {name} {number}")


def nothing_new(slot: Slot) -> Step:
    return Step(slot=slot)


class PolicyContract:
    """Inherited by the tests of every policy."""

    @pytest.fixture
    def policy(self) -> Policy:
        raise NotImplementedError

    @pytest.fixture
    def twin(self) -> Policy:
        raise NotImplementedError

    def test_same_past_same_slots(self, policy: Policy, twin: Policy) -> None:
        for number in range(40):
            slot = policy.ask(view(number))
            assert slot == twin.ask(view(number))
            if slot is not None and number % 3 == 0:
                policy.tell(nothing_new(slot))
                twin.tell(nothing_new(slot))

    def test_asking_changes_nothing(self, policy: Policy, twin: Policy) -> None:
        for number in range(20):
            policy.ask(view(number))
        assert policy.ask(view(99)) == twin.ask(view(99))

    def test_fills_the_slot_that_was_asked(self, policy: Policy) -> None:
        slot = policy.ask(view(10))
        assert slot is not None
        assert (slot.number, slot.generation, slot.child) == (10, 2, "Gen2_Sol_2")
        assert len(slot.parents) == OPERATORS[slot.operator]
        assert len({parent.id for parent in slot.parents}) == len(slot.parents)

    def test_never_repeats_what_is_used_up_and_ends_with_none(self, policy: Policy) -> None:
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for number in range(0, 4000, 8):
            slot = policy.ask(view(number))
            if slot is None:
                break
            key = (slot.operator, tuple(parent.id for parent in slot.parents))
            assert key not in seen
            seen.add(key)
            policy.tell(nothing_new(slot))
        assert policy.ask(view(8)) is None

    def test_one_generation_never_asks_twice_alike(self, policy: Policy) -> None:
        for generation in range(6):
            slots: list[Slot | None] = []
            for index in range(8):
                slots.append(policy.ask(view(8 * generation + index, given=slots)))
            keys = [(s.operator, tuple(p.id for p in s.parents)) for s in slots if s]
            assert len(keys) == len(set(keys))

    def test_takes_what_is_on_offer_and_never_asks_for_what_is_not(
        self, policy: Policy
    ) -> None:
        offered = Offered()
        for number in range(400):
            shown = dataclasses.replace(view(8 * number), offers=offered)
            slot = policy.ask(shown)
            if slot is None:
                break
            if slot.operator == "cross":
                policy.tell(nothing_new(slot))
                continue
            (parent,) = slot.parents
            content = offered(parent)[slot.operator][slot.variant].content
            offered.taken.add(content)
        else:
            raise AssertionError("it never came to an end")
        assert len(offered.taken) % 3 == 0
        assert offered.taken

    def test_parents_are_known_solutions(self, policy: Policy) -> None:
        for number in range(50):
            slot = policy.ask(view(number))
            if slot is None:
                continue
            shown = view(number)
            known: list[Solution] = [m.solution for m in (*shown.members, shown.initial)]
            assert all(parent in known for parent in slot.parents)
