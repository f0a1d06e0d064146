"""What a bad problem gets: two lines, exit code 2, nothing spent, no run folder."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.cli.calls import COMMAND, call, process, two_lines
from tests.cli.folders import INITIAL, PROBLEM, problem_folder

WRONG_CASE = """
[[case]]
name = "two of one"
args = "([1, 1], 2)"
expected = "3"
"""
UNSTEADY = """
import random

def pairs(numbers, total):
    return random.random() + sum(numbers)
"""
NO_TUPLE = """
def generate(rng, size):
    return [1] * size
"""
ORDER_OF_A_SET = """
def pairs(numbers, total):
    for _ in range(100_000):
        pass
    return list({str(number) for number in numbers})
"""


@pytest.mark.parametrize(
    ("files", "error", "hint"),
    [
        pytest.param(
            {"problem": PROBLEM + "sises = [1]\n"},
            "problem.toml:8: inputs.sises: ",
            "did you mean 'sizes'?",
            id="unknown-key",
        ),
        pytest.param({"problem": "kind = \n"}, "problem.toml:1", "", id="not-toml"),
        pytest.param(
            {"initial": INITIAL.replace("def pairs", "def pears")},
            "initial.py",
            "",
            id="no-entry-point",
        ),
        pytest.param({"initial": "def pairs(:\n"}, "initial.py:1", "", id="not-python"),
        pytest.param(
            {"cases": WRONG_CASE},
            r"fails its own test 'two of one' \(WA\): expected 3, got 4",
            "correct the program or the case",
            id="fails-its-own-test",
        ),
        pytest.param(
            {"initial": INITIAL + "\nraise SystemExit(3)\n"},
            "SystemExit: 3",
            "",
            id="does-not-run",
        ),
        pytest.param(
            {"initial": UNSTEADY},
            "non-deterministic: on",
            "",
            id="random",
        ),
        pytest.param(
            {"initial": ORDER_OF_A_SET},
            "non-deterministic",
            "take nothing from the time, the order of sets",
            id="set",
        ),
        pytest.param(
            {"generator": "def generate(rng, size):\n    raise ValueError('no more')\n"},
            "no more",
            "",
            id="generator-raises",
        ),
        pytest.param(
            {"generator": NO_TUPLE, "cases": WRONG_CASE.replace("3", "4")},
            r"raises TypeError: pairs\(\) takes 2 positional .* on every generated input$",
            "let the generator return its arguments as a tuple",
            id="generator-gives-no-tuple-and-tests-by-hand-are-right",
        ),
        pytest.param(
            {"initial": "def pairs(numbers, total):\n    return 0\n"},
            "are too small to measure: the initial program takes",
            "make the final inputs larger",
            id="too-small",
        ),
    ],
)
def test_a_bad_problem_is_two_lines(
    files: dict[str, str],
    error: str,
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = problem_folder(tmp_path, **files)
    # A thousand calls of nothing take up to 2 ms on a busy machine: nearly enough by default.
    asked = (folder, "--set", "measure.fast_seconds=0.2")
    said = two_lines(call("run", *asked))
    assert re.search(error, said[0])
    assert hint in said[1]
    assert not (tmp_path / "results").exists()
    again = two_lines(call("check", *asked))
    assert re.search(error, again[0])
    assert again[1] == said[1]


def test_a_folder_without_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    error, hint = two_lines(call("run", "./empty"))
    assert error.endswith("empty/problem.toml: No such file or directory")
    assert hint.startswith("write problem.toml")


def test_a_host_that_permits_no_mounts_is_told_before_anything_runs(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path)
    bare = [sys.executable, "-m", "tests.cli.without", "mounts", *COMMAND[1:]]
    said = process([*bare, "check", folder, "--mutants", "0"], tmp_path)
    assert said.code == 0
    assert said.out.startswith("warning: this host lets nobody make mounts: ")
    assert said.out.count("warning: ") == 1


def test_a_machine_without_landlock(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path)
    bare = [sys.executable, "-m", "tests.cli.without", "landlock", *COMMAND[1:]]
    error, hint = two_lines(process([*bare, "run", folder], tmp_path))
    assert error.startswith("no landlock here: a candidate could read your files")
    assert hint == "run trusted programs only, with `--set sandbox.isolation=none`"
    assert not (tmp_path / "results").exists()
    doctor = process([*bare, "doctor"], tmp_path)
    assert doctor.code == 2
    assert "isolation `jail` cannot be had here: no landlock" in doctor.out
    chosen = [*bare, "check", folder, "--set", "sandbox.isolation=none"]
    allowed = process(chosen, tmp_path)
    assert allowed.code == 0
    assert allowed.out.startswith("warning: isolation `none` has limits only: ")


def test_a_host_that_refuses_what_the_kernel_has(tmp_path: Path) -> None:
    """As the filter of a container may: only a program that is run there meets it."""
    bare = [sys.executable, "-m", "tests.cli.without", "seccomp", *COMMAND[1:]]
    doctor = process([*bare, "doctor"], tmp_path)
    assert doctor.code == 2
    assert "isolation `jail` cannot be had here: the fork server cannot start" in doctor.out
    assert "works here" not in doctor.out


def test_a_policy_that_is_none_is_told_before_anything_of_the_problem_runs(
    tmp_path: Path,
) -> None:
    folder = problem_folder(tmp_path, cases=WRONG_CASE)
    called = call("run", folder, "--set", "policy=nope", "--set", f"results={tmp_path}")
    assert "nope" in two_lines(called)[0]
