"""What a run looks like on terminals that can move, and on those that cannot."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.rule import Rule
from rich.text import Text

from se_agent.cli.screen import Screen
from tests.cli.calls import ENV, process

CLEAR = "\x1b[2K"  # what a picture that redraws itself needs


WORK = """
import time
from se_agent.cli.spinner import phase
from se_agent.cli.screen import Screen
screen = Screen()
with phase(screen, "looking"):
    time.sleep(1.2)
screen.say("done")
"""


def on_a_terminal(tmp_path: Path, *command: str, **changes: str) -> str:
    """Return what a run, or another command, writes to a terminal of its own."""
    plain = {key: value for key, value in ENV.items() if key not in ("CI", "NO_COLOR")}
    env = plain | {"TERM": "xterm-256color"} | changes
    master, slave = os.openpty()
    command = command or (sys.executable, "-m", "tests.cli.world", str(tmp_path), "timed")
    with subprocess.Popen(command, env=env, stdin=slave, stdout=slave, stderr=slave) as running:
        os.close(slave)
        seen = b"".join(iter(lambda: chunk(master), b""))
    os.close(master)
    assert running.returncode == 0, seen
    return seen.decode()


def chunk(master: int) -> bytes:
    """Return the next bytes; none once the other side is closed."""
    try:
        return os.read(master, 1 << 16)
    except OSError:
        return b""


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "change",
    [{"CI": "true"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}],
    ids=["CI", "colour", "dumb"],
)
def test_plain_lines(tmp_path: Path, change: dict[str, str]) -> None:
    seen = on_a_terminal(tmp_path, **change)
    assert CLEAR not in seen
    assert "self-test of the clock, block 6 of 6" in seen
    assert "proven: " in seen


@pytest.mark.tier("runs")
@pytest.mark.parametrize("columns", ["100", "20"])
def test_a_picture(tmp_path: Path, columns: str) -> None:
    seen = on_a_terminal(tmp_path, COLUMNS=columns)
    assert CLEAR in seen
    assert "What was learned" in seen
    if columns == "100":
        assert re.search(r"about [\d.]+x, not yet confirmed", seen)
        assert "of 30 evaluations" in seen


@pytest.mark.tier("runs")
def test_work_that_cannot_be_counted_counts_seconds(tmp_path: Path) -> None:
    seen = on_a_terminal(tmp_path, sys.executable, "-c", WORK)
    assert CLEAR in seen
    assert "looking ..." in seen
    assert re.search(r"looking \.\.\. .*0:00:0[1-9]", seen)
    assert seen.endswith("done\r\n")


@pytest.mark.tier("runs")
def test_it_is_a_line_elsewhere(tmp_path: Path) -> None:
    assert process([sys.executable, "-c", WORK], tmp_path).out == "looking ...\ndone\n"


def test_what_is_neither_text_nor_columns_hides_nothing_below_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Screen().show([Rule("above"), Text("below")])
    above, below = capsys.readouterr().out.splitlines()
    assert "above" in above
    assert below == "below"
