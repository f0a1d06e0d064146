"""The fork server keeps the contract at every level, and survives what happens to it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluators.sandbox.frames import FORKED
from evaluators.sandbox.job import Sandbox
from evaluators.sandbox.server.connection import Link, LostError
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.environment import process_files
from se_agent.errors import ProblemError, SandboxError
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import LONG, TIGHT, SandboxContract, call, values


class TestJail(SandboxContract):
    @pytest.fixture
    def sandbox(self, jail: ForkServer) -> Sandbox:
        return jail

    @pytest.fixture
    def disposable(self) -> Iterator[Sandbox]:
        server = ForkServer(patience=0.5)
        yield server
        server.close()


class TestNone(SandboxContract):
    @pytest.fixture
    def sandbox(self, bare: ForkServer) -> Sandbox:
        return bare

    @pytest.fixture
    def disposable(self) -> Iterator[Sandbox]:
        server = ForkServer(isolation="none", patience=0.5)
        yield server
        server.close()


def children() -> set[int]:
    """Pids of our own children."""
    return {*process_files.children(process_files.SELF)}


def descriptors() -> int:
    """How many are open."""
    return len(process_files.open_files())


class TestTheServerItself:
    def test_is_replaced_once_when_it_was_killed(self) -> None:
        server = ForkServer(patience=0.5)
        try:
            before = children()
            assert values(server.run(call("def f(): return 1"))) == [1]
            (zygote,) = children() - before
            os.kill(zygote, signal.SIGKILL)
            assert values(server.run(call("def f(): return 2"))) == [2]
        finally:
            server.close()

    @pytest.mark.tier("isolation")
    def test_gives_up_on_a_job_that_kills_it_again(self, bare: ForkServer) -> None:
        program = "import os, time\ndef f():\n    os.kill(os.getppid(), 9)\n    time.sleep(9)"
        with pytest.raises(SandboxError, match="died twice over one job"):
            bare.run(call(program))
        assert values(bare.run(call("def f(): return 3"))) == [3]

    def test_leaves_no_process_and_no_descriptor(self) -> None:
        processes, opened = children(), descriptors()
        server = ForkServer(patience=0.5)
        for program in ("def f(): return 1", "def f():\n while 1: pass", "1 / 0"):
            server.run(call(program, limits=TIGHT))
        server.restart()
        server.run(call("def f(): return 1"))
        server.close()
        assert children() == processes
        assert descriptors() == opened

    def test_closing_during_a_job_leaves_nothing_either(self) -> None:
        processes, opened = children(), descriptors()
        for pause in (0.0, 0.01, 0.05, 0.1):
            server = ForkServer(patience=0.5)
            with ThreadPoolExecutor(1) as pool:
                endless = call("def f():\n while 1: pass", limits=LONG)
                running = pool.submit(server.run, endless)
                time.sleep(pause)
                server.close()
                assert isinstance(running.exception(timeout=10), SandboxError)
        assert children() == processes
        assert descriptors() == opened

    def test_gives_a_child_no_line_to_the_fork_server(self) -> None:
        """However many descriptors we hold: forged answers would have us kill others."""
        program = (
            "import os\ndef f():\n    found = []\n    for fd in range(4096):\n"
            "        try: os.fstat(fd)\n        except OSError: continue\n"
            "        found.append(fd)\n    return found"
        )
        with contextlib.ExitStack() as open_:
            for _ in range(100):
                open_.callback(os.close, os.open(os.devnull, os.O_RDONLY))
            server = ForkServer(patience=0.5)
            open_.callback(server.close)
            assert values(server.run(call(program))) == [[0, 1, 2, 3]]

    def test_believes_no_pid_that_another_than_the_fork_server_told(self) -> None:
        bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        link = Link({"isolation": "none", "imports": [], "site": [], "folders": []})
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with bystander, ours, theirs, contextlib.closing(link):
            link._control.close()  # noqa: SLF001
            link._control = ours  # noqa: SLF001
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            theirs.send(FORKED.pack(bystander.pid))
            with pytest.raises(LostError, match="was not told by the fork server"):
                link.fork([], 1 << 20, 0)
            assert bystander.poll() is None
            bystander.communicate()

    def test_starts_where_standard_descriptors_are_closed(self) -> None:
        program = (
            "import os\nfor fd in (0, 1, 2): os.close(fd)\n"
            "from evaluators.sandbox.server.fork_server import ForkServer\n"
            "from tests.contracts.sandbox import call, script\n"
            "server = ForkServer(patience=0.5)\n"
            "ended = [server.run(job).status for job in "
            "(call('def f(): return 1'), script('print(5)'))]\n"
            "server.close()\nos._exit(0 if ended == ['AC', 'AC'] else 7)"
        )
        root = Path(__file__).parents[4]
        ended = subprocess.run([sys.executable, "-c", program], cwd=root, check=False)
        assert ended.returncode == 0

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            pytest.param("FSIZE", 1 << 19, id="files"),
            pytest.param("NOFILE", 40, id="descriptors"),
            pytest.param("AS", 1 << 30, id="memory"),
        ],
    )
    def test_lives_with_lower_limits_of_the_host(self, kind: str, value: int) -> None:
        program = (
            "import ctypes, os, resource\n"
            f"resource.setrlimit(resource.RLIMIT_{kind}, ({value}, {value}))\n"
            "from evaluators.sandbox.isolation.jail import _limit\n"
            f"_limit(resource.RLIMIT_{kind}, 1 << 40)\n"
            f"assert resource.getrlimit(resource.RLIMIT_{kind}) == ({value}, {value})\n"
            f"_limit(resource.RLIMIT_{kind}, {value // 2})\n"
            f"assert resource.getrlimit(resource.RLIMIT_{kind})[1] == {value // 2}\n"
        )
        root = Path(__file__).parents[4]
        ended = subprocess.run([sys.executable, "-c", program], cwd=root, check=False)
        assert ended.returncode == 0

    def test_says_so_when_it_cannot_start(self) -> None:
        program = (
            "import resource\n"
            "from evaluators.sandbox.server.fork_server import ForkServer\n"
            "from se_agent.errors import SandboxError\n"
            "from tests.contracts.sandbox import call\n"
            "server = ForkServer(patience=0.5)\n"
            "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
            "for start in (server.restart, lambda: server.run(call('def f(): return 1'))):\n"
            "    try: start()\n"
            "    except SandboxError as err: assert err.hint\n"
            "    else: raise AssertionError\n"
        )
        root = Path(__file__).parents[4]
        ended = subprocess.run([sys.executable, "-c", program], cwd=root, check=False)
        assert ended.returncode == 0

    @pytest.mark.tier("isolation")
    def test_leaks_nothing_where_descriptors_run_out(self) -> None:
        program = (
            "import contextlib, os, resource\n"
            "from evaluators.sandbox.server.fork_server import ForkServer\n"
            "from se_agent.errors import SandboxError\n"
            "from tests.contracts.sandbox import script\n"
            "server = ForkServer(patience=0.5)\n"
            "soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
            "for spare in range(4):\n"
            "    server.run(script('pass'))\n"
            "    before = os.listdir('/proc/self/fd')\n"
            "    resource.setrlimit(resource.RLIMIT_NOFILE, (len(before) - 1 + spare, hard))\n"
            "    with contextlib.suppress(SandboxError): server.run(script('pass'))\n"
            "    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))\n"
            "    server.run(script('pass'))\n"
            "    assert os.listdir('/proc/self/fd') == before, spare\n"
        )
        root = Path(__file__).parents[4]
        ended = subprocess.run([sys.executable, "-c", program], cwd=root, check=False)
        assert ended.returncode == 0

    def test_preloads_a_package_and_its_libraries_and_shows_no_other(self) -> None:
        server = ForkServer(imports=("numpy",), patience=0.5)
        try:
            program = (
                "import numpy as np\nimport numpy.fft\n"
                "def f(n): return float(np.linalg.det(np.eye(n)) + np.fft.fft([0.0])[0].real)"
            )
            assert values(server.run(call(program, (3,)))) == [1.0]
            other = server.run(call("import pydantic\ndef f(): return 1"))
            assert (other.status, "No module named 'pydantic'" in other.feedback) == (
                Status.RE,
                True,
            )
        finally:
            server.close()

    def test_a_program_may_be_the_first_to_import_numpy(self) -> None:
        """Its libraries would start threads, and end the process where there can be none."""
        site = Path(pytest.importorskip("numpy").__file__).parents[1]
        server = ForkServer(site=(str(site),), patience=5.0)
        try:
            program = (
                "import os\n"
                "def f():\n"
                "    import numpy as np\n"
                "    return float(np.eye(3).sum()), [n for n in os.environ if 'THREADS' in n]"
            )
            assert values(server.run(call(program, ()))) == [(3.0, [])]
        finally:
            server.close()

    def test_reads_the_folders_it_was_given(self, tmp_path: Path) -> None:
        (tmp_path / "given.py").write_text("NUMBER = 6\n")
        server = ForkServer(site=(str(tmp_path),), patience=0.5)
        try:
            assert values(server.run(call("import given\ndef f(): return given.NUMBER"))) == [6]
        finally:
            server.close()

    @pytest.mark.parametrize("level", ["jail", "namespace"])
    def test_shows_no_secret_of_a_project(self, tmp_path: Path, level: str) -> None:
        for name in (".env", ".git/config", "conf/server.pem", "conf/given.py", "opened.key"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("NUMBER = 6\n")
        opened = (str(tmp_path / "opened.key"),)
        server = ForkServer(level, site=(str(tmp_path),), opened=opened, patience=0.5)
        program = (
            "from conf import given\n"
            "def f(path):\n"
            "    try:\n"
            "        return open(path).read()\n"
            "    except OSError:\n"
            "        return given.NUMBER"
        )
        names = (".env", ".git/config", "conf/server.pem", "conf/given.py", "opened.key")
        try:
            found = [
                values(server.run(call(program, (str(tmp_path / name),)))) for name in names
            ]
        finally:
            server.close()
        assert found == [[6], [6], [6], ["NUMBER = 6\n"], ["NUMBER = 6\n"]]

    def test_refuses_an_import_that_is_not_installed(self) -> None:
        with pytest.raises(ProblemError, match="no package 'nothing_of_the_kind' is installed"):
            ForkServer(imports=("nothing_of_the_kind.part",))

    def test_refuses_a_level_that_does_not_exist(self) -> None:
        with pytest.raises(ValueError, match="it is one of jail, namespace"):
            ForkServer(isolation="jial")
