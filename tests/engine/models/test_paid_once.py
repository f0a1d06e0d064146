"""A run that is killed between a reply and what follows from it pays for no reply twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Role
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.events import Event
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import ROOT, events_of, factory
from tests.engine.talking import models, of, run_file, under_way
from tests.fakes import number_problem

_SCRIPT = """
import sys
from pathlib import Path
from tests.engine.models.test_paid_once import run_until
run_until(Path(sys.argv[1]), *sys.argv[2:4], int(sys.argv[4]))
"""


class Killing:
    """A listener that kills its process at the n-th event of a kind, or soon after it.

    It waits for the reply to a call that is under way: nobody can know of that one at a kill.
    """

    def __init__(self, kind: str, number: int) -> None:
        self._kind, self._left = kind, number

    def on_event(self, event: Event) -> None:
        self._left -= event.kind == self._kind
        if isinstance(event, Replied):
            under_way.release()
        if self._left <= 0 and under_way.acquire(blocking=False):
            os.kill(os.getpid(), signal.SIGKILL)


def run_until(results: Path, extraction: str, kind: str, number: int) -> None:
    """Begin a run, in this process, which does not survive it."""
    start(
        run_file(
            results,
            models=models("Gated"),
            memory={"prior": False, "extraction": extraction},
            asking={"in_flight": 1},
            budget={"evaluations": 6},
            generation_size=3,
        ),
        problem=number_problem(),
        listeners=[Killing(kind, number)],
        evaluators=factory(ComparisonKind.EXACT),
    )


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("extraction", "kind", "number"),
    [
        pytest.param("declared", "replied", 2, id="between-reply-and-evaluation"),
        pytest.param("each", "evaluated", 3, id="between-evaluation-and-extraction"),
        pytest.param("each", "replied", 4, id="between-extraction-and-lesson"),
        pytest.param("batch", "evaluated", 3, id="between-evaluation-and-a-batch"),
    ],
)
def test_no_reply_is_paid_for_twice(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    extraction: str,
    kind: str,
    number: int,
) -> None:
    paid = tmp_path / "paid"
    monkeypatch.setenv("PAID", str(paid))
    arguments = [str(tmp_path), extraction, kind, str(number)]
    killed = subprocess.run([sys.executable, "-c", _SCRIPT, *arguments], check=False, cwd=ROOT)
    assert killed.returncode == -signal.SIGKILL
    before = len(paid.read_text(encoding="utf-8").splitlines())
    assert before >= 2
    hearing = Killing("nothing", 1)  # whose replies are on record
    again = resume(
        tmp_path / "run", evaluators=factory(ComparisonKind.EXACT), listeners=[hearing]
    )
    events = events_of(again)
    replies = of(events, Replied)
    assert len(paid.read_text(encoding="utf-8").splitlines()) == len(replies) > before
    assert set(Counter((e.slot, e.role, e.attempt) for e in replies).values()) == {1}
    extracting = any(e.role == Role.EXTRACT for e in replies)
    assert extracting == (extraction != "declared")
    assert replay(tmp_path / "run").differences == ()
