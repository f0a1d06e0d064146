"""Jailed jobs a second against the bare loop, interleaved: both see the same machine."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

_ROUNDS = 5
_HERE = Path(__file__).parent


def per_second(script: str, drivers: int) -> float:
    """Run one script once."""
    command = [sys.executable, str(_HERE / script), "--drivers", str(drivers)]
    output = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=60
    ).stdout
    return float(json.loads(output)["per_second"])


def compare(drivers: int) -> dict[str, float]:
    """Return both medians, and the share of the bare rate that is reached."""
    rounds = [
        (per_second("bare_loop.py", drivers), per_second("jailed.py", drivers))
        for _ in range(_ROUNDS)
    ]
    bare, jailed = (statistics.median(column) for column in zip(*rounds, strict=True))
    share = statistics.median(ours / floor for floor, ours in rounds)
    return {"drivers": drivers, "bare": bare, "jailed": jailed, "share": round(share, 3)}


if __name__ == "__main__":
    for drivers in (1, 2):
        print(json.dumps(compare(drivers)))
