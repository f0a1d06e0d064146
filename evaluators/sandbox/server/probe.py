"""What this machine offers for isolation and measurement, tried out rather than guessed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluators.sandbox.isolation import bubblewrap, landlock, seccomp
from evaluators.sandbox.isolation.levels import BUBBLEWRAP, NONE
from se_agent.environment.child_process import environment
from se_agent.environment.process_files import SELF, can_open, process_text
from se_agent.errors import IsolationError, SeAgentError
from se_agent.wire import dumps

ROOT = Path(__file__).parents[3]
_NO_ARGUMENTS = dumps(())
_FREEZE = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from evaluators.sandbox.isolation.own_mounts import freeze; freeze()"
)


@dataclass(frozen=True, kw_only=True)
class Feature:
    """One thing that a kernel may have or lack.

    Attributes:
        name: Name of the feature.
        available: Whether it works here.
        detail: Such as its version.
        cost: What it costs to be without.
        needed: Whether isolation `jail` cannot do without it.
    """

    name: str
    available: bool
    detail: str
    cost: str
    needed: bool = False


@dataclass(frozen=True, kw_only=True)
class Isolation:
    """What was found; `level` is the strongest one that works."""

    features: tuple[Feature, ...]

    @property
    def level(self) -> str:
        """`jail` or `none`."""
        return "none" if self.missing else "jail"

    @property
    def missing(self) -> tuple[Feature, ...]:
        """What keeps this machine from isolation `jail`."""
        return tuple(f for f in self.features if f.needed and not f.available)


@cache
def probe() -> Isolation:
    """Try everything out; nothing of this process is changed."""
    abi = landlock.version()
    return Isolation(
        features=(
            Feature(
                name="landlock",
                available=abi > 0,
                detail=f"version {abi}",
                cost="a candidate could read your files and write where you can",
                needed=True,
            ),
            Feature(
                name="seccomp",
                available=_has_seccomp(),
                detail=os.uname().machine,
                cost="a candidate could start processes, open sockets and send signals",
                needed=True,
            ),
            Feature(
                name="network and signal scopes",
                available=abi >= 6,
                detail="Landlock from version 6",
                cost="a second layer is missing; seccomp refuses sockets and signals anyway",
            ),
            Feature(
                name="CPU clock of another process",
                available=_has_foreign_clock(),
                detail="nanoseconds",
                cost="nothing can be measured here",
                needed=True,
            ),
            Feature(
                name="reset of peak memory",
                available=can_open("clear_refs", write=True),
                detail="/proc/PID/clear_refs",
                cost="none today: a fork starts with a fresh peak",
            ),
        )
    )


def require(isolation: str, found: Isolation | None = None) -> None:
    """Make sure that this machine (or one where this was found) can give the isolation.

    Whether it lets us make namespaces is found when the first is made.

    Raises:
        IsolationError: It cannot; the message says what is missing and what that costs.
    """
    if isolation == NONE.name:
        return
    missing = (found or probe()).missing
    if missing:
        raise IsolationError(
            "; ".join(f"no {f.name} here: {f.cost}" for f in missing),
            hint="run trusted programs only, with `--set sandbox.isolation=none`",
        )
    if isolation == BUBBLEWRAP.name and not bubblewrap.program():
        raise IsolationError(
            f"isolation `{isolation}` cannot be had here: there is no program `bwrap`",
            hint="install bubblewrap, or use `--set sandbox.isolation=jail`",
        )


def tried(isolation: str) -> str:
    """Run a program at a level; return what keeps this machine from it, or nothing."""
    from evaluators.sandbox.job import Job
    from evaluators.sandbox.server.fork_server import ForkServer

    job = Job(program="def f(): pass", entry_point="f", inputs=(_NO_ARGUMENTS,))
    try:
        with contextlib.closing(ForkServer(isolation)) as server:
            outcome = server.run(job)
    except SeAgentError as err:
        return str(err).partition(f"`{isolation}` cannot be had here: ")[2] or str(err)
    return outcome.feedback


def leaves_no_trace() -> bool:
    """Say whether a candidate at `jail` can be kept from noting when it read a file."""
    # In another process, for it cannot be undone.
    command = [sys.executable, "-I", "-c", _FREEZE, str(ROOT)]
    done = subprocess.run(command, env=environment(), check=False, capture_output=True)
    return done.returncode == 0


def _has_seccomp() -> bool:
    return seccomp.supported() and "\nSeccomp:" in process_text(SELF, "status")


def _has_foreign_clock() -> bool:
    try:
        return time.clock_gettime((~os.getppid() << 3) | 2) >= 0
    except OSError:
        return False
