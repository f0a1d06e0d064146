"""SIGKILL at random moments: is anything lost, or paid for twice, or does the end differ?

A scored problem, live, with one and two workers: its killed and resumed runs must end in the
very events of a run that nobody disturbed. A timed one must agree with its own replay.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from experiments.figures.rows import HOME, ROOT, Row, fill, run_or_resume
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.events import BlockMeasured, Evaluated, Event
from se_agent.values.randomness import Purpose, rng_at

KILLS = 30
_SHORT, _TIMED = ("program=gaps", "budget.evaluations=10"), ("budget.evaluations=8",)
SETTINGS = {"scored": [*_SHORT], "timed": [*_TIMED]}
SCORED, TIMED = "bin_packing", "order_report"


def rows() -> dict[str, Row]:
    """Kill runs at 30 random moments and return a row a kill."""
    plans = [
        (SCORED, 1, _SHORT),
        (SCORED, 2, _SHORT),
        (TIMED, 1, _TIMED),
    ]
    tasks = {}
    for number in range(KILLS):
        problem, workers, more = plans[number % len(plans)]
        key = f"{number:02d}-{problem}-{workers}"
        tasks[key] = partial(_killed, key, number, problem, workers, more)
    return fill("kills", tasks, settings=SETTINGS, jobs=1)


def _killed(key: str, number: int, problem: str, workers: int, more: tuple[str, ...]) -> Row:
    settings = (f"workers={workers}", f"lag={workers}", *more)
    whole, seconds = _undisturbed(problem, settings)
    folder = HOME / "kills" / key
    shutil.rmtree(folder, ignore_errors=True)
    moment = float(rng_at(7, number, Purpose.BOOTSTRAP).uniform(0.3, max(0.4, seconds)))
    before = _kill(problem, folder, settings, moment)
    run_or_resume(problem, folder, *settings)
    after = _events(folder)
    again = replay(folder)
    payments = [payment for event in after if (payment := _payment(event))]
    same = True
    if problem == SCORED:
        same = _nameless(canonical(after), folder.name) == _nameless(whole, "whole")
    return {
        "moment": moment,
        "events_before": len(before),
        "lost": sum(event not in after for event in before),
        "paid_twice": len(payments) - len(set(payments)),
        "replay_differences": len(again.differences),
        "complete": again.complete,
        "same_end": same,
    }


def _undisturbed(problem: str, settings: tuple[str, ...]) -> tuple[list[str], float]:
    name = "-".join(["whole", problem, *settings]).replace("=", "_")
    folder = HOME / "kills" / name
    start = time.monotonic()
    run_or_resume(problem, folder, *settings)
    mark = folder / "seconds.txt"
    if not mark.is_file():
        mark.write_text(str(time.monotonic() - start), encoding="ascii")
    lines = [line.replace(name, "whole") for line in canonical(_events(folder))]
    return lines, float(mark.read_text(encoding="ascii"))


def _kill(problem: str, folder: Path, settings: tuple[str, ...], moment: float) -> list[Event]:
    alone = "memory.prior=false"
    places = (f"results={folder.parent}", f"name={folder.name}", alone, *settings)
    sets = [part for setting in places for part in ("--set", setting)]
    command = [sys.executable, "-m", "se_agent", "run", problem, *sets]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT
    ) as child:
        time.sleep(moment)
        os.kill(child.pid, signal.SIGKILL)
    if not (folder / "run.db").is_file():
        return []
    return _events(folder)


def _events(folder: Path) -> list[Event]:
    with Journal(folder / "run.db", write=False) as journal:
        return list(journal.events())


def _nameless(lines: list[str], name: str) -> list[str]:
    return [line.replace(f'"{name}"', '"whole"') for line in lines]


def _payment(event: Event) -> tuple[object, ...] | None:
    if isinstance(event, Evaluated):
        return ("evaluate", event.content)
    if isinstance(event, BlockMeasured):
        return (
            "block",
            event.slot,
            event.reference,
            event.candidate,
            event.inputs,
            event.block.number,
        )
    return None


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    values = list(found.values())
    differing = sum(row["replay_differences"] > 0 for row in values)
    return "\n".join(
        [
            "| figure | value |",
            "|---|--:|",
            f"| kills, of {KILLS} | {len(values)} |",
            f"| events on record at the kill, median | {_median(values, 'events_before')} |",
            f"| events lost | {sum(r['lost'] for r in values)} |",
            f"| payments made twice | {sum(r['paid_twice'] for r in values)} |",
            f"| runs whose replay differs | {differing} |",
            f"| runs whose end differs | {sum(not r['same_end'] for r in values)} |",
        ]
    )


def _median(values: list[Row], key: str) -> int:
    ordered = sorted(row[key] for row in values)
    return ordered[len(ordered) // 2] if ordered else 0
