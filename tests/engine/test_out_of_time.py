"""Time runs out in the middle of something: it is broken off, told, replayed and taken up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from se_agent.engine.journal.result import Result
from se_agent.engine.judging.confirm import OUT_OF_TIME
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.engine.state.budget import CONFIRM_RUNS, START_SECONDS
from se_agent.errors import ConfigError, SandboxError
from se_agent.events import (
    BlockMeasured,
    Confirmed,
    Ended,
    Event,
    Learned,
    Resumed,
    SearchEnded,
    Selected,
    SelfTested,
    Trimmed,
)
from se_agent.protocols import Evaluator
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Block, ComparisonKind, Evaluation, InputSet, Preflight
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from tests.engine.runs import CrashAt, events_of
from tests.engine.step.test_minimise import Many
from tests.fakes import Endless, NumberEvaluator, number_problem, number_run

KEPT = CONFIRM_RUNS * 48 * (0.1 + START_SECONDS) + 0.02
"""Seconds that are kept for the confirmation in the little world."""

HASTY = {
    "judge": {"counterexample_seconds": 0.0, "pairs": 1, "min_blocks": 1},
    "measure": {"self_test_blocks": 1},
}

Where = Callable[[str], bool]
"""Says whether what is measured now has no end."""


class Stuck(NumberEvaluator):
    """Measures without an end where it is told to, until it is closed, as a sandbox does."""

    def __init__(self, kind: ComparisonKind, where: Where) -> None:
        super().__init__(kind)
        self._where = where
        self._ended = threading.Event()

    def preflight(self, solution: Solution) -> Preflight:
        self._measure("preflight")
        return super().preflight(solution)

    def evaluate(self, solution: Solution) -> Evaluation:
        self._measure(f"evaluate {solution.id}")
        return super().evaluate(solution)

    def block(self, reference: Solution, candidate: Solution, **rest: Any) -> Block:
        self._measure(f"block {candidate.id} {rest.get('inputs', InputSet.SEARCH)}")
        return super().block(reference, candidate, **rest)

    def close(self) -> None:
        super().close()
        self._ended.set()

    def _measure(self, what: str) -> None:
        if self._where(what):
            self._ended.wait(60)
        if self._ended.is_set():
            raise SandboxError("it is closed", hint="none")


def stuck(
    results: Path,
    where: Where,
    *,
    seconds: float = 0.6,
    kind: ComparisonKind = ComparisonKind.TIMED,
    **more: Any,
) -> Result:
    changes = {"operators": [Endless.name], **HASTY, **more}
    budget = {"wall_seconds": KEPT + seconds, "evaluations": 20, **changes.pop("budget", {})}
    return start(
        number_run(results, budget=budget, **changes),
        problem=number_problem(timed=kind is ComparisonKind.TIMED),
        evaluators=lambda problem, config: Stuck(kind, where),
    )


def at(word: str, times: int = 1) -> Where:
    """Return what has no end from the time on that a word is in it so many times."""
    met = iter(range(1, 1000))
    return lambda what: word in what and next(met) >= times


def of_kind(events: Sequence[Event], *kinds: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kinds)]


class TestSearch:
    def test_a_measurement_without_an_end_ends_with_the_time_of_the_search(
        self, tmp_path: Path
    ) -> None:
        result = stuck(tmp_path, at("evaluate Gen", 4))
        (end,) = of_kind(events_of(result), SearchEnded)
        assert isinstance(end, SearchEnded)
        assert (end.budget_end, result.evaluations) == ("wall_seconds", 3)
        assert end.closed is not None

    @pytest.mark.tier("runs")
    def test_a_replay_ends_where_the_run_did(self, tmp_path: Path) -> None:
        stuck(tmp_path, at("evaluate Gen", 4), workers=2)
        again = replay(tmp_path / "run")
        assert (again.complete, again.differences) == (True, ())

    @pytest.mark.tier("runs")
    def test_what_was_broken_off_is_taken_up_by_a_larger_budget(self, tmp_path: Path) -> None:
        stuck(tmp_path, at("evaluate Gen", 4))
        result = longer(tmp_path / "run", "budget.wall_seconds=600")
        past = events_of(result)
        assert (result.budget_end, result.evaluations) == ("evaluations", 20)
        selected = [event.slot for event in of_kind(past, Selected)]
        assert len(selected) == len(set(selected))
        assert replay(tmp_path / "run").differences == ()

    @pytest.mark.tier("runs")
    def test_a_steady_search_is_broken_off_and_replayed_too(self, tmp_path: Path) -> None:
        stuck(tmp_path, at("evaluate Gen", 6), schedule="steady", lag=3, workers=2)
        assert replay(tmp_path / "run").differences == ()
        longer(tmp_path / "run", "budget.wall_seconds=600")
        assert replay(tmp_path / "run").differences == ()


class TestSelfTest:
    def test_a_run_without_time_for_its_self_test_has_tried_nothing(
        self, tmp_path: Path
    ) -> None:
        result = stuck(tmp_path, at("block Gen0_Sol_0"))
        assert (result.status, result.budget_end) == ("not_tried", "wall_seconds")
        past = events_of(result)
        assert not of_kind(past, SelfTested, BlockMeasured)
        assert replay(tmp_path / "run").differences == ()

    @pytest.mark.tier("runs")
    def test_it_is_made_after_all_with_more_time(self, tmp_path: Path) -> None:
        stuck(tmp_path, at("block Gen0_Sol_0"))
        result = longer(tmp_path / "run", "budget.wall_seconds=600")
        assert result.status == "proven"
        assert len(of_kind(events_of(result), SelfTested)) == 1
        assert replay(tmp_path / "run").differences == ()


def test_a_check_without_an_end_is_refused_with_a_limit_that_may_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="was not finished after") as refused:
        stuck(tmp_path, at("preflight"), budget={"wall_seconds": 10.5})
    assert refused.value.hint.startswith("--set budget.wall_seconds=")


class TestTrimming:
    @pytest.mark.tier("runs")
    def test_a_trial_without_an_end_leaves_its_time_to_the_confirmation(
        self, tmp_path: Path
    ) -> None:
        result = stuck(tmp_path, at("evaluate Gen", 3), operators=[Many.name], seconds=1.5)
        past = events_of(result)
        assert (result.status, len(of_kind(past, Trimmed))) == ("proven", 1)
        assert replay(tmp_path / "run").differences == ()

    @pytest.mark.tier("runs")
    def test_trials_after_an_extension_have_names_of_their_own(self, tmp_path: Path) -> None:
        stuck(tmp_path, at("evaluate Gen", 3), operators=[Many.name], seconds=1.5)
        result = longer(tmp_path / "run", "budget.wall_seconds=600")
        trimmed = of_kind(events_of(result), Trimmed)
        names = [one.solution.id for one in trimmed if isinstance(one, Trimmed)]
        assert len(names) == len(set(names)) > 1
        assert replay(tmp_path / "run").differences == ()


@pytest.mark.tier("runs")
def test_a_confirmation_without_an_end_claims_nothing_and_says_why(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, operators=[Endless.name], budget={"evaluations": 8}),
            problem=number_problem(timed=True),
            listeners=[CrashAt("search_ended")],
            evaluators=lambda *_: NumberEvaluator(ComparisonKind.TIMED),
        )
    result = resume(
        tmp_path / "run",
        evaluators=lambda *_: Stuck(ComparisonKind.TIMED, at("final")),
        overrides=["budget.wall_seconds=0.5"],
    )
    (found,) = of_kind(events_of(result), Confirmed)
    assert isinstance(found, Confirmed)
    assert (found.status, found.note) == ("not_proven", OUT_OF_TIME)
    assert found.solution == result.best_solution_id != "Gen0_Sol_0"
    assert replay(tmp_path / "run").differences == ()


@pytest.mark.tier("runs")
def test_a_replay_knows_at_each_end_what_was_measured_by_then(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, operators=[Endless.name], budget={"evaluations": 8}),
            problem=number_problem(timed=True),
            listeners=[CrashAt("search_ended")],
            evaluators=lambda *_: NumberEvaluator(ComparisonKind.TIMED),
        )
    folder = tmp_path / "run"
    resume(
        folder,
        evaluators=lambda *_: Stuck(ComparisonKind.TIMED, at("final", 3)),
        overrides=["budget.wall_seconds=0.5"],
    )
    longer(folder, "budget.wall_seconds=none")  # the same champion is confirmed as a whole
    again = replay(folder)
    assert (again.complete, again.differences) == (True, ())


def longer(
    folder: Path, *overrides: str, kind: ComparisonKind = ComparisonKind.TIMED
) -> Result:
    """Let a run go on whose measurements have an end now."""

    def evaluators(*_: object) -> Evaluator:
        return NumberEvaluator(kind)

    return resume(folder, evaluators=evaluators, overrides=overrides)


class TestExtended:
    def run(self, results: Path, *, timed: bool = True, **changes: Any) -> Path:
        kind = ComparisonKind.TIMED if timed else ComparisonKind.EXACT
        budget = {"evaluations": 8}
        changes = {"operators": [Endless.name], "budget": budget, **changes}
        found = start(
            number_run(results, **changes),
            problem=number_problem(timed=timed),
            evaluators=lambda *_: NumberEvaluator(kind),
        )
        return Path(found.run)

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("schedule", ["generation", "steady"])
    def test_a_run_that_ended_goes_on_with_a_larger_budget(
        self, tmp_path: Path, schedule: str
    ) -> None:
        folder = self.run(tmp_path, schedule=schedule)
        result = longer(folder, "budget.evaluations=20")
        past = events_of(result)
        assert (result.evaluations, result.status) == (20, "proven")
        assert len(of_kind(past, Confirmed)) == len(of_kind(past, Ended)) == 2
        blocks = [e for e in past if isinstance(e, BlockMeasured)]
        assert sum(e.inputs is InputSet.FINAL for e in blocks) == 12  # six at each end
        assert replay(folder).differences == ()

    @pytest.mark.tier("runs")
    def test_the_changed_settings_are_an_event_that_later_resumes_see(
        self, tmp_path: Path
    ) -> None:
        folder = self.run(tmp_path)
        longer(folder, "budget.evaluations=12")
        result = longer(folder, "budget.proposals=14")
        again = of_kind(events_of(result), Resumed)
        assert [one.settings for one in again if isinstance(one, Resumed)] == [
            {"budget.evaluations": 12},
            {"budget.proposals": 14},
        ]
        assert (result.evaluations, result.budget_end) == (12, "evaluations")
        assert replay(folder).differences == ()

    @pytest.mark.tier("runs")
    def test_a_change_in_the_middle_holds_from_there_on(self, tmp_path: Path) -> None:
        with pytest.raises(SandboxError, match="gave up"):
            start(
                number_run(tmp_path, operators=[Endless.name], budget={"evaluations": 8}),
                problem=number_problem(timed=True),
                listeners=[CrashAt("learned")],
                evaluators=lambda *_: NumberEvaluator(ComparisonKind.TIMED),
            )
        result = longer(tmp_path / "run", "budget.evaluations=14", "workers=2")
        assert result.evaluations == 14
        assert len(of_kind(events_of(result), Learned)) >= 14
        assert replay(tmp_path / "run").differences == ()

    @pytest.mark.tier("runs")
    def test_a_run_that_broke_off_after_its_search_is_confirmed_and_goes_on(
        self, tmp_path: Path
    ) -> None:
        with pytest.raises(SandboxError, match="gave up"):
            start(
                number_run(tmp_path, operators=[Endless.name], budget={"evaluations": 8}),
                problem=number_problem(timed=True),
                listeners=[CrashAt("search_ended")],
                evaluators=lambda *_: NumberEvaluator(ComparisonKind.TIMED),
            )
        result = longer(tmp_path / "run", "budget.evaluations=20")
        assert (result.evaluations, result.status) == (20, "proven")
        assert replay(tmp_path / "run").differences == ()
        again = longer(tmp_path / "run", "budget.evaluations=20")
        assert again.evaluations == 20

    def test_other_workers_alone_leave_a_run_that_ended_as_it_is(self, tmp_path: Path) -> None:
        folder = self.run(tmp_path)
        longer(folder, "workers=2")
        with_resumed = [event.kind for event in events_of(longer(folder))]
        assert "resumed" not in with_resumed

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("override", "why"),
        [
            ("seed=3", "a replay would come to something else"),
            ("problem=other", "the run is about it"),
            ("measure.self_test_blocks=3", "cannot be compared"),
            ("judge.margin=0.2", "cannot be compared"),
        ],
    )
    def test_what_may_not_change_is_refused_with_the_reason(
        self, tmp_path: Path, override: str, why: str
    ) -> None:
        folder = self.run(tmp_path)
        with pytest.raises(ConfigError, match=why) as refused:
            longer(folder, override)
        assert refused.value.hint.startswith("workers, budget.*, asking.in_flight, models.")

    def test_a_value_that_is_none_is_refused_as_ever(self, tmp_path: Path) -> None:
        folder = self.run(tmp_path)
        with pytest.raises(ConfigError, match=r"--set budget.evaluations: Input should be"):
            longer(folder, "budget.evaluations=many")

    @pytest.mark.tier("runs")
    def test_patience_ends_a_search_that_finds_nothing_better(self, tmp_path: Path) -> None:
        folder = self.run(
            tmp_path,
            timed=False,
            operators=[Worse.name],
            budget={"evaluations": 40, "patience": 5},
        )
        result = longer(folder, kind=ComparisonKind.EXACT)
        assert (result.budget_end, result.evaluations) == ("patience", 5)
        again = longer(folder, "budget.patience=none", kind=ComparisonKind.EXACT)
        assert (again.budget_end, again.evaluations) == ("evaluations", 40)
        assert replay(folder).differences == ()


class Worse(Endless):
    """Proposes numbers below the initial one: none of them is better."""

    name = "tests.engine.test_out_of_time:Worse"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return a number that no other slot returns."""
        files = {"main.py": f"x = {-brief.slot.number - 1}"}
        child = brief.child(files, operator=self.name)
        return Proposal(solution=child, direction="A lower number")
