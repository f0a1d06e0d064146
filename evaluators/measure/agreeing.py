"""Whether CPU time falls with a count of instructions: a count alone could be forged.

A program shares the address space of what counts it. Its CPU time is read from outside, so a
gain that CPU time does not show is none, and one that it shows in part counts in part.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import replace

from evaluators.measure.pairs import Both, medians
from se_agent.values.evaluation import Block
from se_agent.values.objective import CPU_TIME, Quantity, seconds

TIMES = 3.0
"""How many times the effect in CPU time an effect in instructions counts for, at most."""

_FIRST, _MOST, _ENOUGH = 6, 12, 10
"""Pairs of which all must be faster; else so many in all, of which so many must be."""


def with_cpu_time(block: Block, pair: Callable[[], Both]) -> Block:
    """Return a counted block with CPU time beside it, and no more of a gain than that shows.

    Args:
        block: A block of counted instructions.
        pair: Runs both programs on the inputs of the block, where CPU time is read.

    Raises:
        SideEndedError: A run failed, or an answer is wrong.
    """
    if block.effect <= 0:
        return block
    each = [pair() for _ in range(_FIRST)]
    if not all(effect > 0 for effect in _effects(each)):
        each += [pair() for _ in range(_MOST - _FIRST)]
    effects, cpu = _effects(each), medians(each)[Quantity.CPU]
    fallen = sum(effect > 0 for effect in effects) >= min(len(each), _ENOUGH)
    effect = min(block.effect, TIMES * max(0.0, statistics.median(effects)) if fallen else 0.0)
    told = f"{seconds(cpu.reference)} -> {seconds(cpu.candidate)}"
    falls = "falls less" if effect else "does not fall"
    figures = {figure.quantity: figure for figure in block.figures} | {Quantity.CPU: cpu}
    return replace(
        block,
        effect=effect,
        candidate=block.reference * math.exp(-effect),
        figures=tuple(figures.values()),
        reservation=f"CPU time {falls}: {told}" if effect < block.effect else "",
    )


def _effects(each: list[Both]) -> list[float]:
    return [CPU_TIME.effect(both.reference, both.candidate) for both in each]
