"""From the start of `se-agent run` to its first evaluations, as a user waits, and the parts.

The first of all is the initial program's, in the preflight; the first of a candidate comes when
the clock has been tested. The parts end with what can be seen from outside: the first line on
the screen (all is loaded), the first process that a fork server made, and the first event of
each kind. The stamps of the journal are exact; CPU time is read a moment later, and is that of
all processes.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping

from experiments.bench import process
from experiments.bench.aim import at_most
from experiments.bench.user_run import UserRun, started
from se_agent.cli import processes

RUNS = 5
MOST = 1.0
"""Seconds to the first evaluation, at most."""

_LOADED, _FORKED, _LAST = "loading", "fork server", "first generation"
_PARTS = {"started": "preflight", "self_tested": "self-test", "evaluated": _LAST}
_INITIAL = "of the initial program"
_TOTAL = "of a candidate, as a user waits"
_BARE = "of a candidate, without preflight and self-test"
_NONE = "the run ended, or took too long, without a first evaluation"
_PAUSE = 0.01
_PATIENCE = 120.0
Row = dict[str, dict[str, float]]
Moment = tuple[float, float]  # wall and CPU seconds since the start


def measure() -> Row:
    """Return medians of wall and CPU seconds: the parts, their sum, and those that are work."""
    rows = [_once() for _ in range(RUNS)]

    def median(clock: str, part: str) -> float:
        return round(statistics.median(row[clock][part] for row in rows), 3)

    return {clock: {part: median(clock, part) for part in rows[0][clock]} for clock in rows[0]}


def words(row: Row) -> list[str]:
    """Return the row for people, with its target."""
    lines = []
    for part, seconds in row["wall"].items():
        cpu = row["cpu"][part]
        sums = (_INITIAL, _TOTAL, _BARE)
        told = at_most(seconds, MOST, "s") if part in sums else f"{seconds:.3g} s"
        lines.append(f"first evaluation, {part}: {told}, {cpu:.3g} s CPU")
    return lines


def _once() -> Row:
    with started() as run:
        return summed(_watched(run))


def _watched(run: UserRun) -> dict[str, Moment]:
    """Return the moments at which the parts end, in their order."""
    seen: dict[str, Moment] = {}
    until = time.monotonic() + _PATIENCE
    while _LAST not in seen:
        if run.over or time.monotonic() > until:
            raise SystemExit(_NONE)
        time.sleep(_PAUSE)
        now, cpu = time.time(), processes.cpu_seconds(run.pid)
        if run.screen.stat().st_size:
            seen.setdefault(_LOADED, (now - run.begun, cpu))
        if _FORKED not in seen and any(map(processes.children, process.fork_servers(run.pid))):
            seen[_FORKED] = (now - run.begun, cpu)
        for event in run.events():
            if event.kind in _PARTS:
                moment = event.at.timestamp() - run.begun, cpu
                seen.setdefault(_PARTS[event.kind], moment)
    return seen


def summed(seen: Mapping[str, Moment]) -> Row:
    """Turn moments into parts, with the three sums that have a target."""
    row: Row = {}
    for place, clock in enumerate(("wall", "cpu")):
        moments = [0.0, *(moment[place] for moment in seen.values())]
        ends = zip(seen, moments, moments[1:], strict=False)
        parts = {part: end - begin for part, begin, end in ends}
        initial = parts[_LOADED] + parts[_FORKED]
        bare = initial + parts[_LAST]
        row[clock] = {**parts, _INITIAL: initial, _TOTAL: moments[-1], _BARE: bare}
    return row


if __name__ == "__main__":
    print("\n".join(words(measure())))
