"""Crashes, kills, resume and replay: nothing is lost, nothing is paid for twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.engine.state.budget import CONFIRM_RUNS, START_SECONDS
from se_agent.errors import JournalError, SandboxError
from se_agent.events import (
    Confirmed,
    Learned,
    Resumed,
)
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import ROOT, Crash, CrashAt, events_of, factory, ran
from tests.fakes import (
    Endless,
    number_problem,
    number_run,
)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("after", [2, 3, 9, 20, 21, 22, 40, 63, 100, 151, 222])
def test_a_broken_run_resumes_to_the_same_end_and_pays_nothing_twice(
    tmp_path: Path, after: int, timed: bool
) -> None:
    kind = ComparisonKind.TIMED if timed else ComparisonKind.EXACT
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


@pytest.mark.tier("runs")
def test_a_failure_is_on_record_until_the_run_goes_on(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path),
            problem=number_problem(),
            listeners=[Crash(30)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        assert list(journal.events())[-1].kind == "failed"
    assert resume(tmp_path / "run", evaluators=factory(ComparisonKind.EXACT)).status == "proven"


@pytest.mark.tier("runs")
@pytest.mark.parametrize("timed", [False, True])
def test_a_replay_measures_nothing_and_agrees(tmp_path: Path, timed: bool) -> None:
    result = ran(tmp_path, timed=timed)
    again = replay(Path(result.run))
    assert again.complete
    assert again.differences == ()
    assert len(again.recorded) == len(again.replayed) > 100


@pytest.mark.tier("runs")
def test_a_replay_sees_through_a_forged_verdict(tmp_path: Path) -> None:
    result = ran(tmp_path)
    folder = Path(result.run)
    with Journal(folder / "run.db") as journal:
        forged = next(e for e in journal.events() if isinstance(e, Learned) and e.child)
        journal.append(forged.model_copy(update={"best": forged.child, "variance": 9.0}))
    assert replay(folder).differences


@pytest.mark.tier("runs")
def test_a_resumed_end_is_left_alone(tmp_path: Path) -> None:
    result = ran(tmp_path)
    before = events_of(result)
    assert resume(Path(result.run), evaluators=factory(ComparisonKind.EXACT)) == result
    assert events_of(result) == before


LEAST = CONFIRM_RUNS * 48 * (0.1 + START_SECONDS) + 0.02
"""Seconds that are kept for the confirmation in the little world."""

HASTY = {
    "judge": {"counterexample_seconds": 0.0, "pairs": 1, "min_blocks": 1},
    "measure": {"self_test_blocks": 1},
}


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", ["search_ended", "confirmed"])
@pytest.mark.parametrize("limit", ["wall_seconds", "cpu_seconds"])
def test_a_search_that_ended_is_never_taken_up_again(
    tmp_path: Path, kind: str, limit: str
) -> None:
    budget = {"evaluations": None, limit: LEAST + 0.5}
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, budget=budget, operators=[Endless.name], **HASTY),
            problem=number_problem(timed=True),
            listeners=[CrashAt(kind)],
            evaluators=factory(ComparisonKind.TIMED),
        )
    result = resume(tmp_path / "run", evaluators=factory(ComparisonKind.TIMED))
    kinds = [e.kind for e in events_of(result)]
    after = kinds[kinds.index("search_ended") :]
    assert "generation_opened" not in after
    assert kinds.count("confirmed") == kinds.count("ended") == 1
    confirmed = next(e for e in events_of(result) if isinstance(e, Confirmed))
    assert (result.budget_end, result.best_solution_id) == (limit, confirmed.solution)
    assert replay(tmp_path / "run").differences == ()


@pytest.mark.tier("runs")
def test_a_kill_gives_no_wall_time_back(tmp_path: Path) -> None:
    budget = {"evaluations": 20, "wall_seconds": 600}
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, budget=budget, operators=[Endless.name]),
            problem=number_problem(timed=True),
            listeners=[Crash(60)],
            evaluators=factory(ComparisonKind.TIMED, seconds=0.01),
        )
    resume(tmp_path / "run", evaluators=factory(ComparisonKind.TIMED))
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        events = list(journal.events())
    (again,) = [e for e in events if isinstance(e, Resumed)]
    before = [e for e in events if e.at < again.at and e.kind not in {"failed"}]
    assert again.wall_seconds >= (before[-1].at - before[0].at).total_seconds() - 0.01


@pytest.mark.tier("runs")
def test_a_folder_in_which_no_run_started_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    Journal(tmp_path / "run" / "run.db").close()
    assert ran(tmp_path).status == "proven"


@pytest.mark.tier("runs")
def test_another_problem_under_a_recorded_run_is_noticed(tmp_path: Path) -> None:
    folder = Path(ran(tmp_path).run)
    path = folder / "problem.json"
    path.write_text(path.read_text().replace('"maximize"', '"minimize"'))
    for read in (replay, resume):
        with pytest.raises(JournalError, match="not the problem that this run"):
            read(folder)


SCRIPT = """
import sys
from pathlib import Path
from typing import Any
from se_agent.engine.run.start import start
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import factory
from tests.fakes import number_problem, number_run
folder, log = Path(sys.argv[1]), Path(sys.argv[2])
start(number_run(folder, name="killed", workers=2), problem=number_problem(timed=True),
      evaluators=factory(ComparisonKind.TIMED, log, 0.004))
"""


@pytest.mark.parametrize(
    "moment",
    [pytest.param(n, marks=[pytest.mark.tier("runs")] * (n > 1)) for n in range(4)],
)
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
    resume(tmp_path / "killed", evaluators=factory(ComparisonKind.TIMED, log))
    again = replay(tmp_path / "killed")
    assert again.complete
    assert again.differences == ()
    paid = Counter(log.read_text().splitlines())
    # Two workers may each be inside one measurement when the process dies.
    assert sum(times - 1 for times in paid.values()) <= 2
