from __future__ import annotations

import pytest

from evaluators.answers.input_size import unfit
from se_agent.problem.model import Terms
from se_agent.values.objective import Objective
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, timed_problem

CPU, WALL = Objective.weighted({"cpu": 1.0}), Objective.weighted({"wall": 1.0})
LONG = (
    "A final input takes 350 ms of CPU time, which makes each comparison slow. "
    "Make the final inputs smaller: 20 to 200 ms an input is good."
)
SHORT = (
    "A run takes 6.4 ms of CPU time for as many inputs as it may have (64): small gains drown "
    "below 20 ms. Make the final inputs larger: 20 to 200 ms an input is good."
)


@pytest.mark.parametrize(
    ("seconds", "inputs", "enough", "told"),
    [
        pytest.param(0.35, 1, 0.02, [LONG], id="long"),
        pytest.param(1e-4, 64, 0.02, [SHORT], id="short"),
        pytest.param(0.05, 1, 0.02, [], id="fit"),
        pytest.param(0.002, 10, 0.02, [], id="several-a-run"),
        pytest.param(1e-4, 64, 8.0, [SHORT.replace("20 ms", "8 s")], id="much-asked-for"),
        pytest.param(150.0, 1, 0.02, [LONG.replace("350 ms", "2 min 30 s")], id="minutes"),
    ],
)
def test_inputs_of_an_unfit_size_are_told(
    seconds: float, inputs: int, enough: float, told: list[str]
) -> None:
    assert list(unfit(Terms(), seconds, inputs, enough)) == told


def test_nobody_is_told_to_make_inputs_smaller_whose_size_we_chose() -> None:
    assert list(unfit(Terms(chosen=True), 0.22, 1, 0.02)) == []
    assert list(unfit(Terms(chosen=True), 1e-4, 64, 0.02)) == [SHORT]


def test_what_is_to_be_done_is_said_in_the_words_of_the_problem() -> None:
    terms = Terms(final="measured", larger="give it more calls")
    (long,), (short,) = unfit(terms, 1.0, 1, 0.02), unfit(terms, 1e-5, 64, 0.02)
    assert "Make the measured inputs smaller: " in long
    assert "Give it more calls: " in short


def test_a_preflight_tells_it_where_cpu_time_counts() -> None:
    def notes(cost: float, objective: Objective) -> tuple[str, ...]:
        problem = timed_problem(cost)
        made = evaluator(problem, ScriptedSandbox(), objective=objective, isolation="none")
        return made.preflight(problem.initial()).notes

    (told,) = notes(0.05, CPU)
    assert told.startswith("A final input takes 500 ms of CPU time")
    assert (notes(0.005, CPU), notes(0.05, WALL)) == ((), ())
