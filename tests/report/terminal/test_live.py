"""A run while it runs, on terminals of every kind."""

from __future__ import annotations

import datetime as dt
import io
import itertools
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich.console import Console

from se_agent.chat.events import Objected, Replied
from se_agent.chat.messages import Role
from se_agent.engine.judging.judge import judge
from se_agent.events import (
    BlockMeasured,
    Evaluated,
    Event,
    Learned,
    Proposed,
    Resumed,
    Selected,
    Started,
)
from se_agent.report import steps
from se_agent.report.story import Story
from se_agent.report.terminal.live import LiveView, PlainView
from se_agent.report.terminal.page import solutions
from se_agent.report.terminal.patient import PatientConsole
from se_agent.values.evaluation import Branch, Evaluation, Status
from se_agent.values.lesson import Item, Lesson, SourceRef
from tests.engine.step.test_minimise import Many, Needed, leapt
from tests.finished import events, recorded


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


@pytest.mark.tier("runs")
def test_plain_lines_tell_phases_steps_and_progress() -> None:
    text = plain(timed=True)
    assert "numbers: the initial program is right, " in text
    assert "self-test of the clock, block 3 of 6" in text
    best = r"best: about [\d.]+x, not yet confirmed"
    assert re.search(rf"generation 2: 8 steps; {best}; \d+ of \d+ evaluations, ", text)
    assert re.search(r"generation 2: .*\n  learned: ", text)
    assert re.search(r"Gen1_Sol_0 +Step\d +1\.\d+x \[[\d.x, ]+\] +better - new best\n", text)
    assert re.search(r"Gen\d+_Sol_\d+ +Step\d +failed: gave a wrong answer", text)
    assert re.search(r"confirmation on final inputs, block 6 of 6: [34]\.\d\dx", text)
    assert "\x1b" not in text


@pytest.mark.tier("runs")
def test_plain_lines_tell_what_is_doubtful_about_the_problem() -> None:
    out = io.StringIO()
    started = next(e for e in events(timed=True) if isinstance(e, Started))
    with PlainView(Console(file=out, width=120)) as view:
        view.on_event(later(started.model_copy(update={"notes": ("the inputs\nare few",)})))
    assert "\n  note: the inputs are few\n" in out.getvalue()


@pytest.mark.tier("runs")
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


def test_long_stages_of_a_step_have_lines() -> None:
    out = io.StringIO()
    with PlainView(Console(file=out, width=120)) as view:
        for number, event in enumerate(events(timed=True)):
            view.on_event(later(event, 60.0 + 6.0 * number))
    step = re.findall(r"^    (Gen1_Sol_0.*)", out.getvalue(), re.MULTILINE)
    assert step[:2] == [
        "Gen1_Sol_0: its tests are run",
        "Gen1_Sol_0: passes its tests, is compared now",
    ]
    assert "its tests are run" not in plain(timed=True)


def test_a_picture_says_since_when_nothing_came() -> None:
    console = Console(file=(out := io.StringIO()), width=120)
    view = LiveView(console)
    console.print(view.render())
    assert re.search(r"^run +checking the initial program\nnow +\d+ s so far$", told(out), re.M)
    for event in events(timed=True):
        view.on_event(event)
        if isinstance(event, Evaluated) and event.solution == "Gen1_Sol_0":
            break
    console.print(view.render())
    compared = r"^now +Gen1_Sol_0: passes its tests, is compared now, \d+ s so far$"
    assert re.search(compared, told(out), re.MULTILINE)


def told(out: io.StringIO) -> str:
    """Return what was printed, without spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def test_a_new_best_is_as_good_as_it_was_then() -> None:
    story = Story.of(events(timed=False))
    bests = [c for c in story.chapters.values() if c.learned and c.learned.best == c.id]
    lines = [steps.line(chapter, story) for chapter in bests]
    said = [line.partition("new best, score ")[2] for line in lines]
    assert len(said) > 2
    assert [float(text) for text in said] == sorted({float(text) for text in said})


@pytest.mark.parametrize(
    ("status", "said", "told"),
    [
        pytest.param(
            Status.RE,
            "KeyError: 'a'\n  main.py:7 in f: return d[k]",
            "ended with an error: KeyError: 'a'",
            id="a-traceback",
        ),
        pytest.param(Status.TLE, "", "took too long", id="silent"),
    ],
)
def test_a_failure_is_told_in_words(status: Status, said: str, told: str) -> None:
    view = LiveView(console := Console(file=(out := io.StringIO()), width=200))
    for event in itertools.takewhile(lambda e: e.kind != "evaluated", events(timed=False)):
        view.on_event(event)
    wrong = Evaluation(status=status, feedback=said)
    view.on_event(Evaluated(slot=0, solution="Gen1_Sol_0", content="", evaluation=wrong))
    lost = judge(wrong, None)
    view.on_event(Learned(slot=0, child="Gen1_Sol_0", verdict=lost, best="Gen0_Sol_0"))
    console.print(view.render())
    assert re.search(rf"Gen1_Sol_0 .* failed: {re.escape(told)} *\n", out.getvalue())
    assert re.search(rf"\nsteps .*\b1 {told.partition(':')[0]}\b", out.getvalue())


@pytest.mark.parametrize(
    ("kind", "status", "significant", "told"),
    [
        pytest.param(Branch.SUCCESS, Status.AC, True, "", id="won"),
        pytest.param(
            Branch.SUCCESS, Status.AC, False, " (what was tried did not help)", id="noise"
        ),
        pytest.param(
            Branch.FAILURE, Status.AC, False, " (what was tried did not help)", id="worse"
        ),
        pytest.param(
            Branch.FAILURE,
            Status.RE,
            False,
            " (what was tried ended with an error)",
            id="wrong",
        ),
    ],
)
def test_what_was_learned_says_whether_it_helped(
    kind: Branch, status: Status, significant: bool, told: str
) -> None:
    item = Item(
        type=kind,
        title="tune: 5 -> 6",
        source_ref=SourceRef(parent_id="Gen0_Sol_0", solution_id="Gen1_Sol_0", generation=1),
        status=status,
        significant=significant,
    )
    lesson = Lesson(updated_directions=(), new_memory_item=item)
    event = Learned(slot=0, best="Gen0_Sol_0", lesson=lesson)
    assert steps.lesson(event) == f"tune: 5 -> 6{told}"


def test_the_past_of_a_resumed_run_is_not_told_again() -> None:
    past = events(timed=True)
    out = io.StringIO()
    with PlainView(Console(file=out, width=120), "results/run") as view:
        for event in past[:100]:
            view.on_event(event)
        before = out.getvalue()
        view.on_event(later(Resumed(cpu_seconds=1.0, wall_seconds=1.0)))
        for event in past[100:]:
            view.on_event(later(event))
    assert before == ""
    assert out.getvalue().startswith("going on with results/run\n")
    assert "generation 1:" not in out.getvalue()
    assert "confirmation on final inputs" in out.getvalue()


@pytest.mark.parametrize("view", [PlainView, LiveView])
def test_a_closed_pipe_does_not_end_a_run(view: type[PlainView | LiveView]) -> None:
    console = PatientConsole(file=ClosedPipe(), width=80)
    with view(console) as shown:
        for event in events(timed=False):
            shown.on_event(later(event))
    assert console.quiet


def after(begin: Iterable[Event]) -> list[str]:
    """Return the lines that a view prints of events, without its opening."""
    out = io.StringIO()
    with PlainView(Console(file=out, width=120)) as view:
        for event in begin:
            view.on_event(later(event))
    return out.getvalue().splitlines()[1:]


def test_trials_of_the_winner_are_told_for_what_they_are(tmp_path: Path) -> None:
    told = after(recorded(Path(leapt(tmp_path, Many).run)))
    head = "trimming: up to 3 changes to leave out; then its gain is confirmed"
    over = next(n for n, line in enumerate(told) if line.startswith("search over, best: about"))
    assert told[over + 1] == head
    trials = [line for line in told if re.match(r"  Gen4_Sol_\d +trimming ", line)]
    assert [re.sub(r" {2,}", " ", line[2:]) for line in trials] == [
        f"Gen4_Sol_{n} trimming without {', '.join(f'{Many.name} in f (by={b})' for b in by)}"
        f": {outcome}"
        for n, by, outcome in (
            (0, (3,), "dropped: 1.00x without it, no worse"),
            (1, (1000,), "it stays: 0.012x without it"),
            (2, (2,), "dropped: 1.00x without it, no worse"),
        )
    ]
    assert not [line for line in told if "steps closed" in line]


def test_a_long_trial_shows_its_blocks(tmp_path: Path) -> None:
    out = io.StringIO()
    with PlainView(Console(file=out, width=120)) as view:
        for number, event in enumerate(recorded(Path(leapt(tmp_path, Needed).run))):
            view.on_event(later(event, 60.0 + 6.0 * number))
    assert "    Gen4_Sol_0 against Gen1_Sol_0, block 1: 0.099x so far" in out.getvalue()


def test_a_model_that_could_not_be_used_is_told_of() -> None:
    at = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=60)
    step: tuple[Event, ...] = (
        Selected(at=at, slot=0, child="Gen1_Sol_0", parents=(), operator="mutation"),
        *(
            Replied(at=at, slot=0, role=Role.MUTATE, attempt=n, model="main", text="Hello!")
            for n in (0, 1)
        ),
        Objected(at=at, slot=0, role=Role.MUTATE, attempt=1, why="it holds no program"),
        Proposed(at=at, slot=0),
        Learned(at=at, slot=0, best="Gen0_Sol_0"),
    )
    out = io.StringIO()
    with PlainView(Console(file=out, width=120)) as view:
        for event in step:
            view.on_event(event)
    (told,) = out.getvalue().splitlines()[1:]
    assert " ".join(told.split()) == "Gen1_Sol_0 mutation unusable reply: it holds no program"
    assert "it holds no program" in drawn(step)


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
    assert re.search(r"best +about [\d.]+x, not yet confirmed: ", text)
    assert "better" in text
    assert "of 30 evaluations" in text
    assert "`tests.fakes:Step" in text
