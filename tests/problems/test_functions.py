"""The eight functions: right, slow in several places, with traps, of the promised size."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem
from se_agent.values.evaluation import InputSet
from tests.problems.bench import answer, cpu, entry, made, measured, typed
from tests.problems.edits import CHANGES, Change, Fate
from tests.problems.references import REFERENCES

EDITS = [
    pytest.param(name, change, id=f"{name}-{change.name.replace(' ', '-')}")
    for name, changes in CHANGES.items()
    for change in changes
]
functions = pytest.mark.parametrize("name", list(REFERENCES))
loaded = cache(load_problem)
_ROUNDS = 6


def final_run(problem: Problem, text: str) -> Callable[[], object]:
    """Return a call on the first final input; each call takes a fresh copy, made before."""
    given = measured(problem, InputSet.FINAL, 0)
    copies = [copy.deepcopy(given) for _ in range(8)]
    function = entry(problem, text)
    return lambda: function(*copies.pop())


def least_seconds(
    problem: Problem, texts: Sequence[str], enough: Callable[[list[float]], bool]
) -> list[float]:
    """Return the least CPU seconds of each program; a busy machine only ever adds to them.

    They are run in turns, and again while that was not enough, but not for ever.
    """
    least = [math.inf] * len(texts)
    for _ in range(_ROUNDS):
        runs = [cpu(final_run(problem, text), times=5) for text in texts]
        least = [min(both) for both in zip(least, runs, strict=True)]
        if enough(least):
            break
    return least


def rightly_edited(name: str, *, without: Change | None = None) -> str:
    text = loaded(name).initial().text
    for change in CHANGES[name]:
        if change.fate is Fate.RIGHT and change is not without:
            text = change.applied(text)
    return text


@pytest.mark.tier("runs")
@functions
def test_the_initial_program_agrees_with_one_written_apart(name: str) -> None:
    problem = loaded(name)
    inputs = [made(problem, case.input) for case in problem.cases]
    for level in range(problem.ladder.final_level):
        inputs += [measured(problem, InputSet.SEARCH, index, level) for index in range(5)]
    for given in inputs:
        expected = typed(REFERENCES[name](*copy.deepcopy(given)))
        assert answer(problem, problem.initial().text, given) == expected


@pytest.mark.tier("runs")
@functions
def test_a_far_better_program_exists(name: str) -> None:
    problem = loaded(name)
    slow, fast = problem.initial().text, REFERENCES[name]
    given = measured(problem, InputSet.FINAL, 1)
    assert answer(problem, slow, given) == typed(fast(*copy.deepcopy(given)))
    copies = [copy.deepcopy(given) for _ in range(3)]
    assert cpu(final_run(problem, slow)) > 5 * cpu(lambda: fast(*copies.pop()))


@pytest.mark.tier("runs")
@functions
def test_the_initial_program_takes_some_dozen_milliseconds(name: str) -> None:
    problem = loaded(name)
    assert 0.005 < cpu(final_run(problem, problem.initial().text)) < 0.4


@functions
def test_inputs_are_left_as_they_were(name: str) -> None:
    problem = loaded(name)
    given = made(problem, problem.cases[0].input)
    kept = copy.deepcopy(given)
    entry(problem, problem.initial().text)(*given)
    assert given == kept


@functions
def test_the_ladder_reaches_beyond_the_final_size(name: str) -> None:
    ladder = loaded(name).ladder
    assert len(ladder.rungs) >= 4
    assert ladder.final_level < len(ladder.rungs) - 1


@pytest.mark.parametrize(("name", "change"), EDITS)
def test_each_edit_has_its_fate_on_the_visible_tests(name: str, change: Change) -> None:
    problem = loaded(name)
    before = problem.initial().text
    after = change.applied(before)
    inputs = [made(problem, case.input) for case in problem.cases]
    right = all(answer(problem, after, x) == answer(problem, before, x) for x in inputs)
    assert right == (change.fate is not Fate.WRONG)


@functions
def test_there_are_two_traps_and_thirty_candidates(name: str) -> None:
    changes = CHANGES[name]
    text = loaded(name).initial().text
    assert sum(change.fate is not Fate.RIGHT for change in changes) >= 2
    assert len({change.applied(text) for change in changes}) == len(changes)
    # Any subset of edits of different places is a candidate.
    assert 2 ** len(changes) >= 30


@pytest.mark.tier("runs")
@functions
def test_three_places_are_slow_each_for_itself(name: str) -> None:
    problem = loaded(name)
    right = [change for change in CHANGES[name] if change.fate is Fate.RIGHT]
    texts = [rightly_edited(name), *(rightly_edited(name, without=change) for change in right)]

    def missed(least: list[float]) -> int:
        best, *others = least
        return sum(seconds > 1.1 * best for seconds in others)

    assert missed(least_seconds(problem, texts, lambda least: missed(least) >= 3)) >= 3


@functions
def test_a_slower_edit_costs_more(name: str) -> None:
    problem = loaded(name)
    best = rightly_edited(name)
    for change in CHANGES[name]:
        if change.fate is Fate.SLOWER:
            before, after = least_seconds(
                problem,
                [best, change.applied(best)],
                lambda least: least[1] > 1.05 * least[0],
            )
            assert after > 1.05 * before
