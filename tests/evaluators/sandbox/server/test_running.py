"""A child as its parent sees it: what is left of one that was ended."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

from evaluators.sandbox.server.running import Running
from evaluators.sandbox.usage import Watch
from se_agent.problem.model import Limits


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_of_a_child_that_was_ended_nothing_is_left_open() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, subprocess.Popen(["sleep", "60"]) as sleeping:
        before = descriptors()
        child = Running(ours, os.urandom(8), Limits(), 1.0, Watch(memory=True))
        child.born(sleeping.pid)
        assert child.cpu_seconds() >= 0.0
        child.kill()
        assert sleeping.wait() < 0
        assert descriptors() == before
