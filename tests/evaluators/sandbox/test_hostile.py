"""Programs that mean harm: each has a stated end, and its neighbours notice nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evaluators.sandbox.server import ForkServer
from se_agent.types import Status
from tests.contracts.sandbox import call, script, values

AC, WA, TLE, MLE, RE, REJECTED = (
    Status.AC,
    Status.WA,
    Status.TLE,
    Status.MLE,
    Status.RE,
    Status.REJECTED,
)
HONEST = call("def f(xs):\n    return sorted(xs), sum(xs)", ([3, 1, 2],))

CALLS = {
    "endless-loop": (TLE, "def f():\n while True: pass"),
    "endless-at-import": (TLE, "while True: pass"),
    "catches-everything": (
        TLE,
        """
        import signal
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        def f():
            while True:
                try:
                    while True: pass
                except BaseException: pass
        """,
    ),
    "sleeps": (TLE, "import time\ndef f(): time.sleep(99)"),
    "waits-for-ever": (TLE, "import signal\ndef f(): signal.pause()"),
    "fifty-gigabytes": (MLE, "def f(): return bytearray(50 << 30)"),
    "grows-slowly": (MLE, "def f():\n xs = []\n while True: xs.append(bytearray(1 << 20))"),
    "grows-in-compile": (RE, "def f(): return eval('(' * 5000 + ')' * 5000)"),
    "forks": (REJECTED, "import os\ndef f(): return os.fork()"),
    "fork-bomb": (REJECTED, "import os\ndef f():\n while True: os.fork()"),
    "thread": (
        REJECTED,
        "import threading\ndef f(): threading.Thread(target=print).start()",
    ),
    "executes": (REJECTED, "import os\ndef f(): os.execv('/bin/true', ['true'])"),
    "subprocess": (REJECTED, "import subprocess\ndef f(): subprocess.run(['true'])"),
    "tcp": (REJECTED, "import socket\ndef f(): socket.create_connection(('127.0.0.1', 9))"),
    "udp": (REJECTED, "import socket\ndef f(): socket.socket(type=socket.SOCK_DGRAM)"),
    "unix-socket": (REJECTED, "import socket\ndef f(): socket.socket(socket.AF_UNIX)"),
    "socketpair": (REJECTED, "import socket\ndef f(): socket.socketpair()"),
    "kills-the-parent": (REJECTED, "import os\ndef f(): os.kill(os.getppid(), 9)"),
    "kills-everyone": (REJECTED, "import os\ndef f(): os.kill(-1, 9)"),
    "kills-its-group": (REJECTED, "import os\ndef f(): os.killpg(0, 9)"),
    "signals-through-a-descriptor": (
        REJECTED,
        """
        import fcntl, os
        def f():
            fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())
        """,
    ),
    "ptrace": (
        RE,
        """
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        def f():
            assert libc.ptrace(16, os.getppid(), 0, 0) == 0, ctypes.get_errno()
        """,
    ),
    "reads-the-parents-memory": (REJECTED, "def f(): open(f'/proc/{PPID}/mem', 'rb')"),
    "environ-of-the-parent": (REJECTED, "def f(): open(f'/proc/{PPID}/environ').read()"),
    "environ-of-init": (REJECTED, "def f(): open('/proc/1/environ').read()"),
    "environ-of-its-own": (REJECTED, "def f(): open('/proc/self/environ').read()"),
    "password-file": (REJECTED, "def f(): return open('/etc/passwd').read()"),
    "home": (REJECTED, "import os\ndef f(): return os.listdir('/root')"),
    "root-folder": (REJECTED, "import os\ndef f(): return os.listdir('/')"),
    "reads-our-problems": (REJECTED, "def f(): return open(OURS).read()"),
    "writes-a-file": (REJECTED, "def f(): open('/tmp/escaped', 'w')"),
    "writes-to-the-library": (
        REJECTED,
        "import json\ndef f(): open(json.__file__, 'a')",
    ),
    "makes-a-folder": (REJECTED, "import os\ndef f(): os.mkdir('/tmp/escaped')"),
    "removes-a-file": (REJECTED, "import os\ndef f(): os.unlink('/tmp/anything')"),
    "memory-file": (REJECTED, "import os\ndef f(): os.memfd_create('x')"),
    "raises-its-limits": (
        REJECTED,
        """
        import resource
        def f():
            try: resource.setrlimit(resource.RLIMIT_CPU, (99, 99))
            except ValueError as err: raise PermissionError(1, str(err)) from err
        """,
    ),
    "limits-of-the-parent": (
        REJECTED,
        "import os, resource\ndef f(): resource.prlimit(os.getppid(), resource.RLIMIT_CPU)",
    ),
    "limits-by-a-high-address": (
        REJECTED,
        """
        import ctypes, mmap
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, *[ctypes.c_long] * 5]
        def f():
            place = libc.mmap(1 << 32, 4096, 3, 0x100022, -1, 0)
            assert place == 1 << 32
            if libc.prlimit(0, 7, ctypes.c_void_p(place), None):
                raise OSError(ctypes.get_errno(), "refused")
        """,
    ),
    "empties-the-page-cache": (
        REJECTED,
        """
        import os
        def f():
            os.posix_fadvise(os.open(os.__file__, 0), 0, 0, os.POSIX_FADV_DONTNEED)
        """,
    ),
    "asks-for-the-page-cache": (
        REJECTED,
        """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        def f():
            libc.mincore(None, 4096, ctypes.create_string_buffer(1))
            raise OSError(ctypes.get_errno(), "asked")
        """,
    ),
    **{
        f"pages-{name}": (
            REJECTED,
            f"""
        import mmap
        def f():
            with open(mmap.__spec__.origin, 'rb') as file:
                mmap.mmap(file.fileno(), 4096, prot=1).madvise({advice})
        """,
        )
        for name, advice in (("cold", 20), ("out", 21), ("in", 22))
    },
    "profiling-timer": (REJECTED, "import signal\ndef f(): signal.setitimer(2, 1)"),
    "exits": (RE, "import os\ndef f(): os._exit(0)"),
    "system-exit": (RE, "def f(): raise SystemExit(0)"),
    "keyboard-interrupt": (RE, "def f(): raise KeyboardInterrupt"),
    "segfault": (RE, "import ctypes\ndef f(): ctypes.string_at(0)"),
    "abort": (RE, "import os\ndef f(): os.abort()"),
    "deep-recursion": (RE, "def f(): return f()"),
    "deep-recursion-in-c": (
        RE,
        """
        def f():
            x = ()
            for _ in range(10**6): x = (x,)
            return hash(x)
        """,
    ),
    "forged-frame": (REJECTED, "import os\ndef f(): os.write(3, bytes(200))"),
    "forged-everywhere": (
        REJECTED,
        """
        import os
        def f():
            for fd in range(64):
                try: os.write(fd, b'{"ok": true, "value": 1}' * 9)
                except OSError: pass
            os._exit(0)
        """,
    ),
    "closes-everything": (RE, "import os\ndef f():\n os.closerange(0, 64)\n while True: pass"),
    "equal-to-everything": (
        RE,
        "class E:\n def __eq__(self, other): return True\ndef f(): return E()",
    ),
    "int-subclass": (RE, "class I(int): pass\ndef f(): return I(3)"),
    "list-subclass": (RE, "class L(list): pass\ndef f(): return [L()]"),
    "dict-view": (RE, "def f(): return {1: 2}.keys()"),
    "lazy-generator": (RE, "def f(): return (x for x in range(3))"),
    "pickle-payload": (
        RE,
        """
        import os
        class P:
            def __reduce__(self): return os.system, ('true',)
        def f(): return P()
        """,
    ),
    "hostile-exception": (
        RE,
        "class E(Exception):\n def __str__(self): raise self\ndef f(): raise E",
    ),
    "patched-builtins": (RE, "import builtins\nbuiltins.len = lambda x: 1\ndef f(): return 1"),
    "huge-exception": (RE, "def f(): raise ValueError('x' * 10**7)"),
}

ANSWERS = {
    "patched-json": (1, "import json\njson.loads = json.dumps = None\ndef f(): return 1"),
    "patched-modules": (1, "import sys\nsys.modules.clear()\ndef f(): return 1"),
    "patched-clock": (
        1,
        "import time\ntime.process_time = time.time = lambda: 0.0\ndef f(): return 1",
    ),
    "prints-a-lot": (
        1,
        """
        import os
        def f():
            for _ in range(200): os.write(1, bytes(1 << 20))
            return 1
        """,
    ),
    "prints-forged-json": (1, "def f():\n print('{\"value\": 99}', flush=True)\n return 1"),
    "swallows-the-refusal": (
        1,
        "import os\ndef f():\n try: os.fork()\n except OSError: return 1",
    ),
    "answer-at-exit": (1, "import atexit\natexit.register(print, 'forged')\ndef f(): return 1"),
    "no-environment": ([], "import os\ndef f(): return sorted(os.environ)"),
    "no-descriptors": (
        [0, 1, 2, 3],
        """
        import os
        def f():
            found = []
            for fd in range(64):
                try: os.fstat(fd)
                except OSError: continue
                found.append(fd)
            return found
        """,
    ),
    "own-limits": (64, "import resource\ndef f(): return resource.getrlimit(7)[0]"),
    "advice-on-own-memory": (
        None,
        "import mmap\ndef f(): return mmap.mmap(-1, 1 << 22).madvise(mmap.MADV_HUGEPAGE)",
    ),
    "own-session": (True, "import os\ndef f(): return os.getsid(0) == os.getpid()"),
    "huge-int": (10**30_000, "def f(): return 10**30_000"),
}


def cleaned(program: str) -> str:
    lines = program.splitlines()
    margin = "        " if lines[0] == "" else ""
    text = "\n".join(line.removeprefix(margin) for line in lines)
    ours = Path(__file__).parents[3] / "pyproject.toml"
    return text.replace("PPID", str(os.getpid())).replace("OURS", repr(str(ours)))


@pytest.fixture
def neighbours(jail: ForkServer) -> object:
    """Run an honest program before and after, and hold it to the same answers."""

    def honest() -> None:
        outcome = jail.run(HONEST)
        assert (outcome.status, values(outcome)) == (AC, [([1, 2, 3], 6)])

    honest()
    yield
    honest()


@pytest.mark.usefixtures("neighbours")
class TestHostilePrograms:
    @pytest.mark.parametrize(("status", "program"), CALLS.values(), ids=CALLS)
    def test_ends_as_stated(self, jail: ForkServer, status: Status, program: str) -> None:
        outcome = jail.run(call(cleaned(program)))
        assert (outcome.status, outcome.answers) == (status, ()), outcome.feedback
        assert 0 < len(outcome.feedback) < 2000

    @pytest.mark.parametrize(("answer", "program"), ANSWERS.values(), ids=ANSWERS)
    def test_gains_nothing(self, jail: ForkServer, answer: object, program: str) -> None:
        outcome = jail.run(call(cleaned(program)))
        assert (outcome.status, values(outcome)) == (AC, [answer]), outcome.feedback

    @pytest.mark.parametrize(
        ("status", "program"),
        [
            pytest.param(TLE, "import time\ntime.sleep(99)", id="sleeps"),
            pytest.param(TLE, "import os\nos.closerange(0, 64)\nwhile True: pass", id="closes"),
            pytest.param(RE, "import os\nwhile True: os.write(1, bytes(9999))", id="floods"),
            pytest.param(RE, "import os\nos.ftruncate(1, 1 << 40)", id="sparse-output"),
            pytest.param(RE, "import os\nwhile True: os.write(2, bytes(9999))", id="errors"),
            pytest.param(REJECTED, "import os\nos.fork()", id="forks"),
            pytest.param(REJECTED, "open('/etc/passwd')", id="reads"),
            pytest.param(MLE, "x = bytearray(1 << 40)", id="memory"),
        ],
    )
    def test_scripts_end_as_stated(
        self, jail: ForkServer, status: Status, program: str
    ) -> None:
        outcome = jail.run(script(program))
        assert outcome.status is status, outcome.feedback
