"""Where a program was hot, on the pages of a run and of its solutions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from se_agent.events import Observed
from se_agent.report.story import Story
from se_agent.report.terminal import page
from se_agent.report.words.hot_lines import elsewhere, hottest, in_words
from se_agent.values.observation import Allocation, HotLine, Observation, Scaling
from tests.finished import events
from tests.report.terminal.test_page import drawn

HOT = tuple(
    HotLine(function="f.go" if n else "", line=n + 1, text=f"x += {n}", share=share, hits=7)
    for n, share in enumerate((0.4, 0.3, 0.1, 0.08, 0.05, 0.04, 0.001))
)


def told(*, timed: bool = True) -> Story:
    story = Story.of(events(timed=timed))
    seen = Observation(hot=HOT)
    story.apply(Observed(solution="Gen0_Sol_0", observation=seen))
    colder = Observation(hot=tuple(replace(line, share=0.001) for line in HOT))
    story.apply(Observed(slot=3, solution=story.best, observation=colder))
    return story


def test_a_run_shows_the_hottest_lines_of_its_initial_program() -> None:
    shown = drawn(page.run_page(told(), Path("run"), "", plain=True))
    assert "hot lines of Gen0_Sol_0, by their share of CPU time" in shown
    lines = [" ".join(line.split()) for line in shown.splitlines() if " x += " in line]
    assert lines[:2] == ["40% line 1 x += 0", "30% line 2 in f.go x += 1"]
    assert len(lines) == 5


def test_most_of_the_cost_may_be_in_a_function_that_may_not_change() -> None:
    name, share = elsewhere(HOT, "g") or ("", 0)
    assert (name, round(share, 3)) == ("f.go", 0.571)
    assert elsewhere(HOT, "f.g") is not None
    assert [elsewhere(HOT, name) for name in ("f", "f.go")] == [None, None]
    assert elsewhere(HOT[:2], "g") is None, "most is at module level"
    assert elsewhere(HOT[2:], "g") is None, "no function has most of it"
    assert elsewhere((), "g") is None


def test_a_program_that_was_not_watched_is_like_its_nearest_ancestor() -> None:
    story = Story.of(events(timed=True))
    assert hottest(story, story.best) == ()
    story.apply(Observed(solution="Gen0_Sol_0", observation=Observation(hot=HOT)))
    assert hottest(story, story.best) == HOT


def test_where_answers_are_rated_lines_are_counted() -> None:
    shown = drawn(page.run_page(told(timed=False), Path("run"), "", plain=True))
    assert "by their share of lines run" in shown


def test_a_solution_shows_its_own_and_cold_lines_are_not_worth_it() -> None:
    story = told()
    initial, best = story.solutions["Gen0_Sol_0"], story.solutions[story.best]
    assert "hot lines of Gen0_Sol_0" in drawn(page.solution_page(story, initial))
    assert "hot lines" not in drawn(page.solution_page(story, best))


def test_a_run_that_watched_nothing_says_nothing() -> None:
    story = Story.of(events(timed=True))
    assert "hot lines" not in drawn(page.run_page(story, Path("run"), "", plain=True))


def test_memory_and_scaling_are_shown_where_they_are_known() -> None:
    story = told()
    line = Allocation(function="f", line=3, text="a = [0] * n", share=0.8, bytes=8_130_000)
    small = replace(line, share=0.001, text="b = 1")
    grown = Scaling(exponent=1.9, sizes=(100, 400, 1600), seconds=(0.01, 0.14, 2.0))
    seen = Observation(hot=HOT, allocations=(line, small), scaling=grown)
    story.apply(Observed(solution="Gen0_Sol_0", observation=seen))
    shown = drawn(page.run_page(story, Path("run"), "", plain=True))
    assert "8.13 MB line 3 in f a = [0] * n" in " ".join(shown.split())
    assert "b = 1" not in shown
    assert "CPU time of Gen0_Sol_0 ~ n^1.90, n from 100 to 1600" in shown
    assert "~ n^" not in drawn(page.run_page(told(), Path("run"), "", plain=True))


def test_where_the_time_goes_is_told_in_words() -> None:
    seen = Observation(
        hot=(
            HotLine(function="f", line=3, text="if x in xs:", share=0.83, hits=9),
            HotLine(function="", line=9, text="x = 1", share=0.01, hits=9),
        ),
        scaling=Scaling(exponent=1.98, sizes=(10, 100), seconds=(0.1, 9.0)),
    )
    assert [*in_words(seen)] == [
        "83% of the CPU time is spent in line 3 of f(): if x in xs:",
        "CPU time grows as n^1.98 from n = 10 to 100",
    ]
    assert [*in_words(Observation())] == []
