"""What a search makes of the calls of a model: the arena, on equal terms.

A loopback endpoint answers from a corpus of programs, blind to who asks: the nearer to what the
prompt shows and names, the likelier. Ours and two published searches ask the same market with
the same seeds and draw from the same verdicts. Ours make one step at a time, as theirs do here,
with operators of a model only; ShinkaEvolve has no embeddings. Counted is every call, in every
role. The figure is the mean over the calls of the best gain so far,
ln(initial / best), as a share of the largest gain in the corpus; the difference is that of the
first arm to each other, paired by problem and seed, with its 95 % interval over problems. The
same at equal tokens: the mean over the tokens of both directions, as the market counts them
(four characters are one), up to where the thriftier of the two runs had made its calls.

The areas at 30 and 60 calls are those of the first calls of each run of 150, not of runs that
had such a budget. Where a prompt names a strategy below a heading such as our templates have
("strategy to follow", `_WANTED` in `prompt.py`), the market gives its programs eight times the
weight (`FOLLOWED` in `draw.py`). The published searches name none as they run here (without the
recommendations of ShinkaEvolve), and one in other words would not be understood: a part of the
lead over them may be that factor, and how far a real model follows a strategy is not measured.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from experiments.arena import recorded, runs
from experiments.arena.corpus import lot, names
from experiments.figures.rows import HOME, Row, fill
from se_agent.stats import anytime
from se_agent.stats.paired import DoubtedValue, PairKey, paired_effect

T = TypeVar("T")

SEEDS = 10
BUDGETS = (30, 60, 150)
SETTINGS = {"calls": max(BUDGETS), "row": 2}  # since 2 a row tells the tokens of each call
NAME = "arena"

ARMS: dict[str, tuple[str, ...]] = {
    "portfolio": ("policy=portfolio",),
    "lessons each": ("policy=portfolio", "memory.extraction=each"),
    "lessons batch": ("policy=portfolio", "memory.extraction=batch", "generation_size=4"),
    "cse": ("policy=cse",),
    "best_of_n": ("policy=best_of_n",),
    "sequential_refine": ("policy=sequential_refine",),
    "map_elites": ("policy=map_elites",),
    "random": ("policy=random",),
    "fixed": ("policy=fixed",),
    "openevolve": (),
    "shinka": (),
}
PEERS = ("openevolve", "shinka")


def rows(
    problems: Sequence[str] = (),
    arms: Sequence[str] = (),
    seeds: Iterable[int] = range(SEEDS),
    jobs: int = 1,
) -> dict[str, Row]:
    """Run what is missing and return a row an arm, problem and seed.

    Args:
        problems: Names; none: all of the corpus.
        arms: Names of the arms; none: all that can be run here.
        seeds: Seeds of the searches and of the market.
        jobs: Runs at a time.
    """
    recorded.rows()
    tasks = {
        f"{name}/{arm}/{seed}": partial(_row, name, arm, seed)
        for seed in seeds
        for name in problems or names()
        for arm in arms or available()
    }
    return fill(NAME, tasks, settings=SETTINGS, jobs=jobs)


def available() -> list[str]:
    """Return the arms that can be run here: those of others need their packages."""
    return [arm for arm in ARMS if arm not in PEERS or runs.installed(arm)]


def _row(name: str, arm: str, seed: int) -> Row:
    evaluator, place = recorded.recorded(lot(name)), HOME / NAME / arm / name / str(seed)
    if arm in PEERS:
        return runs.others(evaluator, place, seed, max(BUDGETS), arm)
    return runs.ours(evaluator, place, seed, max(BUDGETS), ARMS[arm])


def area(course: Sequence[float], calls: int) -> float:
    """Return the mean over the first calls of the best gain so far."""
    return statistics.fmean(course[:calls])


def area_by_tokens(course: Sequence[float], tokens: Sequence[int], most: int) -> float:
    """Return the mean over the first tokens of the best gain so far.

    Args:
        course: The best gain after each call; after the last one that was made it stays.
        tokens: Tokens of each call that was made.
        most: How many tokens count.
    """
    spent = itertools.accumulate(tokens)
    return anytime.area([*zip(spent, course, strict=False)], most)


def by_calls(row: Row, _beside: Row, *, calls: int) -> float:
    """Return the area of a run over its first calls, as a share of the largest gain."""
    return area(row["course"], calls) / row["top"]


def by_tokens(row: Row, beside: Row) -> float:
    """Return the same over the tokens that both runs have spent."""
    most = min(sum(row["tokens"]), sum(beside["tokens"]))
    return area_by_tokens(row["course"], row["tokens"], most) / row["top"]


MEASURES: dict[str, Callable[[Row, Row], float]] = {
    **{f"{calls} calls": partial(by_calls, calls=calls) for calls in BUDGETS},
    "equal tokens": by_tokens,
}


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: an arm a line, a measure a pair of columns."""
    arms = _arms(found)
    first = next(iter(arms))
    heads = [f"{measure} | {first} is ahead by" for measure in MEASURES]
    lines = [
        f"{len({name for name, _ in arms[first]})} problems, {len(found)} runs.",
        "",
        f"| arm | runs | tokens a call | {' | '.join(heads)} |",
        f"|---|--:|--:|{'--:|---|' * len(MEASURES)}",
    ]
    unproven = []
    for arm, own in arms.items():
        leads = {name: _lead(arms[first], own, of) for name, of in MEASURES.items()}
        shares = [_share(own, of) for of in MEASURES.values()]
        pairs = zip(shares, leads.values(), strict=True)
        cells = [f"{share:.3f} | {'' if arm == first else lead}" for share, lead in pairs]
        each = statistics.fmean(tokens for row in own.values() for tokens in row["tokens"])
        lines.append(f"| {arm} | {len(own)} | {each:,.0f} | {' | '.join(cells)} |")
        where = [name for name, lead in leads.items() if lead.low <= 0]
        if where and arm != first:
            unproven.append(f"{arm} at {', '.join(where)}")
    told = "; ".join(unproven) or "none"
    return "\n".join([*lines, "", f"Not proven to be ahead of: {told}."])


_Runs = dict[tuple[str, int], Row]
"""Runs of an arm, by problem and seed."""


def _arms(found: dict[str, Row]) -> dict[str, _Runs]:
    arms: dict[str, _Runs] = {arm: {} for arm in ARMS}
    for key, row in found.items():
        name, arm, seed = key.split("/")
        arms[arm][name, int(seed)] = row
    return {arm: rows for arm, rows in arms.items() if rows}


@dataclass(frozen=True)
class Lead:
    """How far an arm is ahead of another, with its interval; none where no run was paired."""

    mean: float = math.nan
    low: float = -math.inf
    high: float = math.inf

    def __str__(self) -> str:
        if math.isnan(self.mean):
            return "no run beside it"
        if math.isinf(self.low):
            return f"{self.mean:+.3f} (too few pairs)"
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def _lead(arm: _Runs, other: _Runs, measure: Callable[[Row, Row], float]) -> Lead:
    """Return the lead of an arm over another where both ran."""
    both = [(PairKey(*key), arm[key], row) for key, row in other.items() if key in arm]
    found = paired_effect(
        {key: DoubtedValue(measure(mine, theirs)) for key, mine, theirs in both},
        {key: DoubtedValue(measure(theirs, mine)) for key, mine, theirs in both},
    )
    if found is None:
        return Lead()
    return Lead(found.overall.mean, found.overall.low, found.overall.high)


def _share(own: _Runs, measure: Callable[[Row, Row], float]) -> float:
    return statistics.fmean(_by_problem(own, lambda row: measure(row, row)))


def _by_problem(own: Mapping[tuple[str, int], T], of: Callable[[T], float]) -> list[float]:
    """Return the mean over the seeds of each problem."""
    found: dict[str, list[float]] = {}
    for (name, _), run in own.items():
        found.setdefault(name, []).append(of(run))
    return [*map(statistics.fmean, found.values())]
