"""Slow programs of many families: how many get 1.5 times as fast, and how much faster are they?

The file is named by the environment variable SE_AGENT_SLOW_PROGRAMS; without it the figure is
left out. Only names, families and figures are kept. Inputs are so large that a program takes 20
to 200 ms. What is not proven counts as a gain of 1; gains are capped at 10 in the means, which
are geometric. "Past 1.5x" is a proven gain of 1.5 or more, "surely" one whose whole interval
(99 %) is.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from experiments.figures.rows import (
    ROOT,
    Row,
    figures,
    fill,
    gain,
    past,
    se_agent,
    seeds,
    share,
    surely_past,
)

EVALUATIONS = 30
SETTINGS = {"evaluations": EVALUATIONS}
CAP = 10.0
"""Gain above which more counts no more in a mean."""

_GENERATE = """


def generate(rng, size):
    return PR[{name!r}][2](rng, size)
"""


def source() -> Path | None:
    """Return the file of programs, or None when there is none to run."""
    name = os.environ.get("SE_AGENT_SLOW_PROGRAMS", "")
    return Path(name).resolve() if name else None


def rows() -> dict[str, Row]:
    """Find the sizes of each program, then run what is missing: a row a program and seed."""
    path = source()
    if path is None:
        return {}
    programs = clock(path)
    sizes = {name: partial(_sized, path, name, programs[name]) for name in programs}
    known = fill("slow", sizes, settings=SETTINGS, jobs=1)
    able = [name for name in programs if "final" in known[name]]
    tasks = {
        f"{name}/{seed}": partial(_row, path, name, programs[name], known[name]["final"], seed)
        for seed in seeds()
        for name in able
    }
    return fill("slow", tasks, settings=SETTINGS)


def clock(path: Path, *name: str) -> Row:
    """Ask the process that runs the file's code."""
    command = [sys.executable, "-m", "experiments.figures.slow_clock", str(path), *name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: Row = json.loads(done.stdout)
    return found


def _sized(path: Path, name: str, program: Row) -> Row:
    """Return a program's family and size, or why it is left out."""
    if program["absent"]:
        return {"family": program["family"], "absent": program["absent"]}
    return {"family": program["family"], **clock(path, name)}


def _row(path: Path, name: str, program: Row, final: int, seed: int) -> Row:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        written(folder, path.read_text(encoding="utf-8"), name, program, final)
        settings = (
            f"results={place}/results",
            f"seed={seed}",
            f"budget.evaluations={EVALUATIONS}",
            "memory.prior=false",
        )
        sets = [part for setting in settings for part in ("--set", setting)]
        found = se_agent("run", str(folder), *sets)
    return {"family": program["family"], "seed": seed, **figures(found)}


def written(folder: Path, text: str, name: str, program: Row, final: int) -> None:
    """Write the problem folder of a program.

    Args:
        folder: Where; it is made.
        text: Text of the whole file of programs: generators need what stands around them.
        name: Name of the program in there.
        program: What the clock says of it.
        final: Size of the inputs of the confirmation.
    """
    tests = max(1, min(program["tests"], final // 2))
    sizes = sorted({max(1, tests // 2), tests, final})
    told = {
        "kind": "function",
        "entry_point": "solve",
        "family": program["family"],
        "imports": program["imports"],
    }
    inputs = {"sizes": sizes, "final": final}
    folder.mkdir()
    (folder / "problem.toml").write_text(f"{_toml(told)}\n[inputs]\n{_toml(inputs)}")
    (folder / "initial.py").write_text(program["source"], encoding="utf-8")
    (folder / "generator.py").write_text(text + _GENERATE.format(name=name), encoding="utf-8")


def _toml(values: Row) -> str:
    # Texts, numbers and lists of them are written alike in both.
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: a family a line, then each seed, then all."""
    runs = [row for row in found.values() if "seed" in row]
    families = sorted({row["family"] for row in runs})
    groups = {family: [r for r in runs if r["family"] == family] for family in families}
    for seed in sorted({row["seed"] for row in runs}):
        groups[f"all, seed {seed}"] = [row for row in runs if row["seed"] == seed]
    groups["**all**"] = runs
    lines = [
        "| family | programs | runs | past 1.5x | surely | mean, capped at 10 | CPU s a run |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *(_line(label, rows) for label, rows in groups.items() if rows),
    ]
    absent = {
        key: ", ".join(row["absent"]) for key, row in sorted(found.items()) if "absent" in row
    }
    left_out = [f"{name} ({packages})" for name, packages in absent.items()]
    lines += ["", f"Left out, for a package that is absent: {', '.join(left_out) or 'none'}."]
    failed = sorted(row["key"] for row in runs if row.get("gain") is None)
    lines += [f"Without a result: {', '.join(failed)}."] if failed else []
    return "\n".join(lines)


def _line(label: str, rows: Sequence[Row]) -> str:
    programs = len({row["key"].rpartition("/")[0] for row in rows})
    mean = math.exp(statistics.fmean(math.log(min(CAP, gain(row))) for row in rows))
    cpu = statistics.fmean(row.get("cpu_seconds") or 0.0 for row in rows)
    shares = " | ".join(share(count(rows, 1.5), len(rows)) for count in (past, surely_past))
    return f"| {label} | {programs} | {len(rows)} | {shares} | {mean:.2f}x | {cpu:.0f} |"
