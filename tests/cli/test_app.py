"""How the program ends: exit codes, two lines, nothing heavy for `--help`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from se_agent.cli.app import app, ended
from tests.cli.calls import COMMAND, ENV, call, process, two_lines
from tests.finished import finished

COMMANDS = [
    command.callback.__name__ for command in app.registered_commands if command.callback
]


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        pytest.param(["frob"], "No such command 'frob'.", "see `", id="command"),
        pytest.param(["show"], "Missing argument 'RUN'.", "see `", id="argument"),
        pytest.param(["ls", "--jsom"], "No such option", "see `", id="option"),
        pytest.param(["run"], "nothing to run", "`se-agent problems`", id="no-target"),
        pytest.param(["run", "order_reprt"], "unknown problem", "did you mean", id="problem"),
        pytest.param(["run", "./nowhere/x"], "no such folder", "check the path", id="folder"),
        pytest.param(
            ["run", "order_report", "--set", "budget.evalutions=3"],
            "--set budget.evalutions: unknown key",
            "did you mean 'budget.evaluations'?",
            id="key",
        ),
        pytest.param(
            ["run", "order_report", "--set", "policy=portfoli"],
            "unknown policy 'portfoli'",
            "did you mean 'portfolio'?",
            id="policy",
        ),
        pytest.param(
            ["optimize", "stock.py:missing", "--set", "problem=x"],
            "--set problem: `optimize` makes its problem of the function",
            "`se-agent run`",
            id="no-use",
        ),
        pytest.param(["show", "none"], "no run 'none'", "start one", id="run"),
        pytest.param(["show", "last"], "no run 'last'", "start one", id="no-last-run"),
    ],
)
def test_a_mistake_is_two_lines(
    arguments: list[str],
    error: str,
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    called = call(*arguments)
    said = two_lines(called)
    assert error in said[0]
    assert hint in said[1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("operators=counterr", "unknown operator 'counterr'"),
        ("without=counterr", "unknown operator 'counterr'"),
        ("policy=foo", "unknown policy 'foo'"),
    ],
)
def test_a_name_that_is_not_registered_is_told_before_anything_runs(
    command: str, setting: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    called = call(command, "order_report", "--set", setting)
    assert (two_lines(called)[0], called.out) == (error, "")


def test_what_the_system_refuses_has_no_number_and_its_path_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused() -> int:
        (tmp_path / "none").read_bytes()
        return 0

    with pytest.raises(SystemExit, match="2"):
        ended(refused)
    error = capsys.readouterr().err.splitlines()[0]
    assert error == f"error: {tmp_path / 'none'}: No such file or directory"


def test_a_problem_that_is_not_there_is_told_before_anything_is_begun() -> None:
    called = call("run", "order_reprt")
    assert (called.code, called.out) == (2, "")


@pytest.mark.tier("runs")
def test_a_mistake_is_two_lines_for_a_process_too(tmp_path: Path) -> None:
    called = process([*COMMAND, "run", "order_report", "--set", "sed=1"], tmp_path)
    error, hint = two_lines(called)
    assert error == "--set sed: unknown key"
    assert hint == "did you mean 'seed'?"


def test_without_a_command_it_shows_its_help() -> None:
    assert call() == call("--help")


def test_the_version() -> None:
    assert call("--version").out.startswith("se-agent 0.")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    called = call(command, "--help")
    assert called.code == 0
    assert "Usage: " in called.out
    assert f" {command} " in called.out.splitlines()[0]


@pytest.mark.tier("runs")
def test_help_is_quick_and_loads_nothing_heavy(tmp_path: Path) -> None:
    """Quick beside a loop in the same process: a slow machine is no fault of ours."""
    script = (
        "import sys, time\nfrom se_agent.cli.app import main\n"
        "try:\n    main(['--help'])\n"
        "finally:\n"
        "    done, total = time.process_time(), 0\n"
        "    for number in range(3_000_000): total += number\n"
        "    print('used:', done / (time.process_time() - done), *sys.modules)\n"
    )
    runs = [process([sys.executable, "-c", script], tmp_path).out for _ in range(3)]
    used = [text.partition("used:")[2].split() for text in runs]
    heavy = {"openai", "optuna", "cma", "libcst", "numpy", "pydantic", "rich", "tiktoken"}
    assert heavy & set(used[0]) == set()
    assert min(float(words[0]) for words in used) < 1


@pytest.mark.tier("runs")
def test_a_terminal_without_unicode_is_no_error(tmp_path: Path) -> None:
    finished(tmp_path / "results", timed=True)
    command = ["env", "PYTHONIOENCODING=ascii", *COMMAND, "show", "last"]
    called = process(command, tmp_path)
    assert called.code == 0
    assert called.err == ""
    assert re.search(r"^_[-_.=+*#@]*@  about \d", called.out, re.MULTILINE)
    assert called.out.isascii()


@pytest.mark.tier("runs")
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    line = f"{sys.executable} -m se_agent problems | head -n 1"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=ENV, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("problem")
    assert done.stderr == ""
