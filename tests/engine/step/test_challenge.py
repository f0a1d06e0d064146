"""Would-be champions face a search for a counterexample before `commit` credits them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.engine.search.policies import Random
from se_agent.engine.state.population import ELITE
from se_agent.errors import SandboxError
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Confirmed,
    Event,
    Learned,
    Proposed,
    Retested,
)
from se_agent.protocols import Listener
from se_agent.report.brief import summary
from se_agent.report.story import Story
from se_agent.values.evaluation import Branch, Calls, Status
from se_agent.values.step import Step
from tests.engine.challengers import Believer, Doubter, Powerless
from tests.engine.runs import Crash, CrashAt, events_of
from tests.fakes import number, number_problem, number_run
from tests.report.terminal.test_page import drawn


def ran(results: Path, evaluator: Doubter, *listeners: Listener, **changes: object) -> Result:
    return start(
        number_run(results, **({"budget": {"evaluations": 18}} | changes)),
        problem=number_problem(timed=True),
        evaluators=lambda p, c: evaluator,
        listeners=listeners,
    )


def numbers(events: list[Event]) -> dict[str, int]:
    made = [e.proposal.solution for e in events if isinstance(e, Proposed) and e.proposal]
    return {solution.id: number(solution) for solution in made}


def challenged(events: list[Event]) -> dict[str, Challenged]:
    return {e.solution: e for e in events if isinstance(e, Challenged)}


def test_no_best_is_credited_that_was_not_challenged_before(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path, Doubter()))
    cleared = {"Gen0_Sol_0"}
    for event in events:
        if isinstance(event, Challenged) and event.hunt.found is None:
            cleared.add(event.solution)
        if isinstance(event, Learned) and event.best == event.child:
            assert event.best in cleared
    assert len(cleared) > 2


def test_what_is_refuted_fails_with_its_lesson_and_without_a_place(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path, Doubter()))
    refuted = {id for id, e in challenged(events).items() if e.hunt.found and e.slot >= 0}
    assert refuted
    for event in events:
        if isinstance(event, Learned) and event.child in refuted:
            assert (event.effect, event.best != event.child) == (None, True)
            assert event.verdict is not None
            assert (event.verdict.status, event.verdict.branch) == (Status.WA, Branch.FAILURE)
            assert event.lesson is not None
            item = event.lesson.new_memory_item
            assert item is not None
            assert "(5,)" in item.evidence.metrics_delta


def test_a_counterexample_is_a_test_for_all_that_come_after(tmp_path: Path) -> None:
    evaluator = Doubter(all_fives=True)
    events = events_of(ran(tmp_path, evaluator))
    values = numbers(events)
    found = [e.slot for e in events if isinstance(e, Challenged) and e.hunt.found]
    later = False
    for event in events:
        if isinstance(event, Learned) and event.slot in found:
            later = True
        if (
            later
            and isinstance(event, Learned)
            and event.child
            and values[event.child] % 5 == 0
        ):
            assert event.verdict is not None
            assert event.verdict.status is Status.WA
    assert len(found) == 1
    assert later


@pytest.mark.tier("runs")
def test_the_archive_is_held_to_it(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path, Doubter(), budget={"evaluations": 60}))
    wrong = {
        e.solution for e in events if isinstance(e, Retested) and e.evaluation.status != "AC"
    }
    withdrawn = {gone for e in events if isinstance(e, Learned) for gone in e.withdrawn}
    values = numbers(events)
    assert all(values[id] % 10 == 0 for id in wrong)
    tests = {e.hunt.found.key for e in events if isinstance(e, Challenged) and e.hunt.found}
    assert {e.test for e in events if isinstance(e, Retested)} == tests
    assert {calls for *_, calls in tests} == {Calls.REPEATED}
    placed = {e.child for e in events if isinstance(e, Learned) and e.effect is not None}
    assert wrong & placed <= withdrawn
    (confirmed,) = [e for e in events if isinstance(e, Confirmed)]
    assert confirmed.solution not in withdrawn


class Hoarder(Random):
    """Keeps every right program."""

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        super().__init__(operators, seed=seed)
        self._right: list[str] = []

    def tell(self, step: Step) -> None:
        """Note it."""
        super().tell(step)
        self._right += [step.slot.child] if step.effect is not None else []

    def kept(self) -> list[str]:
        """Return all."""
        return self._right


@pytest.mark.tier("runs")
def test_what_a_policy_keeps_besides_is_held_to_it_too(tmp_path: Path) -> None:
    name = f"{Hoarder.__module__}:{Hoarder.__name__}"
    result = ran(tmp_path, Doubter(), policy=name, budget={"evaluations": 80})
    events = events_of(result)
    last = max(e.slot for e in events if isinstance(e, Challenged) and e.hunt.found)
    right: set[str] = set()
    for event in events:
        if isinstance(event, Learned) and event.slot < last:
            right |= {event.child} if event.effect is not None else set()
            right -= set(event.withdrawn)
    assert len(right) > ELITE
    assert {e.solution for e in events if isinstance(e, Retested) and e.slot == last} == right
    assert replay(Path(result.run)).differences == ()


def test_a_champion_that_was_never_challenged_is_before_its_confirmation(
    tmp_path: Path,
) -> None:
    events = events_of(ran(tmp_path, Doubter()))
    final = {
        e.candidate for e in events if isinstance(e, BlockMeasured) and e.inputs == "final"
    }
    cleared = {id for id, e in challenged(events).items() if e.hunt.found is None}
    assert final
    assert final <= cleared


@pytest.mark.tier("runs")
@pytest.mark.parametrize("workers", [1, 3])
def test_replay_finds_no_difference(tmp_path: Path, workers: int) -> None:
    result = ran(tmp_path, Doubter(), workers=workers)
    again = replay(Path(result.run))
    assert (again.differences, again.complete) == ((), True)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("moment", ["challenged", "retested", 70, 95, 120])
def test_a_run_that_broke_off_ends_the_same(tmp_path: Path, moment: str | int) -> None:
    whole = ran(tmp_path, Doubter(), name="whole")
    crash = CrashAt(moment) if isinstance(moment, str) else Crash(moment)
    with pytest.raises(SandboxError, match="gave up"):
        ran(tmp_path, Doubter(), crash, name="broken")
    again = resume(tmp_path / "broken", evaluators=lambda p, c: Doubter())
    assert replay(tmp_path / "broken").differences == ()
    assert again.best_solution_id == whole.best_solution_id
    first = [e for e in events_of(again) if isinstance(e, Challenged)]
    assert len({(e.slot, e.solution) for e in first}) == len(first)


@pytest.mark.tier("runs")
def test_a_search_that_compared_nothing_is_made_again_for_the_last_word(
    tmp_path: Path,
) -> None:
    evaluator = Powerless()
    result = ran(tmp_path, evaluator)
    hunts = [e for e in events_of(result) if isinstance(e, Challenged)]
    assert (hunts[-1].slot, hunts[-1].solution) == (-1, result.best_solution_id)
    assert evaluator.hunted.count(result.best_solution_id) == 2
    assert replay(Path(result.run)).differences == ()
    told = drawn(summary(Story.of(events_of(result)), tmp_path), 300)
    assert (
        "doubt: No input made up to find a difference was compared: no process is loaded in "
        "time." in told
    )


@pytest.mark.tier("runs")
def test_it_counts_in_the_budget_and_can_be_switched_off(tmp_path: Path) -> None:
    with_search = ran(tmp_path, Doubter(), name="with")
    evaluator = Doubter()
    without = ran(tmp_path, evaluator, name="without", judge={"counterexample_seconds": 0.0})
    assert (evaluator.hunted, evaluator.retested) == ([], [])
    spent = sum(
        e.hunt.cost_seconds for e in events_of(with_search) if isinstance(e, Challenged)
    )
    assert spent > 0
    assert with_search.cpu_seconds > spent
    assert not [e for e in events_of(without) if isinstance(e, Challenged | Retested)]


SCARCE: dict[str, object] = {
    "budget": {"evaluations": None, "cpu_seconds": 6015.0},
    "judge": {"counterexample_seconds": 2980.0},
    "trim": False,
}
"""Room for one search of 2900 seconds, and for no other: some 3,000 are the search's."""


@pytest.mark.tier("runs")
def test_what_the_budget_has_no_time_for_is_put_off_to_the_confirmation(
    tmp_path: Path,
) -> None:
    evaluator = Believer(cost=2900.0)
    result = ran(tmp_path, evaluator, **SCARCE)
    hunts = [
        (e.slot >= 0, e.hunt.put_off, e.hunt.tried > 0)
        for e in events_of(result)
        if isinstance(e, Challenged)
    ]
    searched, off, confirmed = (True, False, True), (True, True, False), (False, False, True)
    assert hunts[0] == searched
    assert set(hunts[1:-1]) == {off}
    assert hunts[-1] == confirmed
    assert result.status == "proven"
    assert evaluator.hunted[-1] == result.best_solution_id


@pytest.mark.tier("runs")
def test_a_replay_puts_off_the_same(tmp_path: Path) -> None:
    result = ran(tmp_path, Doubter(cost=2900.0), **SCARCE)
    again = replay(Path(result.run))
    assert (again.differences, again.complete) == ((), True)


@pytest.mark.parametrize(
    "moment",
    [
        "retested",
        60,
        *(pytest.param(m, marks=pytest.mark.tier("runs")) for m in ("confirmed", 80)),
    ],
)
def test_a_run_that_broke_off_puts_off_the_same(tmp_path: Path, moment: str | int) -> None:
    whole = ran(tmp_path, Doubter(cost=2900.0), name="whole", **SCARCE)
    crash = CrashAt(moment) if isinstance(moment, str) else Crash(moment)
    with pytest.raises(SandboxError, match="gave up"):
        ran(tmp_path, Doubter(cost=2900.0), crash, name="broken", **SCARCE)
    again = resume(tmp_path / "broken", evaluators=lambda p, c: Doubter(cost=2900.0))
    assert again.best_solution_id == whole.best_solution_id
    assert replay(tmp_path / "broken").differences == ()


def test_a_replay_goes_no_further_than_the_tests_on_record(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        ran(tmp_path, Doubter(), CrashAt("retested"))
    again = replay(tmp_path / "run")
    assert (again.differences, again.complete) == ((), False)
