"""A job that ends as a script does: what a program put off is done, and is in its time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from evaluators.sandbox.job import JobOutcome
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import LONG, call, values
from tests.hostile.channel import FORGE

WORK = "def work():\n    for _ in range(2_000_000): pass\n"
LATER = {
    "exit function": "import atexit\ndef f(xs): return atexit.register(work) and 1",
    "finalizer": "class A:\n def __del__(self): work()\nkept = []\n"
    "def f(xs): return kept.append(A()) or 1",
    "finalizer of a cycle": "class A:\n def __del__(self): work()\n"
    "def f(xs):\n a = A()\n a.me = a\n return 1",
    "generator": "def g():\n try: yield\n finally: work()\nkept = []\n"
    "def f(xs):\n kept.append(g())\n next(kept[-1])\n return 1",
    "module of its own": "import sys, types\nclass A:\n def __del__(self): work()\n"
    "m = sys.modules['kept'] = types.ModuleType('kept')\nm.kept = []\n"
    "def f(xs): return m.kept.append(A()) or 1\n",
    "weak reference": "import weakref\ndef f(xs): return weakref.finalize(xs, work) and 1",
}


@pytest.fixture(scope="module", params=["jail", "namespace"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[ForkServer]:
    server = ForkServer(isolation=request.param)
    yield server
    server.close()


def ran(sandbox: ForkServer, program: str, *, to_the_end: bool) -> JobOutcome:
    job = call(WORK + program, ({1, 2},), limits=LONG)
    return sandbox.run(replace(job, to_the_end=to_the_end))


@pytest.mark.tier("isolation")
@pytest.mark.parametrize("when", LATER)
def test_what_is_put_off_until_then_is_in_its_time(sandbox: ForkServer, when: str) -> None:
    short = min(ran(sandbox, LATER[when], to_the_end=False).cpu_seconds for _ in range(3))
    whole = ran(sandbox, LATER[when], to_the_end=True)
    assert (whole.status, values(whole)) == (Status.AC, [1])
    least = ran(sandbox, "def f(xs): work()", to_the_end=False).cpu_seconds
    assert whole.cpu_seconds > short + 0.3 * least


@pytest.mark.tier("isolation")
def test_threads_are_waited_for() -> None:
    program = """
import threading, time
def later():
    time.sleep(0.05)
    work()
def f(xs):
    threading.Thread(target=later).start()
    return 1
"""
    server = ForkServer(isolation="namespace")
    try:
        whole = ran(server, program, to_the_end=True)
        least = ran(server, "def f(xs): work()", to_the_end=False).cpu_seconds
    finally:
        server.close()
    assert whole.status is Status.AC
    assert whole.cpu_seconds > 0.5 * least


@pytest.mark.parametrize("kind", [2, 8])
def test_a_program_cannot_say_itself_that_it_was_accepted(
    sandbox: ForkServer, kind: int
) -> None:
    """Or only in our own words, as with any frame: then its end is not looked at."""
    program = FORGE + f"import atexit\ndef f(xs):\n forge(0, b'1')\n forge({kind}, b'AC')\n"
    outcome = ran(sandbox, program, to_the_end=True)
    assert outcome.status is not Status.AC
