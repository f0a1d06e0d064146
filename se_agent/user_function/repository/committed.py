"""Whether git has a file as it is, asked without running anything that a repository names.

A repository's own settings may name programs: a monitor of files, filters, hooks, a pager, what
reaches a server. Only the bytes of one object are asked for, which needs none of them; those
that git would start unasked are switched off.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from se_agent.environment.child_process import environment
from se_agent.user_function.repository.git import GIT, SEALED

_ENVIRONMENT = {**SEALED, "GIT_CONFIG_GLOBAL": os.devnull}


def committed(path: Path, data: bytes, *, patience: float = 5.0) -> bool:
    """Say whether the last commit has exactly these bytes under the path of a file.

    Args:
        path: Path of the file; a link means what it leads to.
        data: What is in the file.
        patience: Seconds until git is ended; a pipe in place of a file would keep it for ever.
    """
    real = path.resolve()
    command = (*GIT, "-C", str(real.parent), "cat-file", "blob", f"HEAD:./{real.name}")
    try:
        git = subprocess.Popen(
            command,
            cwd="/",  # a relative entry of PATH must not lead into the repository
            env=environment(("PATH",), **_ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False  # there is no git
    late = threading.Timer(patience, _kill, (git,))
    late.start()
    try:
        with git:
            assert git.stdout is not None
            found = git.stdout.read(len(data) + 1)
    finally:
        late.cancel()
    return git.returncode == 0 and found == data


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that was not waited for yet, and all that it started."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
