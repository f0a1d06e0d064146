"""Comparisons as a run makes them, on a machine of known noise."""

from __future__ import annotations

import pytest

from se_agent.config.sections import Judge, Measure
from se_agent.errors import ProblemError
from se_agent.noise.families import KernelEdit, Text, World
from se_agent.noise.figures import figures
from se_agent.noise.kernels import Family
from se_agent.noise.trials import NoiseTrials
from se_agent.stats.sequential import SPREAD_FLOOR
from se_agent.values.evaluation import SequentialDecision
from tests.noise.machine import Machine, loud

WORLD = World(Family.DICTIONARY, 0)


def trials(machine: Machine) -> NoiseTrials:
    return NoiseTrials(machine, Judge(), Measure())


def test_the_self_test_takes_the_blocks_of_a_run() -> None:
    found = trials(Machine()).self_test(WORLD.problem().initial())
    assert len(found.blocks) == Measure().self_test_blocks
    assert {block.pairs for block in found.blocks} == {Judge().pairs}
    assert found.spread == SPREAD_FLOOR


@pytest.mark.parametrize("text", list(Text))
def test_programs_that_do_the_same_are_not_faster(text: Text) -> None:
    found = trials(Machine()).compare(WORLD.alike(2, text), SPREAD_FLOOR)
    assert found.decision is SequentialDecision.NO
    assert len(found.blocks) == 2
    assert found.cost_seconds == pytest.approx(0.1 * (2 + Judge().pairs))


def test_a_gain_is_found_and_all_blocks_are_kept() -> None:
    found = trials(Machine()).compare(WORLD.gained(2, 0.05, KernelEdit.TURNS), SPREAD_FLOOR)
    assert found.decision is SequentialDecision.YES
    assert [block.number for block in found.blocks] == [0, 1, 2, 3]


def test_a_wrong_answer_is_an_error_of_ours() -> None:
    pair = WORLD.alike(0, Text.SAME)
    with pytest.raises(ProblemError, match="does not answer a measured input: WA") as caught:
        trials(Machine(wrong=True)).compare(pair, SPREAD_FLOOR)
    assert caught.value.hint


@pytest.mark.tier("runs")
def test_figures_count_what_was_called_faster() -> None:
    study = trials(Machine())
    same, faster = WORLD.alike(0, Text.SAME), WORLD.gained(0, 0.1, KernelEdit.TURNS)
    found = [study.compare(pair, SPREAD_FLOOR) for pair in (same, same, faster)]
    made = figures([study.self_test(WORLD.problem().initial())], found, Judge())
    assert (made.false.count, made.false.total) == (1, 3)
    assert made.spread == pytest.approx(SPREAD_FLOOR, rel=0.01)
    assert made.cost_seconds == pytest.approx(1.4)


@pytest.mark.tier("runs")
def test_a_loud_machine_shows_larger_gains_only() -> None:
    smallest = []
    for noise in (Machine(), Machine(loud)):
        study = trials(noise)
        test = study.self_test(WORLD.problem().initial())
        same = [study.compare(WORLD.alike(n, Text.SAME), test.spread) for n in range(10)]
        smallest.append(figures([test], same, Judge()).smallest or 9.0)
    assert smallest[0] < 0.05 < smallest[1]
