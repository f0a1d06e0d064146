"""What a run is made of: the level of isolation follows what the problem's programs need."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.config.run_file import Run, load
from se_agent.config.sections import Endpoint
from se_agent.engine.run.resolve import counter_of, with_fitting_isolation
from se_agent.memory.context.tokens import ESTIMATOR, counter
from se_agent.problem.loading import fingerprint, load_problem
from se_agent.problem.model import Problem, ProblemKind

PLAIN = Problem(name="plain", kind=ProblemKind.FUNCTION, programs={"initial": ""})
PARALLEL = replace(PLAIN, needs=("threads",))


@pytest.mark.parametrize(
    ("problem", "text", "level"),
    [
        pytest.param(PLAIN, "", "jail", id="nothing-needed"),
        pytest.param(PARALLEL, "", "namespace", id="nothing-said"),
        pytest.param(PARALLEL, '[sandbox]\nisolation = "jail"\n', "jail", id="said"),
        pytest.param(PARALLEL, '[sandbox]\nisolation = "none"\n', "none", id="trusted"),
        pytest.param(PLAIN, '[sandbox]\nisolation = "namespace"\n', "namespace", id="wanted"),
    ],
)
def test_a_level_is_chosen_only_where_none_was_named(
    tmp_path: Path, problem: Problem, text: str, level: str
) -> None:
    (tmp_path / "run.toml").write_text(f'problem = "plain"\n{text}')
    config = load(tmp_path / "run.toml")
    assert with_fitting_isolation(config, problem).sandbox.isolation == level


def test_what_was_chosen_is_a_choice_for_ever_after() -> None:
    config = with_fitting_isolation(Run(problem="plain"), PARALLEL)
    stored = Run.model_validate_json(config.model_dump_json())
    assert with_fitting_isolation(stored, PARALLEL) == stored
    assert with_fitting_isolation(config, PLAIN).sandbox.isolation == "namespace"


def test_older_runs_know_problems_that_need_nothing() -> None:
    problem = load_problem("order_report")
    assert not problem.needs
    assert fingerprint(problem) != fingerprint(replace(problem, needs=("files",)))


class TestCounter:
    def test_tokens_that_no_model_reads_are_estimated(self) -> None:
        assert counter_of(Run(problem="plain")).name == ESTIMATOR

    def test_a_model_has_them_counted_as_well_as_can_be(self) -> None:
        assert (
            counter_of(Run(problem="plain", models={"main": Endpoint(name="any")})).name
            == counter().name
        )

    def test_a_run_goes_on_with_the_counter_that_it_began_with(self) -> None:
        name = counter().name
        assert counter_of(Run(problem="plain"), name=name).name == name
