"""What a claim rests on, as it was measured: so many blocks, pairs and inputs. Pure.

Not here: the claim itself (`words`).
"""

from __future__ import annotations

from collections.abc import Sequence

from se_agent.events import BlockMeasured
from se_agent.report.story import Story
from se_agent.stats.sequential import SECOND_LOOK
from se_agent.values.evaluation import Block, InputSet


def final_blocks(story: Story) -> list[BlockMeasured]:
    """Return the blocks that the confirmation rests on, or so far rests on."""
    found = [b for b in story.own_blocks if b.inputs is InputSet.FINAL]
    last = found[-1].candidate if found else ""
    if story.confirmed is not None:
        last = story.confirmed.solution
    initial = story.started.initial.id if story.started else ""
    own = [b for b in found if b.candidate == last and b.reference == initial]
    # A large gain is measured twice, and the second look is what counts.
    return [b for b in own if b.block.number >= SECOND_LOOK] or own


def basis(blocks: Sequence[Block], *, exact: bool) -> str:
    """Return such as `99 % interval, 6 fresh blocks of 8 pairs on 24 unseen inputs`.

    Args:
        blocks: Blocks of a confirmation; at least one.
        exact: Whether something was counted, once, instead of timed.
    """
    unseen = "" if any(block.searched for block in blocks) else "unseen "
    counts = [_distinct(block) for block in blocks]
    inputs = f"{_range(counts)} {unseen}input{_s(counts)}"
    if exact:
        return f"counted once, on {inputs}"
    pairs = [block.pairs for block in blocks]
    fresh = f"{len(blocks)} fresh block{_s([len(blocks)])}"
    return f"99 % interval, {fresh} of {_range(pairs)} pair{_s(pairs)} on {inputs}"


def doubt(blocks: Sequence[Block], *, wanted: int) -> str:
    """Say where there were fewer inputs than wanted, or some that the search had; or nothing.

    Args:
        blocks: Blocks of a confirmation; at least one.
        wanted: How many distinct inputs a block should have.
    """
    had, most = max(block.searched for block in blocks), max(map(_distinct, blocks))
    told = []
    if most < wanted:
        was = "was" if most == 1 else "were"
        told.append(f"only {most} distinct final input{_s([most])} {was} there")
    if had:
        which = f"{had} of them" if most > 1 else "it"
        which = which if most < wanted else f"{had} of {most} final inputs"
        told.append(f"the search may have had {which}, too")
    return f"; but {', and '.join(told)}: other inputs may gain less" if told else ""


def _distinct(block: Block) -> int:
    """Return the distinct inputs of a final block."""
    return block.distinct or block.pairs * block.inputs


def _range(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low}" if low == high else f"{low} to {high}"


def _s(counts: Sequence[int]) -> str:
    return "" if max(counts) == 1 else "s"
