"""What has to be known before a comparison is believed, a sentence each. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from se_agent.analysis.arms import DEFAULT, Arm, mixed_arms, repeats
from se_agent.analysis.records import ComparedRun
from se_agent.config.deviations import in_words
from se_agent.stats.bootstrap import FEWEST
from se_agent.wording import counted

_FEW_PROBLEMS = 5
"""Number of problems below which an interval over them is told to be wide."""

_UNKNOWN = "a machine that is not on record"


def notes_of(base: Arm, others: Sequence[Arm]) -> Iterator[str]:
    """Yield the notes on a comparison with a base arm."""
    arms = (base, *others)
    yield from _budgets(arms)
    yield from _machines(base, others)
    yield from _unwritten(arms)
    for arm, keys in mixed_arms(arms):
        yield f"runs of arm {arm.name} differ in more than problem and seed: {', '.join(keys)}"
    for arm in others:
        if arm.is_null and not repeats(arm, base):
            yield (
                "the null arm has other settings than the base arm, so there is no noise "
                "floor: with the arm that it repeats as `--base` there is one"
            )
    yield from _unpaired(base, others)
    yield from _repeated(arms)
    scored = sorted({run.result.problem for run in base.runs if not run.is_timed})
    if len(scored) > 1:
        yield (
            f"gained scores are averaged over problems as they are ({', '.join(scored)}): "
            "where their units differ, read the rows by problem"
        )
    for is_timed in (True, False):
        yield from _few_problems([run for run in base.runs if run.is_timed is is_timed])


def _few_problems(runs: Sequence[ComparedRun]) -> Iterator[str]:
    """Tell what few problems of one kind mean for an interval over them."""
    seeds = Counter(run.result.problem for run in runs)
    if not 1 < len(seeds) < _FEW_PROBLEMS:
        return
    if len(seeds) >= FEWEST:
        yield (
            f"{len(seeds)} problems are few: an interval over them is wide, "
            "and assumes that effects are spread like a bell"
        )
        return
    told = f"{len(seeds)} problems are too few for an interval over problems"
    if min(seeds.values()) >= FEWEST:
        yield f"{told}: read the rows by problem, whose intervals are over seeds"
    else:
        yield (
            f"{told}, and fewer than {FEWEST} seeds for one over seeds: a verdict says "
            "whether all seeds agree; add problems, or seeds"
        )


def _budgets(arms: Sequence[Arm]) -> Iterator[str]:
    """Tell of budgets that differ between arms."""
    own = {
        arm.name: {key: v for key, v in arm.settings.items() if key.startswith("budget.")}
        for arm in arms
    }
    if any(own.values()):
        told = "; ".join(f"{name}: {in_words(each) or DEFAULT}" for name, each in own.items())
        yield f"budgets differ, so that arms are not on equal terms: {told}"


def _unwritten(arms: Sequence[Arm]) -> Iterator[str]:
    """Tell of arms that asked models in vain: there prompts can make no difference."""
    asked = [arm for arm in arms if any(run.result.calls for run in arm.runs)]
    vain = [arm.name for arm in asked if not any(run.result.written for run in arm.runs)]
    if vain:
        where = "these runs" if len(vain) == len(asked) else f"arm {', '.join(vain)}"
        yield (
            f"no reply of a model became a program in {where}: what prompts show can make no "
            "difference there (`se-agent show RUN --all` says what was wrong with the replies)"
        )


def _machines(base: Arm, others: Sequence[Arm]) -> Iterator[str]:
    """Tell of runs on several machines, and of pairs of which each run had another one."""
    runs = [run for arm in (base, *others) for run in arm.runs]
    counts = Counter(run.machine or _UNKNOWN for run in runs)
    if len(counts) < 2:
        return
    told = "; ".join(f"{counted(number, 'run')} on {name}" for name, number in counts.items())
    where = {run.pair_key: run.machine for run in base.runs}
    mixed = sum(
        where[run.pair_key] != run.machine
        for arm in others
        for run in arm.runs
        if run.pair_key in where
    )
    yield f"{len(counts)} machines: {told}"
    if mixed:
        yield f"{counted(mixed, 'pair')} with one run on each of two machines"


def _unpaired(base: Arm, others: Sequence[Arm]) -> Iterator[str]:
    """Tell of runs that have no partner."""
    keys = {run.pair_key for run in base.runs}
    alone = sum(run.pair_key not in keys for arm in others for run in arm.runs)
    met = {run.pair_key for arm in others for run in arm.runs}
    alone += len(keys - met)
    if alone:
        yield f"{counted(alone, 'run')} without a partner of the same problem and seed"


def _repeated(arms: Sequence[Arm]) -> Iterator[str]:
    """Tell of runs that were made more than once with the same seed."""
    again = sum(len(arm.runs) - len({run.pair_key for run in arm.runs}) for arm in arms)
    if again:
        yield (
            f"{counted(again, 'run')} with the problem and the seed of another one in its arm: "
            "their mean counts as one run"
        )
