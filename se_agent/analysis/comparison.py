"""Arms against a base arm: by how much, with which doubt, and where an arm is worse. Pure.

Not here: how it is shown (`se_agent.report.words.comparison`), nor how pairs are judged
(`se_agent.stats.paired`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from se_agent.analysis.arms import NULL, Arm, arms_of, base_of, repeats
from se_agent.analysis.comparison_notes import notes_of
from se_agent.analysis.measures import (
    Known,
    RunMeasure,
    Scale,
    all_measures,
    known_of,
    on_scale,
)
from se_agent.analysis.records import LeftOut, ReadRuns
from se_agent.analysis.verdicts import (
    ArmVerdict,
    ProblemVerdict,
    overall_verdict,
    problem_verdicts,
)
from se_agent.errors import ConfigError
from se_agent.stats.bootstrap import MeanInterval
from se_agent.stats.holm import holm
from se_agent.stats.paired import PairedEffect, PairKey, paired_effect
from se_agent.wire.spelling import visible
from se_agent.wording import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True)
class ArmEffect:
    """What an arm is ahead of the base arm by, in one measure.

    Attributes:
        arm: Name of the arm.
        paired: The effect, overall and by problem.
        corrected: Probability of such an effect by chance, by Holm's correction over the arms;
            1 for a null arm, which is no candidate.
        verdict: What may be said over all problems.
        problems: What may be said on each problem, by its name.
    """

    arm: str
    paired: PairedEffect
    corrected: float
    verdict: ArmVerdict
    problems: Mapping[str, ProblemVerdict]


@dataclass(frozen=True, kw_only=True)
class MeasureComparison:
    """All arms in one measure.

    Attributes:
        measure: What is compared.
        effects: By arm, those that have a pair.
        floor: How far an arm may be from the base arm by noise alone: the far end of the null
            arm's interval; None without a null arm, or where its interval is not known.
    """

    measure: RunMeasure
    effects: tuple[ArmEffect, ...]
    floor: float | None


@dataclass(frozen=True, kw_only=True)
class Regression:
    """A pair that an arm lost.

    Attributes:
        arm: Name of the arm.
        measure: The measure it was lost in.
        key: Problem and seed.
        behind: By how much: a logarithm of a ratio, or a difference of scores; above 0.
        run: Folder of the arm's run.
        base_run: Folder of the base arm's run.
    """

    arm: str
    measure: RunMeasure
    key: PairKey
    behind: float
    run: Path
    base_run: Path


@dataclass(frozen=True, kw_only=True, repr=False)
class ArmComparison:
    """Everything that a comparison found.

    Attributes:
        base: The arm that the others are compared with.
        arms: The others; a null arm is the last one.
        measures: Those in which some pair was compared, results first.
        regressions: Pairs that were lost, the clearest first, arm by arm.
        notes: What has to be known to read it, a sentence each.
        left_out: Runs that were not compared.
    """

    base: Arm
    arms: tuple[Arm, ...]
    measures: tuple[MeasureComparison, ...]
    regressions: tuple[Regression, ...]
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()

    def __repr__(self) -> str:
        """Return the verdict on each arm in what runs came to, and the notes, a line each."""
        told = (
            f"{effect.arm} against {self.base.name}: {compared.measure.title} "
            f"{_with_interval(effect.paired.overall, compared.measure.scale)}: {effect.verdict}"
            for compared in self.measures
            if compared.measure.is_result
            for effect in compared.effects
        )
        notes = (f"note: {note}" for note in self.notes)
        return "\n".join(map(visible, (*told, *notes)))

    def frame(self) -> pd.DataFrame:
        """Return each effect as a row, overall and by problem; see `ComparisonRow`.

        Raises:
            ConfigError: pandas is not installed.
        """
        from se_agent.analysis.comparison_rows import ComparisonRow, comparison_rows
        from se_agent.analysis.frames import pandas_for

        rows = list(comparison_rows(self))
        return pandas_for("frame").DataFrame(rows, columns=[*ComparisonRow._fields])


def compare_runs(found: ReadRuns, *, base: str = "") -> ArmComparison:
    """Compare the arms of runs with one of them. The order of the runs changes nothing.

    Args:
        found: Runs of two arms or more.
        base: Name of the base arm; empty: what the runs say (`ReadRuns.base`).

    Raises:
        ConfigError: There is one arm only, no arm of this name, no problem that two arms have
            in common, or one seed of each problem only.
    """
    if not found.runs:
        raise ConfigError(
            f"none of {counted(len(found.left_out), 'run')} can be compared{_first(found)}",
            hint="`se-agent ls` says how runs ended; `se-agent resume RUN` goes on with one",
        )
    arms = arms_of(found.runs)
    if len(arms) == 1 and (found.notes or found.left_out):
        raise ConfigError(
            f"of one arm only, {arms[0].name!r}, runs have ended: there is nothing to compare",
            hint=_missing(found),
        )
    own = found.base if any(arm.name == found.base for arm in arms) else ""
    first = base_of(arms, base or own)
    others = tuple(arm for arm in arms if arm is not first)
    told = tuple(notes_of(first, others))
    others = tuple(arm for arm in others if not arm.is_null or repeats(arm, first))
    if not others:
        raise ConfigError(
            f"the null arm does not repeat {first.name!r}: there is nothing to compare",
            hint="give the runs of the arm that it repeats, too, and name that one by --base",
        )
    others, single = _with_seeds(first, others, _missing(found))
    known = known_of(found.runs)
    measures = tuple(
        each for measure in all_measures() if (each := _measured(measure, first, others, known))
    )
    return ArmComparison(
        base=first,
        arms=others,
        measures=measures,
        regressions=tuple(_regressions(measures, first, others)),
        notes=(*found.notes, *told, *single),
        left_out=found.left_out,
    )


def _with_interval(found: MeanInterval, scale: Scale) -> str:
    mean, *ends = (
        f"{end:+.4g}" if scale == "difference" else f"{end:.3g}x"
        for end in on_scale(found.mean, found.low, found.high, scale)
    )
    return f"{mean} [{', '.join(ends)}]" if found.is_known else mean


def _missing(found: ReadRuns) -> str:
    """Return in short what is known of the first run that is not there; empty: nothing."""
    left_out = (f"{each.folder}: {each.why}" for each in found.left_out)
    first = next(chain(left_out, found.notes), "")
    return shorten(visible(first), _LONGEST, placeholder=" ...")


def _first(found: ReadRuns) -> str:
    """Return the first reason in brackets."""
    return f" ({found.left_out[0].folder}: {found.left_out[0].why})" if found.left_out else ""


_PAIRS = "pairs have the same problem and seed: run both arms on the same ones"
_LONGEST = 160
_SEEDS = "run further seeds: a larger `seeds` in the grid's file, or `--set seed=1`, ..."


def _with_seeds(
    base: Arm, others: Sequence[Arm], missing: str
) -> tuple[tuple[Arm, ...], tuple[str, ...]]:
    """Return the arms with more than one seed of a problem, and notes on the others.

    Args:
        base: The base arm.
        others: The others.
        missing: What is known of runs that are not there.

    Raises:
        ConfigError: There is none; see `compare_runs`.
    """
    keys = {arm.name: {run.pair_key for run in arm.runs} for arm in (base, *others)}
    shared = {arm.name: keys[base.name] & keys[arm.name] for arm in others}
    if not any(shared.values()):
        problems = {key.problem for key in keys[base.name]}
        common = any(problems & {key.problem for key in keys[arm.name]} for arm in others)
        raise ConfigError(
            f"arm {base.name!r} has no {'seed' if common else 'problem'} in common with others",
            hint=missing or _PAIRS,
        )
    single = [name for name, pairs in shared.items() if pairs and not _is_repeated(pairs)]
    if all(name in single for name, pairs in shared.items() if pairs):
        told = "each problem has one seed only: an interval would say nothing of chance"
        raise ConfigError(told, hint=f"{missing}; or {_SEEDS}" if missing else _SEEDS)
    notes = (
        f"arm {name} is left out: its pairs have one seed of each problem only, so that an "
        "interval would say nothing of chance"
        for name in single
    )
    return tuple(arm for arm in others if arm.name not in single), tuple(notes)


def _is_repeated(pairs: Iterable[PairKey]) -> bool:
    """Say whether a problem has several seeds among these."""
    return max(Counter(key.problem for key in pairs).values()) > 1


def _measured(
    measure: RunMeasure, base: Arm, others: Sequence[Arm], known: Mapping[str, Known]
) -> MeasureComparison | None:
    """Compare all arms in one measure; None where no pair has a value."""
    first = measure.values(base.runs, known)
    pairs = {arm.name: paired_effect(measure.values(arm.runs, known), first) for arm in others}
    paired = {name: found for name, found in pairs.items() if found is not None}
    if not paired:
        return None
    chances = {name: each.overall.chance for name, each in paired.items() if name != NULL}
    corrected, floor = holm(chances), _floor(paired.get(NULL))
    by_problem = problem_verdicts(paired)
    effects = (
        ArmEffect(
            arm=name,
            paired=each,
            corrected=corrected.get(name, 1.0),
            verdict=overall_verdict(name, each, corrected.get(name, 1.0), floor),
            problems=by_problem[name],
        )
        for name, each in paired.items()
    )
    return MeasureComparison(measure=measure, effects=tuple(effects), floor=floor)


def _floor(null: PairedEffect | None) -> float | None:
    if null is None or not null.overall.is_known:
        return None
    return max(abs(null.overall.low), abs(null.overall.high))


def _regressions(
    measures: Iterable[MeasureComparison], base: Arm, others: Iterable[Arm]
) -> Iterator[Regression]:
    """Yield the pairs that were lost in what runs came to, the clearest of each arm first."""
    firsts = _folders(base)
    runs = {arm.name: _folders(arm) for arm in others}
    for compared in measures:
        for effect in compared.effects if compared.measure.is_result else ():
            if effect.arm == NULL:
                continue  # what it loses it loses to chance
            lost = [each for problem in effect.paired.problems for each in problem.lost]
            for behind, key in sorted(lost, key=attrgetter("order")):
                yield Regression(
                    arm=effect.arm,
                    measure=compared.measure,
                    key=key,
                    behind=behind,
                    run=runs[effect.arm][key],
                    base_run=firsts[key],
                )


def _folders(arm: Arm) -> dict[PairKey, Path]:
    """Return the folder of the first run of each problem and seed."""
    return {run.pair_key: run.folder for run in reversed(arm.runs)}
