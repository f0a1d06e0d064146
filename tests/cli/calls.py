"""Commands as a person calls them: in this process, or as a process of their own."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from se_agent.cli.app import main

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "se_agent")
ENV = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160"}


class Called(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


def call(*arguments: object) -> Called:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return Called(code, out.getvalue(), err.getvalue())


def started(command: Sequence[object], cwd: Path | None = None) -> subprocess.Popen[str]:
    """Start a command as a process that heeds Ctrl-C."""
    return subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env=ENV,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heeding,  # noqa: PLW1509  (there are no threads here)
    )


def _heeding() -> None:
    """Heed Ctrl-C, which what a shell starts in the background is told to ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def exit_code(ended: subprocess.Popen[str]) -> int:
    """Return the exit code of a process as a shell tells it.

    Python ends by SIGINT itself where Ctrl-C came while it executed a text, as it does where a
    module with data classes is imported; a shell says 130 of either.
    """
    return ended.returncode if ended.returncode >= 0 else 128 - ended.returncode


def process(command: Sequence[object], cwd: Path) -> Called:
    """Run a command to its end as a process of its own."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=ENV,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    return Called(done.returncode, done.stdout, done.stderr)


def two_lines(called: Called) -> tuple[str, str]:
    """Return error and hint of a command that failed as it should: nothing else is said."""
    assert called.code == 2, called
    error, hint = called.err.splitlines()
    assert error.startswith("error: ")
    assert hint.startswith("hint:  ")
    return error.removeprefix("error: "), hint.removeprefix("hint:  ")
