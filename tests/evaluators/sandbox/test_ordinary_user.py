"""The levels hold for an ordinary user as they do for root."""

from __future__ import annotations

import pytest

from evaluators.sandbox.server.probe import tried
from tests import ordinary_user

PROGRAM = """
import os, sys
from evaluators.sandbox.server.fork_server import ForkServer
from tests.contracts.sandbox import LIMITS, TIGHT, call, values
JOBS = {
    "sorts": "def f(): return sorted([3, 1, 2])",
    "forks": "import os\\ndef f():\\n if not os.fork(): os._exit(0)\\n return os.wait()[1]",
    "writes": "def f(): return open('/tmp/own', 'w').write('12')",
    "spins": "def f():\\n while True: pass",
    "grows": "def f(): return bytearray(1 << 30)",
    "escapes": "def f(): return open('/escaped', 'w')",
    "peeks": "def f(): return open('/proc/1/environ').read()",
    "signals": "import os\\ndef f(): return os.kill(PPID, 9)".replace("PPID", str(os.getpid())),
    "connects": "import socket\\ndef f(): return socket.socket()",
}
assert os.geteuid() != 0
server = ForkServer(sys.argv[1], patience=0.5)
for name, program in JOBS.items():
    outcome = server.run(call(program, limits=TIGHT if name == "spins" else LIMITS))
    print(name, outcome.status, *values(outcome))
server.close()
"""
ENDS = {
    "jail": (
        "sorts AC [1, 2, 3]", "forks REJECTED", "writes REJECTED", "spins TLE", "grows MLE",
        "escapes REJECTED", "peeks REJECTED", "signals REJECTED", "connects REJECTED",
    ),
    "namespace": (
        "sorts AC [1, 2, 3]", "forks AC 0", "writes AC 2", "spins TLE", "grows MLE",
        "escapes REJECTED", "peeks REJECTED", "signals RE", "connects REJECTED",
    ),
}  # fmt: skip


@pytest.mark.tier("isolation")
@ordinary_user.needs_root
@pytest.mark.parametrize("level", ENDS)
def test_programs_end_as_for_root(level: str) -> None:
    if why := tried(level):
        pytest.skip(f"no {level} here: {why}")
    ended = ordinary_user.python("-c", PROGRAM, level)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert tuple(ended.stdout.splitlines()) == ENDS[level]
