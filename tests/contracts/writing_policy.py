"""What every policy keeps to in a run with models, besides what it keeps to anyway."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from se_agent.abilities.optional import Archiving
from se_agent.chat.messages import Role
from se_agent.protocols import Policy
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.search_context import Failure, Strategy
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import View
from tests.contracts.policy import OPERATORS, view
from tests.fakes import solution

WRITTEN = {
    "plan": Role.PLAN,
    "replan": Role.REPLAN,
    "mutation": Role.REFINE,
    "rewriting": Role.REWRITE,
    "recombination": Role.CROSS_OVER,
    "repair": Role.REPAIR,
}
ARITIES = {name: 1 + (role is Role.CROSS_OVER) for name, role in WRITTEN.items()}
BOTH = OPERATORS | ARITIES
STRATEGIES = tuple(Strategy(name=name, idea=f"Use {name}.") for name in "PQRST")


def failed(id: str, *, strategy: str = "", operator: str = "rewriting") -> Failure:
    wrong = Solution(
        id=id,
        files={"main.py": f"x = {id!r}"},
        parents=("Gen1_Sol_0",),
        operator=operator,
        strategy=strategy,
    )
    return Failure(solution=wrong, evaluation=Evaluation(status=Status.WA))


def planned(slot: Slot, strategies: tuple[Strategy, ...] = STRATEGIES) -> Step:
    return Step(slot=slot, planned=strategies)


def seen(number: int) -> View:
    """A view in which two programs could be mended."""
    failures = (failed("F1"), failed("F2", strategy="P"))
    return dataclasses.replace(view(number), failures=failures)


class WritingPolicyContract:
    """Inherited by the tests of every policy that knows models; all operators are theirs."""

    @pytest.fixture
    def writing(self) -> Policy:
        raise NotImplementedError

    @pytest.fixture
    def its_twin(self) -> Policy:
        raise NotImplementedError

    def test_same_past_same_slots_with_models(self, writing: Policy, its_twin: Policy) -> None:
        for number in range(120):
            slot = writing.ask(seen(number))
            assert slot == its_twin.ask(seen(number))
            assert slot is not None
            for policy in (writing, its_twin):
                policy.tell(answered(slot))

    def test_asking_changes_nothing_with_models(
        self, writing: Policy, its_twin: Policy
    ) -> None:
        for number in range(40):
            writing.ask(seen(number))
        assert writing.ask(seen(99)) == its_twin.ask(seen(99))

    def test_a_slot_of_a_model_holds_what_its_role_needs(self, writing: Policy) -> None:
        for number in range(120):
            slot = writing.ask(seen(number))
            assert slot is not None
            role = WRITTEN.get(slot.operator)
            assert len(slot.parents) == BOTH[slot.operator]
            assert len({parent.id for parent in slot.parents}) == len(slot.parents)
            assert {parent.id for parent in slot.parents} <= {
                "Gen0_Sol_0",
                *(m.solution.id for m in view(0).members),
            }
            assert bool(slot.subject) == (role is Role.REPAIR)
            assert slot.strategy in {"", *(each.name for each in STRATEGIES)}
            writing.tell(answered(slot))

    def test_a_model_that_has_nothing_new_is_asked_no_more(self, writing: Policy) -> None:
        assert ends(writing, lambda slot: Step(slot=slot))

    def test_a_model_that_repeats_itself_is_asked_no_more(self, writing: Policy) -> None:
        same = Proposal(solution=solution("x = 0"), direction="The same again")

        def repeated(slot: Slot) -> Step:
            if slot.operator not in WRITTEN:
                return Step(slot=slot)
            return Step(slot=slot, proposal=same, duplicate_of="Gen0_Sol_0")

        assert ends(writing, repeated)

    def test_what_it_keeps_is_bounded(self, writing: Policy) -> None:
        if not isinstance(writing, Archiving):
            return
        for number in range(600):
            slot = writing.ask(seen(number))
            assert slot is not None
            writing.tell(answered(slot))
        assert len(set(writing.kept())) <= 64


def ends(policy: Policy, step_of: Callable[[Slot], Step]) -> bool:
    """Say whether a policy comes to an end that is told of each slot what `step_of` gives."""
    for number in range(4000):
        slot = policy.ask(view(number))
        if slot is None:
            return True
        policy.tell(step_of(slot))
    return False


def answered(slot: Slot) -> Step:
    """Return the step of a slot whose answer is right, new and no better."""
    if WRITTEN.get(slot.operator) in (Role.PLAN, Role.REPLAN):
        return planned(slot)
    if slot.operator in OPERATORS:
        return Step(slot=slot)
    child = dataclasses.replace(solution(f"y = {slot.number}", id=slot.child))
    return Step(slot=slot, proposal=Proposal(solution=child, direction="Other"), effect=0.0)
