"""The initial program and each new best are watched, once, and briefs tell what was seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import Event, Learned, Observed, Proposed, Selected
from se_agent.protocols import Listener
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.observation import Call, Observation
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from tests.engine.runs import Crash, CrashAt, events_of
from tests.engine.runs import ran as ran_unwatched
from tests.fakes import NumberEvaluator, Step1, Step3, number, number_problem, number_run

COST = 0.25


class Watcher(NumberEvaluator):
    """Sees what number a program is; where it is `blind` to one, it sees nothing."""

    def __init__(self, *, blind: int = -1) -> None:
        super().__init__(ComparisonKind.TIMED)
        self.watched: list[str] = []
        self._blind = blind

    def observe(self, solution: Solution) -> Observation:
        """Return a call whose result is the number."""
        self.watched.append(solution.id)
        if number(solution) == self._blind:
            return Observation(cost_seconds=COST)
        return Observation(calls={"x": (Call.of((), number(solution)),)}, cost_seconds=COST)


class Reader(Step1):
    """Adds one, and says what its brief tells of the number it began with."""

    name = "tests.engine.step.test_observing:Reader"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the next number."""
        made = super().propose(brief)
        if made is None:
            return None
        told = [call.result for call in brief.observed.calls.get("x", ())]
        return Proposal(solution=made.solution, direction=f"seen: {told}")


def ran(results: Path, evaluator: Watcher, *listeners: Listener, **changes: object) -> Result:
    return start(
        number_run(results, operators=[Reader.name, Step3.name], **changes),
        problem=number_problem(timed=True),
        evaluators=lambda p, c: evaluator,
        listeners=listeners,
    )


def observed(events: list[Event]) -> list[Observed]:
    return [event for event in events if isinstance(event, Observed)]


@pytest.mark.tier("runs")
def test_the_initial_program_and_each_best_are_watched_before_they_are_used(
    tmp_path: Path,
) -> None:
    events = events_of(ran(tmp_path, Watcher()))
    watched: set[str] = set()
    for event in events:
        if isinstance(event, Observed):
            assert event.solution not in watched
            watched.add(event.solution)
        if isinstance(event, Selected):
            assert "Gen0_Sol_0" in watched
        if isinstance(event, Learned):
            assert event.best in watched
    bests = {event.best for event in events if isinstance(event, Learned)}
    assert watched == bests | {"Gen0_Sol_0"}
    assert len(bests) > 2


@pytest.mark.tier("runs")
def test_a_brief_tells_of_the_parent_or_of_who_was_watched_before_it(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path, Watcher()))
    parents = {e.child: e.parents[0] for e in events if isinstance(e, Selected)}
    seen = {e.solution: e.observation.calls["x"][0].result for e in observed(events)}
    told: list[bool] = []
    for event in events:
        if not isinstance(event, Proposed) or event.proposal is None:
            continue
        if event.proposal.direction.startswith("seen"):
            ancestor = event.proposal.solution.parents[0]
            told.append(ancestor in seen)
            while ancestor not in seen:
                ancestor = parents[ancestor]
            assert event.proposal.direction == f"seen: [{seen[ancestor]}]"
    assert set(told) == {True, False}, "both kinds of parents were used"


@pytest.mark.tier("runs")
def test_who_could_not_be_watched_is_not_watched_again(tmp_path: Path) -> None:
    evaluator = Watcher(blind=0)
    events = events_of(ran(tmp_path, evaluator))
    first = observed(events)[0]
    assert (first.solution, bool(first.observation)) == ("Gen0_Sol_0", False)
    assert len(evaluator.watched) == len(set(evaluator.watched)) == len(observed(events))


@pytest.mark.tier("runs")
def test_it_counts_in_the_budget(tmp_path: Path) -> None:
    result = ran(tmp_path, Watcher())
    assert result.cpu_seconds > COST * len(observed(events_of(result))) > COST


@pytest.mark.tier("runs")
@pytest.mark.parametrize("workers", [1, 3])
def test_replay_finds_no_difference(tmp_path: Path, workers: int) -> None:
    result = ran(tmp_path, Watcher(), workers=workers)
    again = replay(Path(result.run))
    assert (again.differences, again.complete) == ((), True)
    assert [line for line in again.replayed if '"observed"' in line]


@pytest.mark.tier("runs")
@pytest.mark.parametrize("moment", ["observed", 6, 40, 60])
def test_a_run_that_broke_off_watches_nothing_twice(tmp_path: Path, moment: str | int) -> None:
    whole = ran(tmp_path, Watcher(), name="whole")
    crash = CrashAt(moment) if isinstance(moment, str) else Crash(moment)
    first, second = Watcher(), Watcher()
    with pytest.raises(SandboxError, match="gave up"):
        ran(tmp_path, first, crash, name="broken")
    again = resume(tmp_path / "broken", evaluators=lambda p, c: second)
    assert not set(first.watched) & set(second.watched)
    assert replay(tmp_path / "broken").differences == ()
    assert canonical(events_of(again))[1:] == canonical(events_of(whole))[1:]


@pytest.mark.tier("runs")
def test_a_run_that_began_without_goes_on_without_for_its_initial_program(
    tmp_path: Path,
) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path),
            problem=number_problem(timed=True),
            evaluators=lambda p, c: NumberEvaluator(ComparisonKind.TIMED),
            listeners=[Crash(40)],
        )
    evaluator = Watcher()
    resume(tmp_path / "run", evaluators=lambda p, c: evaluator)
    assert evaluator.watched
    assert "Gen0_Sol_0" not in evaluator.watched
    assert replay(tmp_path / "run").differences == ()


@pytest.mark.tier("runs")
def test_a_journal_without_is_replayed_without(tmp_path: Path) -> None:
    result = ran_unwatched(tmp_path, timed=True)
    assert observed(events_of(result)) == []
    assert replay(Path(result.run)).differences == ()
