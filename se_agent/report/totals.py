"""What several runs came to, in a few lines: always several means and shares together. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from se_agent.report.story import Story
from se_agent.report.words.basis import final_blocks
from se_agent.report.words.phrases import measured, times
from se_agent.stats.summary import LARGE, SMALL, Summary
from se_agent.values.evaluation import Figure
from se_agent.values.objective import TITLES, UNITS, after

_LEGEND = (
    "ET, MP and MI, as in EffiBench-X: min(1, reference / best); the reference is the program "
    "that a problem names, else its initial one: 100 % is no worse, and gains do not show here"
)
_TITLES = {"et": "ET (time)", "mp": "MP (memory)", "mi": "MI (memory over time)"}


def lines(found: Mapping[str, Summary], *, legend: bool = True) -> Iterator[str]:
    """Yield a line for the gains, one for each share of a reference's figure, and what that is.

    Means are of two figures or more: a single one stands in its row.

    Args:
        found: By `gain`, `et`, `mp` and `mi`, as far as known.
        legend: Whether to say what the shares are.
    """
    means = {name: each for name, each in found.items() if each.count > 1}
    if gain := means.get("gain"):
        yield f"gain over {gain.count}: {_gains(gain)}"
    for name, title in _TITLES.items():
        if share := means.get(name):
            left_out = f", {share.unknown} more not known" if share.unknown else ""
            yield f"{title} over {share.count}{left_out}: {_shares(share)}"
    if legend and means.keys() & _TITLES.keys():
        yield _LEGEND


def beside(story: Story) -> str:
    """Return what the initial program and the best one took, in all that was read of them."""
    if story.confirmed is None or not story.confirmed.figures:
        return ""
    told = (
        f"{TITLES[f.quantity]} {_shown(f.reference, f)} -> {_shown(_candidate(f, story), f)}"
        for f in story.confirmed.figures
    )
    return f"read beside it: {', '.join(told)}"


def _candidate(figure: Figure, story: Story) -> float:
    """Return the best program's figure; in what was compared, the one that the gain leaves."""
    assert story.started is not None
    effects = [event.block.effect for event in final_blocks(story)]
    whole = effects and all(map(math.isfinite, effects))
    if figure.quantity is not story.started.objective.only or not whole:
        return figure.candidate
    return after(figure.reference, math.fsum(effects) / len(effects))


def _shown(value: float, figure: Figure) -> str:
    return measured(value, UNITS[figure.quantity], timed=True)


def _gains(found: Summary) -> str:
    means = (
        f"{times(found.harmonic)} harmonic mean, {times(found.geometric)} geometric mean, "
        f"{times(found.median)} median"
    )
    small, large = (f"{share:.0%}" for share in (found.from_small, found.from_large))
    return f"{means}; {small} reach {SMALL:g}x, {large} reach {LARGE:g}x"


def _shares(found: Summary) -> str:
    return (
        f"{found.harmonic:.1%} harmonic mean, {found.geometric:.1%} geometric mean, "
        f"{found.median:.1%} median of the reference"
    )
