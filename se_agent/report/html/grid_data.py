"""Many runs as the data of a page: each run, the arms, and their comparison.

Not here: how arms are compared (`se_agent.analysis`), nor the words of it
(`se_agent.report.words.comparison`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from se_agent.analysis.arms import arms_of
from se_agent.analysis.comparison import ArmComparison, compare_runs
from se_agent.analysis.comparison_rows import comparison_rows
from se_agent.analysis.measures import on_scale
from se_agent.analysis.records import ComparedRun, ReadRuns, read_folders
from se_agent.errors import ConfigError
from se_agent.report.html.figures import short
from se_agent.report.words import comparison as words
from se_agent.wording import command

_POINTS = 120
"""Points of a run's curve."""


REPORT = "report.html"
"""Name of the report of a run or of a folder, unless somebody gives another."""


def grid_data(
    folders: Sequence[tuple[Path, str]], name: str, home: Path, base: str = ""
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the data of many runs, and a line for each that cannot be read.

    Args:
        folders: Folders of runs, each with the name of its arm.
        name: What stands above all.
        home: Folder that the page will lie in: reports of runs are linked from there.
        base: Arm that others are compared with, where there are runs of it.
    """
    read = replace(read_folders(folders), base=base)
    arms = {run.folder: arm.name for arm in arms_of(read.runs) for run in arm.runs}
    found, why = _compared(read)
    lines = tuple(f"{each.folder}: {each.why}" for each in read.left_out)
    data: dict[str, object] = {
        "name": name,
        "runs": [_run(record, arms[record.folder], home) for record in read.runs],
        "left_out": lines,
        "comparison": _comparison(found) if found else None,
        "not_compared": why,
    }
    return data, lines


def _compared(read: ReadRuns) -> tuple[ArmComparison | None, str]:
    """Return the comparison of the arms, or why there is none."""
    try:
        return compare_runs(read.over()), ""
    except ConfigError as err:
        return None, f"{err}. {err.hint}"


def _run(run: ComparedRun, arm: str, home: Path) -> dict[str, object]:
    found = run.result
    return {
        "folder": str(run.folder),
        "name": run.folder.name,
        "arm": arm,
        "problem": found.problem,
        "seed": found.seed,
        "status": found.status,
        "timed": run.is_timed,
        "gain": [short(each) for each in (found.gain, found.gain_low, found.gain_high)],
        "score": [short(found.score_initial), short(found.score), found.direction],
        "evaluations": found.evaluations,
        "calls": found.calls,
        "tokens": found.tokens,
        "money": short(found.money),
        "cpu_seconds": short(found.cpu_seconds),
        "machine": run.machine,
        "curve": list(_curve(run)),
        "open": command("report", run.folder, "--open"),
        "report": _link(run.folder / REPORT, home),
    }


def _link(file: Path, home: Path) -> str:
    """Return the address of a file, seen from a folder; empty: there is none."""
    if not file.is_file():
        return ""
    return "./" + quote(os.path.relpath(file.absolute(), home.absolute()))


def _curve(run: ComparedRun) -> Iterator[list[object]]:
    """Yield evaluations and effect, each time that the best program became another."""
    points = [*run.course, run.searched]
    step = math.ceil(len(points) / _POINTS)
    for point in (*points[:-1:step], points[-1]):
        yield [int(point.evaluations), short(point.effect)]


def _comparison(found: ArmComparison) -> dict[str, object]:
    return {
        "base": found.base.name,
        "arms": [arm.name for arm in found.arms],
        "tables": [table._asdict() for table in words.tables(found, details=True)],
        "results": [each.measure.name for each in found.measures if each.measure.is_result],
        "titles": {each.measure.name: each.measure.title for each in found.measures},
        "floors": {each.measure.name: short(each.floor) for each in found.measures},
        "effects": [
            {key: short(value) for key, value in row._asdict().items()}
            for row in comparison_rows(found)
        ],
        "regressions": [
            {
                "arm": each.arm,
                "measure": each.measure.title,
                "problem": each.key.problem,
                "seed": each.key.seed,
                "effect": words.effect_words(-each.behind, each.measure.scale),
                "value": short(on_scale(-each.behind, 0.0, 0.0, each.measure.scale)[0]),
                "run": str(each.run),
                "base_run": str(each.base_run),
            }
            for each in found.regressions
        ],
        "notes": list(found.notes),
        "left_out": [f"{each.folder}: {each.why}" for each in found.left_out],
    }
