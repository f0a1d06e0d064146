"""What is in doubt about the best program of a run, from its journal.

Not here: the words, which `se-agent prove` shares (`se_agent.values.doubts`).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.report.story import Story
from se_agent.values.doubts import Doubt, of_answers, of_branches, of_search
from se_agent.values.evaluation import Hunt


def doubts(story: Story) -> tuple[Doubt, ...]:
    """Return what is in doubt about the program that a run has confirmed; none before."""
    return tuple(_doubts(story))


def _doubts(story: Story) -> Iterator[Doubt]:
    found, started = story.confirmed, story.started
    if found is None or started is None or found.solution == started.initial.id:
        return
    hunt = story.hunts.get(found.solution, Hunt())
    yield from of_search(hunt)
    steps = (
        chapter.evaluation
        for chapter in story.chapters.values()
        if chapter.id == found.solution
    )
    trials = (trial.evaluation for trial in story.trials.values() if trial.id == found.solution)
    for evaluation in (*steps, *trials):
        if evaluation is not None:
            yield from of_answers(evaluation)
    if (seen := story.observed.get(started.initial.id)) is not None:
        yield from of_branches(seen.untaken, guessed=hunt.strict)
