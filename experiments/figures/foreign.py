"""A foreign problem set: how much of its headroom is recovered, and what is claimed falsely?

The set is named by the environment variable SE_AGENT_PROBLEM_SET; without it the figure is left
out. Only ids and figures are kept. A row has headroom if a program at least 1.5 times as fast
is known; recovered of it is log(proven gain) / log(known ratio), at most 1, and 0 where nothing
is proven. An improvement is beyond what is known if it is claimed where there is no headroom,
and the best known program, or the initial one, does not give as much as the lower end of the
claim. Such a one is measured again by the referee of `prove`, three times: new blocks, no
search, and other inputs where the row draws them. It is false unless the interval of these
together lies beyond what is known, too. (One such measurement is not enough: of a gain that
six of six put at 1.05x to 1.07x the lower end was 0.99x in a seventh. That was seen before the
rule asked for three.)
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from evaluators.kinds.function import FunctionEvaluator
from experiments.figures.rows import (
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
from se_agent.config.run_file import Run
from se_agent.config.sections import Measure
from se_agent.engine.journal.journal import Journal
from se_agent.errors import SeAgentError
from se_agent.problem import dataset
from se_agent.report.story import Story
from se_agent.user_function.referee import Proof, Referee
from se_agent.values.solution import Solution

EVALUATIONS = 30
SETTINGS = {"evaluations": EVALUATIONS}
_AGAIN = (1000, 2000, 3000)  # added to the seed of a run where a claim of it is measured again


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
    tasks = {
        f"{key}/{seed}": partial(_row, given[key], seed) for seed in seeds() for key in order
    }
    return fill("foreign", tasks, settings=SETTINGS)


def _row(text: str, seed: int) -> Row:
    """Run a set of one row; what is known of its headroom is kept beside what was found."""
    measured = json.loads(text).get("measured", {})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "foreign.jsonl"
        path.write_text(text, encoding="utf-8")
        found = se_agent(
            "grid",
            str(path),
            "--set",
            f"results={folder}",
            "--set",
            f"grid.seeds=[{seed}]",
            "--set",
            f"budget.evaluations={EVALUATIONS}",
            "--set",
            "memory.prior=false",
        )
        told = found["cells"][0] if found.get("cells") else found
        known = {"ratio": measured.get("ratio"), "slow_ms": measured.get("slow_ms")}
        row = figures(told) | known | {"seed": seed}
        if _beyond(row):
            program = claimed(Path(told["run"]))
            row |= repeated(lambda more: again(text, program, seed=seed + more).interval)
    return row


def claimed(run: Path) -> Solution:
    """Return the program that a run has proven, which need not be the best of its search."""
    with Journal(run / "run.db", write=False) as journal:
        story = Story.of(journal.events())
    assert story.confirmed is not None, "it has claimed something"
    return story.solutions[story.confirmed.solution]


def repeated(measure: Callable[[int], tuple[float, float] | None]) -> Row:
    """Return what a row keeps of further measurements; where one fails, nothing is proven.

    Args:
        measure: Measures the claim with what is added to the seed, and returns the interval
            of its gain; None: there is none.
    """
    try:
        intervals = [measure(more) for more in _AGAIN]
    except SeAgentError as err:
        print(err, file=sys.stderr, flush=True)
        intervals = []
    found = [interval for interval in intervals if interval]
    low = pooled(found)[0] if len(found) == len(_AGAIN) else None
    return {"again_low": low, "again": found}


def pooled(intervals: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the interval of several independent measurements of one ratio, taken together.

    Args:
        intervals: Intervals of the same level; their middles count alike, in the logarithm.
    """
    ends = [(math.log(low), math.log(high)) for low, high in intervals]
    middle = statistics.fmean((low + high) / 2 for low, high in ends)
    half = math.hypot(*((high - low) / 2 for low, high in ends)) / len(ends)
    return math.exp(middle - half), math.exp(middle + half)


def again(text: str, program: Solution, *, seed: int, measure: Measure | None = None) -> Proof:
    """Return what the referee says of a program against that of its row.

    Args:
        text: The row.
        program: The program.
        seed: Seed of the inputs and blocks.
        measure: How long programs run; None: as in a run.

    Raises:
        ProblemError: The row's own program cannot be measured.
    """
    problem = dataset.problem(dataset.DatasetRow.model_validate_json(text))
    measured = measure or Measure()
    config = Run(problem=problem.name, seed=seed, measure=measured)
    cases = len(problem.cases)
    evaluator = FunctionEvaluator(problem, measure=config.measure, seed=seed)
    with closing(evaluator):
        referee = Referee(evaluator, config.judge, config.measure, _untold, _untold)
        return referee.compare(problem.initial(), program, compared=cases, distinct=cases)


def _untold(line: str) -> None:
    """Say nothing: two rows are made side by side."""


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: a column a seed, and one of all."""
    seeded = [row for row in found.values() if "seed" in row]
    numbers = sorted({row["seed"] for row in seeded})
    columns = [_column([row for row in seeded if row["seed"] == n]) for n in numbers]
    columns.append(_column(seeded))
    heads = [*(f"seed {n}" for n in numbers), "all"]
    lines = [f"| figure | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    labels = dict.fromkeys(label for column in columns for label in column)
    for label in labels:
        cells = [column.get(label, "0") for column in columns]
        lines += [f"| {label} | {' | '.join(cells)} |"]
    for name, is_so in (("Beyond what is known", _beyond), ("False", _false)):
        if keys := sorted(row["key"] for row in seeded if is_so(row)):
            lines.append(f"\n{name}: {', '.join(keys)}.")
    return "\n".join(lines)


def _column(rows: Sequence[Row]) -> dict[str, str]:
    """Return the figures of some rows, by what they are called."""
    headroom = [row for row in rows if _has_headroom(row)]
    measured = [row for row in headroom if "evaluations" in row]
    known = [row for row in rows if _known_without(row)]
    counts = sorted(Counter(row["status"].replace("_", " ") for row in rows).items())
    far, surely = past(headroom, 1.5), surely_past(headroom, 1.5)
    return {
        "rows made so far": str(len(rows)),
        **{f"rows {status}": str(count) for status, count in counts},
        "rows with headroom (ratio of 1.5 or more)": str(len(headroom)),
        "of these, measurable": str(len(measured)),
        "headroom recovered, all of them": f"{_mean([*map(_recovered, headroom)]):.3f}",
        "headroom recovered, the measurable": f"{_mean([*map(_recovered, measured)]):.3f}",
        "proven gain of 1.5x or more, all of them": share(far, len(headroom)),
        "proven gain of 1.5x or more, the measurable": share(far, len(measured)),
        "its whole interval at 1.5x or more, all of them": share(surely, len(headroom)),
        "rows known to have no headroom": str(len(known)),
        "of those, measurable": str(sum("evaluations" in row for row in known)),
        "improvements beyond what is known": share(sum(map(_beyond, known)), len(known)),
        "false improvements among them": share(sum(map(_false, known)), len(known)),
    }


def _has_headroom(row: Row) -> bool:
    return (row.get("ratio") or 0) >= 1.5


def _known_without(row: Row) -> bool:
    ratio, slow = row.get("ratio"), row.get("slow_ms")
    return (ratio is not None and ratio < 1.5) or (
        not _has_headroom(row) and slow is not None and slow < 1
    )


def _false(row: Row) -> bool:
    return _beyond(row) and not (row.get("again_low") or 0.0) > _known(row)


def _beyond(row: Row) -> bool:
    if not _known_without(row) or row["status"] != "proven":
        return False
    return bool(row["gain_low"] > _known(row))


def _known(row: Row) -> float:
    """Return the ratio of the best program that is known; the initial one is, with 1."""
    return max(1.0, row.get("ratio") or 1.0)


def _recovered(row: Row) -> float:
    return min(1.0, math.log(gain(row)) / math.log(row["ratio"]))


def _mean(values: list[float]) -> float:
    return statistics.fmean(values) if values else 0.0
