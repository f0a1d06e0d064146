"""Whole runs in the little world of numbers: the laws of the loop."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import start
from se_agent.errors import ConfigError, JournalError, ProblemError
from se_agent.events import (
    Evaluated,
    GenerationOpened,
    Learned,
    Proposed,
    Started,
)
from se_agent.values.brief import Brief
from se_agent.values.evaluation import (
    Block,
    Branch,
    ComparisonKind,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from tests.engine.runs import events_of, ran
from tests.fakes import (
    Endless,
    NumberEvaluator,
    Step1,
    Step3,
    number_problem,
    number_run,
)


@pytest.mark.tier("runs")
def test_a_scored_run_proves_its_gain_and_says_what_ended_it(tmp_path: Path) -> None:
    result = ran(tmp_path)
    assert (result.status, result.budget_end, result.evaluations) == (
        "proven",
        "evaluations",
        30,
    )
    assert result.score is not None
    assert result.score > 10
    assert (result.score_initial, result.gain) == (0.0, None)


@pytest.mark.tier("runs")
def test_a_timed_run_reports_a_gain_with_its_interval(tmp_path: Path) -> None:
    result = ran(tmp_path, timed=True)
    assert result.status == "proven"
    assert result.gain is not None
    assert result.gain_low is not None
    assert result.gain_high is not None
    assert 1.01 < result.gain_low < result.gain < result.gain_high


class Useless(Step1):
    """Changes the program and nothing else."""

    name = "tests.engine.run.test_start:Useless"
    by = 0

    def propose(self, brief: Brief) -> Proposal | None:
        return None


def test_no_gain_is_reported_as_one(tmp_path: Path) -> None:
    result = ran(tmp_path, timed=True, operators=[Useless.name])
    assert (result.status, result.budget_end) == ("not_tried", "exhausted")
    assert (result.gain, result.gain_low, result.gain_high) == (1.0, 1.0, 1.0)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("timed", [False, True])
def test_the_number_of_workers_changes_nothing(tmp_path: Path, timed: bool) -> None:
    one = ran(tmp_path, timed=timed, name="one")
    two = ran(tmp_path, timed=timed, name="two", workers=3)
    assert [_unnamed(e) for e in canonical(events_of(one))] == [
        _unnamed(e) for e in canonical(events_of(two))
    ]


def _unnamed(line: str) -> str:
    line = line.replace('"workers": 3', '"workers": 1').replace(', "workers": 1}', "}")
    return line.replace('"name": "two"', '"name": "one"')


@pytest.mark.tier("runs")
def test_duplicates_are_never_evaluated_twice(tmp_path: Path) -> None:
    result = ran(tmp_path, operators=[Step3.name, Step1.name], budget={"evaluations": 60})
    contents = [e.content for e in events_of(result) if isinstance(e, Evaluated)]
    assert len(contents) == len(set(contents)) == 60


def test_the_last_generation_keeps_its_size_and_stops_at_the_budget(tmp_path: Path) -> None:
    """Slots that find nothing new cost no evaluation: the others may still use what is left."""
    past = events_of(ran(tmp_path, budget={"evaluations": 5}, generation_size=4))
    sizes = {event.size for event in past if isinstance(event, GenerationOpened)}
    last = [e.slot for e in past if isinstance(e, Learned)][-1]
    assert (sizes, sum(isinstance(e, Evaluated) for e in past)) == ({4}, 5)
    assert last % 4 == 3


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("budget", "end"),
    [
        ({"evaluations": 5}, "evaluations"),
        ({"evaluations": None, "proposals": 11}, "proposals"),
        ({"evaluations": None, "generations": 2}, "generations"),
        ({"evaluations": None, "cpu_seconds": 10.5}, "cpu_seconds"),
        ({"evaluations": None, "wall_seconds": 10.3}, "wall_seconds"),
    ],
)
def test_a_budget_that_ends_is_a_normal_end(
    tmp_path: Path, budget: dict[str, float], end: str
) -> None:
    result = ran(tmp_path, budget=budget, operators=[Endless.name])
    assert result.budget_end == end
    assert result.status in {"proven", "not_proven"}
    if end == "evaluations":
        assert result.evaluations == 5
    if end == "proposals":
        proposed = [e for e in events_of(result) if isinstance(e, Proposed)]
        assert len(proposed) == 11


@pytest.mark.parametrize("limit", ["cpu_seconds", "wall_seconds"])
def test_a_time_limit_that_leaves_a_search_nothing_is_refused_at_once(
    tmp_path: Path, limit: str
) -> None:
    with pytest.raises(ConfigError, match=rf"budget.{limit} = 5: too small") as refused:
        ran(tmp_path, budget={limit: 5.0})
    assert refused.value.hint.startswith(f"--set budget.{limit}=20 is the least")
    assert not [*tmp_path.iterdir()]


def test_a_time_limit_below_self_test_and_confirmation_is_refused_after_the_check(
    tmp_path: Path,
) -> None:
    with pytest.raises(ConfigError, match="a first comparison take about") as refused:
        ran(tmp_path, timed=True, budget={"cpu_seconds": 20.0})
    assert refused.value.hint.startswith("--set budget.cpu_seconds=40 is the least")
    ran(tmp_path, timed=True, budget={"cpu_seconds": 40.0, "evaluations": 1})


class Stubborn(Step1):
    """Proposes the same program for ever, whatever was tried."""

    name = "tests.engine.run.test_start:Stubborn"

    def propose(self, brief: Brief) -> Proposal | None:
        child = brief.child({"main.py": "x = 5"}, operator=self.name)
        return Proposal(solution=child, direction="Five")


def test_an_operator_that_repeats_itself_cannot_keep_a_run_going(tmp_path: Path) -> None:
    result = ran(tmp_path, operators=[Stubborn.name])
    assert (result.budget_end, result.evaluations) == ("exhausted", 1)


def test_a_self_test_that_fails_stops_the_run(tmp_path: Path) -> None:
    class Unsteady(NumberEvaluator):
        def block(self, reference: Solution, candidate: Solution, **rest: Any) -> Block:
            found = super().block(reference, candidate, **rest)
            return dataclasses.replace(found, status=Status.WA, feedback="1, then 2")

    with pytest.raises(ProblemError, match="measured input: WA: 1, then 2"):
        start(
            number_run(tmp_path),
            problem=number_problem(timed=True),
            evaluators=lambda p, c: Unsteady(ComparisonKind.TIMED),
        )


class Meeting(NumberEvaluator):
    """Finds fault with a side where a child meets an incumbent that is not its parent."""

    def __init__(self, side: str) -> None:
        super().__init__(ComparisonKind.TIMED)
        self._side = side
        self.met: set[str] = set()

    def block(self, reference: Solution, candidate: Solution, **rest: Any) -> Block:
        found = super().block(reference, candidate, **rest)
        strangers = reference.id not in candidate.parents and reference.id != candidate.id
        if strangers and rest.get("inputs") is not InputSet.FINAL:
            self.met.add(candidate.id if self._side == "status" else reference.id)
            if self._side == "status":
                return dataclasses.replace(found, status=Status.WA)
            return dataclasses.replace(found, reference_status=Status.WA)
        return found


@pytest.mark.tier("runs")
@pytest.mark.parametrize("side", ["status", "reference_status"])
def test_what_a_meeting_with_the_incumbent_shows_is_not_thrown_away(
    tmp_path: Path, side: str
) -> None:
    evaluator = Meeting(side)
    result = start(
        number_run(tmp_path, seed=3, budget={"evaluations": 40}),
        problem=number_problem(timed=True),
        evaluators=lambda p, c: evaluator,
    )
    assert evaluator.met
    closed = [e for e in events_of(result) if isinstance(e, Learned) and e.child]
    if side == "status":
        faulty = [e for e in closed if e.child in evaluator.met]
        assert all(e.verdict and e.verdict.status is Status.WA for e in faulty)
        assert all(e.effect is None for e in faulty)
    else:
        withdrawn = {gone for e in closed for gone in e.withdrawn}
        assert evaluator.met - {"Gen0_Sol_0"} <= withdrawn
    assert replay(Path(result.run)).differences == ()


@pytest.mark.tier("runs")
def test_what_a_slot_sees_ends_before_its_generation(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path))
    kinds = [e.kind for e in events if e.kind in {"generation_opened", "selected", "learned"}]
    generations = " ".join(kinds).split("generation_opened")[1:]
    assert len(generations) > 3
    for generation in generations:
        stages = generation.split()
        assert stages == sorted(stages, reverse=True)


def test_memory_is_learned_from_every_evaluated_step(tmp_path: Path) -> None:
    """LM-29, LM-35: the closed loop; LM-08 to LM-11 in the status."""
    events = events_of(ran(tmp_path))
    closed = [e for e in events if isinstance(e, Learned) and e.child]
    assert all(event.lesson is not None for event in closed)
    assert [e.memory_version for e in closed] == list(range(1, len(closed) + 1))


def test_memory_can_be_switched_off(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path, memory={"enabled": False}))
    assert all(e.lesson is None for e in events if isinstance(e, Learned))


@pytest.mark.lm("LM-31")
def test_the_rendered_memory_is_in_the_brief_of_every_proposal(tmp_path: Path) -> None:
    """LM-31: memory is rendered before an operator generates."""
    Listening.heard.clear()
    ran(tmp_path, operators=[Listening.name], budget={"evaluations": 12}, generation_size=2)
    assert Listening.heard[0] == ""
    assert "Step" in Listening.heard[-1] or "Add" in Listening.heard[-1]


class Listening(Step1):
    """Adds one, and keeps what it was told."""

    name = "tests.engine.run.test_start:Listening"
    heard: list[str] = []  # noqa: RUF012 - read by the test that runs it

    def propose(self, brief: Brief) -> Proposal | None:
        self.heard.append(brief.memory.text)
        return super().propose(brief)


class FlippingEvaluator(NumberEvaluator):
    """Finds the first child wrong when it is measured as a reference."""

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        found = super().block(reference, candidate, number=number, pairs=pairs, inputs=inputs)
        if reference.id.startswith("Gen1_"):
            return dataclasses.replace(found, reference_status=Status.WA)
        return found


def test_a_solution_that_turns_out_wrong_is_withdrawn(tmp_path: Path) -> None:
    result = start(
        number_run(tmp_path, budget={"evaluations": 20}),
        problem=number_problem(timed=True),
        evaluators=lambda problem, config: FlippingEvaluator(ComparisonKind.TIMED),
    )
    events = events_of(result)
    gone = {w for e in events if isinstance(e, Learned) for w in e.withdrawn}
    assert gone
    last = [e for e in events if isinstance(e, Learned)][-1]
    assert last.best not in gone
    assert replay(Path(result.run)).differences == ()


@pytest.mark.tier("runs")
def test_wrong_answers_go_to_the_failure_branch(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path))
    verdicts = [e.verdict for e in events if isinstance(e, Learned) and e.verdict]
    wrong = [v for v in verdicts if v.status is Status.WA]
    assert wrong
    assert all(v.branch is Branch.FAILURE for v in wrong)


def test_the_start_holds_the_whole_configuration(tmp_path: Path) -> None:
    started = events_of(ran(tmp_path))[0]
    assert isinstance(started, Started)
    assert Run.model_validate_json(json.dumps(started.config)).seed == 0


def test_a_broken_start_leaves_no_folder(tmp_path: Path) -> None:
    class Fails(NumberEvaluator):
        def preflight(self, solution: Solution) -> Preflight:
            raise ProblemError("the initial program fails its own tests")

    with pytest.raises(ProblemError, match="fails its own tests"):
        start(
            number_run(tmp_path / "results"),
            problem=number_problem(),
            evaluators=lambda p, c: Fails(),
        )
    assert not (tmp_path / "results").exists()


@pytest.mark.tier("runs")
def test_two_runs_of_one_name_are_refused(tmp_path: Path) -> None:
    ran(tmp_path)
    with pytest.raises(JournalError, match="a run of this name already"):
        ran(tmp_path)


def test_an_unknown_initial_program_gets_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="no initial program 'intial'") as caught:
        ran(tmp_path, program="intial")
    assert caught.value.hint == "did you mean 'initial'?"
