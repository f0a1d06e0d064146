"""Crafted folders, run files, sets, modules and arguments: two lines or a clean reading.

Nothing hangs beyond ten seconds, takes gigabytes, drives the terminal, tells what lies
outside, or touches it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from se_agent.wire.spelling import is_hidden
from tests.cli import crafted
from tests.cli.calls import Called, call, two_lines
from tests.cli.folders import INITIAL, PROBLEM, problem_folder

NAMES = {
    "obeyed": crafted.OBEYED,
    "two-lines": "a\nb",
    "turned-around": "\u202egnp.exe",
    "window-title": "\x1b]0;owned\a",
    "no-text": "b\udcff",
    "longest": "n" * 240,
    "marked-up": "[red]a",
    "option": "--write",
}
"""Names of folders and files."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, beside a folder that stays as it is."""
    monkeypatch.chdir(tmp_path)
    folder = crafted.outside(tmp_path)
    before = crafted.seen(folder)
    yield tmp_path
    assert crafted.seen(folder) == before


def told(*arguments: object) -> Called:
    """Call a command within bounds, and see that it keeps to them and tells no secret."""
    with crafted.bounded():
        called = call(*arguments)
    said = called.out + called.err
    assert called.code in (0, 1, 2, 3), called.err
    assert not any(map(is_hidden, set(said) - {"\n"}))
    assert crafted.SECRET not in said
    assert len(said) < 40_000
    return called


def refused(*arguments: object) -> str:
    """Call a command that has to end in two lines; return the first."""
    called = told(*arguments)
    assert called.out == ""
    return two_lines(called)[0]


def commands(folder: Path) -> list[list[object]]:
    """Return all that can be done with a problem folder before anything of it runs."""
    run = folder.parent / "of.toml"
    run.write_text(f'problem = "./{folder.name}"\n', encoding="utf-8")
    return [
        ["check", folder, "--static"],
        ["check", run, "--static"],
        ["run", folder, "--dry-run"],
        ["run", folder],
    ]


class TestProblems:
    @pytest.mark.parametrize("odd", crafted.SPECIAL.values(), ids=crafted.SPECIAL)
    @pytest.mark.parametrize("role", crafted.ROLES)
    def test_no_file_of_a_folder_is_odd(self, home: Path, role: str, odd: crafted.Odd) -> None:
        folder = crafted.problem_with(home, role, odd)
        for arguments in commands(folder):
            assert role in refused(*arguments)
        assert not (home / "results").exists()

    @pytest.mark.parametrize("text", crafted.SOURCES.values(), ids=crafted.SOURCES)
    @pytest.mark.parametrize("role", ["initial.py", "generator.py", "prelude.py"])
    def test_no_program_is_endless(self, home: Path, role: str, text: str) -> None:
        def write(path: Path) -> None:
            path.write_text(f"{INITIAL}\n{text}\n", encoding="utf-8")

        folder = crafted.problem_with(home, role, write)
        for arguments in commands(folder):
            assert role in refused(*arguments)

    @pytest.mark.parametrize("count", [400, 900])
    @pytest.mark.parametrize("more", [" + 1", ".real"])
    def test_a_program_that_is_deep_and_right_is_looked_at(
        self, home: Path, more: str, count: int
    ) -> None:
        deep = INITIAL.replace("found += 1", f"found += total{more * count}")
        folder = problem_folder(home, initial=deep)
        assert told("check", folder, "--static").code == 0

    def test_a_link_within_the_folder_is_fine(self, home: Path) -> None:
        folder = problem_folder(home)
        (folder / "texts").mkdir()
        (folder / "texts" / "statement.md").write_text("Count pairs.", encoding="utf-8")
        (folder / "statement.md").symlink_to("texts/statement.md")
        assert "Count pairs." in told("check", folder, "--static").out
        (home / "alias").symlink_to(folder)
        assert "Count pairs." in told("check", "./alias", "--static").out

    def test_a_file_of_a_command_is_no_link_out_of_the_folder(self, home: Path) -> None:
        problem = (
            'kind = "command"\n[score]\ndirection = "minimize"\n'
            '[command]\nrun = ["python3", "{program}"]\nfiles = ["data"]\n'
        )
        folder = problem_folder(home, problem=problem)
        (folder / "data").symlink_to("../outside/secret")
        for arguments in commands(folder):
            assert "data: a link that leads out" in refused(*arguments)

    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
    def test_names_drive_no_terminal(self, home: Path, name: str) -> None:
        folder = problem_folder(home).rename(home / name)
        where = f"./{name}"
        told("check", where, "--static")
        told("run", where, "--dry-run")
        (folder / "initial.py").unlink()
        (folder / "initial.py").mkdir()
        refused("check", where, "--static")
        told("ls", "--results", where)
        told("show", where)

    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
    def test_names_in_a_problem_file_drive_no_terminal(self, home: Path, name: str) -> None:
        import json

        spelled = json.dumps(name.replace("\udcff", "\ufffd"))
        folder = problem_folder(home, problem=f"statement = {spelled}\n{PROBLEM}")
        refused("check", folder, "--static")


class TestRunFiles:
    @pytest.mark.parametrize("text", crafted.RUNS.values(), ids=crafted.RUNS)
    def test_two_lines(self, home: Path, text: str) -> None:
        path = crafted.run_file(home, text)
        refused("run", path, "--dry-run")
        two_lines(told("run", path))  # after the words that a problem is being checked

    @pytest.mark.parametrize("odd", crafted.UNNAMED.values(), ids=crafted.UNNAMED)
    def test_no_run_file_is_odd(self, home: Path, odd: crafted.Odd) -> None:
        odd(home / "run.toml")
        for arguments in (["check"], ["run"], ["run", "--dry-run"]):
            refused(*arguments, home / "run.toml")

    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
    def test_names_drive_no_terminal(self, home: Path, name: str) -> None:
        (home / f"{name}.toml").write_text("sede = 1\n", encoding="utf-8")
        assert "unknown key" in refused("run", f"./{name}.toml")
        refused("run", f"./{name}-not.toml")


class TestSets:
    @pytest.mark.parametrize("odd", crafted.UNNAMED.values(), ids=crafted.UNNAMED)
    def test_no_set_is_odd(self, home: Path, odd: crafted.Odd) -> None:
        path = home / "set.jsonl"
        odd(path)
        refused("grid", path)
        refused("check", path, "--row", "a", "--static")
        assert two_lines(Called(2, "", told("check", path, "--static").err))

    @pytest.mark.parametrize("text", crafted.LINES.values(), ids=crafted.LINES)
    def test_no_line_is_odd(self, home: Path, text: str) -> None:
        path = home / "set.jsonl"
        path.write_text(text, encoding="utf-8")
        refused("grid", path)
        refused("check", path, "--row", "a", "--static")
        assert two_lines(Called(2, "", told("check", path, "--static").err))

    @pytest.mark.parametrize("text", crafted.ROWS.values(), ids=crafted.ROWS)
    def test_odd_rows_are_listed(self, home: Path, text: str) -> None:
        path = home / "set.jsonl"
        path.write_text(text, encoding="utf-8")
        assert told("check", path, "--static").code == 0
        assert told("check", path, "--static", "--json").code == 0
        told("check", path, "--static", "--row", "a")


class TestModules:
    @pytest.mark.parametrize("odd", crafted.UNNAMED.values(), ids=crafted.UNNAMED)
    def test_no_module_is_odd(self, home: Path, odd: crafted.Odd) -> None:
        good = home / "good.py"
        good.write_text("def f(x):\n    return x\n", encoding="utf-8")
        odd(home / "odd.py")
        for spec in (home / "odd.py", "odd.py"):
            refused("prove", f"{spec}:f", f"{good}:f", "--example", "f(1)")
            refused("prove", f"{good}:f", f"{spec}:f", "--example", "f(1)")
            refused("optimize", f"{spec}:f", "--example", "f(1)")
            refused("optimize", f"{good}:f", "--inputs", f"{spec}:f")

    @pytest.mark.parametrize("text", crafted.SOURCES.values(), ids=crafted.SOURCES)
    def test_no_module_is_endless(self, home: Path, text: str) -> None:
        (home / "odd.py").write_text(f"def f(x):\n    return x\n{text}\n", encoding="utf-8")
        assert "odd.py" in refused("prove", "odd.py:f", "odd.py:f", "--example", "f(1)")
        assert "odd.py" in refused("optimize", "odd.py:f", "--example", "f(1)")

    @pytest.mark.parametrize("text", crafted.SOURCES.values(), ids=crafted.SOURCES)
    def test_no_example_is_endless(self, home: Path, text: str) -> None:
        (home / "good.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
        example = f"f({text[4:100_000]})"
        assert "--example" in refused("optimize", "good.py:f", "--example", example)

    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
    def test_names_drive_no_terminal(self, home: Path, name: str) -> None:
        (home / f"{name}.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
        spec = f"./{name}.py"
        for options in ((), ("--json",), ("--markdown",)):
            refused("prove", f"{spec}:f", f"{spec}:g", *options)
            refused("prove", f"{spec}:f", f"{spec}:f", *options)
        refused("optimize", f"{spec}:g", "--example", "g(1)")
        refused("optimize", f"{spec}:f", "--tests", f"not{name}", "--example", "f(1)")

    def test_a_counterexample_is_written_through_no_link(self, home: Path) -> None:
        (home / "good.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
        for number, target in enumerate(["outside/writable.py", "outside/new.py", "/dev/null"]):
            (home / f"saved{number}.py").symlink_to(target)
            given = ["prove", "good.py:f", "good.py:f", "--example", "f(1)"]
            assert "exists already" in refused(*given, "--save-input", f"saved{number}.py")


class TestNew:
    @pytest.mark.parametrize("odd", crafted.SPECIAL.values(), ids=crafted.SPECIAL)
    def test_no_folder_is_odd(self, home: Path, odd: crafted.Odd) -> None:
        odd(home / "made")
        if (home / "made").is_dir() and not (home / "made").is_symlink():
            (home / "made" / "mine").touch()
        refused("new", home / "made")

    @pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
    def test_names_drive_no_terminal(self, home: Path, name: str) -> None:
        told("new", f"./{name}")
        (home / "link").symlink_to("outside")
        refused("new", "./link")


ARGUMENTS = {
    "nul": "a\0b",
    "nobodys-home": "~nobody-of-that-name/a",
    "slashes": "/" * 5_000,
    "dots": "../" * 2_000,
    "long": "a" * 100_000,
    "long-path": f"./{'a' * 5_000}/b",
    **NAMES,
}


@pytest.mark.parametrize("text", ARGUMENTS.values(), ids=ARGUMENTS)
def test_no_argument_is_odd(home: Path, text: str) -> None:
    assert home.is_dir()
    for arguments in (
        ["check", "--", text],
        ["run", "--", text],
        ["grid", "--", text],
        ["run", "two_sum", f"--set={text}=1"],
        ["run", "two_sum", f"--set=problem={text}"],
        ["show", "--", text],
        ["diff", "--", text],
        ["resume", "--", text],
        ["replay", "--", text],
        ["rollback", "--", text, text],
        ["tell", "--", text, text],
        ["prove", "--", f"{text}:f", f"{text}:f"],
        ["prove", "--", text, text],
        ["optimize", "--", f"{text}:f"],
    ):
        refused(*arguments)
