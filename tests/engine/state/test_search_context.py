"""What is known of strategies, failures and contrasts: a fold that stays small."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.messages import Message
from se_agent.engine.state.population import Population
from se_agent.engine.state.search_context import (
    CHANGES,
    DIFF_LINES,
    FAILURES,
    SIBLINGS,
    STRATEGIES,
    SearchFindings,
)
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Branch, Evaluation, FailedCase, Status, Verdict
from se_agent.values.observation import Scaling
from se_agent.values.search_context import Repeat, Strategy
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import Member
from tests.engine import talking
from tests.engine.talking import Mutating, Mutation, spoken
from tests.fakes import solution

WRONG = Evaluation(status=Status.WA, failing=(FailedCase(name="seven", expected="8", got="7"),))
PARENT = solution("def f(xs):\n    return sorted(xs)\n")


def made(number: int, *, strategy: str = "", text: str = "", base: str = "") -> Solution:
    child = solution(text or f"x = {number}\n", id=f"Gen1_Sol_{number}")
    return replace(child, parents=(PARENT.id,), strategy=strategy, base=base)


def step(child: Solution | None, verdict: Verdict | None, strategy: str = "") -> Step:
    strategy = child.strategy if child else strategy
    slot = Slot(
        number=0,
        generation=1,
        child="Gen1_Sol_0",
        parents=(PARENT,),
        operator="any",
        strategy=strategy,
    )
    proposal = Proposal(solution=child, direction="any") if child else None
    return Step(slot=slot, proposal=proposal, verdict=verdict)


def verdict(effect: float, *, significant: bool = False) -> Verdict:
    status = Status.WA if math.isinf(effect) else Status.AC
    return Verdict(
        status=status,
        perf_diff=effect,
        effect=effect,
        interval=(effect - 0.1, effect + 0.1),
        significant=significant,
        branch=Branch.SUCCESS if effect > 0 else Branch.FAILURE,
    )


def tell(
    known: SearchFindings, child: Solution, effect: float, *, significant: bool = False
) -> None:
    right = not math.isinf(effect)
    found = step(child, verdict(effect, significant=significant))
    known.tell(replace(found, effect=effect if right else None), None if right else WRONG)


def planned(*names: str) -> SearchFindings:
    known = SearchFindings()
    known.tell(replace(step(None, None), planned=tuple(map(strategy, names))), None)
    return known


def strategy(name: str) -> Strategy:
    return Strategy(name=name, idea=f"use {name}")


def asked(*, parents: tuple[Solution, ...] = (PARENT,)) -> Slot:
    return replace(step(None, None).slot, parents=parents)


def population(*members: Member) -> Population:
    made = Population.of(PARENT)
    for member in members:
        made.add(member)
    return made


class TestLedger:
    def test_a_strategy_is_in_it_once_it_was_planned(self) -> None:
        known = planned("heap", "sieve", "heap")
        assert [s.name for s in known.strategies] == ["heap", "sieve"]
        assert known.ledger["heap"].tries == 0
        assert known.ledger["heap"].effect is None

    def test_it_counts_tries_and_gains_and_keeps_the_best_and_the_last_failure(self) -> None:
        known = planned("heap", "sieve")
        tell(known, made(1, strategy="heap"), 0.5, significant=True)
        tell(known, made(2, strategy="heap"), 0.2)
        tell(known, made(3, strategy="heap"), -math.inf)
        known.tell(step(None, None, "heap"), None)
        found = known.ledger["heap"]
        assert (found.tries, found.gains, found.best, found.effect) == (4, 1, "Gen1_Sol_1", 0.5)
        assert found.failure == "WA on seven: expected `8`, got `7`"
        assert known.ledger["sieve"].tries == 0

    def test_it_has_the_scaling_of_the_best_where_that_was_watched(self) -> None:
        known, grown = planned("heap"), Scaling(exponent=1.1, sizes=(1, 9), seconds=(1.0, 9.0))
        for number, effect, scaling in ((1, 0.5, grown), (2, 0.2, None)):
            child = made(number, strategy="heap")
            right = replace(step(child, verdict(effect)), effect=effect)
            known.tell(right, None, scaling)
        assert known.ledger["heap"].scaling == grown
        tell(known, made(3, strategy="heap"), 0.7)
        assert known.ledger["heap"].scaling is None

    def test_a_best_that_was_wrong_has_an_heir(self) -> None:
        known = planned("heap")
        good, better = made(1, strategy="heap"), made(2, strategy="heap")
        tell(known, good, 0.5)
        tell(known, better, 0.7)
        left = [Member(solution=made(9, strategy="sieve"), effect=0.9)]
        known.withdraw([better.id], [*left, Member(solution=good, effect=0.5)])
        assert (known.ledger["heap"].best, known.ledger["heap"].effect) == (good.id, 0.5)
        known.withdraw([good.id], left)
        assert (known.ledger["heap"].best, known.ledger["heap"].effect) == ("", None)

    def test_the_best_strategy_outlives_all_others(self) -> None:
        known = planned("best")
        tell(known, made(1, strategy="best"), 0.5)
        for number in range(3 * STRATEGIES):
            known.tell(replace(step(None, None), planned=(strategy(str(number)),)), None)
        assert len(known.ledger) == STRATEGIES
        assert next(iter(known.ledger)) == "best"
        assert known.strategies[-1].name == str(3 * STRATEGIES - 1)


class TestFailures:
    def test_the_newest_programs_of_a_model_are_kept(self) -> None:
        known = SearchFindings()
        for number in range(2 * FAILURES):
            tell(known, made(number), -math.inf)
            tell(known, made(100 + number, base=PARENT.id), -math.inf)
        kept = [int(f.solution.id.rpartition("_")[2]) for f in known.failures]
        assert kept == list(range(FAILURES, 2 * FAILURES))
        assert known.failures[0].evaluation == WRONG

    def test_one_whose_parent_is_gone_cannot_be_repaired(self) -> None:
        known = SearchFindings()
        tell(known, made(1), -math.inf)
        assert len(known.repairable({PARENT.id})) == 1
        assert known.repairable(set()) == ()


class TestCards:
    def test_a_win_and_the_nearest_miss_of_another_strategy(self) -> None:
        known = SearchFindings()
        tell(known, made(1, strategy="heap"), 0.5, significant=True)
        tell(known, made(2, strategy="heap"), 0.3)
        tell(known, made(3, strategy="sieve"), 0.2)
        tell(known, made(4, strategy="table"), -0.4)
        tell(known, made(5, strategy="sieve"), -0.1)
        won, missed = known.of(asked(), population()).cards
        assert (won.child, won.significant, won.interval) == ("Gen1_Sol_1", True, (0.4, 0.6))
        assert (missed.child, missed.strategy, missed.effect) == ("Gen1_Sol_3", "sieve", 0.2)
        assert "-    return sorted(xs)" in won.diff
        assert "+x = 1" in won.diff

    def test_without_strategies_any_two_changes_are_a_contrast(self) -> None:
        known = SearchFindings()
        tell(known, made(1), 0.5, significant=True)
        tell(known, made(2), 0.0)
        assert [c.child for c in known.of(asked(), population()).cards] == [
            "Gen1_Sol_1",
            "Gen1_Sol_2",
        ]

    def test_what_rests_on_a_wrong_program_is_gone(self) -> None:
        known = SearchFindings()
        tell(known, made(1), 0.5, significant=True)
        known.withdraw(["Gen1_Sol_1"], [])
        assert known.of(asked(), population()).cards == ()

    def test_a_long_difference_is_cut_and_says_so(self) -> None:
        known = SearchFindings()
        long = "".join(f"a{n} = {n}\n" for n in range(500))
        tell(known, made(1, text=long), 0.5, significant=True)
        (won,) = known.of(asked(), population()).cards
        lines = won.diff.splitlines()
        assert len(lines) == DIFF_LINES + 1
        assert lines[-1].startswith("... 4")

    def test_wide_lines_are_cut_too(self) -> None:
        known = SearchFindings()
        tell(known, made(1, text=f"x = '{'a' * 100_000}'\n"), 0.5, significant=True)
        (won,) = known.of(asked(), population()).cards
        assert len(won.diff) < 4000


class TestDiverse:
    def test_the_best_of_another_strategy(self) -> None:
        members = [
            Member(solution=made(1, strategy="heap"), effect=0.9),
            Member(solution=made(2, strategy="sieve"), effect=0.5),
            Member(solution=made(3, strategy="table"), effect=0.1),
        ]
        parent = members[0].solution
        found = SearchFindings().of(asked(parents=(parent,)), population(*members))
        assert found.diverse == members[1].solution

    def test_else_the_one_that_differs_most(self) -> None:
        near = made(1, text="def f(xs):\n    return sorted(list(xs))\n")
        far = made(
            2, text="import heapq\ndef f(xs):\n    for x in xs:\n        heapq.heappop(xs)\n"
        )
        members = [Member(solution=near, effect=0.9), Member(solution=far, effect=0.1)]
        assert SearchFindings().of(asked(), population(*members)).diverse == far

    def test_the_best_so_far_comes_first_and_is_called_that(self) -> None:
        best, other = (made(n, strategy=name) for n, name in ((1, "heap"), (2, "sieve")))
        known = population(*(Member(solution=one, effect=0.5) for one in (other, best)))
        known.best = Member(solution=best, effect=0.9)
        found = SearchFindings().of(asked(), known)
        assert (found.diverse, found.lead) == (best, 0.9)
        found = SearchFindings().of(asked(parents=(best,)), known)
        assert (found.diverse, found.lead) == (other, None)

    def test_a_program_that_is_almost_the_parent_is_not_shown(self) -> None:
        text = "def f(xs):\n    ys = sorted(xs)\n    return ys\n"
        parent, twin = made(1, text=text), made(2, text=text.replace("ys", "zs"))
        found = SearchFindings().of(
            asked(parents=(parent,)), population(Member(solution=twin, effect=0.5))
        )
        assert found.diverse is None

    def test_neither_a_parent_nor_the_initial_program(self) -> None:
        found = SearchFindings().of(asked(), population(Member(solution=made(1))))
        assert found.diverse == made(1)
        assert SearchFindings().of(asked(), population()).diverse is None

    def test_programs_in_other_languages_are_told_apart_by_their_words(self) -> None:
        near, far = (replace(made(n), files={"main.cpp": t}) for n, t in enumerate("ab", 1))
        parent = replace(PARENT, files={"main.cpp": "a b c"})
        near = replace(near, files={"main.cpp": "a b d"})
        far = replace(far, files={"main.cpp": "x y z"})
        found = SearchFindings().of(
            asked(parents=(parent,)),
            population(Member(solution=near, effect=1.0), Member(solution=far)),
        )
        assert found.diverse == far


class TestSiblings:
    """What was made from the slot's parent in vain."""

    def test_a_proven_gain_is_none(self) -> None:
        known = SearchFindings()
        tell(known, made(1), 0.5, significant=True)
        assert known.of(asked(), population()).siblings == ()

    def test_of_one_direction_there_is_the_newest_result(self) -> None:
        known = SearchFindings()
        tell(known, made(1), 0.0)
        tell(known, made(2), float("-inf"))
        (found,) = known.of(asked(), population()).siblings
        assert found.direction == "any"
        assert found.result.startswith("WA")

    def test_those_of_another_parent_are_not_told(self) -> None:
        known = SearchFindings()
        tell(known, made(1), 0.0)
        assert known.of(asked(parents=(made(7),)), population()).siblings == ()

    def test_what_shall_be_repaired_is_told_as_that_alone(self) -> None:
        known = SearchFindings()
        tell(known, made(1), float("-inf"))
        slot = replace(asked(), subject=asked().child)
        assert known.of(slot, population()).siblings == ()

    def test_they_stay_few(self) -> None:
        known = SearchFindings()
        for n in range(3 * SIBLINGS):
            child = made(n)
            found = step(child, verdict(0.0))
            assert found.proposal is not None
            proposal = replace(found.proposal, direction=f"try {n}")
            known.tell(replace(found, proposal=proposal, effect=0.0), None)
        told = [one.direction for one in known.of(asked(), population()).siblings]
        assert told == [f"try {n}" for n in range(2 * SIBLINGS, 3 * SIBLINGS)]


class Telling(Mutation):
    """Says in its prompt what was made from the same program in vain."""

    name = "tests.engine.state.test_search_context:Telling"

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        told = [f"{one.direction}: {one.result}" for one in brief.search.siblings]
        return (Message("user", "\n".join(told)),)


class Best(Mutating):
    """Changes the best program, again and again."""

    _operators = (Telling.name, Telling.name)


def test_a_rejected_sibling_is_told_with_what_was_measured(tmp_path: Path) -> None:
    """A closed step keeps no comparison; what it was judged by is on record."""
    policy = "tests.engine.state.test_search_context:Best"
    spoken(
        tmp_path, "x = 5", "x = 3", "x = 7", "x = 6", operators=[Telling.name], policy=policy
    )
    last = talking.asked[-1][-1].content.splitlines()
    assert last[0] == "Say x = 3: score 5 -> 3 (2 worse)"
    assert last[1].startswith("Say x = 7: WA")


def test_a_slot_has_its_strategy_its_failure_and_the_effects_of_its_parents() -> None:
    known = planned("heap")
    tell(known, made(1, strategy="heap"), -math.inf)
    other = Member(solution=made(2), effect=0.25)
    slot = replace(
        asked(), strategy="heap", subject="Gen1_Sol_1", parents=(PARENT, other.solution)
    )
    found = known.of(slot, population(other))
    assert found.strategy == strategy("heap")
    assert found.failure is not None
    assert found.failure.solution.id == "Gen1_Sol_1"
    assert found.effects == (0.0, 0.25)
    assert [record.strategy.name for record in found.ledger] == ["heap"]
    free = known.of(replace(slot, strategy="of its own"), population(other))
    assert free.strategy == Strategy(name="of its own")


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.floats(-2, 2) | st.just(-math.inf), st.booleans()),
        max_size=200,
    )
)
def test_it_stays_small_and_the_same_past_tells_the_same(
    told: list[tuple[int, float, bool]],
) -> None:
    one, two = SearchFindings(), SearchFindings()
    for number, (name, effect, significant) in enumerate(told):
        for known in (one, two):
            child = made(number, strategy=str(name))
            tell(known, child, effect, significant=significant and effect > 0)
    assert one == two
    assert len(one.failures) <= FAILURES
    assert len(one.wins) <= CHANGES
    assert len(one.misses) <= CHANGES
    cards = one.of(asked(), population()).cards
    assert len(cards) <= 2
    assert len({card.strategy for card in cards}) == len(cards)


@pytest.mark.parametrize("effect", [0.5, -0.5])
def test_a_comparison_that_says_nothing_is_no_contrast(effect: float) -> None:
    known = SearchFindings()
    known.tell(step(made(1), verdict(effect)), None)
    assert known.of(asked(), population()).cards == ()


def test_what_models_repeat_is_known_until_one_has_something_new() -> None:
    known = SearchFindings()
    for times in (1, 2):
        known.tell(replace(step(made(times), None), duplicate_of="Gen1_Sol_1"), None)
        assert known.repeat == Repeat(times=times, known="Gen1_Sol_1", program=made(times))
    before = known.copy()
    known.tell(step(None, None), None)  # a reply that cannot be read, or a plan
    known.tell(replace(step(made(3, base="Gen0_Sol_0"), None), duplicate_of="S"), None)
    assert known.repeat == before.repeat, "a rule repeats nothing of a model's"
    tell(known, made(4), 0.0)
    assert (known.repeat, before.repeat is None) == (None, False)
