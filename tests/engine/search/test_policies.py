"""Policies: the contract for each, and what sets them apart."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest

from se_agent.abilities.optional import Archiving
from se_agent.engine.search.map_elites import MIGRATION, MapElites
from se_agent.engine.search.policies import BestOfN, FixedPolicy, Random, SequentialRefine
from se_agent.engine.search.portfolio import Portfolio
from se_agent.protocols import Policy
from se_agent.values.evaluation import Branch, Status, Verdict
from se_agent.values.memory_context import Advice
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import Member, Offer, View
from tests.contracts.policy import OPERATORS, PolicyContract, view
from tests.fakes import solution


class TestBestOfN(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return BestOfN(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return BestOfN(OPERATORS, seed=3)

    def test_every_first_parent_is_the_initial_program(self, policy: Policy) -> None:
        slots = [policy.ask(view(n)) for n in range(30)]
        assert {s.parents[0].id for s in slots if s} == {"Gen0_Sol_0"}


class TestSequentialRefine(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return SequentialRefine(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return SequentialRefine(OPERATORS, seed=3)

    def test_refines_the_incumbent_with_the_operators_in_turn(self, policy: Policy) -> None:
        slots = [policy.ask(view(n)) for n in range(4)]
        assert {s.parents[0].id for s in slots if s} == {"Gen1_Sol_2"}
        assert slots[:4] == [policy.ask(view(n)) for n in range(4)]
        assert [s.operator for s in slots if s] == ["a", "b", "c", "cross"]


class TestFixed(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return FixedPolicy(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return FixedPolicy(OPERATORS, seed=3)

    def test_the_first_operator_that_can_has_its_turn(self, policy: Policy) -> None:
        asked = []
        for number in range(5):
            slot = policy.ask(view(8 * number, members=2))
            assert slot is not None
            asked.append((slot.operator, slot.parents[0].id))
            policy.tell(Step(slot=slot))
        best = [(name, "Gen1_Sol_1") for name in ("a", "b", "c", "cross")]
        assert asked == [*best, ("a", "Gen1_Sol_0")]


class TestRandom(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return Random(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return Random(OPERATORS, seed=3)

    def test_every_parent_and_every_operator_is_drawn(self, policy: Policy) -> None:
        slots = [slot for n in range(200) if (slot := policy.ask(view(n)))]
        assert {s.operator for s in slots} == set(OPERATORS)
        assert len({s.parents[0].id for s in slots}) == 3


class TestMapElites(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return MapElites(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return MapElites(OPERATORS, seed=3)

    def test_an_island_builds_on_its_own_and_the_best_of_each_kind(
        self, policy: Policy
    ) -> None:
        known = {}
        for number, text in ((0, "y = 1"), (4, "y = 2"), (8, LOOP), (1, "z = 3")):
            step = judged(number, "a", significant=True, text=text, id=f"S{number}")
            policy.tell(step)
            assert step.proposal is not None
            known[f"S{number}"] = Member(solution=step.proposal.solution)
        parents = [
            {
                slot.parents[0].id
                for n in range(40)
                if (slot := policy.ask(dataclasses.replace(view(4 * n + i), solutions=known)))
            }
            for i in range(3)
        ]
        # Of two of a kind and an effect the first stays; a bare island begins with the initial.
        assert parents == [{"S0", "S8"}, {"S1"}, {"Gen0_Sol_0"}]
        assert isinstance(policy, Archiving)
        assert set(policy.kept()) == {"S0", "S8", "S1"}

    def test_a_program_that_turned_out_to_be_wrong_makes_room(self, policy: Policy) -> None:
        assert isinstance(policy, Archiving)
        for number, effect in ((0, 3.0), (4, 2.0)):
            policy.tell(judged(number, "a", significant=True, id=f"S{number}", effect=effect))
        assert policy.kept() == ["S0"]
        last = judged(8, "a", significant=True, id="S8", effect=1.0)
        policy.tell(dataclasses.replace(last, withdrawn=("S0", "elsewhere")))
        assert policy.kept() == ["S8"]

    def test_a_gain_counts_from_the_initial_program_wherever_its_parent_is(
        self, policy: Policy
    ) -> None:
        for number, effect in ((0, 2.0), (4, 3.0), (8, 3.5)):
            step = judged(number, "a", significant=True, id=f"S{number}", effect=effect)
            policy.tell(step)
        assert isinstance(policy, Archiving)
        assert policy.kept() == ["S8"]

    def test_the_best_move_round_the_ring(self, policy: Policy) -> None:
        known = {}
        for n in range(MIGRATION):
            step = judged(4 * n, "a", significant=True, text=f"y = {n}", id=f"S{n}")
            policy.tell(step)
            assert step.proposal is not None
            known[f"S{n}"] = Member(solution=step.proposal.solution)
        slots = [policy.ask(dataclasses.replace(view(i), solutions=known)) for i in range(1, 3)]
        assert [slot.parents[0].id for slot in slots if slot] == ["S0", "Gen0_Sol_0"]

    def test_who_turned_out_to_be_wrong_is_no_parent(self, policy: Policy) -> None:
        policy.tell(judged(0, "a", significant=True, text="y = 1", id="S0"))
        slot = policy.ask(dataclasses.replace(view(0), solutions={}))
        assert slot is not None
        assert slot.parents[0].id == "Gen0_Sol_0"


class TestPortfolio(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return Portfolio(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return Portfolio(OPERATORS, seed=3)


LOOP = "for i in range(3):\n    print(i)"


def judged(
    slot_number: int,
    operator: str,
    *,
    significant: bool,
    text: str = "",
    id: str = "",
    effect: float = 1.0,
    edits: tuple[Edit, ...] = (),
) -> Step:
    slot = view(slot_number).fill(solution("x = 0"), operator=operator)
    verdict = Verdict(
        status=Status.AC,
        perf_diff=1.0,
        effect=1.0,
        interval=(0.9, 1.1),
        significant=significant,
        branch=Branch.SUCCESS,
    )
    child = solution(text or f"y = {slot_number}", id=id or slot.child)
    made = Proposal(solution=dataclasses.replace(child, edits=edits), direction="")
    return Step(slot=slot, proposal=made, verdict=verdict, effect=effect)


def drawn(policy: Policy) -> Counter[str]:
    views = (view(8 * n) for n in range(300))
    return Counter(slot.operator for v in views if (slot := policy.ask(v)))


def test_a_portfolio_turns_to_what_paid_off() -> None:
    policy = Portfolio(OPERATORS, seed=1)
    for n in range(30):
        policy.tell(judged(n, "b", significant=n % 2 == 0))
        policy.tell(judged(n, "a", significant=False))
    counts = drawn(policy)
    assert counts["b"] > 3 * counts["a"]


def test_old_rewards_fade() -> None:
    policy = Portfolio(OPERATORS, seed=1)
    for n in range(20):
        policy.tell(judged(n, "b", significant=True))
    for n in range(400):
        policy.tell(judged(n, "a", significant=n % 4 == 0))
    assert drawn(policy)["b"] < 150


def test_another_seed_looks_elsewhere() -> None:
    slots = [Portfolio(OPERATORS, seed=s).ask(view(9)) for s in range(20)]
    assert len({(s.operator, s.parents[0].id) for s in slots if s}) > 1


@pytest.mark.parametrize(
    ("policy", "pairs"),
    [
        pytest.param(SequentialRefine({"cross": 2}, seed=3), 19, id="the-incumbent's"),
        pytest.param(Portfolio({"cross": 2}, seed=3), 20 * 19, id="everybody's"),
    ],
)
def test_nothing_is_left_only_when_every_mate_was_met(policy: Policy, pairs: int) -> None:
    met = set()
    for generation in range(400):
        slot = policy.ask(view(8 * generation, members=20))
        if slot is None:
            break
        met.add(tuple(parent.id for parent in slot.parents))
        policy.tell(Step(slot=slot))
    assert len(met) == pairs


def test_a_generation_meets_as_many_mates_as_it_has_slots() -> None:
    policy = SequentialRefine({"cross": 2}, seed=3)
    slots: list[Slot | None] = []
    for n in range(8):
        slots.append(policy.ask(view(n, members=9, given=slots)))
    assert len({slot.parents[1].id for slot in slots if slot}) == 8


def genome(name: str, *edits: str, effect: float = 0.1, proven: bool = True) -> Member:
    made = tuple(Edit(rule=edit, function="f", node="0") for edit in edits)
    member = dataclasses.replace(solution(f"x = {name!r}", id=name), edits=made)
    return Member(solution=member, effect=effect, proven=proven)


@pytest.mark.parametrize(
    ("mates", "met"),
    [
        pytest.param([genome("B", "b")], {"B"}, id="disjoint edits"),
        pytest.param([genome("B", "b", "c")], {"B"}, id="each has what the other lacks"),
        pytest.param([genome("B", "a")], set(), id="the same edits"),
        pytest.param([genome("B", "a", "b")], set(), id="one holds the other"),
        pytest.param([genome("B")], set(), id="a mate without edits"),
        pytest.param(
            [genome("B", "b"), genome("C", "c", effect=-0.1, proven=False)],
            {"B"},
            id="a proven gain before a loss",
        ),
        pytest.param(
            [genome("C", "c", effect=-0.1, proven=False)], {"C"}, id="a loss if nothing else"
        ),
    ],
)
def test_programs_are_united_that_have_something_to_add(
    mates: list[Member], met: set[str]
) -> None:
    policy, best = SequentialRefine({"cross": 2}, seed=3), genome("A", "a")
    shown = dataclasses.replace(view(8), best=best, members=(best, *mates))
    slots = [policy.ask(dataclasses.replace(shown, slot=8 * n)) for n in range(20)]
    assert {slot.parents[1].id for slot in slots if slot} == met


def offering(*offers: tuple[str, str, float | None]) -> View:
    """A view in which each operator has one change of the incumbent."""
    made = {
        rule: (
            Offer(edit=Edit(rule=rule, function=function, node="0"), content=rule, heat=heat),
        )
        for rule, function, heat in offers
    }
    return dataclasses.replace(view(8), members=(), offers=lambda parent: made)


def asked(policy: Policy, shown: View) -> Counter[str]:
    views = (dataclasses.replace(shown, slot=8 * n) for n in range(300))
    return Counter(slot.operator for v in views if (slot := policy.ask(v)))


def made(rule: str, function: str, *, gain: float, seconds: float, number: int = 0) -> Step:
    step = judged(number, rule, significant=gain > 0)
    assert step.proposal is not None
    assert step.verdict is not None
    edit = Edit(rule=rule, function=function, node=str(number))
    child = dataclasses.replace(step.proposal.solution, edits=(edit,))
    return dataclasses.replace(
        step,
        proposal=Proposal(solution=child, direction=""),
        verdict=dataclasses.replace(step.verdict, effect=gain),
        cost_seconds=seconds,
    )


def test_who_was_asked_in_vain_is_asked_less() -> None:
    policy, fresh = Portfolio(OPERATORS, seed=1), Portfolio(OPERATORS, seed=1)
    for n in range(4):
        policy.tell(Step(slot=view(n).fill(solution("z = 9", id="other"), operator="a")))
    before, after = drawn(fresh), drawn(policy)
    assert 0 < after["a"] < before["a"] / 2


def test_hot_places_come_first_and_cold_ones_are_not_banned() -> None:
    counts = asked(Portfolio(OPERATORS, seed=1), offering(("a", "f", 0.95), ("b", "g", 0.0)))
    assert counts["a"] > 2 * counts["b"] > 0


def test_a_function_that_paid_off_is_tried_with_other_rules() -> None:
    policy = Portfolio(OPERATORS, seed=1)
    for n in range(6):
        policy.tell(made("c", "f", gain=0.5, seconds=1.0, number=2 * n))
        policy.tell(made("c", "g", gain=0.0, seconds=1.0, number=2 * n + 1))
    counts = asked(policy, offering(("a", "f", None), ("b", "g", None)))
    assert counts["a"] > 3 * counts["b"] > 0


def test_gains_count_by_the_cpu_seconds_that_they_took() -> None:
    policy = Portfolio(OPERATORS, seed=1)
    for n in range(8):
        policy.tell(made("a", "f", gain=0.5, seconds=1.0, number=2 * n))
        policy.tell(made("b", "f", gain=0.5, seconds=60.0, number=2 * n + 1))
    counts = asked(policy, offering(("a", "h", None), ("b", "h", None)))
    assert counts["a"] > 3 * counts["b"] > 0


def test_earlier_runs_are_believed_as_far_as_their_counts_go() -> None:
    shown = offering(("a", "f", None), ("b", "f", None))
    policy = Portfolio(OPERATORS, seed=1)
    told = dataclasses.replace(shown, advice=Advice(prior={"a": (3.0, 1.0), "b": (0.5, 3.5)}))
    counts, even = asked(policy, told), asked(policy, shown)
    assert counts["a"] > 1.4 * even["a"]
    assert counts["b"] > 0
