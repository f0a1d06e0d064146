"""Figures over a set of problems: several means and shares, never one number alone. Pure.

A mean of ratios hides what it is made of: one gain of a thousand lifts the arithmetic one, one
failure makes the harmonic one nothing. So all of them are told together. Not here: how sure a
single ratio is (`stats`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from se_agent.values.evaluation import Block, Figure
from se_agent.values.objective import Quantity

SMALL, LARGE = 1.1, 2.0
"""Ratios from which on a gain is worth the name, and from which on it is large."""

_IDLE = 5e-3
"""Seconds on the wall that a run may be late: others use the core, too."""

_CLEAR = math.log(1.35)
"""How much larger an effect of CPU time is than one on the wall, to be worth a word."""

_START = 0.5e-3
"""CPU seconds beyond the reference's that a single call may take: a start is not told finer."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a set of ratios comes to.

    Attributes:
        count: How many there are.
        harmonic: Harmonic mean; 0 if one of them is 0.
        geometric: Geometric mean; 0 if one of them is 0.
        median: The middle one.
        from_small: Share of those of at least 1.1.
        from_large: Share of those of at least 2.
        unknown: How many more there would be, had they been measured; no mean has them.
    """

    count: int
    harmonic: float
    geometric: float
    median: float
    from_small: float
    from_large: float
    unknown: int = 0


def summary(ratios: Sequence[float], *, unknown: int = 0) -> Summary | None:
    """Return the summary of ratios; None where there is none.

    Args:
        ratios: What was measured.
        unknown: How many could not be measured.

    Raises:
        ValueError: One is negative, infinite or not a number.
    """
    if any(not (math.isfinite(ratio) and ratio >= 0) for ratio in ratios):
        raise ValueError(f"ratios {list(ratios)}: each is a finite number from 0 on")
    if not ratios:
        return None
    whole = min(ratios) > 0
    return Summary(
        count=len(ratios),
        harmonic=statistics.harmonic_mean(ratios) if whole else 0.0,
        geometric=math.exp(statistics.fmean(map(math.log, ratios))) if whole else 0.0,
        median=statistics.median(ratios),
        from_small=sum(ratio >= SMALL for ratio in ratios) / len(ratios),
        from_large=sum(ratio >= LARGE for ratio in ratios) / len(ratios),
        unknown=unknown,
    )


def reached_share(figure: Figure) -> float:
    """Return min(1, reference / candidate): how much of the reference's figure is reached."""
    return min(1.0, figure.reference / figure.candidate)


def costly_start(blocks: Sequence[Block]) -> tuple[float, float] | None:
    """Return what processes that answer one input take, where the candidate's take longer.

    A table that is filled at the first call, or an import inside of it, is paid for by many
    calls in one process, and by no single one.

    Returns:
        CPU seconds of reference and candidate, medians over the blocks. None where the
        candidate's are not clearly more, in all blocks but one, or its runs are no faster.
    """
    each = [block.alone for block in blocks if block.alone]
    if math.fsum(block.effect for block in blocks) <= 0:
        return None
    slower = [new > max(old * SMALL, old + _START) for old, new in each]
    if not each or sum(slower) < max(1, len(each) - 1):
        return None
    old, new = (statistics.median(side) for side in zip(*each, strict=True))
    return old, new


@dataclass(frozen=True)
class FirstCall:
    """What a process takes until its first call is over, loading included.

    Attributes:
        old: CPU seconds of the reference.
        new: The same of the candidate.
        pays_after: Calls in one process from which on the candidate has saved what it takes
            more first; 1: from the first on. None where it saves nothing.
    """

    old: float
    new: float
    pays_after: int | None


def first_call(blocks: Sequence[Block]) -> FirstCall | None:
    """Return what the first call takes, medians over blocks; None where nobody looked.

    What the reference takes to be loaded is in neither, where loading does not count.
    """
    each = [block for block in blocks if block.alone]
    if not each:
        return None
    old, new = (statistics.median(b.alone[side] for b in each) for side in (0, 1))
    reference = statistics.median(block.reference for block in each)
    saved = reference * -math.expm1(-statistics.fmean(block.effect for block in each))
    more = new - old
    if more <= 0:
        return FirstCall(old, new, 1)
    return FirstCall(old, new, 1 + math.ceil(more / saved) if saved > 0 else None)


def lessening_reason(blocks: Sequence[Block]) -> list[str]:
    """Return why effects count for less than was read: the last reason, if there is any."""
    return [block.reservation for block in blocks if block.reservation][-1:]


def less_on_the_wall(blocks: Sequence[Block]) -> float | None:
    """Return the ratio of times on the wall, where it is clearly less than that of CPU time.

    A program that waits for a part of its time saves CPU time, and nobody's time.

    Returns:
        The median over the blocks. None where it is not less in all blocks but one, or
        something else than CPU time was compared, or time on the wall was not read.
    """
    walls = [_late(block) for block in blocks]
    late = [wall for wall in walls if wall is not None]
    if not late or len(late) < max(1, len(walls) - 1):
        return None
    return statistics.median(late)


def told_apart(blocks: Sequence[Block]) -> bool:
    """Say whether waiting of a program's own is told apart from what others did to it."""
    return bool(blocks) and all(block.present for block in blocks)


def busy(blocks: Sequence[Block]) -> float | None:
    """Return which part of their time programs were ready to run, and others had their core.

    It says something of the machine, and nothing of the programs: CPU time does not count it.

    Returns:
        None where it was not read.
    """
    gone, whole = 0.0, 0.0
    for block in blocks:
        walls = [f for f in block.figures if f.quantity is Quantity.WALL]
        for wall, present in zip(
            walls[:1], [block.present] if block.present else [], strict=False
        ):
            whole += wall.reference + wall.candidate
            gone += max(0.0, wall.reference + wall.candidate - sum(present))
    return gone / whole if whole else None


def _late(block: Block) -> float | None:
    """Return the ratio on the wall, where it is less than the effect and runs are late."""
    figures = {figure.quantity: figure for figure in block.figures}
    if block.unit != "s" or Quantity.WALL not in figures:
        return None
    wall, cpu = figures[Quantity.WALL], block.candidate
    if block.present:  # who was off its core because others had it did not wait
        wall = Figure(Quantity.WALL, *block.present)
    ratio = wall.reference / wall.candidate
    idle = block.inputs * (wall.candidate - cpu) > _IDLE
    return ratio if idle and block.effect - math.log(ratio) > _CLEAR else None


def merged_medians(blocks: Iterable[Sequence[Figure]]) -> tuple[Figure, ...]:
    """Return the medians over blocks, in the quantities that all of them know."""
    each = [{figure.quantity: figure for figure in block} for block in blocks]
    known = [q for q in (each[0] if each else {}) if all(q in figures for figures in each)]
    return tuple(
        Figure(
            quantity,
            statistics.median(figures[quantity].reference for figures in each),
            statistics.median(figures[quantity].candidate for figures in each),
        )
        for quantity in known
    )
