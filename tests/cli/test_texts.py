"""Texts of files and names of folders that a terminal would obey: two lines, no escape."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from se_agent.cli.app import ended
from se_agent.cli.screen import Screen
from se_agent.report.terminal.patient import PatientConsole
from se_agent.wire.spelling import encodable, is_hidden, visible
from tests.cli.calls import Called, call, two_lines
from tests.cli.folders import GENERATOR, INITIAL, PROBLEM, problem_folder
from tests.texts import TEXTS

RED = "\x1b[31mred\x9b\u202e"
SEEN = r"\x1b[31mred\x9b\u202e"
SHORT = {name: text for name, text in TEXTS.items() if len(text) < 1000}


def hides_nothing(called: Called) -> bool:
    return not any(map(is_hidden, set(called.out + called.err) - {"\n"}))


def toml(text: str) -> str:
    """Return a text as TOML writes it."""
    return json.dumps(encodable(text)).replace("\x7f", "\\u007f")


@pytest.mark.parametrize("key", ["title", "family", "statement", "entry_point", "imports"])
def test_a_text_of_a_problem_file_is_one_line_that_is_seen(tmp_path: Path, key: str) -> None:
    lines = [line for line in PROBLEM.splitlines() if not line.startswith(key)]
    value = toml(RED)
    lines.insert(1, f"{key} = [{value}]" if key == "imports" else f"{key} = {value}")
    folder = problem_folder(tmp_path, problem="\n".join(lines))
    called = call("check", folder)
    error, _ = two_lines(called)
    assert f"problem.toml:2: {key}: {visible(repr(RED))} is not one line of printable" in error
    assert hides_nothing(called)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("text", SHORT.values(), ids=SHORT)
def test_any_text_of_a_run_file_is_a_value_or_two_lines(tmp_path: Path, text: str) -> None:
    folder = problem_folder(tmp_path)
    for key in ("problem", "program", "results", "extends", "memory.vocabulary", "name"):
        path = tmp_path / "run.toml"
        first = "" if key == "problem" else f"problem = {toml(str(folder))}\n"
        path.write_text(f"{first}{key} = {toml(text)}\n", encoding="utf-8")
        called = call("run", path, "--dry-run")
        assert called.code in (0, 2), called.err
        assert hides_nothing(called)


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"problem": ".".join(["a"] * 50_000) + " = 1"}, id="dotted"),
        pytest.param({"problem": "a = " + "[" * 50_000}, id="nested"),
        pytest.param({"problem": "a = 1" + "0" * 1_000_000}, id="number"),
        pytest.param({"problem": PROBLEM.replace("200", "2" + "0" * 900)}, id="size"),
        pytest.param({"problem": PROBLEM + f"final = {'9' * 999}"}, id="final"),
        pytest.param({"problem": PROBLEM + "\n[limits]\ncpu_seconds = 1e300"}, id="limit"),
        pytest.param({"problem": 'statement = "a\\u0000"\n' + PROBLEM}, id="nul"),
        pytest.param({"initial": INITIAL + "\0"}, id="program"),
        pytest.param({"generator": GENERATOR + "\x1b"}, id="generator"),
        pytest.param({"cases": "case.args.a = 1\n" * 3}, id="cases"),
        pytest.param({"cases": '[[case]]\nname = "a"\nargs = "\\u0000"'}, id="case"),
    ],
)
def test_a_problem_that_is_endless_or_hides_something_is_two_lines(
    tmp_path: Path, files: dict[str, str]
) -> None:
    called = call("check", problem_folder(tmp_path, **files))
    two_lines(called)
    assert hides_nothing(called)
    assert len(called.err) < 5000


def test_names_of_folders_are_shown_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results" / RED).mkdir(parents=True)
    listed = call("ls")
    assert f"skipped: results/{SEEN} is not a run" in listed.out
    assert hides_nothing(listed)
    for arguments in (("show", RED), ("show", "nothing"), ("check", RED), (RED,), ("ls", RED)):
        called = call(*arguments)
        assert called.code == 2
        assert hides_nothing(called)


def test_names_of_files_are_shown_in_words(tmp_path: Path) -> None:
    path = tmp_path / f"{RED}.py"
    path.write_text("def f(x):\n    return x\n", encoding="utf-8")
    for options in ((), ("--markdown",), ("--json",)):
        called = call("prove", f"{path}:f", f"{path}:g", *options)
        error, _ = two_lines(called)
        assert SEEN in error
        assert hides_nothing(called)


def test_a_name_that_is_no_text_is_two_lines(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path).rename(tmp_path / "b\udcff")
    error, hint = two_lines(call("check", folder))
    assert r"b\udcff' is not UTF-8, and no run can keep it" in error
    assert "rename" in hint


def test_an_error_that_nobody_foresaw_is_told_without_a_control_character(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken() -> int:
        raise LookupError(RED)

    with pytest.raises(SystemExit, match="2"):  # it is raised here, and not by us
        ended(broken)
    told = capsys.readouterr().err
    assert f"LookupError: {SEEN}" in told
    assert not any(map(is_hidden, set(told) - {"\n"}))


class TestConsole:
    """The last stop: what nobody cleaned before is clean behind it."""

    def drawn(self, parts: Sequence[object], *, terminal: bool = True) -> str:
        out = io.StringIO()
        console = PatientConsole(file=out, force_terminal=terminal, color_system=None, width=90)
        for part in parts:
            console.print(part, markup=False, highlight=False, soft_wrap=True)
        return out.getvalue()

    @pytest.mark.parametrize("text", SHORT.values(), ids=SHORT)
    def test_whatever_is_printed(self, text: str) -> None:
        table = Table(title=text)
        table.add_column(text)
        table.add_row(text)
        for terminal in (True, False):
            told = self.drawn([text, Text(text), table], terminal=terminal)
            assert not any(map(is_hidden, set(told) - {"\n"}))

    def test_its_own_colours_are_kept(self) -> None:
        out = io.StringIO()
        console = PatientConsole(file=out, force_terminal=True, color_system="standard")
        console.print(Text("a\x1b[0mb", style="red"))
        assert out.getvalue() == "\x1b[31ma\\x1b[0mb\x1b[0m\n"

    def test_its_own_moves_are_kept(self) -> None:
        out = io.StringIO()
        console = PatientConsole(file=out, force_terminal=True)
        console.clear()
        assert out.getvalue() == "\x1b[2J\x1b[H"


def test_json_says_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    Screen(as_json=True).answer({"texts": list(TEXTS.values())})
    line = capsys.readouterr().out
    assert json.loads(line) == json.loads(json.dumps({"texts": list(TEXTS.values())}))
    assert not any(map(is_hidden, set(line) - {"\n"}))
