"""A fork server in a container: by docker or podman, or by a client that stands in for them."""

from __future__ import annotations

import io
import os
import re
import select
import socket
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from evaluators.sandbox.isolation import container_entry
from evaluators.sandbox.isolation.levels import CONTAINER
from evaluators.sandbox.isolation.root_view import view
from evaluators.sandbox.job import Sandbox
from evaluators.sandbox.server import container
from evaluators.sandbox.server.callback import reason
from evaluators.sandbox.server.container import Container
from evaluators.sandbox.server.fork_server import ForkServer
from evaluators.sandbox.server.probe import tried
from evaluators.sandbox.server.start import PROGRAM
from se_agent.errors import IsolationError
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import SandboxContract, call, values

ROOT = Path(__file__).parents[4]
FORKS = "import os\ndef f(): return os.fork()"
PID = "import os\ndef f(): return os.getpid()"

STAND_IN = f"""#!{sys.executable} -IS
# Knows an image once it was imported; runs a program among the host's, and outlives no one's
# orders: like the real ones it passes no descriptors, and its program survives it.
import os, subprocess, sys
from pathlib import Path
imported = Path(__file__).with_name("imported")
words = sys.argv[1:]
if words[0] == "image":
    sys.exit(0 if imported.exists() else "Error: No such image")
if words[0] == "import":
    imported.write_bytes(sys.stdin.buffer.read())
    sys.exit()
folder = next(w.split(",")[1].removeprefix("source=") for w in words if "target=/meeting" in w)
program = [w.replace("/meeting", folder) for w in words[words.index({PROGRAM[0]!r}):]]
started = subprocess.Popen(program, env={{"SECRET": "of the tools"}}, start_new_session=True)
sys.exit(started.wait())
"""

NO_DAEMON = """#!/bin/sh
echo "Cannot connect to the Docker daemon at unix:///nowhere. Is the docker daemon running?" >&2
exit 1
"""

REFUSES_TO_RUN = """#!/bin/sh
[ "$1" = image ] && exit
echo "WARNING: something else" >&2
echo "docker: Error response from daemon: no room left." >&2
echo "See 'docker run --help'." >&2
exit 125
"""


def client(folder: Path, text: str, name: str = "docker") -> str:
    """Write a client into a folder of its own; return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def by(path: str) -> ForkServer:
    """Return a fork server at this level that a given client starts."""
    server = ForkServer("jail", patience=0.5)
    server._level = CONTAINER  # noqa: SLF001
    server._settings["isolation"] = CONTAINER.name  # noqa: SLF001
    server._launcher = container.launcher([], [path])  # noqa: SLF001
    return server


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> str:
    return client(tmp_path_factory.mktemp("bin"), STAND_IN)


@pytest.fixture(scope="module")
def called(stand_in: str) -> Iterator[ForkServer]:
    with closing(by(stand_in)) as server:
        yield server


class TestByAStandIn(SandboxContract):
    """All but the wall itself: the meeting, descriptors, clocks, kills."""

    @pytest.fixture
    def sandbox(self, called: ForkServer) -> Sandbox:
        return called

    @pytest.fixture
    def disposable(self, stand_in: str) -> Iterator[Sandbox]:
        with closing(by(stand_in)) as server:
            yield server

    def test_children_are_jailed(self, sandbox: Sandbox) -> None:
        assert sandbox.run(call(FORKS)).status is Status.REJECTED


@pytest.fixture(scope="module")
def contained() -> Iterator[ForkServer]:
    with closing(ForkServer("container", patience=0.5)) as server:
        yield server


@pytest.mark.skipif(bool(tried("container")), reason="no containers here")
class TestContainer(SandboxContract):
    @pytest.fixture
    def sandbox(self, contained: ForkServer) -> Sandbox:
        return contained

    @pytest.fixture
    def disposable(self) -> Iterator[Sandbox]:
        with closing(ForkServer("container", patience=0.5)) as server:
            yield server

    def test_its_pids_are_others(self, sandbox: Sandbox) -> None:
        (first,), (second,) = (values(sandbox.run(call(PID))) for _ in range(2))
        assert isinstance(first, int)
        assert first < 1000
        assert first != second

    def test_children_are_jailed(self, sandbox: Sandbox) -> None:
        assert sandbox.run(call(FORKS)).status is Status.REJECTED

    def test_packages_that_are_shown_can_be_used(self) -> None:
        program = "import numpy\ndef f(): return int(numpy.arange(4).sum())"
        with closing(ForkServer("container", imports=("numpy",), patience=5.0)) as server:
            assert values(server.run(call(program))) == [6]


class TestTheProcess:
    def test_a_client_that_is_killed_leaves_what_can_still_be_ended(
        self, stand_in: str
    ) -> None:
        server = container.launcher([], [stand_in]).start()
        handle = os.pidfd_open(server.pid)
        try:
            server._client.kill()  # noqa: SLF001
            server.wait()
            assert not ended(handle)
            server.control.close()
            assert ended(handle, within=60.0)  # by itself: nobody is there any more
        finally:
            os.close(handle)

    def test_killing_ends_the_program_and_the_client_after_it(self, stand_in: str) -> None:
        server = container.launcher([], [stand_in]).start()
        handle = os.pidfd_open(server.pid)
        try:
            server.kill()
            server.wait()
            assert ended(handle)
            assert server.ended() != "None"
            server.kill()  # once more, as another thread may
        finally:
            server.control.close()
            os.close(handle)


class TestArrival:
    def test_takes_nothing_along_but_the_socket(self, tmp_path: Path) -> None:
        told = (
            "import os, socket, sys\n"
            "files = [os.readlink(f'/proc/self/fd/{n}') for n in range(3)]\n"
            "own = socket.socket(fileno=int(sys.argv[1]))\n"
            "own.send(repr((dict(os.environb), files)).encode())"
        )
        path = str(tmp_path / "control")
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(path)
            listener.listen(1)
            done = subprocess.run(
                [*PROGRAM[:-1], container_entry.__file__, path, sys.executable, "-ISc", told],
                env={"SECRET": "of the tools", "LD_LIBRARY_PATH": "/nowhere"},
                check=True,
                capture_output=True,
            )
            with listener.accept()[0] as control:
                said = control.recv(10_000).decode()
        assert "SECRET" not in said
        assert "/nowhere" in said
        assert said.count("/dev/null") == 3
        assert (done.stdout, done.stderr) == (b"", b"")


class TestTheCommand:
    @pytest.fixture
    def command(self, tmp_path: Path) -> list[str]:
        seen = view([str(tmp_path)])
        return Container("/opt/docker", "se-agent:some", seen).command("/the/meeting")

    def test_shares_and_fetches_nothing(self, command: list[str]) -> None:
        assert command[:2] == ["/opt/docker", "run"]
        line = " ".join(command[: command.index("se-agent:some")])
        for option in (
            *("--rm", "--pull never", "--network none", "--ipc none", "--read-only"),
            *("--cap-drop ALL", "--security-opt no-new-privileges", "--log-driver none"),
            *("--pids-limit 64", "--memory ", "--memory-swap ", "--ulimit nofile="),
            *("--ulimit nproc=", f"--user {os.geteuid()}:{os.getegid()}"),
        ):
            assert option in line
        for option in ("--privileged", "--cap-add", "--device", "--pid", "--volume", "--tmpfs"):
            assert f"{option} " not in line

    def test_its_user_is_ours_also_where_root_of_the_container_is_who_started_it(self) -> None:
        command = Container("/opt/podman", "name", view([])).command("/the/meeting")
        assert command[command.index("--user") + 1] == "0:0"

    def test_shows_what_was_given_and_nothing_to_write(
        self, command: list[str], tmp_path: Path
    ) -> None:
        mounts = [command[n + 1] for n, word in enumerate(command) if word == "--mount"]
        assert f"type=bind,source={tmp_path},target={tmp_path},readonly" in mounts
        assert "type=bind,source=/the/meeting,target=/meeting,readonly" in mounts
        assert all(mount.endswith(",readonly") for mount in mounts)
        for folder in ("/", "/home", "/root", "/etc", "/proc", "/usr", "/var/run"):
            assert f"type=bind,source={folder},target={folder},readonly" not in mounts

    @pytest.mark.parametrize("given", [True, False])
    def test_has_the_folders_of_the_linker_where_there_are_some(
        self, monkeypatch: pytest.MonkeyPatch, given: bool
    ) -> None:
        monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
        if given:
            monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
        command = Container("docker", "name", view([])).command("/meeting")
        assert ("LD_LIBRARY_PATH" in command) == given

    def test_runs_the_fork_server_that_all_levels_run(self, command: list[str]) -> None:
        program = command[command.index("se-agent:some") + 1 :]
        assert program[-4:] == [*PROGRAM]
        assert program[3:5] == [container_entry.__file__, "/meeting/control"]

    def test_a_path_with_a_comma_stays_one_path(self, tmp_path: Path) -> None:
        folder = tmp_path / "a,b"
        folder.mkdir()
        command = Container("docker", "name", view([str(folder)])).command("/meeting")
        assert f'type=bind,"source={folder}","target={folder}",readonly' in command

    def test_the_image_is_links_and_folders_that_anybody_may_enter(self) -> None:
        data = container.image({"/lib64": "usr/lib64", "/opt/deep/python": "python3"})
        assert data == container.image({"/opt/deep/python": "python3", "/lib64": "usr/lib64"})
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            found = {entry.name: entry for entry in archive}
        assert found["lib64"].linkname == "usr/lib64"
        assert found["opt/deep/python"].linkname == "python3"
        folders = {name for name, entry in found.items() if entry.isdir()}
        assert folders == {"opt", "opt/deep", "tmp"}
        assert {found[name].mode for name in folders} == {0o755}
        assert len(found) == 5


class TestRefusals:
    def test_no_client(self) -> None:
        with pytest.raises(IsolationError, match="there is no program nothing1 or nothing2"):
            container.launcher([], ["nothing1", "nothing2"])

    def test_every_client_that_cannot_is_named_with_its_reason(self, tmp_path: Path) -> None:
        path = client(tmp_path, NO_DAEMON)
        said = f"{path}: Cannot connect to the Docker daemon at unix:///nowhere"
        with pytest.raises(IsolationError, match=re.escape(said)) as caught:
            container.launcher([], ["nothing1", path])
        assert "sandbox.isolation=jail" in caught.value.hint

    def test_the_next_client_is_taken_where_one_cannot(
        self, tmp_path: Path, stand_in: str
    ) -> None:
        made = container.launcher([], [client(tmp_path, NO_DAEMON), stand_in])
        assert made.command("/meeting")[0] == stand_in
        server = made.start()
        server.control.close()
        server.kill()
        server.wait()

    def test_a_container_that_cannot_run_is_told_at_once(self, tmp_path: Path) -> None:
        with closing(by(client(tmp_path, REFUSES_TO_RUN))) as server:
            with pytest.raises(IsolationError, match="daemon: no room left") as caught:
                server.run(call("def f(): pass"))
            assert caught.value.hint

    @pytest.mark.parametrize(
        ("output", "line"),
        [
            pytest.param("", "", id="nothing"),
            pytest.param("first\nlast\n\n", "last", id="last"),
            pytest.param("no.\nRun 'docker run --help' for more\n", "no.", id="help"),
        ],
    )
    def test_the_line_that_says_what_is_wrong(self, output: str, line: str) -> None:
        assert reason(output) == line


TWO_LINES = """
import sys
from evaluators.sandbox.server.probe import tried
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.errors import IsolationError
try: ForkServer("container")
except IsolationError as err: print(err, err.hint, tried("container"), sep="\\n")
"""


def test_without_a_daemon_nothing_weaker_is_taken(tmp_path: Path) -> None:
    client(tmp_path, NO_DAEMON)
    done = subprocess.run(
        [sys.executable, "-c", TWO_LINES],
        env={"PATH": str(tmp_path)},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    error, hint, found = done.stdout.splitlines()
    why = (
        "docker: Cannot connect to the Docker daemon at unix:///nowhere. "
        "Is the docker daemon running?"
    )
    assert error == f"isolation `container` cannot be had here: {why}"
    assert hint.startswith("start docker's daemon or install podman")
    assert found == why


def ended(handle: int, within: float = 0.0) -> bool:
    """Return whether a process is gone, at the latest after so many seconds."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(1000 * within))
