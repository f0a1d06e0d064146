"""The objective of a run, and how it is told."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from se_agent.config.run_file import Run, describe, parse
from se_agent.engine.judging.terms import goal_of, objective_of
from se_agent.errors import ConfigError
from se_agent.events import Started, dumps, loads
from se_agent.problem.model import Problem, ProblemKind
from se_agent.values.objective import CPU_TIME, Goal, Objective
from tests.engine.journal.test_shares import started

PROBLEM = Problem(
    name="p",
    kind=ProblemKind.FUNCTION,
    programs={"initial": "x = 1"},
    objective=Objective.weighted({"memory": 1}),
)


def chosen(*overrides: str, problem: Problem = PROBLEM) -> Objective:
    return objective_of(problem, parse("p", overrides))


def test_the_run_comes_before_the_problem() -> None:
    assert chosen() == PROBLEM.objective
    assert chosen("objective=cpu") == CPU_TIME
    assert chosen("weights={cpu=1, memory=3}") == Objective.weighted({"cpu": 1, "memory": 3})
    assert chosen("weights.wall=2") == Objective.weighted({"wall": 1})


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (("objective=memry",), "objective: Input should be"),
        (("weights.cpus=1",), "weights: 'cpus' is none of cpu"),
        (("weights.cpu=-1",), "weights.cpu: Input should be greater than 0"),
        (("objective=cpu", "weights.cpu=1"), "no room beside objective='cpu'"),
        (("weights={cpu=1, instructions=1}",), "instructions have no weight"),
    ],
)
def test_nonsense_is_told_in_two_lines(overrides: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        chosen(*overrides)
    assert caught.value.hint


def test_a_score_leaves_nothing_to_choose() -> None:
    scored = replace(PROBLEM, kind=ProblemKind.SCORE, objective=CPU_TIME)
    assert chosen(problem=scored) == CPU_TIME
    with pytest.raises(ConfigError, match="compared by their score"):
        chosen("objective=memory", problem=scored)


def test_a_prompt_is_told_what_is_better() -> None:
    scored = replace(PROBLEM, kind=ProblemKind.SCORE, direction="maximize", unit="points")
    assert goal_of(scored, parse("p")) == Goal(
        title="score", unit="points", larger=True, ratio=False
    )
    assert not goal_of(replace(scored, kind=ProblemKind.COMMAND), parse("p")).trusted
    assert goal_of(PROBLEM, parse("p")) == Goal(title="peak memory", unit="B")
    assert goal_of(PROBLEM, parse("p", ("objective=cpu",))) == Goal()


def test_the_journal_keeps_it_and_older_ones_mean_cpu_time() -> None:
    event = started({"cpu": 0.7, "memory": 0.3})
    assert loads(dumps(event)) == event
    older = event.model_dump_json(exclude={"objective", "seconds"})
    found = loads(older)
    assert isinstance(found, Started)
    assert (found.objective, found.seconds) == (CPU_TIME, None)


def test_a_run_file_writes_weights_as_toml() -> None:

    run = Run(problem="p", weights={"cpu": 0.7, "memory": 0.3})
    assert tomllib.loads(describe(run))["weights"] == {"cpu": 0.7, "memory": 0.3}
