"""Each fault against tests of the fast tier that come by it, and then those of other tiers.

A row for each fault and stage is kept as it comes; a second start goes on where the first
ended. Not here: the copy that the tests run in (`bench`), and which tests they are (`choice`).
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.faults.bench import ENDED_WELL, FAILED, NOTHING, OVER, Bench, Run
from experiments.faults.choice import Choice
from experiments.faults.draw import Planted
from experiments.faults.probe import reach
from experiments.figures.rows import cut, lines
from tests.tiers import NAMES

Row = dict[str, Any]  # JSON

FAST, OTHERS = "fast", "others"
"""Tiers whose tests are run."""

LONGEST = 3600.0
"""Seconds of wall time of a run with probes."""

CAPS: Mapping[str, tuple[int, float]] = {FAST: (60, 240.0), OTHERS: (120, 400.0)}
"""Seconds of CPU time of a process, and of wall time, that tests may take for one fault."""


class Ledger:
    """A file of rows: they are kept as they come, and of two of one key the later counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        cut(path)

    @property
    def rows(self) -> list[Row]:
        """All rows, as they came."""
        return [json.loads(line) for line in lines(self._path)]

    def keep(self, row: Row) -> None:
        """Add a row."""
        with self._path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


@dataclass(frozen=True)
class Home:
    """The files of a study: faults, what was found, and what fails without a fault."""

    folder: Path

    @property
    def found(self) -> Ledger:
        """A row for each fault and stage."""
        return Ledger(self.folder / "found.jsonl")

    @property
    def reached(self) -> Ledger:
        """A row for each run with probes; see `probe.reach`."""
        return Ledger(self.folder / "reached.jsonl")

    @property
    def clean(self) -> Ledger:
        """A row for each test that was run without a fault: `test`, `fails`."""
        return Ledger(self.folder / "clean.jsonl")

    def plan(self) -> list[tuple[int, list[str]]]:
        """Return what a person chose: lines of `plan.txt`, the number of a fault and tests."""
        lines_ = (self.folder / "plan.txt").read_text(encoding="utf-8").splitlines()
        words = [shlex.split(line) for line in lines_ if line.strip()]
        return [(int(first), rest) for first, *rest in words]

    def left_out(self) -> list[str]:
        """Return the options that leave out the tests which fail without a fault."""
        last = {row["test"]: row["fails"] for row in self.clean.rows}
        return [f"--deselect={test}" for test, fails in last.items() if fails]


def meet(faults: Iterable[Planted], stage: str, bench: Bench, home: Home) -> None:
    """Run a stage for each fault that no stage has found, and that did not have this one."""
    choice, come = Choice(bench.copy), comers(home.reached.rows)
    bench.restore()
    met = settled(home.found.rows, stage)
    for fault in faults:
        if fault.number not in met:
            near = choice.near(fault.file)
            fast = choice.some(fault.file, come.get(fault.number, ()))
            _meet(fault, stage, fast if stage == FAST else near, bench, home)


def chosen(fault: Planted, tests: list[str], bench: Bench, home: Home) -> None:
    """Run some tests of the fast tier with a fault, if none has found it."""
    rows = [row for row in latest(home.found.rows) if row["number"] == fault.number]
    fast = [row for row in rows if row["stage"] == FAST]
    if not any(row["found"] or row.get("ran") == tests for row in fast):
        bench.restore()
        _meet(fault, FAST, tests, bench, home, ran=tests)


def _meet(
    fault: Planted, stage: str, tests: list[str], bench: Bench, home: Home, **more: object
) -> None:
    cpu, wall = CAPS[stage]
    try:
        with bench.planted(fault):
            args = ["-x", *of_tiers(stage), *home.left_out(), *tests]
            run = bench.pytest(args, cpu=cpu, wall=wall) if tests else None
    except ValueError as gone:
        print(gone, flush=True)
        return
    row = {"number": fault.number, "stage": stage, "asked": len(tests), **told(run), **more}
    home.found.keep(row)
    print(f"{fault.number} {fault.file}:{fault.line} {stage}: {row['verdict']}", flush=True)


def of_tiers(stage: str) -> list[str]:
    """Return the options of pytest that leave only tests of a stage."""
    names = [FAST] if stage == FAST else [name for name in NAMES if name != FAST]
    return [f"--tier={name}" for name in names]


def probe(faults: Iterable[Planted], tests: list[str], bench: Bench, home: Home) -> None:
    """See which tests of the fast tier come by the faults."""
    bench.restore()
    home.reached.keep(reach(faults, [*of_tiers(FAST), *tests], bench, wall=LONGEST))


def comers(rows: Iterable[Row]) -> dict[int, list[str]]:
    """Return the tests that come by each fault; those that failed with a probe are none."""
    come: dict[int, list[str]] = {}
    for row in rows:
        for number, tests in row["reached"].items():
            fit = [test for test in tests if test not in row["failed"]]
            come[int(number)] = list(dict.fromkeys([*come.get(int(number), []), *fit]))
    return come


def told(run: Run | None) -> Row:
    """Return what a run with a fault says of it."""
    if run is None:
        return {"found": False, "verdict": "no tests", "tests": {}, "seconds": 0.0}
    found = bool(run.failed) or run.code not in (ENDED_WELL, OVER, NOTHING)
    verdict = "found" if found else "over" if run.code == OVER else "survived"
    row = {"found": found, "verdict": verdict, "tests": dict(run.failed)}
    strange = found and (run.code != FAILED or not run.failed)
    return {**row, "seconds": run.seconds, **({"said": run.said} if strange else {})}


def verify(bench: Bench, home: Home) -> None:
    """Run the tests that found something without any fault; what they found counts no more.

    A test that fails then is left out from now on, and its faults are met anew.
    """
    known = {row["test"] for row in home.clean.rows}
    rows = home.found.rows
    wanted = sorted({test for row in rows for test in row["tests"]} - known)
    bench.restore()
    failed: set[str] = set()
    for some in batches(wanted, 40):
        run = bench.pytest(some, cpu=900, wall=1200.0)
        if run.code not in (ENDED_WELL, FAILED):
            raise RuntimeError(f"these tests cannot be run without a fault: {run.said}")
        failed |= set(run.failed)
        for test in some:
            home.clean.keep({"test": test, "fails": test in failed})
    for row in rows:
        if set(row["tests"]) & failed:
            home.found.keep({**row, "found": False, "verdict": "unsound", "tests": {}})


def batches(things: Sequence[str], size: int) -> list[list[str]]:
    """Cut a list into parts of so many."""
    return [list(things[i : i + size]) for i in range(0, len(things), size)]


def settled(rows: Iterable[Row], stage: str) -> set[int]:
    """Return the faults that were found, or had a stage; what was unsound does not count.

    Tests that a person chose are no stage.
    """
    sound = [row for row in latest(rows) if row["verdict"] != "unsound"]
    had = {row["number"] for row in sound if row["stage"] == stage and "ran" not in row}
    return had | {row["number"] for row in sound if row["found"]}


def latest(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that count: of two of a fault, a stage and the same tests the later."""
    return [
        *{
            (row["number"], row["stage"], tuple(row.get("ran", ()))): row for row in rows
        }.values()
    ]
