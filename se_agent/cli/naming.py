"""Find the solution of a run that a person means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from se_agent.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from se_agent.report.story import Story
    from se_agent.values.solution import Solution

INITIAL, BEST = "initial", "best"
_LISTED = "`se-agent show RUN` lists the solutions"
_SAID = "`se-agent show RUN {} --calls` has what a model was asked, and what it said"


def named(story: Story, text: str) -> Solution:
    """Return the solution that a person means: by its id, `initial`, or `best` so far.

    Raises:
        ConfigError: There is none of that id.
    """
    from se_agent.report.steps import standing
    from se_agent.report.words.best import champion
    from se_agent.values.lesson import canonical_id

    best = champion(story)
    if text == BEST and best is not None:
        return best
    if text == INITIAL and story.started is not None:
        return story.started.initial
    try:
        wanted = canonical_id(text)
    except ValueError as err:
        raise ConfigError(str(err), hint=_LISTED) from err
    if wanted in story.solutions:
        return story.solutions[wanted]
    if chapter := story.chapter_of(wanted):
        asked = chapter.replied or (chapter.unanswered and chapter.unanswered.request)
        hint = _SAID.format(wanted) if asked else _LISTED
        raise ConfigError(
            f"{wanted} brought no program of its own: {standing(chapter)}", hint=hint
        )
    trials = {trial.id for trial in story.trials.values() if not trial.dropped}
    near = did_you_mean(wanted, [name for name in story.solutions if name not in trials])
    raise ConfigError(f"no solution {wanted!r} in this run", hint=near or _LISTED)
