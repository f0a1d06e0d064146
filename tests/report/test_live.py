"""A run while it runs, on terminals of every kind."""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Iterable

import pytest
from rich.console import Console

from se_agent.conversation import Role
from se_agent.events import (
    BlockMeasured,
    Event,
    GenerationOpened,
    Learned,
    Proposed,
    Selected,
    Started,
)
from se_agent.report import steps
from se_agent.report.live import LiveView, PlainView
from se_agent.report.page import solutions
from se_agent.report.patient import PatientConsole
from se_agent.report.story import Story
from se_agent.talks import Replied
from tests.finished import events


class ClosedPipe(io.StringIO):
    """Nobody reads."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


def later(event: Event, seconds: float = 60.0) -> Event:
    """Return the event as if it came after the view was made."""
    return event.model_copy(
        update={"at": dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)}
    )


def plain(*, timed: bool) -> str:
    out = io.StringIO()
    with PlainView(Console(file=out, width=120)) as view:
        for event in events(timed=timed):
            view.on_event(later(event))
    return out.getvalue()


def test_plain_lines_tell_phases_steps_and_progress() -> None:
    text = plain(timed=True)
    assert "numbers: the initial program is right, " in text
    assert "self-test of the clock, block 3 of 6" in text
    best = r"best: [\d.x, \[\]]+ so far, not yet confirmed"
    assert re.search(rf"generation 2: 8 steps; {best}; \d+ of \d+ evaluations, ", text)
    assert re.search(r"generation 2: .*\n  learned: ", text)
    assert re.search(r"Gen1_Sol_0 +Step\d +1\.\d+x \[[\d.x, ]+\] +better - new best, 1", text)
    assert re.search(r"Gen\d+_Sol_\d+ +Step\d +failed: WA", text)
    assert re.search(r"confirmation on final inputs, block 6 of 6: [34]\.\d\dx", text)
    assert "\x1b" not in text


def test_plain_lines_tell_what_is_doubtful_about_the_problem() -> None:
    out = io.StringIO()
    started = next(e for e in events(timed=True) if isinstance(e, Started))
    with PlainView(Console(file=out, width=120)) as view:
        view.on_event(later(started.model_copy(update={"notes": ("the inputs\nare few",)})))
    assert "\n  note: the inputs are few\n" in out.getvalue()


def test_plain_lines_of_a_score_have_no_ratios() -> None:
    text = plain(timed=False)
    assert "score 0 (maximize)" in text
    assert re.search(r"\+[13] +better - new best, score [13]\n", text)
    assert "self-test" not in text


def test_a_long_comparison_shows_its_blocks() -> None:
    out = io.StringIO()
    with PlainView(Console(file=out, width=120)) as view:
        for number, event in enumerate(events(timed=True)):
            view.on_event(later(event, 60.0 + 6.0 * number))
    assert re.search(r"Gen1_Sol_0 against Gen0_Sol_0, block 2: 1\.\d+x so", out.getvalue())


def test_a_new_best_is_as_good_as_it_was_then() -> None:
    story = Story.of(events(timed=True))
    bests = [c for c in story.chapters.values() if c.learned and c.learned.best == c.id]
    lines = [steps.line(chapter, story) for chapter in bests]
    said = [line.partition("new best, ")[2].partition("x")[0] for line in lines]
    assert len(said) > 2
    assert [float(text) for text in said] == sorted({float(text) for text in said})


def test_the_past_of_a_resumed_run_is_not_told_again() -> None:
    past = events(timed=True)
    out = io.StringIO()
    with PlainView(Console(file=out, width=120)) as view:
        for event in past[:100]:
            view.on_event(event)
        before = out.getvalue()
        for event in past[100:]:
            view.on_event(later(event))
    assert before.count("\n") == 1
    assert "generation 1:" not in out.getvalue()
    assert "confirmation on final inputs" in out.getvalue()


@pytest.mark.parametrize("view", [PlainView, LiveView])
def test_a_closed_pipe_does_not_end_a_run(view: type[PlainView | LiveView]) -> None:
    console = PatientConsole(file=ClosedPipe(), width=80)
    with view(console) as shown:
        for event in events(timed=False):
            shown.on_event(later(event))
    assert console.quiet


def test_a_generation_without_a_candidate_is_one_line() -> None:
    at = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=60)
    opened = GenerationOpened(
        at=at, slot=0, generation=1, size=2, cpu_seconds=0.0, wall_seconds=0.0
    )
    first, second = (Learned(at=at, slot=slot, best="Gen0_Sol_0") for slot in (0, 1))
    out = io.StringIO()
    with PlainView(Console(file=out, width=120), opening="begin") as view:
        view.on_event(opened)
        view.on_event(first)
        view.on_event(second)
    line = "generation 1: 2 steps; best: the initial program so far"
    assert out.getvalue().splitlines()[1:] == [
        f"{line}; 0 evaluations, 0 us of CPU time",
        "  nothing new",
    ]


def test_a_model_that_could_not_be_used_is_told_of() -> None:
    at = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=60)
    step: tuple[Event, ...] = (
        Selected(at=at, slot=0, child="Gen1_Sol_0", parents=(), operator="mutation"),
        *(
            Replied(at=at, slot=0, role=Role.MUTATE, attempt=n, model="main", text="Hello!")
            for n in (0, 1)
        ),
        Proposed(at=at, slot=0),
        Learned(at=at, slot=0, best="Gen0_Sol_0"),
    )
    out = io.StringIO()
    with PlainView(Console(file=out, width=120), opening="begin") as view:
        for event in step:
            view.on_event(event)
    (told,) = out.getvalue().splitlines()[1:]
    assert " ".join(told.split()) == "Gen1_Sol_0 mutation unusable reply: 'Hello!'"
    assert "Hello!" in drawn(step)


def drawn(events: Iterable[Event]) -> str:
    console = Console(file=(out := io.StringIO()), width=120)
    console.print(solutions(Story.of(events)))
    return out.getvalue()


@pytest.mark.parametrize("width", [1, 5, 20, 80, 300])
@pytest.mark.parametrize("timed", [True, False], ids=["timed", "scored"])
def test_every_moment_can_be_drawn_at_every_width(width: int, timed: bool) -> None:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system="truecolor")
    view = LiveView(console)
    for number, event in enumerate(events(timed=timed)):
        view.on_event(event)
        if number % 25 == 0:
            console.print(view.render())
    console.print(view.render())
    if width == 300:
        assert "ended: evaluations" in out.getvalue()


def test_the_picture_shows_best_counts_budget_and_lesson() -> None:
    view = LiveView(Console(file=io.StringIO(), width=200, force_terminal=True))
    kept = [event for event in events(timed=True) if event.slot < 60]
    stop = max(n for n, event in enumerate(kept) if isinstance(event, BlockMeasured))
    for event in kept[: stop - 40]:
        view.on_event(event)
    console = Console(file=io.StringIO(), width=200)
    with console.capture() as captured:
        console.print(view.render())
    text = captured.get()
    assert "so far, not yet confirmed" in text
    assert "better" in text
    assert "of 30 evaluations" in text
    assert "`tests.fakes:Step" in text
