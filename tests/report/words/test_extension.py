"""A run goes on with a larger budget: its search is not over, and nothing is proven yet."""

from __future__ import annotations

import pytest

from se_agent.config.deviations import deviating
from se_agent.events import Resumed
from se_agent.report.story import Story
from se_agent.values.evaluation import InputSet
from tests.finished import events


@pytest.fixture
def story() -> Story:
    return Story.of(events(timed=True))


def resumed(**settings: object) -> Resumed:
    return Resumed(cpu_seconds=1.0, wall_seconds=1.0, settings=settings)


def test_with_a_larger_budget_only_the_self_test_still_counts(story: Story) -> None:
    before = [block for block in story.own_blocks if block.inputs is InputSet.SEARCH]
    assert 0 < len(before) < len(story.own_blocks)
    story.apply(resumed(**{"budget.evaluations": 99}))
    assert story.own_blocks == before
    assert story.started is not None
    assert story.started.config["budget"]["evaluations"] == 99
    assert deviating(story.started)["budget.evaluations"] == 99
    assert (story.search_ended, story.confirmed, story.ended) == (None, None, None)


def test_with_other_settings_an_end_stays_an_end(story: Story) -> None:
    blocks = list(story.own_blocks)
    story.apply(resumed(workers=2))
    assert story.own_blocks == blocks
    assert story.ended is not None
