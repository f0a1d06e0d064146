"""How a workload uses a program: what it sends in, and which functions its time goes through.

Values only. Not here: how it is found out (`se_agent.user_function`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PathRole(StrEnum):
    """How a function stands to what is to be faster."""

    CALLER = "calls it"
    TARGET = "to be faster"
    CALLEE = "called by it"


@dataclass(frozen=True, kw_only=True)
class PathFunction:
    """A function on the hot path.

    Attributes:
        file: Path below the folder that its package lies in, or its name alone.
        name: Qualified name.
        line: Its first line in that file.
        relation: How it stands to what is to be faster.
        share: Share of the CPU time, with all that it calls, 0 to 1.
        calls: How often it was called.
        text: Its source; empty: it is in the program, or cannot be read.
    """

    file: str
    name: str
    line: int
    relation: PathRole
    share: float
    calls: int
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class WorkloadUsage:
    """How a program is used.

    Attributes:
        file: Name of the workload's file.
        workload: Source of its function.
        sent: What arrives at what is to be faster, a call a line: names, types, sizes.
        path: The hot path, from the workload inwards.
    """

    file: str
    workload: str
    sent: tuple[str, ...] = ()
    path: tuple[PathFunction, ...] = ()
