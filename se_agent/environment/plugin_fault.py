"""The file and line of a user's plug-in that raised an error, or that none did.

An operator, a policy or a memory tier of a user's is called by the run, and may raise anything.
Not here: a plug-in that cannot be loaded (`registry`).
"""

from __future__ import annotations

import sysconfig
import traceback
from importlib.metadata import entry_points
from pathlib import Path

_HOME = Path(__file__).resolve().parents[2]
_OURS = ("se_agent", "operators", "evaluators", "problems")


def plugged_in(error: BaseException) -> str:
    """Return `FILE:LINE` of the code of a user's that an error comes from; empty: it is ours.

    That is the last place in a user's code, if none of ours was called from there.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if _is_ours(path):
            return ""
        if _is_users(path):
            return f"{frame.filename}:{frame.lineno}"
    return ""


def _is_ours(path: Path) -> bool:
    return any(path.is_relative_to(_HOME / package) for package in _OURS)


def _is_users(path: Path) -> bool:
    """Say whether a file is no library's; a package that plugs something in is the user's."""
    found = sysconfig.get_paths()
    installed = [Path(found[name]) for name in ("purelib", "platlib")]
    for folder in installed:
        if path.is_relative_to(folder):
            return path.relative_to(folder).parts[0].removesuffix(".py") in _plugging_in()
    return path.is_file() and not path.is_relative_to(found["stdlib"])


def _plugging_in() -> set[str]:
    """Return the packages other than ours that have entry points for us."""
    groups = [name for name in entry_points().groups if name.startswith("se_agent")]
    points = (point for name in groups for point in entry_points(group=name))
    return {point.module.partition(".")[0] for point in points} - {*_OURS}
