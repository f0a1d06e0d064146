"""From the start of `se-agent run` to its first evaluations, as a user waits, and the parts.

The first of all is the initial program's, in the preflight: the target is held against its
beginning, and its end is told besides. The first of a candidate comes when the clock has been
tested. The parts end with the first line on the screen (all is loaded), the first process that
a fork server made (the generator's), the beginning and the end of the first trial (`noted`),
and the first event of each kind. Stamps of trial and journal are exact; the CPU time of events
is read a moment later, and is that of all processes.
"""

from __future__ import annotations

import operator
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from experiments.bench import noted
from experiments.bench.aim import at_most
from experiments.bench.user_run import UserRun, started
from se_agent.environment import process_files

RUNS = 5
MOST = 1.0
"""Seconds to the first evaluation, at most."""

_LOADED, _FORKED, _LAST = "loading", "fork server", "first generation"
_ASKED, _TRIED = "inputs and right answers", "trial of the initial program"
_PARTS = {"started": "rest of the preflight", "self_tested": "self-test", "evaluated": _LAST}
_INITIAL = "of the initial program, until it begins"
_ENDED = "of the initial program, until it ends"
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
        sums = (_INITIAL, _ENDED, _TOTAL, _BARE)
        told = at_most(seconds, MOST, "s") if part in sums else f"{seconds:.3g} s"
        lines.append(f"first evaluation, {part}: {told}, {cpu:.3g} s CPU")
    return lines


def _once() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder, "trial")
        with started(program=(noted.__name__, str(note))) as run:
            return summed(_watched(run, note))


def _watched(run: UserRun, note: Path) -> dict[str, Moment]:
    """Return the moments at which the parts end, in their order."""
    seen: dict[str, Moment] = {}
    until = time.monotonic() + _PATIENCE
    while _LAST not in seen:
        if run.over or time.monotonic() > until:
            raise SystemExit(_NONE)
        time.sleep(_PAUSE)
        now, cpu = time.time(), process_files.cpu_seconds(run.pid)
        if run.screen.stat().st_size:
            seen.setdefault(_LOADED, (now - run.begun, cpu))
        if _FORKED not in seen and any(
            map(process_files.children, process_files.fork_servers(run.pid))
        ):
            seen[_FORKED] = (now - run.begun, cpu)
        for part, (at, spent) in zip((_ASKED, _TRIED), noted.moments(note), strict=False):
            seen.setdefault(part, (at - run.begun, spent))
        for event in run.events():
            if event.kind in _PARTS:
                moment = event.at.timestamp() - run.begun, cpu
                seen.setdefault(_PARTS[event.kind], moment)
    return dict(sorted(seen.items(), key=operator.itemgetter(1)))  # a look may come late


def summed(seen: Mapping[str, Moment]) -> Row:
    """Turn moments into parts, with the sums that have a target."""
    row: Row = {}
    for place, clock in enumerate(("wall", "cpu")):
        moments = [0.0, *(moment[place] for moment in seen.values())]
        ends = zip(seen, moments, moments[1:], strict=False)
        parts = {part: end - begin for part, begin, end in ends}
        bare = parts[_LOADED] + parts[_FORKED] + parts[_LAST]
        row[clock] = {
            **parts,
            _INITIAL: seen[_ASKED][place],
            _ENDED: seen[_TRIED][place],
            _TOTAL: moments[-1],
            _BARE: bare,
        }
    return row


if __name__ == "__main__":
    print("\n".join(words(measure())))
