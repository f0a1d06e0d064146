"""Policies in a run with models: the contract for each, and what sets them apart."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest

from se_agent.config.sections import Asking
from se_agent.engine.search.map_elites import MapElites
from se_agent.engine.search.policies import (
    PATIENCE,
    BestOfN,
    FixedPolicy,
    Random,
    SequentialRefine,
)
from se_agent.engine.search.polishing import TRIES, WAITING
from se_agent.engine.search.portfolio import Portfolio
from se_agent.engine.search.self_evolution import Cse
from se_agent.protocols import Policy
from se_agent.values.evaluation import Status
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import Member, Offer, Offers, View
from tests.contracts.policy import OPERATORS, PolicyContract, view
from tests.contracts.writing_policy import (
    ARITIES,
    BOTH,
    STRATEGIES,
    WRITTEN,
    WritingPolicyContract,
    answered,
)
from tests.engine.search.test_allocation import INITIAL, RIGHT


class TestBestOfN(WritingPolicyContract):
    @pytest.fixture
    def writing(self) -> Policy:
        return BestOfN(BOTH, seed=3, written=WRITTEN)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return BestOfN(BOTH, seed=3, written=WRITTEN)

    def test_a_model_writes_the_initial_program_anew_each_time(self) -> None:
        policy = BestOfN(ARITIES, seed=3, written=WRITTEN)
        slots = [policy.ask(view(n)) for n in range(20)]
        assert {(s.operator, s.parents[0].id) for s in slots if s} == {
            ("rewriting", "Gen0_Sol_0")
        }
        assert all(slots)


class TestSequentialRefine(WritingPolicyContract):
    @pytest.fixture
    def writing(self) -> Policy:
        return SequentialRefine(BOTH, seed=3, written=WRITTEN)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return SequentialRefine(BOTH, seed=3, written=WRITTEN)

    def test_a_model_changes_the_incumbent_each_time(self) -> None:
        policy = SequentialRefine(ARITIES, seed=3, written=WRITTEN)
        slots = [policy.ask(view(n)) for n in range(20)]
        assert {(s.operator, s.parents[0].id) for s in slots if s} == {
            ("mutation", "Gen1_Sol_2")
        }
        assert all(slots)

    def test_beside_rules_it_has_its_turn(self) -> None:
        policy = SequentialRefine(BOTH, seed=3, written=WRITTEN)
        slots = [policy.ask(view(n)) for n in (0, 1, 2, 4)]
        assert [s.operator for s in slots if s] == ["a", "b", "c", "mutation"]


class TestFixed(WritingPolicyContract):
    @pytest.fixture
    def writing(self) -> Policy:
        return FixedPolicy(BOTH, seed=3, written=WRITTEN)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return FixedPolicy(BOTH, seed=3, written=WRITTEN)


class TestRandom(WritingPolicyContract):
    @pytest.fixture
    def writing(self) -> Policy:
        return Random(BOTH, seed=3, written=WRITTEN)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return Random(BOTH, seed=3, written=WRITTEN)

    def test_what_needs_no_more_than_parents_is_drawn(self) -> None:
        policy = Random(BOTH, seed=3, written=WRITTEN)
        slots = [slot for n in range(300) if (slot := policy.ask(view(n)))]
        wanted = {"a", "b", "c", "mutation", "rewriting", "recombination"}
        assert {s.operator for s in slots} == wanted


class TestMapElites(WritingPolicyContract):
    @pytest.fixture
    def writing(self) -> Policy:
        return MapElites(BOTH, seed=3, written=WRITTEN)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return MapElites(BOTH, seed=3, written=WRITTEN)


class TestCse(PolicyContract, WritingPolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return Cse(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return Cse(OPERATORS, seed=3)

    @pytest.fixture
    def writing(self) -> Policy:
        return Cse(BOTH, seed=3, written=WRITTEN)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return Cse(BOTH, seed=3, written=WRITTEN)

    def test_five_plans_a_program_of_each_then_change_and_union_in_turn(
        self, writing: Policy
    ) -> None:
        known, slots = {"Gen0_Sol_0": INITIAL}, list[Slot]()
        for number in range(16):
            slot = writing.ask(dataclasses.replace(view(number), solutions=known))
            assert slot is not None
            slots.append(slot)
            own = Solution(
                id=f"S{number}", files={"m": f"x = {number}"}, strategy=slot.strategy
            )
            if slot.operator != "plan":
                known = known | {own.id: Member(solution=own, effect=number / 10)}
            writing.tell(answered(dataclasses.replace(slot, child=own.id)))
        told = [(slot.operator, slot.strategy) for slot in slots[:6]]
        assert told == [("plan", ""), *(("rewriting", each.name) for each in STRATEGIES)]
        assert {slot.operator for slot in slots[7::2]} == {"recombination"}
        assert {slot.operator for slot in slots[6::2]} <= {"mutation", "rewriting"}
        assert len({slot.strategy for slot in slots[6::2]}) == 5


class TestPortfolio(WritingPolicyContract):
    @pytest.fixture
    def writing(self) -> Policy:
        return Portfolio(BOTH, seed=3, written=WRITTEN)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return Portfolio(BOTH, seed=3, written=WRITTEN)


def offers(parent: Solution) -> Offers:
    """Each program has ten changes by rule."""
    edits = [Edit(rule="a", function="f", node=str(n)) for n in range(10)]
    return {"a": [Offer(edit=edit, content=f"{parent.id} {edit.node}") for edit in edits]}


def shown(number: int, *members: Member, given: tuple[Slot, ...] = ()) -> View:
    everybody = (INITIAL, *members)
    return View(
        slot=number,
        generation=1,
        index=number,
        initial=INITIAL,
        best=INITIAL,
        members=everybody,
        solutions={m.solution.id: m for m in everybody},
        open_slots=given,
        offers=offers,
    )


def program(id: str, *, strategy: str = "P", operator: str = "rewriting") -> Solution:
    return Solution(
        id=id, files={"m": f"x = {id!r}"}, operator=operator, strategy=strategy, parents=("I",)
    )


def step(
    id: str, *, significant: bool = True, effect: float = 0.1, strategy: str = "P"
) -> Step:
    slot = shown(0).fill(INITIAL.solution, operator="rewriting", strategy=strategy)
    verdict = dataclasses.replace(
        RIGHT, significant=significant, interval=(effect - 0.2, effect + 0.05), effect=effect
    )
    return Step(slot=dataclasses.replace(slot, child=id), verdict=verdict, effect=effect)


def whose(policy: Policy, slots: int) -> str:
    asked = [policy.ask(shown(number)) for number in range(slots)]
    return "".join("M" if slot and slot.operator in WRITTEN else "r" for slot in asked)


@pytest.mark.parametrize(
    ("share", "order"),
    [
        pytest.param(0.5, "MrMrMrMrMrMr", id="half"),
        pytest.param(0.25, "MrrrMrrrMrrr", id="a-quarter"),
        pytest.param(0.75, "MMMrMMMrMMMr", id="three-quarters"),
        pytest.param(1.0, "MMMMMMMMMMMM", id="all"),
    ],
)
def test_models_and_rules_have_slots_of_their_own(share: float, order: str) -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN, asking=Asking(share=share))
    assert whose(policy, 12) == order


def test_where_rules_have_nothing_the_slot_is_a_models() -> None:
    policy = Portfolio(ARITIES, seed=3, written=WRITTEN)
    assert whose(policy, 6) == "MMMMMM"


def test_where_a_model_has_nothing_the_slot_is_a_rules() -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN)
    for number in range(PATIENCE):
        slot = shown(number).fill(INITIAL.solution, operator="mutation")
        policy.tell(Step(slot=slot))
    assert whose(policy, 6) == "rrrrrr"


def ruled(policy: Policy, *members: Member, slots: int = 12) -> list[str]:
    """Return whom the rules change, slot by slot; nobody tells what came of it."""
    found: list[str] = []
    given: tuple[Slot, ...] = ()
    for number in range(slots):
        slot = policy.ask(shown(number, *members, given=given))
        assert slot is not None
        given += (slot,)
        if slot.operator not in WRITTEN:
            found.append(slot.parents[0].id)
    return found


def test_what_a_model_wrote_is_polished_before_rules_go_on() -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN)
    own = Member(solution=program("S1"), effect=0.1)
    policy.tell(step("S1"))
    assert policy.kept() == ["S1"]
    found = ruled(policy, own, slots=20)
    assert found[:TRIES] == ["S1"] * TRIES
    assert "Gen0_Sol_0" in found[TRIES:]


def test_a_polish_ends_after_its_tries() -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN)
    own = Member(solution=program("S1"), effect=0.1)
    policy.tell(step("S1"))
    for _ in range(TRIES):
        policy.tell(Step(slot=shown(1, own).fill(own.solution, operator="a", strategy="P")))
    assert policy.kept() == []


def test_a_rule_made_child_follows_the_strategy_of_its_parent() -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN)
    policy.tell(step("S1"))
    slot = policy.ask(shown(1, Member(solution=program("S1"), effect=0.1)))
    assert slot is not None
    assert (slot.operator, slot.strategy) == ("a", "P")


@pytest.mark.parametrize(
    ("steps", "waiting"),
    [
        pytest.param([step("S1")], ["S1"], id="a-gain"),
        pytest.param([step("S1", significant=False, effect=0.0)], ["S1"], id="a-near-miss"),
        pytest.param([step("S1", significant=False, effect=-1.0)], [], id="a-loss"),
        pytest.param(
            [step("S1"), step("S2", significant=False, effect=0.0)],
            ["S1"],
            id="a-near-miss-of-a-strategy-that-had-its-polish",
        ),
        pytest.param(
            [step("S1"), step("S2", significant=False, effect=0.0, strategy="Q")],
            ["S1", "S2"],
            id="a-near-miss-of-another",
        ),
        pytest.param(
            [step(f"S{n}") for n in range(WAITING + 2)],
            [f"S{n}" for n in range(2, WAITING + 2)],
            id="an-older-one-gives-way",
        ),
    ],
)
def test_promising_programs_wait_for_a_polish(steps: list[Step], waiting: list[str]) -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN)
    for each in steps:
        policy.tell(each)
    assert policy.kept() == waiting


def test_what_turned_out_to_be_wrong_waits_for_no_polish() -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN)
    policy.tell(step("S1"))
    policy.tell(dataclasses.replace(step("S2"), withdrawn=("S1",)))
    assert policy.kept() == ["S2"]


def test_a_wrong_program_is_not_polished() -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN)
    wrong = dataclasses.replace(RIGHT, status=Status.WA)
    policy.tell(dataclasses.replace(step("S1"), verdict=wrong, effect=None))
    assert policy.kept() == []


@pytest.mark.parametrize(
    ("polish", "changed"),
    [
        pytest.param(True, {"Gen0_Sol_0", "S1", "S2"}, id="on"),
        pytest.param(False, {"Gen0_Sol_0"}, id="off"),
    ],
)
def test_rules_change_what_a_model_wrote_only_where_they_may(
    polish: bool, changed: set[str]
) -> None:
    policy = Portfolio(BOTH, seed=3, written=WRITTEN, asking=Asking(polish=polish))
    policy.tell(step("S1"))
    members = [Member(solution=program(name), effect=0.1) for name in ("S1", "S2")]
    assert set(ruled(policy, *members, slots=200)) == changed


def test_a_model_earns_a_rule_nothing() -> None:
    told, silent = (Portfolio(BOTH, seed=3, written=WRITTEN) for _ in range(2))
    for number in range(20):
        made = step(f"S{number}", effect=-1.0, significant=False)
        told.tell(answered(dataclasses.replace(made.slot, number=number)))
    for number in range(1, 40, 2):
        assert told.ask(shown(number)) == silent.ask(shown(number))


def test_programs_that_start_from_other_bases_are_not_united_by_rule() -> None:
    edits = [Edit(rule="a", function="f", node=name) for name in "ab"]
    ruled = [
        dataclasses.replace(
            program(f"R{n}", operator="a"), base="Gen0_Sol_0", edits=(edits[n],)
        )
        for n in range(2)
    ]
    members = [Member(solution=each) for each in (*ruled, program("S1"), program("S2"))]
    policy = Portfolio({"cross": 2} | ARITIES, seed=3, written=WRITTEN)
    pairs: Counter[tuple[str, ...]] = Counter()
    for number in range(1, 200, 2):
        slot = policy.ask(dataclasses.replace(shown(number, *members), offers=lambda _: {}))
        if slot is not None and slot.operator == "cross":
            pairs[tuple(sorted(parent.id for parent in slot.parents))] += 1
    assert set(pairs) == {("R0", "R1")}
