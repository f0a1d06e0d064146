"""How long it may still take: by the limit that is reached first."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from se_agent.events import Event, Started
from se_agent.report.story import Story
from se_agent.report.words.remaining import remaining
from tests.finished import events

BEGUN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def story(wall: float, cpu: float, **budget: Any) -> Story:
    """Return a run in its second generation, after so many seconds, with these limits."""
    past: list[Event] = []
    for event in events(timed=True):
        past.append(event.model_copy(update={"at": BEGUN}))
        if isinstance(event, Started):
            config = event.config | {"budget": budget}
            past[-1] = past[-1].model_copy(update={"config": config})
        if event.kind == "generation_opened" and event.slot > 0:
            spent = {"cpu_seconds": cpu, "wall_seconds": wall}
            past[-1] = past[-1].model_copy(update=spent)
            break
    return Story.of(past)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ({"wall_seconds": 160.0}, "about 1 min left of budget.wall_seconds"),
        ({"wall_seconds": 130.0}, "about 30 s left of budget.wall_seconds"),
        ({"cpu_seconds": 100.0}, "about 2 min left of budget.cpu_seconds"),
        (
            {"cpu_seconds": 100.0, "wall_seconds": 130.0},
            "about 30 s left of budget.wall_seconds",
        ),
        ({"generations": 5}, "about 7 min left of budget.generations"),
        ({}, ""),
    ],
)
def test_the_limit_that_is_reached_first_says_what_is_left(
    budget: dict[str, float], told: str
) -> None:
    assert remaining(story(100.0, 50.0, **budget)) == told


def test_it_goes_by_while_nothing_happens() -> None:
    now = BEGUN + dt.timedelta(seconds=40)
    found = story(100.0, 50.0, wall_seconds=160.0)
    assert remaining(found, now) == "about 20 s left of budget.wall_seconds"


def test_a_search_that_is_over_has_nothing_left() -> None:
    assert remaining(Story.of(events(timed=True))) == ""
