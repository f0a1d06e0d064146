"""A run that is silent for long is asked to say something, again and again."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from se_agent.report.terminal.heartbeat import Beat
from se_agent.report.terminal.live import LiveView, PlainView


class Clock:
    """Goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def said() -> list[float]:
    return []


def test_a_silence_is_told_with_its_length_and_again_after_as_long(said: list[float]) -> None:
    clock = Clock()

    def say(silent: float) -> None:
        said.append(silent)
        beat.heard()

    beat = Beat(say, 20.0, clock)
    for now in (5.0, 19.0, 21.0, 30.0, 42.0):
        clock.now = now
        beat.look()
    assert said == [21.0, 42.0]


def test_who_was_heard_is_not_asked(said: list[float]) -> None:
    clock = Clock()
    beat = Beat(said.append, 20.0, clock)
    for now in range(0, 100, 10):
        clock.now = float(now)
        beat.heard()
        beat.look()
    assert said == []


def test_a_plain_view_says_what_the_run_is_at() -> None:
    out = io.StringIO()
    view = PlainView(Console(file=out, width=120))
    view.say_what(21.0)
    view.on_work("Gen1_Sol_0: inputs are made up to refute it")
    view.say_what(42.0)
    assert out.getvalue().splitlines() == [
        "    checking the initial program, 21 s so far",
        "    Gen1_Sol_0: inputs are made up to refute it, 42 s so far",
    ]


def test_a_live_view_shows_what_was_begun() -> None:
    out = io.StringIO()
    console = Console(file=out, width=120, force_terminal=True)
    view = LiveView(console)
    view.on_work("Gen1_Sol_0: is watched on small inputs")
    console.print(view.render())
    assert "Gen1_Sol_0: is watched on small inputs, 0 s so far" in out.getvalue()
