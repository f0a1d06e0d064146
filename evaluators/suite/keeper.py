"""Runs a command and ends whatever it leaves behind: `python -I -S keeper.py WORD ...`.

Tests start processes, and a process can leave its session. It cannot leave the one that adopts
orphans: this one, which stays outside of the enclosure. Not here: what the command may do.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[2])

sys.path.insert(0, ROOT)
from evaluators.sandbox.isolation.kernel import PR_SET_PDEATHSIG, prctl  # noqa: E402
from se_agent.environment.child_process import environment  # noqa: E402
from se_agent.environment.process_files import SELF, children  # noqa: E402

_PR_SET_CHILD_SUBREAPER = 36


class _CalledOffError(Exception):
    """We are to end, or whoever started us is gone."""


def main(command: list[str]) -> int:
    """Run the command; return its exit code, or minus the signal that ended it.

    When this returns, every process that it started is gone, in whatever session it was.
    """
    signal.signal(signal.SIGTERM, _called_off)
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    code = -int(signal.SIGTERM)
    try:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.execve(command[0], command, environment())  # noqa: S606
        code = _ended(pid)
    except _CalledOffError:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # nothing calls us off from ending them
        _end_all()
    return code


def _called_off(*_: object) -> None:
    raise _CalledOffError


def _ended(pid: int) -> int:
    """Wait for one child; orphans that end meanwhile are reaped."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def _end_all() -> None:
    """Kill children until there are none: whose parent dies is a child of ours at once.

    All that ended are reaped in each round: else those that start others as they end would
    leave more than one goes, and would outrun this.
    """
    while True:
        for pid in children(SELF):
            os.kill(pid, signal.SIGKILL)
        try:
            os.wait()
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


if __name__ == "__main__":
    code = main(sys.argv[1:])
    os._exit(code if code >= 0 else 128 - code)
