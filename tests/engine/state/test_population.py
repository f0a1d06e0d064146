"""The population: order, incumbent, withdrawal."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from se_agent.engine.state.population import ELITE, Population
from se_agent.values.view import Member
from tests.fakes import solution


def member(number: int, effect: float, *, proven: bool = True) -> Member:
    one = solution(f"x = {number}", id=f"Gen1_Sol_{number}")
    return Member(solution=one, effect=effect, proven=proven)


def populated(effects: list[float]) -> Population:
    population = Population.of(solution("x = 0"))
    for number, effect in enumerate(effects):
        population.add(member(number, effect))
    return population


@given(st.lists(st.floats(-3, 3), max_size=80))
def test_the_elite_is_the_best_few_in_order(effects: list[float]) -> None:
    population = populated(effects)
    shown = [m.effect for m in population.elite]
    assert shown == sorted([*effects, 0.0], reverse=True)[:ELITE]
    assert len(population.members) == len(effects) + 1


@given(st.lists(st.floats(-3, 3), max_size=20))
def test_a_new_member_is_no_incumbent(effects: list[float]) -> None:
    assert populated(effects).best.solution.id == "Gen0_Sol_0"


def test_who_may_be_named_again_is_not_forgotten() -> None:
    population = populated([0.1, 0.2])
    based = replace(solution("x = 50", id="Gen2_Sol_0"), base="Gen1_Sol_1")
    for number in range(2, ELITE + 2):
        population.add(member(number, 0.5))
    population.add(Member(solution=based, effect=0.9))
    population.crown("Gen1_Sol_2")
    population.forget(["Gen1_Sol_0", "Gen9_Sol_9"])
    shown = {m.solution.id for m in population.elite}
    others = population.members.keys() - shown
    assert others == {"Gen0_Sol_0", "Gen1_Sol_0", "Gen1_Sol_1"}
    assert shown <= population.members.keys()
    population.forget([])
    assert population.members.keys() - shown == {"Gen0_Sol_0", "Gen1_Sol_1"}


def test_an_incumbent_that_left_the_elite_is_not_forgotten() -> None:
    population = populated([0.1])
    population.crown("Gen1_Sol_0")
    for number in range(1, ELITE + 3):
        population.add(member(number, 0.2, proven=False))
    population.forget([])
    assert len(population.members) == ELITE + 2
    population.crown("Gen1_Sol_0")


def test_a_fallback_changes_nothing_by_itself() -> None:
    population = populated([0.1, 0.5])
    population.crown("Gen1_Sol_1")
    assert population.fallback({"Gen1_Sol_1"}).solution.id == "Gen1_Sol_0"
    assert population.fallback({"Gen1_Sol_0"}).solution.id == "Gen1_Sol_1"
    assert population.best.solution.id == "Gen1_Sol_1"


def test_a_withdrawn_incumbent_falls_back_to_the_next_proven_one() -> None:
    population = populated([0.1, 0.5])
    population.add(member(7, 0.9, proven=False))
    population.crown("Gen1_Sol_1")
    population.withdraw("Gen1_Sol_1")
    assert population.best.solution.id == "Gen1_Sol_0"
    assert "Gen1_Sol_1" not in population.members


def test_the_initial_program_is_never_withdrawn() -> None:
    population = populated([])
    population.withdraw("Gen0_Sol_0")
    assert population.best.solution.id == "Gen0_Sol_0"


def test_an_incumbent_that_others_pushed_out_of_the_elite_is_still_built_upon() -> None:
    population = populated([0.1])
    population.crown("Gen1_Sol_0")
    for number in range(1, ELITE + 2):
        population.add(member(number, 0.2, proven=False))
    ids = [one.id for one in population.trusted()]
    assert "Gen1_Sol_0" in ids
    assert "Gen0_Sol_0" not in ids
    assert len(ids) == len(set(ids)) == ELITE + 1
