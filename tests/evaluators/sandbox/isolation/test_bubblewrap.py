"""A fork server among other pids than ours, as bubblewrap starts it; and bubblewrap itself."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from evaluators.sandbox.isolation import bubblewrap
from evaluators.sandbox.isolation.levels import BUBBLEWRAP
from evaluators.sandbox.job import Sandbox
from evaluators.sandbox.server import probe
from evaluators.sandbox.server.fork_server import ForkServer
from evaluators.sandbox.server.start import Direct
from se_agent.errors import IsolationError
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import SandboxContract, call, values

UNSHARE = (
    "unshare",
    "--user",
    "--map-root-user",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
)
"""Other pids, as bubblewrap gives them; of a tool that more machines have."""


def other_pids_work() -> bool:
    if shutil.which(UNSHARE[0]) is None:
        return False
    return subprocess.run([*UNSHARE, "true"], check=False, capture_output=True).returncode == 0


def among_other_pids() -> ForkServer:
    """Return a fork server that is started as for bubblewrap, by the other tool."""
    server = ForkServer("jail", patience=0.5)
    server._level = BUBBLEWRAP  # noqa: SLF001
    server._settings["isolation"] = BUBBLEWRAP.name  # noqa: SLF001
    server._launcher = Direct(UNSHARE)  # noqa: SLF001
    return server


@pytest.fixture(scope="module")
def among() -> Iterator[ForkServer]:
    server = among_other_pids()
    yield server
    server.close()


@pytest.fixture(scope="module")
def wrapped() -> Iterator[ForkServer]:
    server = ForkServer("bubblewrap", patience=0.5)
    yield server
    server.close()


@pytest.mark.skipif(not other_pids_work(), reason="`unshare` gives no pids of their own here")
class TestAmongOtherPids(SandboxContract):
    @pytest.fixture
    def sandbox(self, among: ForkServer) -> Sandbox:
        return among

    @pytest.fixture
    def disposable(self) -> Iterator[Sandbox]:
        server = among_other_pids()
        yield server
        server.close()

    def test_its_pids_are_others(self, sandbox: Sandbox) -> None:
        first, second = (values(sandbox.run(call(PID))) for _ in range(2))
        assert isinstance(first[0], int)
        assert first[0] < 1000
        assert first != second

    def test_children_are_jailed(self, sandbox: Sandbox) -> None:
        outcome = sandbox.run(call("import os\ndef f(): return os.fork()"))
        assert outcome.status is Status.REJECTED


PID = "import os\ndef f(): return os.getpid()"


@pytest.mark.skipif(not bubblewrap.program(), reason="bubblewrap is not installed here")
class TestBubblewrap(SandboxContract):
    @pytest.fixture
    def sandbox(self, wrapped: ForkServer) -> Sandbox:
        return wrapped

    @pytest.fixture
    def disposable(self) -> Iterator[Sandbox]:
        server = ForkServer("bubblewrap", patience=0.5)
        yield server
        server.close()

    def test_children_are_jailed(self, sandbox: Sandbox) -> None:
        outcome = sandbox.run(call("import os\ndef f(): return os.fork()"))
        assert outcome.status is Status.REJECTED


@pytest.mark.tier("fast")
class TestTheCommand:
    def test_shares_nothing_and_ends_with_us(self) -> None:
        command = bubblewrap.launcher("/opt/bwrap", [])
        assert command[0] == "/opt/bwrap"
        assert command[-1] == "--"
        assert "--die-with-parent" in command
        for kind in ("user", "pid", "net", "ipc", "uts"):
            assert f"--unshare-{kind}" in command

    def test_shows_what_was_given_and_writes_nothing(self, tmp_path: object) -> None:
        command = bubblewrap.launcher("/opt/bwrap", [str(tmp_path)])
        place = command.index(str(tmp_path))
        assert command[place - 1 : place + 2] == ("--ro-bind", str(tmp_path), str(tmp_path))
        assert "--bind" not in command
        assert command[-3:-1] == ("--remount-ro", "/")
        for folder in ("/", "/home", "/root", "/etc", "/proc", "/usr"):
            assert ("--ro-bind", folder) not in [*itertools.pairwise(command)]

    @pytest.mark.skipif(bool(bubblewrap.program()), reason="bubblewrap is installed here")
    def test_is_missed_where_it_is_not_installed(self) -> None:
        with pytest.raises(IsolationError, match="there is no program `bwrap`") as caught:
            ForkServer("bubblewrap")
        assert "install bubblewrap" in caught.value.hint
        assert probe.tried("bubblewrap") == "there is no program `bwrap`"
