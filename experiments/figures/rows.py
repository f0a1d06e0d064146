"""Rows of a figure: made two at a time, kept as they come, never made twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

Row = dict[str, Any]  # JSON

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "results" / "figures"


def seeds() -> range:
    """Return the seeds of a figure's searches: SE_AGENT_SEEDS says how many, else three."""
    return range(int(os.environ.get("SE_AGENT_SEEDS", "3")))


def kept(name: str, *, home: Path = HOME) -> dict[str, Row]:
    """Return the rows of a figure that are on disk, by key.

    What a kill left of the last row is no row: it is made anew.
    """
    path = home / f"{name}.jsonl"
    if not path.is_file():
        return {}
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    rows = [json.loads(line) for line in whole.splitlines()]
    return {row["key"]: row for row in rows}


def fill(
    name: str,
    tasks: Mapping[str, Callable[[], Row]],
    *,
    jobs: int = 2,
    anew: Collection[str] = (),
    home: Path = HOME,
) -> dict[str, Row]:
    """Make the rows that are missing and return all of them.

    Args:
        name: Of the figure; its rows are in `results/figures/NAME.jsonl`.
        tasks: What makes a row, by key. What one raises ends the figure; rows that were
            made, or begun, before it stay.
        jobs: How many are made at a time.
        anew: Keys of rows that are made though there are some; of two rows the later counts.
        home: The folder of the rows.
    """
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"{name}.jsonl"
    done = kept(name, home=home)
    missing = {key: make for key, make in tasks.items() if key not in done or key in anew}
    guard = threading.Lock()
    _cut(path)
    with path.open("a", encoding="utf-8") as out, ThreadPoolExecutor(jobs) as pool:

        def keep(key: str) -> None:
            row = {"key": key, **missing[key]()}
            with guard:
                out.write(json.dumps(row) + "\n")
                out.flush()

        futures = {pool.submit(keep, key): key for key in missing}
        try:
            for number, future in enumerate(as_completed(futures), 1):
                future.result()
                print(f"{name}: {number}/{len(missing)} {futures[future]}", flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # what was stopped begins nothing
    return kept(name, home=home)


def _cut(path: Path) -> None:
    """Take a torn last line off, so that the next row has a line of its own."""
    if path.is_file():
        whole, end, _ = path.read_bytes().rpartition(b"\n")
        os.truncate(path, len(whole + end))


def se_agent(*args: str, timeout: float = 3600) -> Row:
    """Run a command with `--json` and return its last line; a failure is a row, too."""
    command = [sys.executable, "-m", "se_agent", *args, "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        try:
            out, err = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.kill(child.pid, signal.SIGTERM)
            out, err = child.communicate()
    lines = [line for line in out.splitlines() if line.strip()]
    found: Row = json.loads(lines[-1]) if lines else {"status": "failed", "error": err[-500:]}
    return found | {"exit": child.returncode}


def run_or_resume(problem: str, folder: Path, *settings: str) -> Row:
    """Run a problem in a given folder, or take up the run that is there."""
    if (folder / "run.db").is_file():
        return se_agent("resume", str(folder))
    # A row knows nothing of those before it: it may be made anew, alone, or in another order.
    places = (f"results={folder.parent}", f"name={folder.name}", "memory.prior=false")
    sets = [part for setting in (*places, *settings) for part in ("--set", setting)]
    return se_agent("run", problem, *sets)
