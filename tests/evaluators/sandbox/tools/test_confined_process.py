"""Tools run shut in: what they may not call, and who waits for their end."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evaluators.sandbox.tools.confined_process import Order, enclosed, ends
from se_agent.environment.child_process import environment

KEYS_AND_MORE = {
    "x86_64": {"add_key": 248, "request_key": 249, "keyctl": 250, "ioprio_set": 251},
    "aarch64": {"add_key": 217, "request_key": 218, "keyctl": 219, "ioprio_set": 30},
}
CALLING = """
import ctypes, errno
library = ctypes.CDLL(None, use_errno=True)
for name, number in {numbers}.items():
    ended = library.syscall(number, 0, 0, 0, 0, 0)
    print(name, ended == -1 and errno.errorcode[ctypes.get_errno()])
"""


@pytest.mark.skipif(platform.machine() not in KEYS_AND_MORE, reason="numbers not known")
def test_a_tool_has_no_keys_of_the_kernel(tmp_path: Path) -> None:
    numbers = KEYS_AND_MORE[platform.machine()]
    python = os.path.realpath(sys.executable)
    order = Order(
        command=[
            python,
            "-I",
            "-S",
            "-c",
            CALLING.format(numbers=numbers),
        ],
        isolation="jail",
        folder=tmp_path,
        scratch=tmp_path,
        readable=[python, f"{sys.base_prefix}/lib"],
        environment=environment(),
        cpu_seconds=10.0,
        memory_bytes=1 << 30,
        file_bytes=1 << 20,
    )
    out, err = tmp_path / "out", tmp_path / "err"
    end = enclosed(order, out, err, threading.Event())
    assert (end.code, err.read_text()) == (0, "")
    assert out.read_text().splitlines() == [f"{name} EPERM" for name in numbers]


class TestEnds:
    @pytest.fixture
    def sleeping(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(["sleep", "100"])

    def test_a_process_that_goes_on_did_not_end(
        self, sleeping: subprocess.Popen[bytes]
    ) -> None:
        with sleeping:
            assert not ends(sleeping.pid, 0.3)
            assert not ends(sleeping.pid, 0.3, threading.Event())
            sleeping.kill()

    def test_who_calls_it_off_need_not_wait(self, sleeping: subprocess.Popen[bytes]) -> None:
        stopped = threading.Event()
        stopped.set()
        with sleeping:
            assert not ends(sleeping.pid, 3600.0, stopped)
            sleeping.kill()

    def test_one_that_ended_is_told_and_not_reaped(self) -> None:
        with subprocess.Popen(["true"]) as process:
            assert ends(process.pid, 3600.0)
            assert process.wait() == 0
