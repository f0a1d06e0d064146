"""Every page of every command at 60, 80 and 120 columns: no word is cut, no command torn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from se_agent.cli.commands.doctor import _table
from se_agent.cli.doctor_row import DoctorRow
from se_agent.cli.screen import Screen
from se_agent.cli.verdict import lines
from se_agent.engine.journal.journal import Journal
from se_agent.report.story import Story
from se_agent.report.terminal.live import LiveView, PlainView
from se_agent.report.terminal.patient import PatientConsole
from se_agent.user_function.referee import Proof, RefereeOutcome
from tests.cli.calls import call
from tests.cli.checks.test_no_candidates import DULL
from tests.cli.folders import problem_folder
from tests.finished import events, finished
from tests.report.terminal.test_live import later

WIDTHS = [60, 80, 120]
COPIED = re.compile(r"^\s*(\$ )?se-agent ")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    finished(folder / "results", timed=True, name="timed-with-a-name-of-its-own")
    finished(folder / "results", timed=True, name="timed-2", seed=2)
    finished(folder / "results", timed=False, name="scored")
    problem_folder(folder, initial=DULL)
    return folder


@pytest.fixture(autouse=True)
def _there(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)


def shown(width: int, *words: str) -> str:
    """Return what a command prints on a screen so wide; 0: in a pipe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width)) if width else patch.delenv("COLUMNS", raising=False)
        called = call(*words)
    return called.out


def too_wide(text: str, width: int) -> list[str]:
    """Return lines wider than the screen that are neither one word nor a command."""
    wide = [line for line in text.splitlines() if cell_len(line) > width]
    return [line for line in wide if not COPIED.match(line) and len(line.split()) > 1]


PAGES = [
    pytest.param(("show", "timed-2"), id="show"),
    pytest.param(("show", "timed-2", "--all"), id="show-all"),
    pytest.param(("show", "timed-2", "best"), id="solution"),
    pytest.param(("ls",), id="ls"),
    pytest.param(("problems",), id="problems"),
    pytest.param(("operators",), id="operators"),
    pytest.param(("memory",), id="memory"),
    pytest.param(("rollback", "timed-2"), id="rollback"),
    pytest.param(("check", "./pairs", "--static"), id="check"),
]


@pytest.mark.tier("runs")
@pytest.mark.parametrize("words", PAGES)
def test_a_page_fits_and_loses_no_word(words: tuple[str, ...]) -> None:
    whole = shown(0, *words)
    for width in WIDTHS:
        text = shown(width, *words)
        assert not too_wide(text, width)
        cut = set(text.split()) - set(whole.split())
        assert not {word for word in cut if not re.search(r"[▁▂▃▄▅▆▇█]", word)}


@pytest.mark.tier("runs")
@pytest.mark.parametrize("width", WIDTHS)
def test_commands_to_be_copied_stand_whole_on_a_line_of_their_own(
    width: int,
) -> None:
    text = shown(width, "show", "timed-with-a-name-of-its-own")
    for command in (r"show \S+ --all", r"patch \S+"):
        assert re.search(rf"^  se-agent {command}$", text, re.MULTILINE), text


@pytest.mark.tier("runs")
@pytest.mark.parametrize("width", [80, 120])
def test_a_brief_page_has_forty_lines_at_most(width: int) -> None:
    for name in ("timed-with-a-name-of-its-own", "timed-2", "scored"):
        assert len(shown(width, "show", name).splitlines()) <= 40


@pytest.mark.tier("runs")
@pytest.mark.parametrize("width", WIDTHS)
def test_a_step_that_is_the_best_so_far_says_so_in_the_picture(
    width: int,
) -> None:
    console = PatientConsole(width=width, force_terminal=True, color_system=None)
    view, marked = LiveView(console), 0
    for event in events(timed=True):
        view.on_event(event)
        with console.capture() as captured:
            console.print(view.render())
        assert not too_wide(captured.get(), width)
        story = view.snapshot()
        last = [c for c in story.chapters.values() if c.learned and c.learned.child]
        if last and last[-1].learned and last[-1].learned.best == last[-1].id:
            assert "new best" in " ".join(captured.get().split())
            marked += 1
    assert marked


@pytest.mark.tier("runs")
def test_a_run_that_would_try_nothing_fits() -> None:
    assert not too_wide(shown(60, "check", "./pairs"), 60)


@pytest.mark.tier("runs")
def test_a_story_that_is_not_finished_has_a_page_at_every_width(place: Path) -> None:
    from se_agent.report.brief import brief

    with Journal(place / "results" / "timed-2" / "run.db", write=False) as journal:
        known = list(journal.events())
    for count in (1, 5, 30, 90):
        console = PatientConsole(width=80, color_system=None)
        with console.capture() as captured:
            for part in brief(Story.of(known[:count]), place, plain=False):
                console.print(part)
        assert f"se-agent resume {place}" in captured.get().replace("\n", "")


@pytest.mark.parametrize("width", WIDTHS)
def test_lines_of_a_run_fit_and_a_new_best_is_told(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    console = PatientConsole(width=width, color_system=None)
    with console.capture() as captured, PlainView(console) as view:
        for event in events(timed=True):
            view.on_event(later(event))
    text = captured.get()
    assert not too_wide(text, width)
    assert " ".join(text.split()).count("new best") >= 5


@pytest.mark.parametrize("width", WIDTHS)
def test_a_new_problem_offers_its_commands_whole(width: int) -> None:
    text = shown(width, "new", f"a-folder-with-quite-a-name/at-{width}")
    assert not too_wide(text, width)
    folder = f"./a-folder-with-quite-a-name/at-{width}"
    assert text.splitlines()[-2:] == [
        f"  se-agent check {folder}",
        f"  se-agent run {folder}/run.toml",
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_machine_offers_fits(width: int) -> None:
    rows = [
        DoctorRow(
            "isolation container", False, "docker: no daemon at unix:///x", "a wall is missing"
        ),
        DoctorRow("packages", True, ", ".join(f"package-{n} 1.{n}" for n in range(20))),
    ]
    text = "\n".join(line.plain for line in _table(rows).lines(width))
    assert not too_wide(text, width)
    assert "a wall is missing" in " ".join(text.split())


@pytest.mark.parametrize("width", WIDTHS)
def test_a_proof_fits(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    proof = Proof(
        outcome=RefereeOutcome.FASTER,
        gain=2.0,
        interval=(1.9, 2.1),
        blocks=6,
        compared=9,
        distinct=9,
        busy=0.5,
        on_the_wall=1.2,
        notes=("The evidence is thin: 9 distinct inputs, fewer than 50.",),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        screen = Screen()
        for line in lines(proof, "old.py:f", "new.py:f"):
            screen.say(line)
    assert not too_wide(capsys.readouterr().out, width)
