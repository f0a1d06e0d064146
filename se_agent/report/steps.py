"""One step in one line, for the live view, for logs and for tables."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from se_agent.events import BlockMeasured, Learned
from se_agent.report import words
from se_agent.report.story import Chapter, Standing, Story

STYLES = {
    Standing.OPEN: "dim",
    Standing.BETTER: "bold green",
    Standing.NOISE: "",
    Standing.WORSE: "yellow",
    Standing.FAILED: "red",
    Standing.DUPLICATE: "dim",
    Standing.NOTHING: "dim",
    Standing.PLANNED: "",
    Standing.UNUSABLE: "yellow",
    Standing.UNANSWERED: "yellow",
}

_CALLED = {Standing.PLANNED, Standing.UNUSABLE, Standing.UNANSWERED}


def standing(chapter: Chapter) -> str:
    """Return the standing in a word or two, and why where it is not what was hoped for."""
    found, verdict = chapter.standing, chapter.verdict
    if found is Standing.FAILED and verdict is not None:
        return f"failed: {verdict.status}"
    if found is Standing.DUPLICATE and chapter.proposed is not None:
        return f"duplicate of {chapter.proposed.duplicate_of}"
    if found is Standing.UNANSWERED and chapter.unanswered is not None:
        return words.one_line(f"{found.value}: {chapter.unanswered.why}", 100)
    if found is Standing.UNUSABLE and chapter.replied is not None:
        return words.one_line(f"{found.value}: {chapter.replied.text!r}", 100)
    if found is Standing.PLANNED and chapter.planned is not None:
        names = "; ".join(strategy.name for strategy in chapter.planned.strategies)
        return words.one_line(f"{found.value}: {names}", 160)
    return found.value


def remarkable(chapter: Chapter) -> bool:
    """Say whether a step without a candidate is worth a line: its calls were paid, or failed.

    One that a budget had no room for is not: the end of the run says so once.
    """
    found, down = chapter.standing, chapter.unanswered
    limited = found is Standing.UNANSWERED and down is not None and down.limit
    return found in _CALLED and not limited


def effect(chapter: Chapter, story: Story) -> str:
    """Return what is known of its effect on the parent; empty when nothing is."""
    verdict = chapter.verdict
    if verdict is None:
        return ""
    return words.effect(
        verdict.effect, verdict.interval, timed=story.timed, trusted=story.trusted
    )


def operator(chapter: Chapter) -> str:
    """Return the operator's name; of `module:attribute` the attribute."""
    name = chapter.selected.operator if chapter.selected else ""
    return name.rpartition(":")[2]


def line(chapter: Chapter, story: Story) -> str:
    """Return a closed step, such as `Gen1_Sol_0  set_membership  2.31x [...]  better`."""
    parts = [
        f"{chapter.id:<11}",
        f"{operator(chapter):<22}",
        f"{effect(chapter, story):<21}",
        standing(chapter),
    ]
    if chapter.learned is not None and chapter.learned.best == chapter.id:
        parts.append(f"- new best, {words.standing(story, chapter.id)}")
    return words.clean(" ".join(parts))[:200]


def comparison(blocks: Sequence[BlockMeasured], story: Story) -> str:
    """Say which comparison is under way and how it stands."""
    last = blocks[-1]
    mine = [
        b.block
        for b in blocks
        if (b.reference, b.candidate) == (last.reference, last.candidate)
    ]
    mean = sum(block.effect for block in mine) / len(mine)
    what = f"{last.candidate} against {last.reference}, block {len(mine)}"
    return f"{what}: {words.value(mean, story)} so far"


def newest(story: Story, count: int) -> list[Chapter]:
    """Return the last closed steps that are worth a line, oldest first."""
    closed = (c for c in reversed(story.chapters.values()) if c.learned)
    shown = (c for c in closed if (c.learned and c.learned.child) or remarkable(c))
    return [*itertools.islice(shown, count)][::-1]


def guarded(event: Learned) -> str:
    """Say what the shrink guard kept, or nothing."""
    kept = len(event.refused)
    names = "; ".join(map(words.one_line, event.refused))
    return f"kept {kept} fresh directions that the lesson dropped: {names}" if kept else ""


def lesson(event: Learned) -> str:
    """Return the title of what was learned, or nothing."""
    item = event.lesson.new_memory_item if event.lesson else None
    return words.one_line(item.title) if item else ""
