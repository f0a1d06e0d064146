"""Commands of the user's, run under the profiler."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.advisor.command import PythonCommand, python_command, run_command

SCRIPT = """\
import os
import sys
import beside


def busy(n):
    return sum(i * i for i in range(n))


if __name__ == "__main__":
    busy(20000)
    beside.help_out()
    if sys.argv[1:] == ["fork"] and os.fork() == 0:
        sys.exit(0)
    if sys.argv[1:] == ["vanish"]:
        os._exit(7)
    sys.exit(3)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "beside.py").write_text("def help_out():\n    return 1\n", encoding="utf-8")
    path = tmp_path / "main.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.mark.parametrize("more", [(), ("fork",)], ids=["plain", "forks"])
def test_a_script_runs_with_its_neighbours_and_its_exit_code(
    script: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    with (tmp_path / "out").open("w") as out:
        done = run_command(python_command([sys.executable, str(script), *more]), out.fileno())
    assert done.code == 3
    assert {"busy", "help_out"} <= {place.name for place in done.costs}


def test_a_module_and_code_are_run_as_python_runs_them(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        run_command(python_command([sys.executable, "-c", "print(__name__)"]), out.fileno())
        run_command(python_command([sys.executable, "-m", "this"]), out.fileno())
    said = (tmp_path / "out").read_text()
    assert said.startswith("__main__\nThe Zen")


def test_a_command_without_a_profile_is_told(script: Path, tmp_path: Path) -> None:
    command = python_command([sys.executable, str(script), "vanish"])
    told = "it ended with 7, without a profile"
    with (tmp_path / "out").open("w") as out, pytest.raises(ProblemError, match=told):
        run_command(command, out.fileno())


def test_options_of_the_interpreter_stay_in_front(script: Path) -> None:
    words = [sys.executable, "-W", "error", "-B", str(script), "-v"]
    assert python_command(words) == PythonCommand(
        (sys.executable, "-W", "error", "-B"), (str(script), "-v")
    )


def test_a_program_whose_first_line_names_python_is_python(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text(f"#!{sys.executable} -B\nprint(1)\n", encoding="utf-8")
    tool.chmod(0o755)
    assert python_command([str(tool), "x"]) == PythonCommand(
        (sys.executable, "-B"), (str(tool), "x")
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["ls"], "it is no Python program", id="a-binary"),
        pytest.param(["no-such-tool"], "there is no such program", id="nothing"),
        pytest.param([sys.executable], "it names no program", id="interactive"),
        pytest.param([sys.executable, "-m"], "it names no program", id="no-module"),
        pytest.param([sys.executable, "gone.py"], "No such file", id="no-file"),
    ],
)
def test_what_is_no_python_command_is_refused(words: list[str], told: str) -> None:
    with pytest.raises(ProblemError, match=told):
        python_command(words)
