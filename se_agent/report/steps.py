"""One step in one line, for the live view, for logs and for tables."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from se_agent.events import BlockMeasured, Learned, Trimmed
from se_agent.program.style.passes import GUARDS
from se_agent.report.story import Chapter, Standing, Story
from se_agent.report.words import phrases
from se_agent.report.words.trial import ModelTrial
from se_agent.stats.summary import lessening_reason
from se_agent.values.evaluation import Branch, Status
from se_agent.values.solution import Edit

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

_OF_LINES, _SPAN = "change", re.compile(r"(\d+):(\d+)")  # an edit that is a run of lines
_UNUSED = "unused"  # of one that takes out what nothing uses any more
_RESTYLE = "restyle"  # of one that rewrites the text for people
_PLAINER = "plainer"  # of one that puts another program in the champion's place
_WIDTH = 200  # characters of a step in a line; the marker of a new best comes before them
_CLEAR_LOSS = 0.01  # effect of leaving out an edit from which on nobody asks why it stays
_CALLED = {Standing.PLANNED, Standing.UNUSABLE, Standing.UNANSWERED}


def standing(chapter: Chapter) -> str:
    """Return the standing in a word or two, and why where it is not what was hoped for."""
    found, verdict = chapter.standing, chapter.verdict
    if found is Standing.FAILED and verdict is not None:
        return f"{found.value}: {_failure(verdict.status, chapter)}"
    if found is Standing.DUPLICATE and chapter.proposed is not None:
        return f"duplicate of {chapter.proposed.duplicate_of}"
    if found is Standing.UNANSWERED and chapter.unanswered is not None:
        return phrases.one_line(f"{found.value}: {chapter.unanswered.why}", 100)
    if found is Standing.UNUSABLE and chapter.objected is not None:
        down = f"; no second one: {chapter.unanswered.why}" if chapter.unanswered else ""
        return phrases.one_line(f"{found.value}: {chapter.objected.why}{down}", 200)
    if found is Standing.PLANNED and chapter.planned is not None:
        names = "; ".join(strategy.name for strategy in chapter.planned.strategies)
        return phrases.one_line(f"{found.value}: {names}", 160)
    return found.value


def _failure(status: Status, made: Chapter | ModelTrial) -> str:
    """Say what became of a program that is not right, with the first line of what was seen."""
    told = [made.evaluation.feedback] if made.evaluation else []
    told += [event.block.feedback for event in made.blocks]
    first = next((line for text in told for line in text.splitlines() if line.strip()), "")
    return f"{phrases.ENDINGS[status]}{f': {phrases.one_line(first, 80)}' if first else ''}"


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
    return phrases.effect(
        verdict.effect, verdict.interval, timed=story.timed, trusted=story.trusted
    )


def operator(chapter: Chapter) -> str:
    """Return the operator's name; of `module:attribute` the attribute."""
    name = chapter.selected.operator if chapter.selected else ""
    return name.rpartition(":")[2]


def line(chapter: Chapter, story: Story) -> str:
    """Return a closed step, such as `Gen1_Sol_0  set_membership  2.31x [...]  better`."""
    name, what, gain, ended = cells(chapter, story)
    return phrases.shortened(f"{name:<11} {what:<22} {gain:<21} {ended}", _WIDTH)


def cells(chapter: Chapter, story: Story) -> tuple[str, str, str, str]:
    """Return what is told of a closed step: its program, operator, effect, and how it ended."""
    ended = standing(chapter)
    if chapter.learned is not None and chapter.learned.best == chapter.id:
        # A composed gain says how good it is in all, and it is not what decided.
        score = "" if story.timed else f", {phrases.standing(story, chapter.id)}"
        ended += f" - new best{score}"
    less = lessening_reason([event.block for event in chapter.blocks])
    ended += "".join(f"; {why}" for why in less)
    return chapter.id, operator(chapter), effect(chapter, story), ended


def trial_line(trial: ModelTrial, story: Story) -> str:
    """Return a trial that has ended: which edit of the winner was left out, and its outcome."""
    assert trial.trimmed is not None
    told = f"{tried(trial.trimmed)}: {trial_outcome(trial, story)}"
    return phrases.shortened(f"{trial.id:<11} {'trimming':<22} {told}", _WIDTH)


def tried(trimmed: Trimmed) -> str:
    """Return which edits a trial left out of the winner, or how it reworded it."""
    if trimmed.edit.rule in (_RESTYLE, _PLAINER):
        return edit_line(trimmed.edit)
    return f"without {edit_lines(trimmed)}"


def trial_outcome(trial: ModelTrial, story: Story) -> str:
    """Say what came of leaving out an edit, such as `it stays: 0.50x without it`."""
    if trial.trimmed is None:
        return "under way"
    found = [trial.evaluation.status] if trial.evaluation else []
    found += [event.block.status for event in trial.blocks]
    wrong = next((status for status in found if status is not Status.AC), None)
    if wrong is not None:
        return f"it stays: without it the program {_failure(wrong, trial)}"
    effects = [event.block.effect for event in trial.blocks]
    effects = effects[1:] or effects or [0.0]  # the first block is a glance
    mean = sum(effects) / len(effects)
    now = f"{phrases.value(mean, story)} without it"
    if is_rewritten(trial.trimmed):
        end = "no slower" if trial.dropped else "not kept"
        return f"{end}: {phrases.value(mean, story)}" if trial.blocks else end
    if trial.dropped:
        return f"dropped: {now}, no worse"
    return f"it stays: {now}{', which may be a loss' if mean > -_CLEAR_LOSS else ''}"


def is_rewritten(trimmed: Trimmed) -> bool:
    """Say whether a trial took nothing out, but put the program into other words."""
    return trimmed.edit.rule in (_RESTYLE, _PLAINER)


def edit_lines(trimmed: Trimmed) -> str:
    """Return all edits that were left out for a trial, in words."""
    return ", ".join(map(edit_line, trimmed.group))


def edit_line(edit: Edit) -> str:
    """Return an edit in words: rule, place, and its choices, or the lines that it changes."""
    where = f"in {edit.function}" if edit.function else "at module level"
    told = dict(edit.parameters)
    if edit.rule == _UNUSED:
        return f"what nothing uses any more: {phrases.one_line(told.get('names', ''), 120)}"
    if edit.rule == _RESTYLE:
        passes = phrases.one_line(told.get("passes", ""), 120)
        if passes in GUARDS:
            return "guards for what all inputs had taken out"
        return f"rewritten for people: {passes}"
    if edit.rule == _PLAINER:
        return f"{told.get('program', '')}, as good and plainer, in its place"
    if edit.rule == _OF_LINES and (span := _SPAN.fullmatch(told.get("lines", ""))):
        start, end = map(int, span.groups())
        lines = f"of line {end}" if end == start + 1 else f"of lines {start + 1} to {end}"
        lines = lines if end > start else f"before line {end + 1}"
        return f"{edit.rule} {lines} of {phrases.one_line(told.get('file', ''), 40)} {where}"
    choices = ", ".join(
        f"{key}={phrases.one_line(value, 40)}" for key, value in edit.parameters
    )
    number = f", occurrence {edit.occurrence + 1}" if edit.occurrence else ""
    return f"{edit.rule} {where}{number}{f' ({choices})' if choices else ''}"


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
    return f"{what}: {phrases.value(mean, story)} so far"


def newest(story: Story, count: int) -> list[Chapter]:
    """Return the last closed steps that are worth a line, oldest first."""
    closed = (c for c in reversed(story.chapters.values()) if c.learned)
    shown = (c for c in closed if (c.learned and c.learned.child) or remarkable(c))
    return [*itertools.islice(shown, count)][::-1]


def guarded(event: Learned) -> str:
    """Say what the shrink guard kept, or nothing."""
    kept = len(event.refused)
    names = "; ".join(map(phrases.one_line, event.refused))
    return f"kept {kept} fresh directions that the lesson dropped: {names}" if kept else ""


def lesson(event: Learned) -> str:
    """Return the title of what was learned, and whether what was tried helped; or nothing."""
    item = event.lesson.new_memory_item if event.lesson else None
    if item is None:
        return ""
    title = phrases.one_line(item.title)
    if item.type is Branch.SUCCESS and item.significant:
        return title
    return f"{title} (what was tried {phrases.ENDINGS.get(item.status, 'did not help')})"
