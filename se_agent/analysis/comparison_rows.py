"""A comparison as rows of figures: for files, for programs and for notebooks. Pure.

Not here: a comparison in words (`se_agent.report.words.comparison`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from se_agent.analysis.comparison import ArmComparison, ArmEffect
from se_agent.analysis.measures import RunMeasure, on_scale
from se_agent.analysis.verdicts import ProblemVerdict
from se_agent.stats.bootstrap import MeanInterval
from se_agent.stats.paired import Standings


class ComparisonRow(NamedTuple):
    """One effect: of an arm in one measure, over all problems or on one.

    Attributes:
        measure: Name of the measure.
        scale: `gain` or `cost`: the effect is arm / base; `difference`: arm - base.
        arm: Name of the arm.
        base: Name of the base arm.
        problem: Name of the problem; empty: over all.
        effect: The effect on its scale.
        low: Lower end of its 95 % interval; None: too few problems, or seeds, for one.
        high: Upper end.
        pairs: Number of pairs.
        wins: Pairs in which the arm is better by more than the doubt of both runs.
        ties: Pairs that are not told apart.
        losses: Pairs in which it is worse.
        chance: Probability of such an effect by chance alone.
        corrected: The same by Holm's correction: overall over the arms, on one problem over all
            arms and problems; None on a problem with too few seeds.
        verdict: What may be said.
    """

    measure: str
    scale: str
    arm: str
    base: str
    problem: str
    effect: float
    low: float | None
    high: float | None
    pairs: int
    wins: int
    ties: int
    losses: int
    chance: float
    corrected: float | None
    verdict: str


def comparison_rows(found: ArmComparison) -> Iterator[ComparisonRow]:
    """Yield the effects, measure by measure and arm by arm; overall, then by problem."""
    for compared in found.measures:
        for effect in compared.effects:
            paired, measure = effect.paired, compared.measure
            told = ProblemVerdict(effect.corrected, effect.verdict)
            yield _row(found, measure, effect, "", paired.overall, paired.standings, told)
            for each in paired.problems:
                told = effect.problems[each.problem]
                yield _row(
                    found, measure, effect, each.problem, each.effect, each.standings, told
                )


def comparison_json(found: ArmComparison) -> dict[str, object]:
    """Return the object of `--json`."""
    return {
        "base": found.base.name,
        "arms": [
            {
                "name": arm.name,
                "runs": len(arm.runs),
                "settings": dict(arm.settings),
                "machines": sorted({run.machine for run in arm.runs}),
            }
            for arm in (found.base, *found.arms)
        ],
        "effects": [row._asdict() for row in comparison_rows(found)],
        "noise_floor": {each.measure.name: each.floor for each in found.measures},
        "regressions": [
            {
                "arm": each.arm,
                "measure": each.measure.name,
                "problem": each.key.problem,
                "seed": each.key.seed,
                "effect": on_scale(-each.behind, 0.0, 0.0, each.measure.scale)[0],
                "run": str(each.run),
                "base_run": str(each.base_run),
            }
            for each in found.regressions
        ],
        "notes": list(found.notes),
        "left_out": [{"run": str(each.folder), "why": each.why} for each in found.left_out],
    }


def _row(
    found: ArmComparison,
    measure: RunMeasure,
    effect: ArmEffect,
    problem: str,
    mean: MeanInterval,
    standings: Standings,
    told: ProblemVerdict,
) -> ComparisonRow:
    value, low, high = on_scale(mean.mean, mean.low, mean.high, measure.scale)
    return ComparisonRow(
        measure=measure.name,
        scale=measure.scale,
        arm=effect.arm,
        base=found.base.name,
        problem=problem,
        effect=value,
        low=low if mean.is_known else None,
        high=high if mean.is_known and math.isfinite(high) else None,
        pairs=sum(standings),
        wins=standings.wins,
        ties=standings.ties,
        losses=standings.losses,
        chance=mean.chance,
        corrected=told.corrected,
        verdict=str(told.words),
    )
