"""A run on one screen."""

from __future__ import annotations

from pathlib import Path

from se_agent.events import Observed
from se_agent.report.brief import brief, exhausted, summary
from se_agent.report.story import Story
from se_agent.values.observation import HotLine, Observation, Scaling
from tests.finished import events, finished, recorded
from tests.report.terminal.test_page import drawn

SEEN = Observation(
    hot=(HotLine(function="f", line=3, text="if x in xs:", share=0.83, hits=9),),
    scaling=Scaling(exponent=1.98, sizes=(10, 100), seconds=(0.1, 9.0)),
)


def test_it_says_where_the_time_of_the_best_program_goes() -> None:
    story = Story.of(events(timed=True))
    story.apply(Observed(solution=story.best, observation=SEEN))
    told = drawn(brief(story, Path("run"), plain=True), 80)
    assert f"Where the time of {story.best} goes" in told
    assert "83% of the CPU time is spent in line 3 of f(): if x in xs:" in told
    assert "CPU time grows as n^1.98" in told


def test_where_nothing_was_left_to_try_it_says_what_was_tried_and_what_may_help(
    tmp_path: Path,
) -> None:
    folder = finished(
        tmp_path, timed=True, operators=["tests.fakes:Step3"], budget={"evaluations": 500}
    )
    story = Story.of(recorded(folder))
    if story.budget_end == "exhausted":
        told = " ".join(drawn(exhausted(story), 200).split())
        assert "tried: Step3 (" in told
        assert "no rule has another change to propose" in told
        assert "a language model (`--model NAME`)" in told
        assert "larger inputs" in told
        assert "another function" in told
        assert "Why nothing was left to try" in drawn(summary(story, folder), 80)
    assert story.budget_end == "exhausted"


def test_a_run_that_a_limit_ended_says_nothing_of_that() -> None:
    assert not [*exhausted(Story.of(events(timed=True)))]


def test_notes_beyond_a_few_are_counted() -> None:
    first, *rest = events(timed=True)
    notes = tuple(f"doubt number {n}" for n in range(7))
    story = Story.of([first.model_copy(update={"notes": notes}), *rest])
    told = drawn(brief(story, Path("run"), plain=True), 80)
    assert told.count("note: doubt number") == 3
    assert "4 more notes: --all shows them" in told
