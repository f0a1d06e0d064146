"""What memory is worth: four arms at equal budgets, every verdict from one table a machine.

Arms: nothing but the check for duplicates, LocalMemory, the prior from earlier runs, both. The
prior comes from one run a problem; runs of the problem's own family are left out. Counted is
what a run spends until it has 90 % of the best effect that is known, in evaluations and in CPU
seconds of candidates; one that never has it counts with the whole budget, and with the CPU
seconds of the longest run of its problem. The best known is what any run of the first two
seeds found: these are made to the end of their budgets, later ones end once they have enough.
Arms with memory leave it out in one slot of eight, as any run does, to tell what it was worth.
The effect of an arm is the geometric mean over problems of its mean divided by that of the
first arm; the interval is over problems, 95 % (`se_agent.stats.bootstrap`).
"""

from __future__ import annotations

import math
import shutil
import statistics
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter

from experiments.figures.rows import HOME, Row, fill
from experiments.figures.shipped import functions
from experiments.figures.verdicts import Tabled
from se_agent.abilities.evaluator import Challenger, Observing
from se_agent.config.run_file import Run
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.resolve import ResolvedRun, registered_evaluator
from se_agent.engine.run.start import start
from se_agent.engine.search.search_space import reachable
from se_agent.engine.state.experience import family
from se_agent.events import Event, SearchEnded
from se_agent.memory.experience.operator_counts import OperatorCounts
from se_agent.memory.experience.schema import FILE, read, write
from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem
from se_agent.protocols import Evaluator
from se_agent.report.story import Story
from se_agent.stats.bootstrap import ratio_interval

SEEDS = range(10)
EVALUATIONS = 40
SETTINGS = {"evaluations": EVALUATIONS}
CANDIDATES = 30
"""Distinct programs that a problem must have within reach, or there is nothing to choose."""

FULL = 2
"""Seeds whose runs are made to the end of their budgets: the best that is known is theirs."""

SHARE = 0.9
"""Share of the best known effect that a search has to reach."""

NONE, SCHOOL = "none", "school"
ARMS = {
    NONE: (False, False),
    "LocalMemory": (True, False),
    "prior": (False, True),
    "both": (True, True),
}
Step = tuple[int, float, float]
_TRIALS = TypeAdapter(OperatorCounts)
_FEWEST = 5  # problems that an interval over problems needs
_PLACE = HOME / "ablation"


def problems() -> list[str]:
    """Return the shipped functions with enough programs within reach."""
    return [name for name in functions() if _reach(name) >= CANDIDATES]


def _reach(name: str) -> int:
    problem = load_problem(name)
    resolved = ResolvedRun.of(Run(problem=name), problem)
    return reachable(resolved.first_brief, resolved.rules, cap=CANDIDATES).candidates


def rows(
    names: Sequence[str] = (), seeds: Iterable[int] = SEEDS, evaluations: int = EVALUATIONS
) -> dict[str, Row]:
    """Run what is missing and return a row an arm, problem and seed.

    Args:
        names: Names of problems; none: all that have enough programs within reach.
        seeds: Seeds of the searches.
        evaluations: Budget of a run.
    """
    chosen, settings = list(names) or problems(), {"evaluations": evaluations}
    school = {f"{n}/{SCHOOL}/0": partial(_schooled, n, chosen, evaluations) for n in chosen}
    known = fill("ablation", school, settings=settings)
    learned = {key: known[key]["trials"] for key in school}
    seeds, bars = list(seeds), dict[str, float]()
    for some in ([s for s in seeds if s < FULL], [s for s in seeds if s >= FULL]):
        # Seed by seed: where it is stopped, each problem has had its share.
        tasks = {
            f"{name}/{arm}/{seed}": partial(
                _row, name, arm, seed, evaluations, learned, bar=bars.get(name, math.inf)
            )
            for seed in some
            for name in chosen
            for arm in ARMS
        }
        anew = [
            key
            for key in tasks
            if key in known and is_short(known[key], bars.get(key.split("/")[0], 0.0))
        ]
        known = fill("ablation", tasks, settings=settings, anew=anew)
        bars = _bars(known)
    return known


def is_short(row: Row, bar: float) -> bool:
    """Say whether a run was ended at a bar below this one, and is not past this one."""
    best = max((step[2] for step in row["course"]), default=0.0)
    return bool(row.get("bar", math.inf) <= best < bar)


def _bars(rows: Mapping[str, Row]) -> dict[str, float]:
    """Return by problem the effect that is enough, from the runs that were made to the end."""
    best: dict[str, float] = {}
    for key, row in rows.items():
        name, arm, seed = key.split("/")
        if arm in ARMS and int(seed) < FULL:
            best[name] = max([best.get(name, 0.0), *(step[2] for step in row["course"])])
    return {name: SHARE * effect for name, effect in best.items()}


def _schooled(name: str, names: Iterable[str], evaluations: int) -> Row:
    """Run a problem for the experience alone; it uses none of the others'."""
    others = sorted({family(load_problem(other)) for other in names})
    memory = {"enabled": False, "prior": True, "exclude_families": others}
    place = _PLACE / SCHOOL / name
    shutil.rmtree(place, ignore_errors=True)
    run = _run(name, place, 1000, evaluations, memory)
    start(run, evaluators=_tabled)
    trials = [asdict(one) for one in read(place / FILE).trials]
    return _row_of(run) | {"trials": trials}


def _row(
    name: str,
    arm: str,
    seed: int,
    evaluations: int,
    learned: Mapping[str, list[Row]],
    bar: float,
) -> Row:
    """Run a problem in an arm, with what the schools learned, until it has enough."""
    enabled, prior = ARMS[arm]
    place = _PLACE / name / arm / str(seed)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for school, trials in learned.items():
        write(place / FILE, school, (_TRIALS.validate_python(one) for one in trials))
    own = [family(load_problem(name))]
    memory = {"enabled": enabled, "prior": prior, "exclude_families": own}
    run = _run(name, place, seed, evaluations, memory)
    with suppress(SearchOverError):
        start(run, evaluators=_tabled, listeners=[SearchOnly(bar)])
    return _row_of(run) | ({"bar": bar} if bar < math.inf else {})


class SearchOverError(Exception):
    """Ends a run of which the rest would tell nothing."""


class SearchOnly:
    """Ends a run with its search: trimming and confirming are a fifth of it, and count not."""

    def __init__(self, bar: float) -> None:
        """End it once a program has this effect, too."""
        self._bar = bar
        self._reached = Reached()

    def on_event(self, event: Event) -> None:
        """Raise at the end of the search."""
        step = self._reached.after(event)
        if isinstance(event, SearchEnded) or (step is not None and step[2] >= self._bar):
            raise SearchOverError


class Reached:
    """How far a run is: what it spent, and the best effect."""

    def __init__(self) -> None:
        self._story, self._closed = Story(), 0

    def after(self, event: Event) -> Step | None:
        """Return evaluations, CPU seconds of candidates and best effect, if a step closes."""
        story = self._story
        story.apply(event)
        if story.closed == self._closed:
            return None
        self._closed = story.closed
        best = story.ranks.get(story.best, 0.0)
        return story.costs.evaluations, story.costs.child_seconds, best


def _run(
    name: str, results: Path, seed: int, evaluations: int, memory: dict[str, object]
) -> Run:
    return Run.model_validate(
        {
            "problem": name,
            "seed": seed,
            "results": str(results),
            "name": "run",
            "memory": memory,
            "budget": {"evaluations": evaluations},
        }
    )


def _tabled(problem: Problem, config: Run) -> Evaluator:
    # One seed of inputs for all arms and seeds of the search: the verdicts are shared.
    inner = registered_evaluator(problem, config.model_copy(update={"seed": 0}))
    assert isinstance(inner, Challenger), "the shipped functions are searched"
    assert isinstance(inner, Observing), "and watched"
    return Tabled(inner, _PLACE / f"{problem.name}.verdicts")


def _row_of(run: Run) -> Row:
    reached = Reached()
    with Journal(Path(run.results) / run.name / "run.db", write=False) as journal:
        steps = [reached.after(event) for event in journal.events()]
    course = [step for step in steps if step is not None]
    return {"course": course, "evaluations": run.budget.evaluations}


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: an arm a line, against the first.

    Problems of which an arm has no run yet, or no run was made to the end, are left out, and
    runs that ended at a lower bar.
    """
    arms = {key: row for key, row in found.items() if key.split("/")[1] in ARMS}
    bars = _bars(arms)
    spent = {name: _spent(name, arms, bars[name]) for name in sorted(bars)}
    spent = {name: own for name, own in spent.items() if all(own.values())}
    if not spent:
        return "No problem has a run of each arm yet."
    runs = sum(len(each) for own in spent.values() for each in own.values())
    lines = [
        f"{len(spent)} problems, {runs} runs.",
        "",
        "| arm | evaluations, ratio | 95 % | CPU seconds, ratio | 95 % | reached |",
        "|---|--:|---|--:|---|--:|",
    ]
    for arm in ARMS:
        cells = []
        for measure in ("evaluations", "seconds"):
            ratios = [
                _mean(own[arm], measure) / _mean(own[NONE], measure) for own in spent.values()
            ]
            cells.append(f"{ratio_interval(ratios).mean:.2f} | {_interval(ratios)}")
        each = [run["reached"] for own in spent.values() for run in own[arm]]
        lines.append(f"| {arm} | {' | '.join(cells)} | {sum(each):.0f} of {len(each)} |")
    return "\n".join(lines)


def _interval(ratios: Sequence[float]) -> str:
    """Return the interval as a table tells it; too few problems have none."""
    if len(ratios) < _FEWEST:
        return "too few problems"
    found = ratio_interval(ratios)
    return f"{found.low:.2f} to {found.high:.2f}"


def _spent(name: str, arms: dict[str, Row], bar: float) -> dict[str, list[dict[str, float]]]:
    """Return by arm what each run of a problem spent until it had enough."""
    own = {
        key: row
        for key, row in arms.items()
        if key.split("/")[0] == name and not is_short(row, bar)
    }
    seconds = max((step[1] for row in own.values() for step in row["course"]), default=0.0)
    found: dict[str, list[dict[str, float]]] = {arm: [] for arm in ARMS}
    for key, row in own.items():
        hit = next((step for step in row["course"] if step[2] >= bar), None)
        at = hit or (row["evaluations"], seconds, 0.0)
        run = {
            "evaluations": max(at[0], 1),
            "seconds": at[1],
            "reached": float(hit is not None),
        }
        found[key.split("/")[1]].append(run)
    return found


def _mean(runs: Sequence[dict[str, float]], measure: str) -> float:
    return statistics.fmean(run[measure] for run in runs)
