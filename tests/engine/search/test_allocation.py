"""Strategies as the unit of allocation: plan, first tries, draws, repairs, unions, replans."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping

import pytest

from se_agent.chat.messages import Role
from se_agent.config.roles import RoleMatrix
from se_agent.engine.search.allocation import StrategyAllocation
from se_agent.engine.search.authoring import PLANS, OperatorNames, Vain
from se_agent.engine.search.strategies import ACTIVE, Strategies
from se_agent.values.evaluation import Branch, Evaluation, Status, Verdict
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.search_context import Failure, Strategy
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import Member, View
from tests.contracts.writing_policy import STRATEGIES, WRITTEN, planned

INITIAL = Member(solution=Solution(id="Gen0_Sol_0", files={"main.py": "x = 0"}))
INITIAL_SLOT = Slot(
    number=0, generation=1, child="S0", parents=(INITIAL.solution,), operator="rewriting"
)


ANALYSED = {**WRITTEN, "analyse": Role.ANALYSE}


class World:
    """A search of models alone: programs are numbers, and what a strategy reaches is given.

    Each good answer of a strategy adds `gain`; the strategies in `wrong` fail. Programs spend
    their time in the line that `hot` has for their strategy.
    """

    def __init__(
        self,
        gains: Mapping[str, float],
        *,
        wrong: tuple[str, ...] = (),
        written: Mapping[str, Role] | None = None,
        generation: int = 1,
        hot: Mapping[str, str] | None = None,
    ) -> None:
        self.search = StrategyAllocation(WRITTEN if written is None else written)
        self.steps: list[Step] = []
        self._gains, self._wrong, self._size = gains, wrong, generation
        self._hot = hot or {}
        self.members, self._failures = {"Gen0_Sol_0": INITIAL}, list[Failure]()

    def view(self, number: int, given: tuple[Slot, ...] = ()) -> View:
        best = max(self.members.values(), key=lambda m: m.effect)
        return View(
            slot=number,
            generation=number // self._size + 1,
            index=number % self._size,
            initial=INITIAL,
            best=best,
            members=tuple(self.members.values()),
            solutions=self.members,
            open_slots=given,
            failures=tuple(self._failures[-8:]),
            hottest=lambda program: self._hot.get(program.strategy, ""),
        )

    def run(self, slots: int, *, since: int = 0) -> list[Step]:
        for first in range(since, slots, self._size):
            given: tuple[Slot, ...] = ()
            for number in range(first, first + self._size):
                shown = self.view(number, given)
                slot = self.search.pick(shown, rng_at(1, number, Purpose.POLICY))
                assert slot is not None
                given += (slot,)
            for slot in given:
                self._close(slot)
        return self.steps

    def _close(self, slot: Slot) -> None:
        step = self._answer(slot)
        self.steps.append(step)
        self.search.tell(step)

    def _answer(self, slot: Slot) -> Step:
        if slot.operator == "analyse":
            return Step(slot=slot)
        if slot.operator == "plan":
            return planned(slot)
        if slot.operator == "replan":
            new = tuple(Strategy(name=f"{slot.number} {n}") for n in range(3))
            return planned(slot, new)
        child = Solution(
            id=f"S{slot.number}",
            files={"main.py": f"x = {slot.number + 1}"},
            parents=tuple(parent.id for parent in slot.parents),
            operator=slot.operator,
            strategy=slot.strategy,
        )
        slot = dataclasses.replace(slot, child=child.id)
        proposal = Proposal(solution=child, direction="")
        if slot.strategy in self._wrong:
            found = Evaluation(status=Status.WA)
            self._failures.append(Failure(solution=child, evaluation=found))
            return Step(slot=slot, proposal=proposal, evaluation=found, verdict=WRONG)
        gain = self._gains.get(slot.strategy, 0.0)
        effect = max(self.members[p.id].effect for p in slot.parents) + gain
        self.members[child.id] = Member(solution=child, effect=effect)
        verdict = dataclasses.replace(RIGHT, effect=gain, significant=gain > 0)
        return Step(slot=slot, proposal=proposal, verdict=verdict, effect=effect)


RIGHT = Verdict(
    status=Status.AC,
    perf_diff=1.0,
    effect=0.0,
    interval=(-0.1, 0.1),
    significant=False,
    branch=Branch.SUCCESS,
)
WRONG = dataclasses.replace(
    RIGHT, status=Status.WA, effect=-1.0, significant=False, branch=Branch.FAILURE
)


def told(steps: list[Step]) -> list[tuple[str, str, str]]:
    return [(s.slot.operator, s.slot.strategy, s.slot.parents[0].id) for s in steps]


def test_a_program_a_plan_then_one_of_each_strategy_then_a_change_of_each() -> None:
    steps = World({}).run(12)
    assert told(steps) == [
        ("rewriting", "", "Gen0_Sol_0"),
        ("plan", "", "Gen0_Sol_0"),
        *(("rewriting", name, "Gen0_Sol_0") for name in "PQRST"),
        *(("mutation", name, f"S{n}") for n, name in enumerate("PQRST", 2)),
    ]


def test_while_the_first_plan_is_under_way_the_initial_program_is_written_anew() -> None:
    steps = World(dict.fromkeys("PQRST", 0.1), generation=8).run(24)
    assert told(steps)[:8] == [
        ("rewriting", "", "Gen0_Sol_0"),
        ("plan", "", "Gen0_Sol_0"),
        *[("rewriting", "", "Gen0_Sol_0")] * 6,
    ]
    assert {s.slot.strategy for s in steps[8:16]} == set("PQRST")


def test_what_gains_is_built_upon_before_all_first_tries_are_made() -> None:
    steps = World({"P": 0.1}).run(40)
    first = [s.slot.strategy for s in steps[2:]]
    assert first[0] == "P"
    young = [[n for n, name in enumerate(first) if name == each][:2] for each in "QRST"]
    assert sum(name == "P" for name in first[1 : max(map(max, young))]) >= 3
    counts = Counter(first)
    assert all(counts[name] >= 2 for name in "QRST")


def test_what_gains_is_followed() -> None:
    steps = World({"Q": 0.1}).run(150)
    counts = Counter(s.slot.strategy for s in steps[11:])
    assert counts["Q"] > 60
    assert all(counts[name] < counts["Q"] / 3 for name in "PRST")


def test_when_nothing_gains_other_strategies_are_planned_but_seldom() -> None:
    steps = World({}).run(200)
    new = [n for n, s in enumerate(steps) if s.slot.operator == "replan"]
    assert new
    assert all((count + 1) * 10 <= n for count, n in enumerate(new))
    # Each of the new ones gets its two tries before anything else happens.
    after = steps[new[0] + 1 : new[0] + 7]
    assert Counter(s.slot.strategy for s in after) == {f"{new[0]} {n}": 2 for n in range(3)}


def test_while_the_leading_ones_gain_nothing_else_is_planned() -> None:
    steps = World({"P": 0.1, "Q": 0.1}).run(150)
    assert [s.slot.operator for s in steps].count("replan") == 0


def test_a_failed_program_is_mended_once() -> None:
    world = World({"P": 0.1}, wrong=("Q",))
    steps = world.run(60)
    repairs = [s.slot for s in steps if s.slot.operator == "repair"]
    failures = {s.slot.child for s in steps if s.verdict is WRONG}
    assert repairs
    assert {slot.strategy for slot in repairs} == {"Q"}
    assert {slot.parents[0].id for slot in repairs} == {"Gen0_Sol_0"}
    subjects = [slot.subject for slot in repairs]
    assert len(subjects) == len(set(subjects))
    assert set(subjects) <= failures - {slot.child for slot in repairs}
    of_the_wrong = [s.slot.operator for s in steps if s.slot.strategy == "Q"]
    assert of_the_wrong[:2] == ["rewriting", "repair"]


@pytest.mark.parametrize("generation", [1, 8])
def test_two_strategies_are_united_each_pair_of_programs_once(generation: int) -> None:
    steps = World(dict.fromkeys("PQRST", 0.1), generation=generation).run(160)
    unions = [s.slot for s in steps if s.slot.operator == "recombination"]
    assert 5 <= len(unions) <= 40
    pairs = [tuple(sorted(p.id for p in slot.parents)) for slot in unions]
    assert len(pairs) == len(set(pairs))
    for slot in unions:
        first, second = (parent.strategy for parent in slot.parents)
        assert first == slot.strategy != second


def test_a_program_is_united_first_with_one_that_is_hot_elsewhere() -> None:
    def with_the_odd_one(hot: Mapping[str, str]) -> float:
        steps = World(dict.fromkeys("PQRST", 0.1), hot=hot).run(160)
        unions = [s.slot.parents for s in steps if s.slot.operator == "recombination"]
        return sum("T" in [one.strategy for one in pair] for pair in unions) / len(unions)

    common = dict.fromkeys("PQRST", "for x in xs:")
    assert with_the_odd_one({**common, "T": "xs.sort()"}) > 0.8
    assert with_the_odd_one(common) == with_the_odd_one({}) < 0.7


def test_a_plan_that_fails_is_asked_for_again_but_not_for_ever() -> None:
    search = StrategyAllocation(WRITTEN)
    world = World({})
    operators = []
    for number in range(40):
        slot = search.pick(world.view(number), rng_at(1, number, Purpose.POLICY))
        assert slot is not None
        operators.append(slot.operator)
        search.tell(Step(slot=slot))
    assert operators[: PLANS + 1] == ["rewriting", *["plan"] * PLANS]
    assert set(operators[PLANS + 1 :]) == {"mutation", "rewriting"}


def test_without_an_operator_that_plans_the_incumbent_is_changed() -> None:
    makers = {"mutation": Role.MUTATE, "another": Role.MUTATE}
    steps = World({"": 0.1}, written=makers).run(40)
    assert {s.slot.strategy for s in steps} == {""}
    assert [s.slot.parents[0].id for s in steps[1:]] == [f"S{n}" for n in range(39)]
    assert {s.slot.operator for s in steps} == set(makers)


def test_an_incumbent_of_no_strategy_is_followed_too() -> None:
    world = World({"": 0.5})
    world.run(12)
    own = dataclasses.replace(INITIAL.solution, id="R", files={"main.py": "x = 99"})
    world.members["R"] = Member(solution=own, effect=5.0)
    steps = world.run(60, since=12)[12:]
    assert Counter(s.slot.strategy for s in steps)[""] > 20


@pytest.mark.parametrize(
    ("written", "kit"),
    [
        pytest.param({}, OperatorNames(), id="none"),
        pytest.param(
            WRITTEN,
            OperatorNames(
                plan="plan",
                replan="replan",
                rewrite="rewriting",
                refine="mutation",
                makers=("mutation", "rewriting"),
                unite="recombination",
                repair="repair",
            ),
            id="ours",
        ),
        pytest.param(
            {"a": Role.MUTATE, "b": Role.PLAN},
            OperatorNames(plan="b", replan="b", rewrite="a", refine="a", makers=("a",)),
            id="another's",
        ),
    ],
)
def test_operators_are_told_apart_by_role(written: dict[str, Role], kit: OperatorNames) -> None:
    assert OperatorNames.of(written, RoleMatrix()) == kit


def test_new_strategies_drive_out_the_worst() -> None:
    found = Strategies()
    found.plan(STRATEGIES)
    shown = World({}).view(0)
    for effect, name in enumerate("PQRST"):
        slot = shown.fill(INITIAL.solution, operator="rewriting", strategy=name)
        slot = dataclasses.replace(slot, child=name)
        found.tell(Step(slot=slot, effect=float(effect)), written=True)
    found.plan(Strategy(name=f"new {n}") for n in range(ACTIVE - 3))
    assert len(found.courses) == ACTIVE
    assert list(found.courses)[:3] == ["R", "S", "T"]
    assert found.kept() == ["R", "S", "T"]
    assert found.ranked()[:3] == ["T", "S", "R"]


def test_a_polish_makes_a_strategy_better_and_is_no_try_of_it() -> None:
    found = Strategies()
    found.plan(STRATEGIES)
    slot = World({}).view(0).fill(INITIAL.solution, operator="rule", strategy="P")
    found.tell(Step(slot=slot, effect=0.4), written=False)
    course = found.courses["P"]
    assert (course.best, course.effect, course.tries) == ("Gen1_Sol_0", 0.4, 0)


def test_the_next_best_takes_the_place_of_a_program_that_turned_out_to_be_wrong() -> None:
    found = Strategies()
    found.plan(STRATEGIES)
    slot = World({}).view(0).fill(INITIAL.solution, operator="rule", strategy="P")
    for name, effect in (("good", 0.3), ("wrong", 0.4), ("as good", 0.3)):
        named = dataclasses.replace(slot, child=name)
        found.tell(Step(slot=named, effect=effect), written=False)
    last = dataclasses.replace(slot, child="last")
    found.tell(Step(slot=last, effect=0.1, withdrawn=("wrong",)), written=False)
    assert (found.courses["P"].best, found.courses["P"].effect) == ("good", 0.3)
    found.tell(Step(slot=last, withdrawn=("good", "as good", "last")), written=False)
    assert (found.courses["P"].best, found.kept()) == ("", [])


class Parrot(World):
    """Whatever is asked, the answer is a program that was tried before, and no plan."""

    def __init__(self, *, generation: int = 1) -> None:
        super().__init__({}, generation=generation)

    def _answer(self, slot: Slot) -> Step:
        if slot.operator in ("plan", "replan"):
            return Step(slot=slot)
        program = Solution(id="S", files={"main.py": "x = 1"}, operator=slot.operator)
        proposal = Proposal(solution=program, direction="")
        return Step(slot=slot, proposal=proposal, duplicate_of="Gen1_Sol_0")


def test_a_question_that_was_answered_in_vain_is_followed_by_another_one() -> None:
    asked = [operator for operator, _, _ in told(Parrot().run(9)) if operator != "plan"]
    both = {"rewriting", "mutation"}
    assert [set(pair) for pair in zip(asked[::2], asked[1::2], strict=True)] == [both] * 3


@pytest.mark.parametrize("size", [4, 8])
def test_of_a_generation_no_question_in_vain_is_asked_twice_as_often(size: int) -> None:
    asked = Counter(operator for operator, _, _ in told(Parrot(generation=size).run(8 * size)))
    assert asked["plan"] == PLANS
    assert abs(asked["rewriting"] - asked["mutation"]) <= size


def test_a_question_that_brought_something_new_again_is_asked_as_before() -> None:
    vain, slot = Vain(), INITIAL_SLOT
    program = Proposal(solution=INITIAL.solution, direction="")
    for step, times in (
        (Step(slot=slot, proposal=program, duplicate_of="Gen0_Sol_0"), 1),
        (Step(slot=slot), 2),
        (Step(slot=slot, proposal=program), 0),
    ):
        vain.tell(step)
        assert vain.times(slot, [slot]) == times + (times > 0)
        assert vain.times(dataclasses.replace(slot, strategy="P"), [slot]) == 0


@pytest.mark.row("LF-35")
@pytest.mark.parametrize("generation", [1, 4])
def test_a_program_is_analysed_before_anything_is_written_and_again_after_each_replan(
    generation: int,
) -> None:
    world = World({}, written=ANALYSED, generation=generation)
    made = [step.slot.operator for step in world.run(120)]
    assert made[:3] == ["analyse", "rewriting", "plan"]
    assert made.count("replan") > 1
    assert made.count("analyse") == 1 + made.count("replan") - (
        made[-generation:].count("replan")
    )
    for place, name in enumerate(made[:-generation]):
        if name == "replan":
            assert "analyse" in made[place + 1 : place + 1 + generation]
