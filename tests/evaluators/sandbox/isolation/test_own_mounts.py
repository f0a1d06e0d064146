"""What a program reads tells a later one nothing: the kernel does not note when that was."""

from __future__ import annotations

import os
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluators.sandbox.server.fork_server import ForkServer
from evaluators.sandbox.server.probe import leaves_no_trace
from se_agent.values.evaluation import Status
from tests import ordinary_user
from tests.contracts.sandbox import call, values

PROGRAM = """
import os
def f():
    with open({path!r}) as file: file.read()
    return int(os.stat({path!r}).st_atime)
"""
AS_ANOTHER = """
import sys
from evaluators.sandbox.server.fork_server import ForkServer
from tests.contracts.sandbox import call, values
server = ForkServer()
print(*values(server.run(call(sys.argv[1]))))
server.close()
"""
pytestmark = pytest.mark.skipif(not leaves_no_trace(), reason="mounts cannot be made here")


@pytest.fixture
def stale() -> Iterator[str]:
    """A file that programs may read, and that was last read in 1970."""
    path = Path(tokenize.__file__)
    found = path.stat()
    try:
        os.utime(path, (0, found.st_mtime))
    except PermissionError:
        pytest.skip("Python's library is not ours")
    path.read_bytes()
    if not path.stat().st_atime:
        pytest.skip("this file system notes no reading at all")
    os.utime(path, (0, found.st_mtime))
    yield str(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


@pytest.mark.parametrize("level", ["jail", "namespace"])
def test_reading_leaves_no_trace(
    level: str, stale: str, request: pytest.FixtureRequest
) -> None:
    server: ForkServer = request.getfixturevalue(level)
    outcome = server.run(call(PROGRAM.format(path=stale)))
    assert outcome.status is Status.AC, outcome.feedback
    assert values(outcome) == [0]
    assert Path(stale).stat().st_atime == 0


@ordinary_user.needs_root
def test_nor_does_that_of_an_ordinary_user(stale: str) -> None:
    done = ordinary_user.python("-c", AS_ANOTHER, PROGRAM.format(path=stale))
    assert (done.stdout.strip(), done.stderr) == ("0", "")


def test_who_it_is_stays(jail: ForkServer) -> None:
    program = "import os\ndef f(): return [os.getuid(), os.geteuid(), os.getgid()]"
    ours = [os.getuid(), os.geteuid(), os.getgid()]
    assert values(jail.run(call(program))) == [ours]
