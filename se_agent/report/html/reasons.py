"""Why a step was accepted or rejected, in a sentence. Pure."""

from __future__ import annotations

from se_agent.report.steps import effect, standing
from se_agent.report.story import Chapter, Standing, Story
from se_agent.report.words import phrases
from se_agent.stats.summary import lessening_reason


def reason(chapter: Chapter, story: Story) -> str:
    """Return why a step ended as it did."""
    found = chapter.standing
    if found is Standing.OPEN:
        return "under way"
    if found not in _JUDGED:
        return standing(chapter) + _case(chapter)
    parent = chapter.selected.parents[0] if chapter.selected else "its parent"
    told = f"{_JUDGED[found].format(parent=parent)}: {effect(chapter, story) or 'no figure'}"
    if found is Standing.NOISE and story.timed:
        told += " may be chance"
    if chapter.learned is not None and chapter.learned.best == chapter.id:
        told += "; a new best"
    return "; ".join([told, *_limits(chapter)])


_JUDGED = {
    Standing.BETTER: "accepted: proven better than {parent}",
    Standing.NOISE: "kept, but no gain over {parent} is proven",
    Standing.WORSE: "rejected: worse than {parent}",
}


def _case(chapter: Chapter) -> str:
    """Return the case that a candidate failed, where nothing else was said of it."""
    tests = chapter.evaluation
    if tests is None or tests.feedback or not tests.failing:
        return ""
    case = tests.failing[0]
    return f" on {case.name}: expected {case.expected}, got {case.got}"


def _limits(chapter: Chapter) -> list[str]:
    """Return what lessens an effect, and what the search for a counterexample came to."""
    told = [*lessening_reason([event.block for event in chapter.blocks])]
    if chapter.challenged is not None:
        told.append(phrases.challenged(chapter.challenged.hunt))
    return [each for each in told if each]
