"""The limit of a check: what it ends with blames nobody, for nobody knows who was slow."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

from se_agent.cli.checks.preflight import at_most, explained, programs_seconds
from se_agent.errors import ProblemError


def test_what_is_not_finished_in_time_is_told_with_all_that_may_be_why() -> None:
    told = (
        r"not finished within 0\.\d+ s, and nothing wrong was found so far: "
        r"the machine may be busy, the program slow, or its generator without end"
    )
    with pytest.raises(ProblemError, match=told) as caught, at_most(0.05):
        threading.Event().wait(60)
    assert "--static" in caught.value.hint


def test_who_waits_or_shares_the_machine_has_three_times_as_long() -> None:
    begin = time.monotonic()
    with pytest.raises(ProblemError, match="not finished"), at_most(0.2):
        threading.Event().wait(60)
    assert time.monotonic() - begin >= 0.6


def test_who_computes_has_as_much_cpu_time_and_no_more() -> None:
    begin, used = time.monotonic(), time.process_time()
    with pytest.raises(ProblemError, match="not finished"), at_most(0.5):
        _compute(60)
    used = time.process_time() - used
    assert 0.48 <= used < 1.4 or time.monotonic() - begin >= 1.5


def _compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_programs_that_hardly_used_the_time_wait() -> None:
    err = ProblemError("not finished", hint="again")
    assert explained(err, used=6.0, seconds=10) is err
    told = explained(err, used=0.42, seconds=10)
    assert "within 10 s, in which programs used 0.42 s of CPU time: they wait" in str(told)
    assert "--set objective=wall" in told.hint


def test_the_time_of_a_process_that_still_runs_is_known() -> None:
    loop = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    before = programs_seconds()
    command = [sys.executable, "-c", loop]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert programs_seconds() - before > 0.25
        process.communicate(b"\n")
    assert programs_seconds() - before > 0.25


def test_a_process_may_have_any_name() -> None:
    renames = "open('/proc/self/comm', 'wb').write(b'\\xff)'); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", renames], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert programs_seconds() > 0
        child.kill()


def test_what_is_finished_in_time_is_not_disturbed() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with at_most(60):
        assert signal.getsignal(signal.SIGALRM) != before
    assert signal.getsignal(signal.SIGALRM) == before
