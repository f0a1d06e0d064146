"""Rows of a figure: made two at a time, kept as they come, never made twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

Row = dict[str, Any]  # JSON

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "results" / "figures"


def seeds() -> range:
    """Return the seeds of a figure's searches: SE_AGENT_SEEDS says how many, else three."""
    return range(int(os.environ.get("SE_AGENT_SEEDS", "3")))


def kept(name: str) -> dict[str, Row]:
    """Return the rows of a figure that are on disk, by key."""
    path = HOME / f"{name}.jsonl"
    if not path.is_file():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["key"]: row for row in rows}


def fill(name: str, tasks: Mapping[str, Callable[[], Row]], *, jobs: int = 2) -> dict[str, Row]:
    """Make the rows that are missing and return all of them.

    Args:
        name: Of the figure; its rows are in `results/figures/NAME.jsonl`.
        tasks: What makes a row, by key.
        jobs: How many are made at a time.
    """
    HOME.mkdir(parents=True, exist_ok=True)
    done = kept(name)
    missing = {key: make for key, make in tasks.items() if key not in done}
    guard = threading.Lock()
    with ThreadPoolExecutor(jobs) as pool, (HOME / f"{name}.jsonl").open("a") as out:
        futures = {pool.submit(make): key for key, make in missing.items()}
        try:
            for number, future in enumerate(as_completed(futures), 1):
                row = {"key": futures[future], **future.result()}
                with guard:
                    out.write(json.dumps(row) + "\n")
                    out.flush()
                print(f"{name}: {number}/{len(missing)} {row['key']}", flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # what was stopped begins nothing
    return kept(name)


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
