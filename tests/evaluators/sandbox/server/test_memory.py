"""Memory read from outside: what a child added, and what it cannot hide."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from evaluators.sandbox.job import Job, Mode
from evaluators.sandbox.server.fork_server import ForkServer
from evaluators.sandbox.server.memory import shared_anonymous
from evaluators.sandbox.server.probe import tried
from evaluators.sandbox.usage import Footprint, Watch
from se_agent.wire import dumps

MB = 1 << 20
SMAPS = b"""5581d4a00000-5581d4b00000 rw-p 00000000 00:00 0                          [heap]
Rss:                1024 kB
Shared_Clean:          4 kB
Shared_Dirty:        600 kB
Private_Dirty:       420 kB
7f0000000000-7f0000200000 r--p 00000000 fe:00 1234                       /lib/libc.so.6
Rss:                 900 kB
Shared_Clean:        900 kB
Shared_Dirty:        100 kB
7f0000300000-7f0000400000 rw-s 00000000 00:01 77                         /memfd:stdin (deleted)
Shared_Dirty:       5000 kB
7f0000500000-7f0000600000 rw-p 00000000 00:00 0
Shared_Dirty:         10 kB
VmFlags: rd wr mr mw me
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ForkServer]:
    server = ForkServer("jail")
    yield server
    server.close()


def added(sandbox: ForkServer, program: str, *, sampled: bool = False) -> Footprint:
    watch = Watch(memory=True, integral=sampled)
    job = Job(program=program, entry_point="f", inputs=(dumps(()),), watch=watch)
    found = sandbox.run(job).usage.footprint
    assert found is not None
    return found


def script(sandbox: ForkServer, program: str) -> int:
    watch = Watch(memory=True)
    found = sandbox.run(Job(program=program, mode=Mode.STDIO, inputs=(b"",), watch=watch))
    assert found.usage.footprint is not None
    return found.usage.footprint.added_bytes


def test_where_a_job_may_have_children_none_is_told() -> None:
    if why := tried("namespace"):
        pytest.skip(why)
    watch = Watch(memory=True, integral=True)
    job = Job(program="def f(): pass", entry_point="f", inputs=(dumps(()),), watch=watch)
    with closing(ForkServer("namespace")) as server:
        usage = server.run(job).usage
    assert usage.footprint is None
    assert usage.wall_seconds > 0


def test_only_anonymous_memory_counts_as_shared() -> None:
    assert shared_anonymous(SMAPS) == (4 + 600 + 10) << 10
    assert shared_anonymous(b"") == 0


def test_a_peak_that_is_gone_is_seen(sandbox: ForkServer) -> None:
    empty = added(sandbox, "def f(): return None").added_bytes
    gone = "def f():\n    x = bytearray(50 << 20)\n    del x"
    assert 49 * MB < added(sandbox, gone).added_bytes - empty < 53 * MB
    assert abs(added(sandbox, "def f(): return 1").added_bytes - empty) < MB


def test_shared_pages_are_no_place_to_hide(sandbox: ForkServer) -> None:
    """Memory that is mapped, not allocated, and gone before the end."""
    program = (
        "import mmap\ndef f():\n    m = mmap.mmap(-1, 30 << 20)\n"
        "    for i in range(0, 30 << 20, 4096): m[i] = 1\n    m.close()"
    )
    empty = added(sandbox, "def f(): return None").added_bytes
    assert 29 * MB < added(sandbox, program).added_bytes - empty < 34 * MB


def test_what_is_given_back_of_the_fork_servers_own_is_charged(sandbox: ForkServer) -> None:
    """Freeing what it was born with makes room that must not go unseen."""
    program = (
        "import gc, sys\n"
        "def f():\n    gc.unfreeze()\n"
        "    for name in ('decimal', 'fractions', 'statistics', 'random', 'typing'):\n"
        "        vars(sys.modules.pop(name, sys)).pop('nothing', None)\n"
        "    gc.collect()\n    x = bytearray(10 << 20)"
    )
    empty = added(sandbox, "def f(): return None").added_bytes
    assert added(sandbox, program).added_bytes - empty > 10 * MB


def test_the_integral_grows_with_the_time_that_memory_is_held(sandbox: ForkServer) -> None:
    early = "def f():\n    x = bytearray(40 << 20)\n    {}sum(range(2_000_000))"
    held = added(sandbox, early.format(""), sampled=True).byte_seconds
    freed = added(sandbox, early.format("del x; "), sampled=True).byte_seconds
    assert held > 1.5 * freed > 0


def test_a_script_is_read_before_it_ends(sandbox: ForkServer) -> None:
    empty = script(sandbox, "pass")
    assert 49 * MB < script(sandbox, "x = bytearray(50 << 20)") - empty < 53 * MB


def test_a_script_that_ends_in_its_own_way_is_charged_with_all(sandbox: ForkServer) -> None:
    left = "import os\nx = bytearray(50 << 20)\nos._exit(0)"
    assert script(sandbox, left) > script(sandbox, "x = bytearray(50 << 20)")
