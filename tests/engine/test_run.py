"""Whole runs in the little world of numbers: laws of the loop, crashes, resume and replay."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from se_agent.config import Run
from se_agent.engine.canonical import canonical
from se_agent.engine.journal import Journal
from se_agent.engine.replay import replay
from se_agent.engine.result import Result
from se_agent.engine.run import EvaluatorFactory, resume, start
from se_agent.errors import JournalError, ProblemError, SandboxError
from se_agent.events import (
    Evaluated,
    Event,
    Learned,
    Proposed,
    Started,
)
from se_agent.types import (
    Block,
    Branch,
    Brief,
    InputSet,
    Kind,
    Preflight,
    Proposal,
    Solution,
    Status,
)
from tests.fakes import (
    Endless,
    NumberEvaluator,
    Step1,
    Step3,
    number_problem,
    number_run,
)

ROOT = Path(__file__).parents[2]


def factory(kind: Kind, log: Path | None = None, seconds: float = 0.0) -> EvaluatorFactory:
    return lambda problem, config: NumberEvaluator(kind, log=log, seconds=seconds)


def ran(
    results: Path, *, timed: bool = False, log: Path | None = None, **changes: object
) -> Result:
    kind = Kind.TIMED if timed else Kind.EXACT
    return start(
        number_run(results, **changes),
        problem=number_problem(timed=timed),
        evaluators=factory(kind, log),
    )


def events_of(result: Result) -> list[Event]:
    with Journal(Path(result.run) / "run.db", write=False) as journal:
        return list(journal.events())


class Crash:
    """A listener that breaks the run at its n-th event, as a full machine might."""

    def __init__(self, after: int) -> None:
        self._left = after

    def on_event(self, event: Event) -> None:
        self._left -= 1
        if self._left == 0:
            raise SandboxError("the machine gave up")


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


def test_a_timed_run_reports_a_gain_with_its_interval(tmp_path: Path) -> None:
    result = ran(tmp_path, timed=True)
    assert result.status == "proven"
    assert result.gain is not None
    assert result.gain_low is not None
    assert result.gain_high is not None
    assert 1.01 < result.gain_low < result.gain < result.gain_high


class Useless(Step1):
    """Changes the program and nothing else."""

    name = "tests.engine.test_run:Useless"
    by = 0

    def propose(self, brief: Brief) -> Proposal | None:
        return None


def test_no_gain_is_reported_as_one(tmp_path: Path) -> None:
    result = ran(tmp_path, timed=True, operators=[Useless.name])
    assert (result.status, result.budget_end) == ("not_proven", "exhausted")
    assert (result.gain, result.gain_low, result.gain_high) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("timed", [False, True])
def test_the_number_of_workers_changes_nothing(tmp_path: Path, timed: bool) -> None:
    one = ran(tmp_path, timed=timed, name="one")
    two = ran(tmp_path, timed=timed, name="two", workers=3)
    assert [_unnamed(e) for e in canonical(events_of(one))] == [
        _unnamed(e) for e in canonical(events_of(two))
    ]


def _unnamed(line: str) -> str:
    return line.replace('"name": "two"', '"name": "one"').replace(
        '"workers": 3', '"workers": 1'
    )


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("after", [2, 3, 9, 20, 21, 22, 40, 63, 100, 151, 222])
def test_a_broken_run_resumes_to_the_same_end_and_pays_nothing_twice(
    tmp_path: Path, after: int, timed: bool
) -> None:
    kind = Kind.TIMED if timed else Kind.EXACT
    whole = ran(tmp_path, timed=timed, name="whole")
    log = tmp_path / "paid"
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, name="broken"),
            problem=number_problem(timed=timed),
            listeners=[Crash(after)],
            evaluators=factory(kind, log),
        )
    resumed = resume(tmp_path / "broken", evaluators=factory(kind, log))
    assert resumed.status == whole.status
    assert _same_run(canonical(events_of(resumed)), canonical(events_of(whole)))
    paid = Counter(log.read_text().splitlines())
    assert [line for line, times in paid.items() if times > 1] == []


def _same_run(resumed: list[str], whole: list[str]) -> bool:
    return [line.replace('"broken"', '"whole"') for line in resumed] == whole


def test_a_failure_is_on_record_until_the_run_goes_on(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path),
            problem=number_problem(),
            listeners=[Crash(30)],
            evaluators=factory(Kind.EXACT),
        )
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        assert list(journal.events())[-1].kind == "failed"
    assert resume(tmp_path / "run", evaluators=factory(Kind.EXACT)).status == "proven"


@pytest.mark.parametrize("timed", [False, True])
def test_a_replay_measures_nothing_and_agrees(tmp_path: Path, timed: bool) -> None:
    result = ran(tmp_path, timed=timed)
    again = replay(Path(result.run))
    assert again.complete
    assert again.differences == ()
    assert len(again.recorded) == len(again.replayed) > 100


def test_a_replay_sees_through_a_forged_verdict(tmp_path: Path) -> None:
    result = ran(tmp_path)
    folder = Path(result.run)
    with Journal(folder / "run.db") as journal:
        forged = next(e for e in journal.events() if isinstance(e, Learned) and e.child)
        journal.append(forged.model_copy(update={"best": forged.child, "variance": 9.0}))
    assert replay(folder).differences


def test_a_resumed_end_is_left_alone(tmp_path: Path) -> None:
    result = ran(tmp_path)
    before = events_of(result)
    assert resume(Path(result.run), evaluators=factory(Kind.EXACT)) == result
    assert events_of(result) == before


def test_duplicates_are_never_evaluated_twice(tmp_path: Path) -> None:
    result = ran(tmp_path, operators=[Step3.name, Step1.name], budget={"evaluations": 60})
    contents = [e.content for e in events_of(result) if isinstance(e, Evaluated)]
    assert len(contents) == len(set(contents)) == 60


@pytest.mark.parametrize(
    ("budget", "end"),
    [
        ({"evaluations": 5}, "evaluations"),
        ({"evaluations": None, "proposals": 11}, "proposals"),
        ({"evaluations": None, "generations": 2}, "generations"),
        ({"evaluations": None, "cpu_seconds": 0.5}, "cpu_seconds"),
        ({"evaluations": None, "wall_seconds": 0.2}, "wall_seconds"),
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


def test_a_budget_below_one_generation_leaves_none_finished(tmp_path: Path) -> None:
    result = ran(tmp_path, budget={"evaluations": None, "cpu_seconds": 0.01})
    assert (result.generations, result.budget_end) == (0, "cpu_seconds")


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

    name = "tests.engine.test_run:Listening"
    heard: list[str] = []  # noqa: RUF012 - read by the test that runs it

    def propose(self, brief: Brief) -> Proposal | None:
        self.heard.append(brief.memory)
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
        evaluators=lambda problem, config: FlippingEvaluator(Kind.TIMED),
    )
    events = events_of(result)
    gone = {w for e in events if isinstance(e, Learned) for w in e.withdrawn}
    assert gone
    last = [e for e in events if isinstance(e, Learned)][-1]
    assert last.best not in gone
    assert replay(Path(result.run)).differences == ()


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


def test_two_runs_of_one_name_are_refused(tmp_path: Path) -> None:
    ran(tmp_path)
    with pytest.raises(JournalError, match="a run of this name already"):
        ran(tmp_path)


def test_an_unknown_initial_program_gets_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="no initial program 'intial'") as caught:
        ran(tmp_path, program="intial")
    assert caught.value.hint == "did you mean 'initial'?"


SCRIPT = """
import sys
from pathlib import Path
from se_agent.engine.run import start
from se_agent.types import Kind
from tests.engine.test_run import factory
from tests.fakes import number_problem, number_run
folder, log = Path(sys.argv[1]), Path(sys.argv[2])
start(number_run(folder, name="killed", workers=2), problem=number_problem(timed=True),
      evaluators=factory(Kind.TIMED, log, 0.004))
"""


@pytest.mark.parametrize("moment", range(4))
def test_kill_minus_nine_at_any_moment(tmp_path: Path, moment: int) -> None:
    log = tmp_path / "paid"
    log.touch()
    wanted = random.Random(moment).randint(3, 150)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), str(log)]
    child = subprocess.Popen(command, cwd=ROOT)
    while child.poll() is None and len(log.read_text().splitlines()) < wanted:
        time.sleep(0.002)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    resume(tmp_path / "killed", evaluators=factory(Kind.TIMED, log))
    again = replay(tmp_path / "killed")
    assert again.complete
    assert again.differences == ()
    paid = Counter(log.read_text().splitlines())
    # Two workers may each be inside one measurement when the process dies.
    assert sum(times - 1 for times in paid.values()) <= 2
