"""Functions worth the work, ranked by what making them faster could save. Pure.

What a function spends in Python's own library counts as its own: a call of the library can be
left out, its code cannot be changed. A function that spends little itself, and through which
nearly all time goes, is worth another algorithm; the more so where time grows faster than the
input. Not here: what rules would try.
"""

from __future__ import annotations

import ast
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from se_agent.program.parsing import tree_of
from se_agent.user_function.advisor.costs import Costs, FunctionPlace, Owner, owner_of, total

_Definition = ast.FunctionDef | ast.AsyncFunctionDef

THROUGH = 0.25
"""What time that only passes through a function counts, against time of its own."""

THROUGH_GROWING = 0.5
"""The same where that time grows faster than the input."""

STEEP = 1.2
"""The exponent from which on time grows faster than the input."""

_LEAST = 0.01  # share of the time below which a function is not worth the work
_LEAST_SECONDS = 5e-5  # less tells nothing of growth
_POINTS = 4  # sizes that growth is told from, the largest ones
_ROUNDS = 12  # of handing on what the library costs, from callee to caller


@dataclass(frozen=True, kw_only=True)
class Hotspot:
    """A function that is worth a look.

    Attributes:
        file: Path of its file.
        name: Qualified name.
        line: Its first line.
        owner: The owner of its code.
        own: Share of the CPU time in its own lines, and in the library for them.
        whole: Share of the CPU time with all that it calls.
        calls: How often it is called, on all inputs of the largest size.
        growth: Exponent of its whole time over the sizes; None: it cannot be told.
        passes_on: Whether it hands on whatever arguments it gets.
        score: What it is ranked by.
    """

    file: str
    name: str
    line: int
    owner: Owner
    own: float
    whole: float
    calls: int
    growth: float | None
    passes_on: bool
    score: float


def ranked(
    profiles: Sequence[tuple[int | None, Costs]],
    *,
    used_by: str = "",
    text_of: Callable[[str], str | None],
) -> tuple[Hotspot, ...]:
    """Return the functions that are worth the work, the best first.

    Args:
        profiles: By size of the input, ascending; None: inputs have no sizes. The last one
            says what is hot.
        used_by: File of the workload, or file or folder of the tests: not to be changed.
        text_of: Returns the text of a file, or None.
    """
    if not profiles:
        return ()
    costs = profiles[-1][1]
    seconds = total(costs)
    if not seconds:
        return ()
    owners = {place: owner_of(place.file, used_by) for place in costs}
    charged = _charged(costs, owners)
    most = max(cost.whole for cost in costs.values())
    found: list[Hotspot] = []
    for place, cost in costs.items():
        owner = owners[place]
        if owner not in (Owner.PROJECT, Owner.PACKAGE) or place.name.startswith("<"):
            continue
        own = min(1.0, charged[place] / seconds)
        # Watching takes its own part of whole times.
        whole = max(own, min(1.0, cost.whole / most))
        passes_on = _passes_on(text_of(place.file), cost.line)
        growth = _growth(profiles, place)
        found.append(
            Hotspot(
                file=place.file,
                name=place.name,
                line=cost.line,
                owner=owner,
                own=own,
                whole=whole,
                calls=cost.calls,
                growth=growth,
                passes_on=passes_on,
                score=_score(own, whole, growth, passes_on=passes_on),
            )
        )
    worth = [one for one in found if one.own >= _LEAST or one.score >= THROUGH / 2]
    return tuple(sorted(worth, key=lambda one: (-one.score, -one.own, one.file, one.line)))


def _score(own: float, whole: float, growth: float | None, *, passes_on: bool) -> float:
    if passes_on:
        return own
    steep = growth is not None and growth >= STEEP
    return max(own, whole * (THROUGH_GROWING if steep else THROUGH))


def _charged(costs: Costs, owners: Mapping[FunctionPlace, Owner]) -> dict[FunctionPlace, float]:
    """Return own seconds, with those of the library that a function calls.

    What a library function costs is shared among its callers by the time that it took for each.
    """
    library = [place for place, owner in owners.items() if owner is Owner.PYTHON]
    inside = frozenset(library)
    callers = _callers(costs, inside)
    charged = {place: cost.own for place, cost in costs.items()}
    passing = {place: costs[place].own for place in library}
    for _ in range(_ROUNDS):
        further = dict.fromkeys(library, 0.0)
        for callee, seconds in passing.items():
            weights = callers.get(callee, {})
            whole = sum(weights.values())
            for caller, weight in weights.items() if whole else ():
                share = seconds * weight / whole
                if caller in inside:
                    further[caller] += share
                else:
                    charged[caller] += share
        passing = {place: seconds for place, seconds in further.items() if seconds > 0}
    return charged


def _callers(
    costs: Costs, of: frozenset[FunctionPlace]
) -> dict[FunctionPlace, dict[FunctionPlace, float]]:
    found: dict[FunctionPlace, dict[FunctionPlace, float]] = {}
    for place, cost in costs.items():
        for callee, seconds in cost.below.items():
            if callee in of:
                found.setdefault(callee, {})[place] = seconds
    return found


def _growth(profiles: Sequence[tuple[int | None, Costs]], place: FunctionPlace) -> float | None:
    """Return the exponent of a function's whole time over the largest sizes."""
    points = [
        (math.log(size), math.log(cost.whole))
        for size, costs in profiles
        if size and (cost := costs.get(place)) is not None and cost.whole > _LEAST_SECONDS
    ][-_POINTS:]
    if len(points) < 2 or len({x for x, _ in points}) < len(points):
        return None
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def _passes_on(text: str | None, line: int) -> bool:
    """Say whether a function hands on whatever arguments it gets, as decorators do."""
    node = _by_line(text).get(line) if text else None
    if node is None or node.args.vararg is None or node.args.kwarg is None:
        return False
    star, double = node.args.vararg.arg, node.args.kwarg.arg
    return any(
        isinstance(call, ast.Call)
        and any(isinstance(a, ast.Starred) and _is_name(a.value, star) for a in call.args)
        and any(k.arg is None and _is_name(k.value, double) for k in call.keywords)
        for call in ast.walk(node)
    )


@lru_cache(maxsize=32)
def _by_line(text: str) -> Mapping[int, _Definition]:
    """Return the functions of a text by the line where each begins, decorators included."""
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    nodes = [node for node in ast.walk(tree) if isinstance(node, _Definition)]
    return {min([n.lineno, *(each.lineno for each in n.decorator_list)]): n for n in nodes}


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def share_of_workload(costs: Costs, used_by: str) -> float:
    """Return the share of the time that the workload's own lines take."""
    own = sum(
        cost.own
        for place, cost in costs.items()
        if owner_of(place.file, used_by) is Owner.WORKLOAD
    )
    seconds = total(costs)
    return own / seconds if seconds else 0.0
