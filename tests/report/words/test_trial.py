"""Trials that leave out edits of the winner: told for what they are."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from se_agent.report import steps
from se_agent.report.story import Story
from se_agent.report.terminal import page
from se_agent.report.terminal.live import PlainView
from se_agent.report.words import phrases
from tests.cli.calls import call, two_lines
from tests.engine.step.test_minimise import Leap, Many, Needed, Wrong, leapt
from tests.finished import recorded
from tests.report.terminal.test_live import later
from tests.report.terminal.test_page import drawn


def told(results: Path, operator: type[Leap], *, timed: bool = True) -> Story:
    return Story.of(recorded(Path(leapt(results, operator, timed=timed).run)))


@pytest.mark.parametrize(
    ("operator", "timed", "outcomes"),
    [
        pytest.param(Leap, True, ["dropped: 1.00x without it, no worse"], id="dropped"),
        pytest.param(
            Needed,
            True,
            ["it stays: 0.099x without it", "it stays: 0.91x without it"],
            id="needed",
        ),
        pytest.param(
            Wrong,
            True,
            [
                "it stays: without it the program gave a wrong answer",
                "it stays: 0.012x without it",
            ],
            id="wrong",
        ),
        pytest.param(
            Leap,
            False,
            ["it stays: -3 without it", "it stays: -1000 without it"],
            id="scored",
        ),
    ],
)
def test_a_trial_has_its_outcome(
    tmp_path: Path, operator: type[Leap], timed: bool, outcomes: list[str]
) -> None:
    story = told(tmp_path, operator, timed=timed)
    found = [steps.trial_outcome(trial, story) for trial in story.trials.values()]
    assert found == outcomes


def test_an_edit_that_stays_for_want_of_proof_says_so(tmp_path: Path) -> None:
    story = told(tmp_path, Leap)
    (trial,) = story.trials.values()
    assert trial.trimmed is not None
    trial.trimmed = trial.trimmed.model_copy(update={"dropped": False})
    said = "it stays: 1.00x without it, which may be a loss"
    assert steps.trial_outcome(trial, story) == said
    assert steps.trial_line(trial, story).endswith(f"Leap in f (by=3): {said}")


def test_a_trial_has_a_page(tmp_path: Path) -> None:
    story = told(tmp_path, Needed)
    text = drawn(page.solution_page(story, story.solutions["Gen4_Sol_0"]), 300)
    assert "a trial of  Gen1_Sol_0: without " in text
    assert "outcome     it stays: " in text
    assert "block  against     pairs" in text


def test_one_that_is_wrong_shows_on_what(tmp_path: Path) -> None:
    story = told(tmp_path, Wrong)
    text = drawn(page.solution_page(story, story.solutions["Gen4_Sol_0"]), 300)
    assert "it stays: without it the program gave a wrong answer" in text
    assert "failing case  seven" in text


def test_a_trial_that_is_under_way_has_no_outcome_yet(tmp_path: Path) -> None:
    events = [*recorded(Path(leapt(tmp_path, Needed).run))]
    first = next(n for n, event in enumerate(events) if event.kind == "trimmed")
    (trial,) = (story := Story.of(events[:first])).trials.values()
    assert trial.id == "Gen4_Sol_0"
    assert steps.trial_outcome(trial, story) == "under way"


def test_trials_are_counted_against_the_most_there_can_be(tmp_path: Path) -> None:
    """Also when the first edit is dropped: the winner of the search has three."""
    seen, story = list[str](), Story()
    for event in recorded(Path(leapt(tmp_path, Many).run)):
        story.apply(event)
        if story.trials and (not seen or seen[-1] != phrases.phase(story)):
            seen.append(phrases.phase(story))
    head = "leaving out edits of the best program, trial"
    assert seen[:3] == [f"{head} {number} of up to 5" for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("changes", "trims", "most", "said"),
    [
        pytest.param({}, True, 2, "trimming: up to 2 changes to leave out; ", id="rules"),
        pytest.param({"edits": ()}, True, 0, "its gain is confirmed now", id="too-few"),
        pytest.param({}, False, 0, "its gain is confirmed now", id="trim = false"),
        pytest.param(
            {"base": "", "edits": ()},
            True,
            None,
            "trimming: changes to leave out; ",
            id="written",
        ),
    ],
)
def test_how_much_is_left_to_try_is_told_where_it_is_known(
    tmp_path: Path, changes: dict[str, Any], trims: bool, most: int | None, said: str
) -> None:
    events = [*recorded(Path(leapt(tmp_path, Needed).run))]
    end = next(n for n, event in enumerate(events) if event.kind == "search_ended")
    view = PlainView(Console(file=(out := io.StringIO()), width=120))
    for event in events[:end]:
        view.on_event(event)
    story = view.snapshot()
    story.solutions[story.best] = replace(story.solutions[story.best], **changes)
    if not trims:
        assert story.started is not None
        settings = {**story.started.config, "trim": False}
        story.started = story.started.model_copy(update={"config": settings})
    assert phrases.to_leave_out(story) == most
    view.on_event(later(events[end]))
    assert out.getvalue().splitlines()[-1].startswith(said)


def test_the_winner_without_what_brought_nothing_is_among_the_solutions(tmp_path: Path) -> None:
    story = told(tmp_path, Many)
    text = drawn([page.solutions(story)], 300)
    assert f"{story.best} *" in text
    kept = {trial.id for trial in story.trials.values() if not trial.dropped}
    assert kept
    assert not [name for name in kept if name in text]


def test_no_trial_is_suggested_for_a_name_that_is_wrong(tmp_path: Path) -> None:
    run = leapt(tmp_path, Needed).run
    assert call("show", run, "Gen4_Sol_1").code == 0
    _, hint = two_lines(call("show", run, "Gen4_Sol_7"))
    assert hint.startswith("did you mean 'Gen")
    assert "Gen4" not in hint
