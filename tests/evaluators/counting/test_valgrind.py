"""Counted runs, where valgrind is installed: slow, so there are few."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.counting.valgrind import SLOWER, CountingSandbox, installed
from evaluators.sandbox.job import Job
from se_agent.errors import SandboxError
from se_agent.problem.model import Limits
from se_agent.values.evaluation import Status
from se_agent.wire import dumps, loads

needs_valgrind = pytest.mark.skipif(not installed(), reason="valgrind is not installed")


def job(program: str) -> Job:
    return Job(program=program, entry_point="f", inputs=(dumps(()),))


@needs_valgrind
def test_instructions_are_counted_in_a_jail() -> None:
    sandbox = CountingSandbox()
    outcome = sandbox.run(
        job("def f():\n    try: open('/etc/passwd')\n    except OSError: return sum(range(9))")
    )
    assert outcome.status is Status.AC
    assert [loads(answer.value) for answer in outcome.answers] == [36]
    assert outcome.usage.instructions is not None
    assert outcome.usage.instructions > 10_000_000
    assert 0 < SLOWER * outcome.cpu_seconds < sandbox.spent, "its end is paid for, too"


@needs_valgrind
def test_one_that_never_ends_is_stopped_at_its_limit_and_not_after_it() -> None:
    """A limit that comes from an outcome has its unit: it is not made larger twice."""
    sandbox = CountingSandbox()
    endless = replace(
        job("def f():\n    while True: pass"), limits=Limits(cpu_seconds=6 / SLOWER)
    )
    outcome = sandbox.run(endless)
    assert outcome.status is Status.TLE
    assert 6 <= SLOWER * outcome.cpu_seconds < 12
    assert 6 <= sandbox.spent < 12


@needs_valgrind
def test_a_count_cannot_be_written_by_the_program() -> None:
    program = """
import os, resource
def f():
    for descriptor in range(4, 64):
        try: os.write(descriptor, b"Collected : 5")
        except OSError: pass
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""
    outcome = CountingSandbox().run(job(program))
    assert outcome.usage.instructions != 5
    assert outcome.status is Status.RE
    assert "were not counted" in outcome.feedback


def test_one_that_is_closed_runs_nothing() -> None:
    sandbox = CountingSandbox()
    sandbox.close()
    sandbox.close()
    with pytest.raises(SandboxError, match="the sandbox is closed"):
        sandbox.run(job("def f(): return 1"))
    with pytest.raises(SandboxError, match="the sandbox is closed"):
        sandbox.restart()
