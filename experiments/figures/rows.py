"""Rows of a figure: made two at a time, kept as they come, never made twice.

A row says under `made` when it was made, by which code, and with which settings; rows of other
settings are stale and count as missing. Not here: the rows that come with the repository
(`packed`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

Row = dict[str, Any]  # JSON
Settings = Mapping[str, object]  # JSON

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "results" / "figures"

_TRACEBACK = 500
"""Characters that are kept of the end of what says no `error:`."""

_WORDS = ("status", "budget_end")
"""Texts of `--json` that are the same for all programs."""


def seeds() -> range:
    """Return the seeds of a figure's searches: SE_AGENT_SEEDS says how many, else three."""
    return range(int(os.environ.get("SE_AGENT_SEEDS", "3")))


def kept(name: str, *, settings: Settings | None = None, home: Path = HOME) -> dict[str, Row]:
    """Return the rows of a figure that are on disk, by key; of two rows the later counts.

    Args:
        name: Name of the figure.
        settings: Settings that the rows must have been made with; None: with none.
        home: The folder of the rows.
    """
    found = {row["key"]: row for row in map(json.loads, lines(home / f"{name}.jsonl"))}
    return {key: row for key, row in found.items() if _settings(row) == (settings or {})}


def lines(path: Path) -> list[str]:
    """Return the lines of a file of rows; what a kill left of the last one is none."""
    if not path.is_file():
        return []
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    return whole.decode().splitlines()


def made(row: Row) -> Row:
    """Return how a row was made: `at` (UTC), `code` (commit), `settings`; older rows: empty."""
    found: Row = row.get("made", {})
    return found


def _settings(row: Row) -> Row:
    found: Row = made(row).get("settings", {})
    return found


@cache  # while it runs, a process has the code that it began with
def code() -> str:
    """Return the commit of this code, and a plus if it was changed since; none outside git."""
    if not (ROOT / ".git").exists():
        return ""
    commit = _git("rev-parse", "--short=10", "HEAD").stdout.strip()
    return commit + "+" * _git("diff", "--quiet", "HEAD", "--", "*.py", "*.toml").returncode


def _git(*args: str) -> subprocess.CompletedProcess[str]:
    command = ("git", *args)
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def fill(
    name: str,
    tasks: Mapping[str, Callable[[], Row]],
    *,
    settings: Settings | None = None,
    jobs: int = 2,
    anew: Collection[str] = (),
    home: Path = HOME,
) -> dict[str, Row]:
    """Make the rows that are missing and return all of them.

    Args:
        name: Name of the figure; its rows are in `results/figures/NAME.jsonl`.
        tasks: What makes a row, by key. What one raises ends the figure; rows that were
            made, or begun, before it stay.
        settings: Settings that the keys do not hold, such as a budget. A row of others is made
            anew.
        jobs: How many are made at a time.
        anew: Keys of rows that are made though there are some; of two rows the later counts.
        home: The folder of the rows.
    """
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"{name}.jsonl"
    done = kept(name, settings=settings, home=home)
    missing = {key: make for key, make in tasks.items() if key not in done or key in anew}
    by = {"code": code(), "settings": dict(settings or {})}
    guard = threading.Lock()
    cut(path)
    with path.open("a", encoding="utf-8") as out, ThreadPoolExecutor(jobs) as pool:

        def keep(key: str) -> None:
            row = {"key": key, **missing[key]()}
            at = datetime.now(UTC).isoformat(timespec="seconds")
            with guard:
                out.write(json.dumps({**row, "made": {"at": at, **by}}) + "\n")
                out.flush()

        futures = {pool.submit(keep, key): key for key in missing}
        try:
            for number, future in enumerate(as_completed(futures), 1):
                future.result()
                print(f"{name}: {number}/{len(missing)} {futures[future]}", flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # what was stopped begins nothing
    return kept(name, settings=settings, home=home)


def cut(path: Path) -> None:
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
    found: Row = json.loads(lines[-1]) if lines else {"status": "failed", "error": refusal(err)}
    return found | {"exit": child.returncode}


def refusal(told: str) -> str:
    """Return what of standard error says why a command failed: from its line `error:` on."""
    _, mark, after = f"\n{told}".rpartition("\nerror: ")
    return mark.lstrip() + after if mark else told[-_TRACEBACK:]


def figures(found: Row) -> Row:
    """Return what of a `--json` row is kept: figures, and how it ended; an error is printed.

    Other texts are of the problem, or of this machine, and rows go into the repository.
    """
    if "error" in found:
        print(found["error"], file=sys.stderr, flush=True)
    plain = (int, float, type(None))
    return {k: v for k, v in found.items() if isinstance(v, plain) or k in _WORDS}


def gain(row: Row) -> float:
    """Return the gain that a run has proven, 1 where it has none."""
    return float(row["gain"]) if row["status"] == "proven" else 1.0


def past(rows: Iterable[Row], least: float) -> int:
    """Return how many runs have proven a gain of so much or more, as the middle says it."""
    return sum(gain(row) >= least for row in rows)


def surely_past(rows: Iterable[Row], least: float) -> int:
    """Return how many have one whose interval (99 %) lies there as a whole."""
    proven = (row for row in rows if row["status"] == "proven")
    return sum(row["gain_low"] >= least for row in proven)


def share(some: int, of: int) -> str:
    """Return a count, and what part of how many it is, as a table tells it."""
    return f"{some} ({100 * some / of:.0f} %)" if of else "0"


def run_or_resume(problem: str, folder: Path, *settings: str) -> Row:
    """Run a problem in a given folder, or take up the run that is there; see `figures`."""
    if (folder / "run.db").is_file():
        return figures(se_agent("resume", str(folder)))
    # A row knows nothing of those before it: it may be made anew, alone, or in another order.
    places = (f"results={folder.parent}", f"name={folder.name}", "memory.prior=false")
    sets = [part for setting in (*places, *settings) for part in ("--set", setting)]
    return figures(se_agent("run", problem, *sets))
