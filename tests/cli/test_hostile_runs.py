"""Runs full of hostile texts: none reaches the terminal as a command, and none the page.

Script tags, closing tags, escapes, a line of ten million characters, null bytes and marks that
turn the direction of writing: in programs, outputs, replies, and directions told by a person.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from se_agent.report.html.text_pool import LONGEST
from se_agent.wire.spelling import is_hidden
from tests.cli.calls import call
from tests.report.html.runs import HOSTILE, PLACES, hostile_run, island_of, texts_of

SHOWN = (
    ("show",),
    ("show", "--all"),
    ("show", "--calls"),
    ("show", "--search", "x"),
    ("show", "--directions", "2"),
    ("show", "--json"),
    *(("show", solution) for solution in ("best", "initial", *(f"g1s{n}" for n in range(9)))),
    *(("show", "--calls", f"g1s{n}") for n in range(3)),
    ("diff", "initial", "best"),
    ("diff", "g1s0", "g1s1"),
    ("memory",),
    ("watch", "--port", "99999"),
)
"""Commands that read a run, and what follows its folder."""


@pytest.fixture(scope="module", params=PLACES)
def place(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def run(place: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_run(tmp_path_factory.mktemp("hostile"), places=(place,))


def harmless(text: str) -> bool:
    """Say whether a terminal shows a text and does nothing else."""
    return not any(map(is_hidden, set(text) - {"\n"}))


@pytest.mark.tier("runs")
def test_no_command_that_shows_a_run_lets_a_text_drive_the_terminal(run: Path) -> None:
    for name, *rest in SHOWN:
        called = call(name, run, *rest)
        assert harmless(called.out), (name, rest)
        assert harmless(called.err), (name, rest)


@pytest.mark.tier("runs")
def test_neither_does_what_compares_it_or_writes_its_report(run: Path, tmp_path: Path) -> None:
    for arm in ("a\x1b[31m", "b"):
        for seed in range(2):
            shutil.copytree(run, tmp_path / arm / f"r{seed}")
    commands = [("compare", tmp_path), ("compare", tmp_path, "--markdown")]
    commands += [("report", run), ("report", tmp_path, "--runs"), ("ls", "--results", tmp_path)]
    for each in commands:
        called = call(*each)
        assert harmless(called.out), each
        assert harmless(called.err), each


@pytest.mark.tier("runs")
def test_the_page_holds_each_text_as_a_text(run: Path, place: str, tmp_path: Path) -> None:
    assert call("report", run, "--output", tmp_path / "r.html").code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert data[1].isascii()
    assert not set(data[1]) & set("<>&\n\x00\x1b")
    assert len(page) < 12 * LONGEST
    assert max(map(len, texts_of(page)), default=0) < 4 * LONGEST
    known = _texts([island_of(page), texts_of(page)])
    missing = [text for text in HOSTILE if _spelled(text) not in known]
    assert not missing or place == "direction"  # memory keeps what it has room for
    assert len(missing) < len(HOSTILE)


def _texts(value: object) -> str:
    """Return all texts of a value, those of JSON in it too."""
    if isinstance(value, str):
        inner = json.loads(value) if value.startswith('{"') else None
        return f"{value}\n{_texts(inner)}" if inner is not None else value
    if isinstance(value, dict):
        value = list(value.values())
    return "\n".join(map(_texts, value)) if isinstance(value, list) else ""


def _spelled(text: str) -> str:
    """Return a text as a journal keeps it: half a letter has no place in a file."""
    return text.encode("utf-8", "backslashreplace").decode()
