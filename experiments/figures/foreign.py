"""A foreign problem set: how much of its headroom is recovered, and what is claimed falsely?

The set is named by the environment variable SE_AGENT_PROBLEM_SET; without it the figure is left
out. Only ids and figures are kept.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import statistics
import tempfile
from functools import partial
from pathlib import Path

from experiments.figures.rows import HOME, Row, fill, se_agent

EVALUATIONS = 15


def source() -> Path | None:
    """Return the set's file, or None when there is none to run."""
    name = os.environ.get("SE_AGENT_PROBLEM_SET", "")
    return Path(name) if name else None


def rows() -> dict[str, Row]:
    """Run what is missing, one row of the set at a time and two side by side."""
    path = source()
    if path is None:
        return {}
    texts = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    given = {json.loads(text)["id"]: text for text in texts}
    # By hash, so that a figure that was stopped early is a fair sample of the whole.
    order = sorted(given, key=lambda key: hashlib.sha256(key.encode()).hexdigest())
    return fill("foreign", {key: partial(_row, given[key]) for key in order})


def _row(text: str) -> Row:
    """Run a set of one row; what is known of its headroom is kept beside what was found."""
    measured = json.loads(text).get("measured", {})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "foreign.jsonl"
        path.write_text(text, encoding="utf-8")
        found = se_agent(
            "run",
            "--problem-set",
            str(path),
            "--set",
            f"results={HOME}",
            "--set",
            f"budget.evaluations={EVALUATIONS}",
            "--set",
            "memory.prior=false",
        )
    row = found["rows"][0] if found.get("rows") else found
    known = {"ratio": measured.get("ratio"), "slow_ms": measured.get("slow_ms")}
    return {k: v for k, v in row.items() if k != "run"} | known


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    headroom = [row for row in found.values() if _has_headroom(row)]
    known = [row for row in found.values() if _known_without(row)]
    measured = [row for row in headroom if "evaluations" in row]
    false = [row["key"] for row in known if row["status"] == "proven"]
    counts = {s: sum(r["status"] == s for r in found.values()) for s in _statuses(found)}
    recovered = [_recovered(row) for row in headroom]
    sure = [_recovered(row) for row in measured]
    above = sum(row["status"] == "proven" and row["gain"] >= 1.5 for row in headroom)
    lines = [
        "| figure | value |",
        "|---|--:|",
        f"| rows made so far | {len(found)} |",
        *(f"| rows {status.replace('_', ' ')} | {n} |" for status, n in counts.items()),
        f"| rows with headroom (ratio of 1.5 or more) | {len(headroom)} |",
        f"| of these, measurable | {len(measured)} |",
        f"| headroom recovered, all of them | {_mean(recovered):.3f} |",
        f"| headroom recovered, the measurable | {_mean(sure):.3f} |",
        f"| rows with a proven gain of 1.5x or more | {above} |",
        f"| rows known to have no headroom | {len(known)} |",
        f"| of these, measurable | {sum('evaluations' in r for r in known)} |",
        f"| false improvements among them | {len(false)} {' '.join(false)} |",
    ]
    return "\n".join(lines)


def _statuses(found: dict[str, Row]) -> list[str]:
    return sorted({row["status"] for row in found.values()})


def _has_headroom(row: Row) -> bool:
    return (row.get("ratio") or 0) >= 1.5


def _known_without(row: Row) -> bool:
    ratio, slow = row.get("ratio"), row.get("slow_ms")
    return (ratio is not None and ratio < 1.5) or (
        not _has_headroom(row) and slow is not None and slow < 1
    )


def _recovered(row: Row) -> float:
    gain = row.get("gain") if row["status"] == "proven" else None
    return min(1.0, math.log(gain) / math.log(row["ratio"])) if gain else 0.0


def _mean(values: list[float]) -> float:
    return statistics.fmean(values) if values else 0.0
