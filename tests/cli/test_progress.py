"""How far a command is, where a line can be rewritten and where none can."""

from __future__ import annotations

import contextlib
import io

import pytest

from se_agent.cli.counting import counting
from se_agent.cli.progress import SILENCE, Progress
from se_agent.cli.screen import Screen

ERASE = "\x1b[2K"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


class Hands:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        """Say what they show."""
        return self.time


def test_in_a_pipe_a_line_is_told_only_after_a_silence() -> None:
    clock = Hands()
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        Progress(Screen(), clock) as progress,
    ):
        progress.step("timing ...")
        progress.at("block 1")
        clock.time += SILENCE
        progress.at("block 2")
        progress.at("block 3")
    assert out.getvalue().splitlines() == ["timing ...", "  block 2"]


def test_in_a_pipe_a_count_is_told_only_after_a_silence_and_never_at_the_end() -> None:
    clock = Hands()
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        counting(Screen(), "mutants", clock) as told,
    ):
        told(1, 9)
        clock.time += 60.0
        told(2, 9)
        told(3, 9)
        clock.time += 60.0
        told(9, 9)
    assert out.getvalue().splitlines() == ["mutants: 2 of 9"]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name in ("CI", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def test_on_a_terminal_a_count_is_a_bar_of_which_nothing_stays(terminal: Terminal) -> None:
    with contextlib.redirect_stdout(terminal), counting(Screen(), "mutants") as told:
        told(3, 9)
    assert "mutants" in terminal.getvalue()
    assert ERASE in terminal.getvalue().rpartition("mutants")[2]


def test_on_a_terminal_the_line_is_rewritten_and_gone_in_the_end(terminal: Terminal) -> None:
    with contextlib.redirect_stdout(terminal) as out, Progress(Screen()) as progress:
        progress.step("timing ...")
        progress.at("block 1")
        progress.at("block 2")
    told = out.getvalue()
    assert "timing ...\n" in told
    assert "block 1" in told
    assert ERASE in told.partition("block 1")[2].partition("block 2")[0]
    assert ERASE in told.partition("block 2")[2]
