"""The level with room: threads, children and files work, and none of them escapes the job."""

from __future__ import annotations

import contextlib
import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from evaluators.sandbox.isolation.ordinary import environment
from evaluators.sandbox.job import Job, Sandbox
from evaluators.sandbox.server.fork_server import ForkServer
from evaluators.sandbox.server.probe import tried
from se_agent.environment.process_files import process_ids, process_text
from se_agent.values.evaluation import Status
from tests.contracts.sandbox import (
    LIMITS,
    SandboxContract,
    call,
    limits_for,
    script,
    values,
)

AC, TLE, MLE, RE, REJECTED = Status.AC, Status.TLE, Status.MLE, Status.RE, Status.REJECTED
_WHY = tried("namespace")

pytestmark = pytest.mark.skipif(bool(_WHY), reason=f"no namespaces here: {_WHY}")


class TestNamespace(SandboxContract):
    @pytest.fixture
    def sandbox(self, namespace: ForkServer) -> Sandbox:
        return namespace

    @pytest.fixture
    def disposable(self) -> Iterator[Sandbox]:
        server = ForkServer("namespace", patience=0.5)
        yield server
        server.close()


ROOM = {
    "threads": (
        [0, 1, 4, 9],
        """
        from concurrent.futures import ThreadPoolExecutor
        def f():
            with ThreadPoolExecutor(4) as pool: return list(pool.map(lambda x: x * x, range(4)))
        """,
    ),
    "children": (
        [0, 1, 4, 9],
        """
        from multiprocessing import Pool
        def g(x): return x * x
        def f():
            with Pool(2) as pool: return pool.map(g, range(4))
        """,
    ),
    "another-python": (
        b"5",
        """
        import subprocess, sys
        def f():
            command = [sys.executable, '-I', '-S', '-c', 'print(2 + 3, end="")']
            return subprocess.run(command, capture_output=True, check=True).stdout
        """,
    ),
    "event-loop": (
        "done",
        """
        import asyncio
        async def g():
            await asyncio.sleep(0)
            return await asyncio.get_running_loop().run_in_executor(None, lambda: 'done')
        def f(): return asyncio.run(g())
        """,
    ),
    "files": (
        (["copy", "one"], "text"),
        """
        import os, pathlib, shutil, tempfile
        def f():
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, 'one')
                path.write_text('text')
                shutil.copy2(path, path.with_name('copy'))
                return sorted(os.listdir(folder)), path.with_name('copy').read_text()
        """,
    ),
}

REFUSED = {
    "writes-outside": (REJECTED, "def f(): open('/escaped', 'w')"),
    "writes-to-the-library": (REJECTED, "import json\ndef f(): open(json.__file__, 'a')"),
    "password-file": (RE, "def f(): open('/etc/passwd')"),
    "memory-of-the-warden": (REJECTED, "def f(): open('/proc/1/mem', 'r+b')"),
    "environ-of-the-warden": (REJECTED, "def f(): open('/proc/1/environ').read()"),
    "kills-the-warden": (REJECTED, "import os\ndef f(): os.kill(1, 9)"),
    "socket": (REJECTED, "import socket\ndef f(): socket.socket()"),
    "limits": (
        REJECTED,
        """
        import resource
        def f():
            try: resource.setrlimit(resource.RLIMIT_NPROC, (9, 9))
            except ValueError as err: raise PermissionError(1, str(err)) from err
        """,
    ),
    "profiling-timer": (REJECTED, "import signal\ndef f(): signal.setitimer(2, 1)"),
    "children-that-count-nowhere": (
        REJECTED,
        "import signal\ndef f(): signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    ),
    "runs-what-it-wrote": (
        REJECTED,
        """
        import os, shutil, sys
        def f():
            shutil.copy(sys.executable, '/tmp/program')
            os.execv('/tmp/program', ['program'])
        """,
    ),
    "namespace-in-the-namespace": (
        REJECTED,
        """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        def f():
            assert libc.unshare(1 << 28) == libc.mount(b'', b'/', None, 32, None) == -1
            raise OSError(ctypes.get_errno(), 'refused')
        """,
    ),
    "fills-the-scratch-folder": (
        RE,
        """
        def f():
            for number in range(99):
                with open(f'/tmp/{number}', 'wb') as file: file.write(bytes(1 << 20))
        """,
    ),
    "fork-bomb": (RE, "import os\ndef f():\n while True: os.fork()"),
    "memory-in-children": (
        MLE,
        """
        import os, time
        def f():
            for _ in range(4):
                if not os.fork():
                    data = bytearray(60 << 20)
                    time.sleep(99)
            time.sleep(99)
        """,
    ),
    "work-in-children": (
        TLE,
        """
        import os, time
        def f():
            for _ in range(3):
                if not os.fork():
                    while True: pass
            time.sleep(99)
        """,
    ),
    "work-in-a-thread": (
        TLE,
        """
        import threading, time
        def f():
            threading.Thread(target=sum, args=(iter(int, 1),)).start()
            time.sleep(99)
        """,
    ),
}


def dedented(program: str) -> str:
    lines = program.splitlines()
    return "\n".join(line.removeprefix(" " * 8) for line in lines)


class TestRoom:
    @pytest.mark.parametrize(("answer", "program"), ROOM.values(), ids=ROOM)
    def test_has_room_for(self, namespace: ForkServer, answer: object, program: str) -> None:
        outcome = namespace.run(call(dedented(program)))
        assert (outcome.status, values(outcome)) == (AC, [answer]), outcome.feedback

    @pytest.mark.parametrize(("status", "program"), REFUSED.values(), ids=REFUSED)
    def test_refuses(self, namespace: ForkServer, status: Status, program: str) -> None:
        outcome = namespace.run(call(dedented(program), limits=limits_for(status)))
        assert (outcome.status, outcome.answers) == (status, ()), outcome.feedback
        assert values(namespace.run(call("def f(): return 1"))) == [1]

    def test_files_do_not_survive_a_job(self, namespace: ForkServer) -> None:
        program = (
            "from os.path import exists\ndef f():\n before = exists('/tmp/left')\n"
            " open('/tmp/left', 'w').close()\n return before, exists('/tmp/left')"
        )
        seen = [values(namespace.run(call(program))) for _ in range(2)]
        assert seen == [[(False, True)]] * 2

    def test_shows_packages_that_lie_where_the_scratch_folder_is(self) -> None:
        with TemporaryDirectory(dir="/tmp") as folder:
            site = Path(folder, "site")
            site.mkdir()
            Path(site, "shown.py").write_text("ANSWER = 42\n", encoding="utf-8")
            Path(folder, "secret").write_text("no", encoding="utf-8")
            server = ForkServer("namespace", site=(str(site),), patience=0.5)
            try:
                program = (
                    "import os, shown\ndef f():\n"
                    f" open('/tmp/own', 'w').close()\n try:\n  open({str(site / 'x')!r}, 'w')\n"
                    "  written = True\n except OSError:\n  written = False\n"
                    f" return shown.ANSWER, os.listdir({folder!r}), written"
                )
                assert values(server.run(call(program))) == [(42, ["site"], False)]
            finally:
                server.close()

    def test_shows_little_of_the_machine(self, namespace: ForkServer) -> None:
        program = (
            "import os\n"
            "def f(): return os.uname().nodename, sorted(os.listdir('/dev')), "
            "[p for p in os.listdir('/proc') if p.isdigit()], os.path.exists('/home'), "
            "os.access('/', os.W_OK), dict(os.environ)"
        )
        devices = ["null", "random", "shm", "urandom", "zero"]
        seen = values(namespace.run(call(program)))
        assert seen == [("sandbox", devices, ["1", "2"], False, False, environment("/tmp"))]

    def test_shares_no_namespace_with_the_machine(self, namespace: ForkServer) -> None:
        kinds = ("ipc", "mnt", "net", "pid", "user", "uts")
        program = (
            "import os\n"
            f"def f(): return [os.readlink(f'/proc/self/ns/{{n}}') for n in {kinds!r}]"
        )
        (seen,) = values(namespace.run(call(program)))
        assert isinstance(seen, list)
        ours = [str(Path(f"/proc/self/ns/{kind}").readlink()) for kind in kinds]
        assert [
            kind for kind, one, own in zip(kinds, seen, ours, strict=True) if one == own
        ] == []

    def test_shows_a_package_and_hides_its_neighbours(self) -> None:
        server = ForkServer("namespace", imports=("numpy",), patience=0.5)
        try:
            program = (
                "import numpy as np\nimport numpy.fft\ndef f(n): return float(np.eye(n).sum())"
            )
            assert values(server.run(call(program, (3,)))) == [3.0]
            other = "import os, numpy\ndef f(): return os.path.dirname(numpy.__path__[0])"
            (folder,) = values(server.run(call(other)))
            seen = f"import os\ndef f(): return os.listdir({folder!r})"
            (names,) = values(server.run(call(seen)))
            assert all("numpy" in name for name in names)  # type: ignore[attr-defined]
        finally:
            server.close()


WORK = """
import ctypes, os, time
from os import fork
from signal import SIG_IGN, SIGCHLD, signal
from threading import Thread, active_count
reading, writing = os.pipe()
clone_number = {'x86_64': 56, 'aarch64': 220}[os.uname().machine]
def clone():
    return ctypes.PyDLL(None).syscall(clone_number, 0, 0, 0, 0, 0)
def spin():
    while time.process_time() < 0.3: pass
def ended():
    os.close(writing)
    os.read(reading, 1)
"""
"""`ended` waits until no other process has the pipe, and waits for none of them."""


class TestTheClockOfAll:
    """However a program spreads its work, and whoever waits for it: all of it counts."""

    @pytest.mark.parametrize(
        "program",
        [
            pytest.param("if not fork(): spin(); os._exit(0)\nos.wait()", id="waits"),
            pytest.param("if not fork(): spin(); os._exit(0)\nended()", id="does-not"),
            pytest.param(
                "if not fork():\n if not fork(): spin()\n os._exit(0)\nended()", id="orphan"
            ),
            pytest.param("if not clone(): spin(); os._exit(0)\nended()", id="without-a-signal"),
            pytest.param("thread = Thread(target=spin)\nthread.start()", id="thread"),
            pytest.param(
                "try: signal(SIGCHLD, SIG_IGN)\nexcept OSError: pass\n"
                "if not fork(): spin(); os._exit(0)\nended()",
                id="unattended",
            ),
        ],
    )
    def test_counts(self, namespace: ForkServer, program: str) -> None:
        body = textwrap.indent(f"{program}\nwhile active_count() > 1: time.sleep(0.01)", " ")
        outcome = namespace.run(call(f"{WORK}def f():\n{body}"))
        assert outcome.status is AC, outcome.feedback
        assert 0.29 < outcome.cpu_seconds < 0.59  # twice would be 0.6

    def test_what_outlives_the_answer_is_ended_and_counts(self, namespace: ForkServer) -> None:
        program = (
            "def f():\n if not fork():\n  spin(); os.write(writing, b'.')\n  while True: pass\n"
        )
        outcome = namespace.run(call(f"{WORK}{program} return len(os.read(reading, 1))"))
        assert (outcome.status, values(outcome)) == (AC, [1])
        assert outcome.cpu_seconds > 0.29
        assert foreign() == set()

    def test_a_script_and_its_children(self, namespace: ForkServer) -> None:
        program = f"{WORK}print(1, flush=True)\nif not fork(): spin(); os._exit(0)\nended()"
        outcome = namespace.run(script(program))
        assert (outcome.status, outcome.answers[0].value) == (AC, b"1\n")
        assert 0.29 < outcome.cpu_seconds < 0.59  # twice would be 0.6

    def test_one_process_alone_is_clocked_as_in_the_jail(
        self, namespace: ForkServer, jail: ForkServer
    ) -> None:
        job: Job = call("def f(): return sum(range(10**6))")
        ours, theirs = (
            min(server.run(job).cpu_seconds for _ in range(7)) for server in (namespace, jail)
        )
        assert 0.5 < ours / theirs < 2

    def test_threads_and_children_are_few(self, namespace: ForkServer) -> None:
        program = """
import threading, time
def f():
    started = 0
    try:
        while True:
            threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
            started += 1
    except RuntimeError: return started
"""
        limits = replace(LIMITS, memory_bytes=2 << 30)
        outcome = namespace.run(call(program, limits=limits))
        assert values(outcome) == [63], outcome.feedback

    def test_peak_memory_is_that_of_all(self, namespace: ForkServer) -> None:
        program = """
import os, time
reading, writing = os.pipe()
def f(children):
    for _ in range(children):
        if not os.fork():
            data = bytearray(30 << 20)
            os.write(writing, b'.')
            time.sleep(99)
    for _ in range(children): os.read(reading, 1)
    time.sleep(0.4)  # forty looks of the warden, of which one will do
"""
        few, many = (namespace.run(call(program, (n,))).peak_bytes for n in (1, 3))
        assert many - few > 45 << 20
        assert LIMITS.memory_bytes > many - few


def foreign() -> set[int]:
    """Pids of our descendants that live in pid namespaces below ours."""
    parents, below = {}, set()
    for pid in process_ids():
        with contextlib.suppress(OSError):
            status = process_text(pid, "status")
            lines = dict(re.findall(r"^(PPid|NSpid):\t(.*)$", status, re.MULTILINE))
            parents[pid] = int(lines["PPid"])
            below |= {pid} if len(lines["NSpid"].split()) > 1 else set()
    return {pid for pid in below if os.getpid() in ancestors(pid, parents)}


def ancestors(pid: int, parents: Mapping[int, int]) -> Iterator[int]:
    """Give the parent of a process, the parent's parent, and so on."""
    while (pid := parents.get(pid, 0)) > 0:
        yield pid
