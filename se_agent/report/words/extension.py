"""A story goes on with other settings, perhaps after its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from se_agent.config.changes import merged_table, more
from se_agent.events import Resumed
from se_agent.values.evaluation import InputSet

if TYPE_CHECKING:
    from se_agent.report.story import Story


def go_on(story: Story, event: Resumed) -> None:
    """Take note of changed settings; a search that had ended goes on if these are budgets."""
    if story.started is None or not event.settings:
        return
    config = merged_table(story.started.config, event.settings)
    given = story.started.settings
    given = given if given is None else {**given, **event.settings}
    story.started = story.started.model_copy(update={"config": config, "settings": given})
    if more(event.settings) and story.ended is not None:
        story.search_ended = story.confirmed = story.ended = story.no_room = None
        story.own_blocks = [b for b in story.own_blocks if b.inputs is InputSet.SEARCH]
        story.trials = {}
