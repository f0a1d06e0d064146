"""What filters refuse, asked of the kernel in a process of its own."""

from __future__ import annotations

import errno
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from evaluators.sandbox.isolation import seccomp

ROOT = Path(__file__).parents[4]
ASKING = """
import sys
from evaluators.sandbox.isolation import kernel, seccomp
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
seccomp.tool_filter({"getppid": (110, 173)}).install()
try: print(kernel.syscall(int(sys.argv[1])) > 0)
except OSError as err: print(err.errno)
"""


@pytest.mark.skipif(not seccomp.supported(), reason="no table for this machine")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of x86-64")
@pytest.mark.parametrize(
    ("number", "said"),
    [
        pytest.param(39, "True", id="allowed"),
        pytest.param(110, f"{errno.EPERM}", id="refused"),
        pytest.param(0x40000000 | 39, f"{errno.EPERM}", id="allowed, as x32"),
        pytest.param(0x40000000 | 110, f"{errno.EPERM}", id="refused, as x32"),
        pytest.param(0xC0000000 | 110, f"{errno.EPERM}", id="compared without a sign"),
    ],
)
def test_the_filter_of_a_tool_has_no_second_door(number: int, said: str) -> None:
    program = [sys.executable, "-c", ASKING, str(number)]
    ended = subprocess.run(program, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ended.stderr == ""
    assert ended.stdout.strip() == said
