"""What may be said of an arm, over all problems and problem by problem.

Pure. Not here: how effects and their intervals are found (`se_agent.stats`).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from se_agent.analysis.arms import NULL
from se_agent.stats.bootstrap import MeanInterval
from se_agent.stats.holm import FALSE_AT_MOST, holm
from se_agent.stats.paired import PairedEffect, ProblemEffect


class ArmVerdict(enum.StrEnum):
    """What may be said of an arm in one measure."""

    BETTER = "better"
    WORSE = "worse"
    NOT_SHOWN = "no difference shown"
    NOISE = "inside the noise floor"
    FLOOR = "the noise floor"
    FEW_PROBLEMS = "too few problems"
    FEW_SEEDS = "too few seeds"


@dataclass(frozen=True)
class ProblemVerdict:
    """What may be said of an arm on one problem.

    Attributes:
        corrected: Probability of such an effect by chance, by Holm's correction over all arms
            and problems of the measure; None: there are too few seeds for an interval.
        words: An `ArmVerdict`, or that all seeds agree, where chance is not excluded.
    """

    corrected: float | None
    words: str


def overall_verdict(
    name: str, found: PairedEffect, corrected: float, floor: float | None
) -> ArmVerdict:
    """Return what may be said of an arm over all problems.

    Args:
        name: Name of the arm.
        found: Its effect.
        corrected: Probability of it by chance, by Holm's correction over the arms.
        floor: How far the null arm may be from the base arm; None: that is not known.
    """
    if name == NULL:
        return ArmVerdict.FLOOR
    if not found.overall.is_known:
        few = {"problems": ArmVerdict.FEW_PROBLEMS, "seeds": ArmVerdict.FEW_SEEDS}
        return few[found.over]
    return _verdict(found.overall.mean, corrected, floor)


def problem_verdicts(
    paired: Mapping[str, PairedEffect],
) -> dict[str, dict[str, ProblemVerdict]]:
    """Return what may be said of each arm on each problem, by arm and problem.

    A problem is called better or worse only where chance is excluded for all arms and problems
    together. Where seeds are few, or chance is not excluded, it is told when all seeds agree:
    each pair by more than the doubt of its two runs.

    Args:
        paired: The effects of the arms in one measure, by name; also that of a null arm.
    """
    each = {
        (name, one.problem): one for name, found in paired.items() for one in found.problems
    }
    corrected = holm(
        {
            key: one.effect.chance
            for key, one in each.items()
            if key[0] != NULL and one.effect.is_known
        }
    )
    floors = {
        one.problem: _floor(one.effect) for (name, _), one in each.items() if name == NULL
    }
    found: dict[str, dict[str, ProblemVerdict]] = {name: {} for name in paired}
    for (name, problem), one in each.items():
        chance = corrected.get((name, problem))
        words = _words(one, chance, floors.get(problem))
        found[name][problem] = ProblemVerdict(
            chance, ArmVerdict.FLOOR if name == NULL else words
        )
    return found


def _floor(null: MeanInterval) -> float:
    """Return the far end of a null arm's interval, or its effect where there is no interval."""
    return max(abs(null.low), abs(null.high)) if null.is_known else abs(null.mean)


def _words(found: ProblemEffect, chance: float | None, floor: float | None) -> str:
    verdict = ArmVerdict.FEW_SEEDS
    if chance is not None or (floor is not None and abs(found.effect.mean) <= floor):
        verdict = _verdict(found.effect.mean, 1.0 if chance is None else chance, floor)
    if verdict not in (ArmVerdict.FEW_SEEDS, ArmVerdict.NOT_SHOWN):
        return verdict
    pairs = sum(found.standings)
    agreed = {found.standings.wins: "better", found.standings.losses: "worse"}.get(pairs)
    return f"{agreed} with {_all(pairs)}" if agreed else verdict


def _all(seeds: int) -> str:
    return {1: "its one seed", 2: "both seeds"}.get(seeds, f"all {seeds} seeds")


def _verdict(effect: float, chance: float, floor: float | None) -> ArmVerdict:
    if floor is not None and abs(effect) <= floor:
        return ArmVerdict.NOISE
    if chance > FALSE_AT_MOST:
        return ArmVerdict.NOT_SHOWN
    return ArmVerdict.BETTER if effect > 0 else ArmVerdict.WORSE
