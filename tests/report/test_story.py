"""A run as people follow it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from se_agent.chat.events import Objected, Planned, Replied, Unanswered
from se_agent.chat.messages import Role
from se_agent.engine.journal.result import summarize
from se_agent.events import Evaluated, Learned, Proposed, SearchEnded, Selected
from se_agent.report import steps
from se_agent.report.story import Chapter, Standing, Story, lineage
from se_agent.report.words import phrases
from se_agent.report.words.best import champion
from se_agent.values.evaluation import Status
from se_agent.values.search_context import Strategy
from tests.finished import events


@pytest.fixture(params=[True, False], ids=["timed", "scored"])
def timed(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_a_story_and_the_result_agree(timed: bool) -> None:
    story, result = Story.of(events(timed=timed)), summarize(Path("r"), events(timed=timed))
    assert story.best == result.best_solution_id
    best = champion(story)
    assert best is not None
    assert best.id == result.best_solution_id


def test_any_beginning_of_a_run_has_a_story(timed: bool) -> None:
    story = Story()
    for event in events(timed=timed):
        story.apply(event)
        assert phrases.outcome(story)
        assert phrases.phase(story)
        assert "evaluations" in phrases.budget(story)


def test_phases_follow_one_another() -> None:
    story, seen = Story(), list[str]()
    for event in events(timed=True):
        story.apply(event)
        name = phrases.phase(story).split(",")[0].split(":")[0].rstrip(" 0123456789")
        if not seen or seen[-1] != name:
            seen.append(name)
    assert seen == [
        "self-test of the clock",
        "generation",
        "confirmation on final inputs",
        "saving",
        "ended",
    ]


def test_every_step_has_a_standing(timed: bool) -> None:
    story = Story.of(events(timed=timed))
    counts = story.counts()
    assert counts[Status.WA] > 0
    assert counts[Standing.BETTER] > 0
    assert counts[Standing.OPEN] == 0
    assert sum(counts.values()) == len(story.chapters)


def test_counts_are_those_of_the_steps_at_any_moment(timed: bool) -> None:
    story = Story()
    for event in events(timed=timed):
        story.apply(event)
        standings = [chapter.standing for chapter in story.chapters.values()]
        counts = story.counts()
        assert sum(counts.values()) == len(standings)
        for standing in set(Standing) - {Standing.FAILED}:
            assert counts[standing] == standings.count(standing)


def test_a_lineage_leads_from_the_initial_program_to_the_best(timed: bool) -> None:
    story = Story.of(events(timed=timed))
    line = lineage(story, story.best)
    assert (line[0], line[-1]) == ("Gen0_Sol_0", story.best)
    for parent, child in itertools.pairwise(line):
        assert story.solutions[child].parents[0] == parent


def test_the_curve_never_falls(timed: bool) -> None:
    effects = [effect for _, effect in Story.of(events(timed=timed)).curve]
    assert effects == sorted(effects)
    assert effects[-1] > 0


def test_an_open_step_is_open_until_it_is_learned() -> None:
    selected = Selected(child="Gen1_Sol_0", parents=(), operator="x")
    stages = [None, Proposed(proposal=None), Proposed(duplicate_of="Gen0_Sol_0")]
    found = [Chapter(slot=0, selected=selected, proposed=stage).standing for stage in stages]
    assert found == [Standing.OPEN, Standing.NOTHING, Standing.DUPLICATE]


def test_a_step_without_a_candidate_says_why() -> None:
    selected = Selected(child="Gen1_Sol_0", parents=(), operator="x")
    down = Unanswered(slot=0, role=Role.MUTATE, model="main", why="no route")
    plan = Planned(slot=0, strategies=(Strategy(name="sieve"),))
    full = down.model_copy(update={"limit": "calls"})
    twice = [
        Replied(slot=0, role=Role.MUTATE, attempt=attempt, model="main", text="So\nsorry.")
        for attempt in (0, 1)
    ]
    vain, mended = (
        Objected(slot=0, role=Role.MUTATE, attempt=attempt, why="no\nprogram")
        for attempt in (1, 0)
    )
    found = []
    for causes in (
        [down],
        [plan],
        [*twice, mended, vain],
        [*twice, mended],
        twice[:1],
        [full],
        [twice[0], mended, down],
        [twice[0], mended, full],
        twice,
    ):
        chosen = selected.model_copy(update={"slot": 0})
        chapter = Story.of([chosen, *causes, Proposed(slot=0)]).chapters[0]
        found.append((steps.standing(chapter), steps.remarkable(chapter)))
    assert found == [
        ("no reply: no route", True),
        ("planned: sieve", True),
        ("unusable reply: no program", True),
        ("nothing new", False),
        ("nothing new", False),
        ("no reply: no route", False),
        ("unusable reply: no program; no second one: no route", True),
        ("unusable reply: no program; no second one: no route", True),
        ("unusable reply", True),
    ]


def test_a_lesson_that_could_not_be_asked_for_is_not_why_a_step_is_empty() -> None:
    lesson = Unanswered(slot=0, role=Role.EXTRACT, model="main", why="no route")
    story = Story.of([Proposed(slot=0), lesson])
    assert story.chapters[0].standing is Standing.NOTHING


def test_a_withdrawn_solution_loses_its_rank() -> None:
    story = Story.of(events(timed=True))
    gone = story.best
    assert gone in story.ranks
    story.apply(Learned(slot=999, best="Gen0_Sol_0", withdrawn=(gone,)))
    assert gone not in story.ranks
    assert story.curve[-1][1] == 0.0


def test_evaluations_are_counted_as_they_are_paid() -> None:
    story, paid = Story(), 0
    for event in events(timed=False):
        story.apply(event)
        paid += isinstance(event, Evaluated)
        assert story.costs.evaluations == paid


def test_a_budget_without_room_for_a_call_says_how_much_was_missing() -> None:
    why = "budget.tokens has no room for a call of up to 8866"
    full = Unanswered(slot=0, role=Role.PLAN, model="main", why=why, limit="tokens")
    ends = [
        SearchEnded(budget_end=end, generations=1, cpu_seconds=1.0, wall_seconds=1.0)
        for end in ("tokens", "evaluations")
    ]
    said = [phrases.search_end(Story.of([full, end])).partition("; ")[2] for end in ends]
    assert said == [why, "the limit evaluations was reached"]


@pytest.mark.parametrize("newest", [1, 3, 8])
def test_one_that_forgets_shows_what_one_that_does_not_shows(timed: bool, newest: int) -> None:
    whole, short = Story(), Story(newest=newest)
    for event in events(timed=timed):
        whole.apply(event)
        short.apply(event)
        assert short.counts() == whole.counts()
        assert short.curve == whole.curve
        assert phrases.so_far(short) == phrases.so_far(whole)
        assert phrases.budget(short) == phrases.budget(whole)
        recent = [each for each in whole.chapters.values() if each.learned][-newest:]
        known = [short.chapters[each.slot] for each in recent]
        lines = [steps.line(each, whole) for each in recent]
        assert [steps.line(each, short) for each in known] == lines
    assert whole.generation is not None
    assert len(short.chapters) <= 2 * newest + whole.generation.size < len(whole.chapters)


def test_who_was_best_first_is_known_when_a_later_one_is_withdrawn(timed: bool) -> None:
    """The population falls back to the earliest of equals, however long ago that was."""
    story = Story.of(events(timed=timed))
    story.newest = 1
    learned = next(c.learned for c in story.chapters.values() if c.learned and c.verdict)
    number = max(story.chapters)
    for child in ("first", *map(str, range(200)), "last"):
        number += 1
        effect = 9.0 if child == "last" else 8.0
        best = "last" if child == "last" else "first"
        event = {"slot": number, "child": child, "effect": effect, "best": best}
        story.apply(learned.model_copy(update=event))
    assert story.ranks["first"] == 8.0
