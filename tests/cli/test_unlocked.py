"""Isolation `none` is told before anything is run, by every command that runs programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.run.start import start
from tests.cli.calls import call
from tests.cli.folders import problem_folder
from tests.fakes import NumberEvaluator, number_problem, number_run

_FUNCTION = "def same(n):\n    return n\n"
_COMMANDS = {
    "run": ("run", "./pairs", "--json"),
    "check": ("check", "./pairs", "--json", "--mutants", "0"),
    "prove": ("prove", "one.py:same", "one.py:same", "--example", "same(1)", "--json"),
    "optimize": ("optimize", "one.py:same", "--example", "same(1)", "--json"),
}


@pytest.mark.tier("runs")
@pytest.mark.parametrize("command", _COMMANDS.values(), ids=_COMMANDS)
@pytest.mark.parametrize("level", ["none", "jail"])
def test_a_warning_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], level: str
) -> None:
    monkeypatch.chdir(tmp_path)
    problem_folder(tmp_path, initial="def pairs(numbers, total):\n    raise ValueError\n")
    Path("one.py").write_text(_FUNCTION, encoding="utf-8")
    said = call(*command, "--set", f"sandbox.isolation={level}").err
    assert said.startswith("warning: isolation `none` has limits only: ") is (level == "none")
    assert said.count("warning: ") == (level == "none")


@pytest.mark.parametrize("level", ["none", "jail"])
def test_a_run_that_is_taken_up_says_it_again(tmp_path: Path, level: str) -> None:
    config = number_run(tmp_path, budget={"evaluations": 1}, sandbox={"isolation": level})
    start(config, problem=number_problem(), evaluators=lambda *_: NumberEvaluator())
    (folder,) = (path.parent for path in tmp_path.glob("*/run.db"))
    said = call("resume", str(folder), "--json")
    assert said.code in (0, 3)
    assert said.err.count("warning: ") == (level == "none")
