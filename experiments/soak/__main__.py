"""Soak the sandbox and the evaluators in honest and hostile programs; Ctrl-C ends it early.

Usage: python -m experiments.soak [--minutes M] [--level jail|namespace] [--seed N]

Exit code 0: nothing grew, and every program ended as it should; 1: something did, one did not,
or too little was seen; 130: all well until it was interrupted. Rows are added to
results/soak.jsonl meanwhile. Nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import datetime as dt
import json
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from experiments.figures.rows import ROOT
from experiments.soak.soak import Plan, Row, Soak
from experiments.soak.verdict import Verdict
from se_agent.cli.app import ended
from se_agent.cli.drive import INTERRUPTED, terminable
from se_agent.cli.screen import Screen
from tests.hostile.programs import LEVELS

HOME = ROOT / "results" / "soak.jsonl"
_MMAP_THRESHOLD = -3  # of mallopt
_EVERY = 30.0  # seconds between two lines, where no picture can move


class View:
    """The rows of a soak as they come: into a file, and as a line on a screen."""

    def __init__(self, plan: Plan, out: IO[str], screen: Screen) -> None:
        self._plan = plan
        self._out = out
        self._screen = screen
        self._name = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        self._status = screen.console.status("alone first") if screen.moving else None
        self._last = -_EVERY
        self._soak: Soak | None = None

    @contextlib.contextmanager
    def showing(self, soak: Soak) -> Iterator[None]:
        """Show how far a soak is."""
        self._soak = soak
        if self._status is None:
            yield
            return
        with self._status:
            yield

    def tell(self, row: Row) -> None:
        """Write a row, and show it where it is worth it."""
        self._out.write(json.dumps({"run": self._name, **row}, ensure_ascii=False) + "\n")
        self._out.flush()
        if row["kind"] == "strange":
            self._screen.say(f"{row['name']}: {row['found']}, not {row['wanted']}")
        if row["kind"] == "sample":
            self._progress(row)

    def _progress(self, row: Row) -> None:
        assert self._soak is not None
        tally, counts = self._soak.tally, row["counts"]
        line = (
            f"{_clock(row['seconds'])} of {_clock(self._plan.seconds)}: "
            f"{tally.honest} honest, {tally.hostile} hostile programs, "
            f"{tally.harmed + tally.strange} strange; {counts['descriptors']} descriptors, "
            f"{counts['processes']} processes, {row['bytes']['own'] / (1 << 20):.0f} MB"
        )
        if self._status is not None:
            self._status.update(line)
        elif time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            self._screen.say(line)


def main() -> int:
    """Soak, show the verdicts, return the exit code."""
    plan, screen = _plan(), Screen()
    _give_back()
    HOME.parent.mkdir(parents=True, exist_ok=True)
    with HOME.open("a", encoding="utf-8") as out:
        view = View(plan, out, screen)
        soak = Soak(plan, view.tell)
        view.tell({"kind": "begin", **_circumstances(plan)})
        with terminable(), view.showing(soak):
            found = soak.run()
        well = all(one.well for one in found)
        view.tell({"kind": "end", "well": well, "verdicts": [vars(one) for one in found]})
    _show(found, screen)
    return (INTERRUPTED if soak.interrupted else 0) if well else 1


def _give_back() -> None:
    """Have large blocks go back to the system when they are freed, so that what is held counts.

    The C library keeps tens of megabytes a thread for later, once an answer was that large.
    """
    with contextlib.suppress(AttributeError):  # a C library that keeps nothing
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, 1 << 20)


def _plan() -> Plan:
    parser = argparse.ArgumentParser(prog="python -m experiments.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, help="default: 30")
    parser.add_argument("--level", choices=LEVELS, default=LEVELS[0])
    parser.add_argument("--seed", type=int, default=0, help="of the order of programs")
    asked = parser.parse_args()
    return Plan(level=asked.level, seconds=60 * asked.minutes, seed=asked.seed)


def _circumstances(plan: Plan) -> Row:
    return {
        "level": plan.level,
        "seconds": plan.seconds,
        "seed": plan.seed,
        "python": platform.python_version(),
        "kernel": platform.release(),
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg(),
    }


def _show(found: list[Verdict], screen: Screen) -> None:
    wide = max(len(one.what) for one in found)
    for one in found:
        screen.say(f"{'ok  ' if one.well else 'FAIL'}  {one.what:{wide}}  {one.words}")
    screen.say(f"rows: {Path(os.path.relpath(HOME))}")


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


if __name__ == "__main__":
    ended(main)
