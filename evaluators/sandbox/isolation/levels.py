"""The levels of isolation, from the strongest to none: what each is, and what it has room for.

Values only: `jail` and `namespace` are the locks, `bubblewrap` and `container` are commands,
`probe` tries.
"""

from __future__ import annotations

from dataclasses import dataclass

from se_agent.errors import IsolationError


@dataclass(frozen=True, kw_only=True)
class Level:
    """One level.

    Attributes:
        name: As the run file has it.
        gives: What it consists of, in a line.
        cost: What it costs to be without.
        room: Whether programs may have threads, children and files of their own.
        foreign: Whether their pids are others than ours for them.
        warded: Whether all that a program starts is watched and counted by a warden.
    """

    name: str
    gives: str
    cost: str
    room: bool = False
    foreign: bool = False
    warded: bool = False


NAMESPACE = Level(
    name="namespace",
    gives="own user, network, IPC and root; for each job own mounts and pids, and a warden",
    cost="programs that need threads, children or files cannot be isolated",
    room=True,
    foreign=True,
    warded=True,
)
BUBBLEWRAP = Level(
    name="bubblewrap",
    gives="the jail, in a fork server that `bwrap` started",
    cost="a second wall around the jail is missing; no problem needs it",
    foreign=True,
)
CONTAINER = Level(
    name="container",
    gives="the jail, in a fork server that docker or podman started",
    cost="a container's wall around the jail is missing; no problem needs it",
    foreign=True,
)
JAIL = Level(
    name="jail",
    gives="limits, Landlock without a writable folder, seccomp",
    cost="only trusted programs can be run",
)
NONE = Level(name="none", gives="limits only", cost="", room=True)

LEVELS = {level.name: level for level in (JAIL, NAMESPACE, BUBBLEWRAP, CONTAINER, NONE)}
"""By name, the default first."""


def require_room(level: str, needs: tuple[str, ...]) -> None:
    """Make sure that programs of a problem can work at a level.

    Args:
        level: Name of the level.
        needs: What the problem says that its programs need: threads, children, files.

    Raises:
        IsolationError: They cannot.
    """
    if needs and not LEVELS[level].room:
        raise IsolationError(
            f"the problem needs {', '.join(needs)}: isolation `{level}` has no room for them",
            hint=f"use `--set sandbox.isolation={NAMESPACE.name}`, or drop `needs`",
        )
