"""Seeds by evaluations: means over the same problems, and what has none is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from se_agent.analysis.records import ComparedRun
from se_agent.analysis.run_tables.course import CoursePoint
from se_agent.analysis.seed_surface import seed_surfaces
from se_agent.errors import ConfigError
from tests.analysis.arms import record


def run(arm: str, problem: str, seed: int, last: int, **effects: float) -> ComparedRun:
    """Return a run with the effect that it had after some numbers of evaluations."""
    points = [CoursePoint(evaluations=int(at[1:]), effect=e) for at, e in effects.items()]
    end = CoursePoint(evaluations=last, effect=points[-1].effect if points else 0.0)
    made = record(arm, problem=problem, seed=seed)
    return replace(made, course=tuple(points), searched=end)


RUNS = (
    run("short", "a", 0, 2, _1=1.0),
    run("short", "b", 0, 2, _2=3.0),
    run("short", "a", 1, 1),
    run("short", "b", 1, 2, _1=1.0, _2=2.0),
    run("long", "a", 0, 4, _1=1.0, _4=5.0),
    run("long", "b", 0, 3, _2=3.0),
    run("long", "a", 1, 4, _3=4.0),
    run("long", "b", 1, 4, _1=1.0),
    run("long", "c", 1, 9, _1=50.0),
)


def test_a_row_is_a_seed_with_its_mean_over_the_problems() -> None:
    long, short = seed_surfaces(RUNS)
    assert (long.arm, short.arm) == ("long", "short")
    assert long.problems == short.problems == ("a", "b")
    assert short.effects == {0: [0.0, 0.5, 2.0], 1: [0.0, 0.5, 1.0]}
    assert long.effects == {0: [0.0, 0.5, 2.0, 2.0, 4.0], 1: [0.0, 0.5, 0.5, 2.5, 2.5]}
    assert short.spread == (1.0, 2.0)


def test_without_a_problem_of_all_seeds_there_is_no_mean() -> None:
    with pytest.raises(ConfigError, match="no problem was run with each seed of each arm"):
        seed_surfaces([run("x", "a", 0, 1), run("x", "b", 1, 1)])
    with pytest.raises(ConfigError, match="there is no run to draw"):
        seed_surfaces([])


def test_scores_of_several_problems_have_no_mean() -> None:
    scored = [
        replace(each, result=replace(each.result, direction="max"))
        for each in (run("x", "a", 0, 1, _1=1.0), run("x", "b", 0, 1, _1=100.0))
    ]
    with pytest.raises(ConfigError, match="units of their own") as refused:
        seed_surfaces(scored)
    assert "run.result.problem == 'a'" in refused.value.hint
    (one,) = seed_surfaces(scored[:1])
    assert one.effects == {0: [0.0, 1.0]}
