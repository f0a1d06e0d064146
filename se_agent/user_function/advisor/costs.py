"""What a profile says that functions cost, read with care: a program may report anything.

Functions that stand in another one are part of it. Not here: which of them is worth the work
(`ranking`).
"""

from __future__ import annotations

import math
import re
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from se_agent.errors import ProblemError
from se_agent.files.kept_back import PACKAGES

_LIBRARY = re.compile(
    "|".join([r"/lib/python3\.\d+t?/", re.escape(sysconfig.get_path("stdlib") + "/")])
)
_OWN = str(Path(__file__).resolve().parents[3])
_TESTING = r"[^/]*pytest[^/]*|pluggy|xdist|execnet|iniconfig|coverage|_?hypothesis"
# What runs the tests, whichever plugin it is; in a package or a file of another one.
_PYTEST = re.compile(rf"/(?:{'|'.join(PACKAGES)})/(?:[^/]+/)*(?:{_TESTING})(?:\.py|/)")
_LARGEST = 1e9
_INNER = ".<locals>"


class Owner(StrEnum):
    """Owners of code."""

    PROJECT = "yours"
    PACKAGE = "package"
    WORKLOAD = "workload"
    PYTHON = "python"


@dataclass(frozen=True)
class FunctionPlace:
    """The place of a function.

    Attributes:
        file: Path of its file, as the profile has it.
        name: Qualified name of the outermost function there.
    """

    file: str
    name: str


@dataclass
class Cost:
    """What a function costs.

    Attributes:
        line: Its first line.
        calls: How often it was called from outside itself.
        own: CPU seconds of its own lines.
        whole: CPU seconds with all that it calls.
        below: What it calls, and the seconds that this took for it.
    """

    line: int
    calls: int = 0
    own: float = 0.0
    whole: float = 0.0
    below: dict[FunctionPlace, float] = field(default_factory=dict)


Costs = Mapping[FunctionPlace, Cost]


def read_costs(report: object) -> Costs:
    """Return the costs that a profile reports; see `profiler.Profiler.rows`.

    Raises:
        ProblemError: It is no report.
    """
    if type(report) is not list:
        raise _no_report()
    rows = [_row(row) for row in report]
    places = [FunctionPlace(file, name.partition(_INNER)[0]) for file, name, *_ in rows]
    found: dict[FunctionPlace, Cost] = {}
    # The outermost function first: its calls and its line are those of all that is in it.
    for number in sorted(range(len(rows)), key=lambda at: _INNER in rows[at][1]):
        _, name, line, calls, own, whole, below = rows[number]
        place = places[number]
        outermost = place not in found
        cost = found.setdefault(place, Cost(line))
        cost.own += own
        if outermost or _INNER not in name:
            cost.line, cost.calls = line, cost.calls + calls
            cost.whole += whole
        for callee, seconds in below:
            if callee >= len(places):
                raise _no_report()
            if places[callee] != place:
                cost.below[places[callee]] = cost.below.get(places[callee], 0.0) + seconds
    return found


def owner_of(file: str, workload: str = "") -> Owner:
    """Say whose code a file is.

    Args:
        file: Path, as a profile has it; what is no path was made while the program ran.
        workload: File of the workload, or file or folder of the tests.
    """
    if workload and (file == workload or file.startswith(f"{workload}/")):
        return Owner.WORKLOAD
    if not file.startswith("/"):
        return Owner.PYTHON
    if any(name in Path(file).parts for name in PACKAGES):
        return Owner.PYTHON if _PYTEST.search(file) else Owner.PACKAGE
    own = file.startswith((f"{_OWN}/se_agent/", f"{_OWN}/evaluators/"))
    return Owner.PYTHON if own or _LIBRARY.search(file) else Owner.PROJECT


_Row = tuple[str, str, int, int, float, float, list[tuple[int, float]]]


def _row(row: object) -> _Row:
    file, name, line, calls, own, whole, below = _parts(row, 7)
    if type(file) is not str or type(name) is not str or type(below) is not list:
        raise _no_report()
    callees = [(_whole(at), _seconds(took)) for at, _, took in (_parts(b, 3) for b in below)]
    return file, name, _whole(line), _whole(calls), _seconds(own), _seconds(whole), callees


def _parts(found: object, count: int) -> Sequence[object]:
    """Return the parts of a tuple, which is a list where it crossed as JSON."""
    if not isinstance(found, tuple | list) or len(found) != count:
        raise _no_report()
    return found


def _whole(found: object) -> int:
    if type(found) is not int or not 0 <= found < 1 << 60:
        raise _no_report()
    return found


def _seconds(found: object) -> float:
    if type(found) not in (int, float) or not math.isfinite(found):  # type: ignore[arg-type]
        raise _no_report()
    return min(max(float(found), 0.0), _LARGEST)  # type: ignore[arg-type]


def _no_report() -> ProblemError:
    return ProblemError(
        "the profile cannot be read: the program has changed what it reports",
        hint="profile a program that leaves Python's profiler alone",
    )


def total(costs: Costs) -> float:
    """Return the CPU seconds of all functions."""
    return sum(cost.own for cost in costs.values())


def summed(each: Sequence[Costs]) -> Costs:
    """Return the costs of several profiles together."""
    found: dict[FunctionPlace, Cost] = {}
    for costs in each:
        for place, cost in costs.items():
            into = found.setdefault(place, Cost(cost.line))
            into.calls += cost.calls
            into.own += cost.own
            into.whole += cost.whole
            for callee, seconds in cost.below.items():
                into.below[callee] = into.below.get(callee, 0.0) + seconds
    return found
