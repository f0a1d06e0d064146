"""The user's tests: where they are, and which calls a recorder writes down."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.user_function.function import UserFunction, find
from se_agent.user_function.gate import MOST, calls, gate, recorder

TOOLS = """\
def f(n, others=(), *, sure=True):
    return n if n < 1 else f(n - 1)
"""


@pytest.fixture
def target(tmp_path: Path) -> UserFunction:
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "tools.py").write_text(TOOLS, encoding="utf-8")
    return find(f"{package / 'tools.py'}:f")


@pytest.fixture
def function(target: UserFunction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SE_AGENT_CALLS", str(tmp_path / "calls"))
    space: dict[str, Any] = {}
    exec(recorder(target), space)
    return space["f"]


def written(target: UserFunction, tmp_path: Path) -> list[Any]:
    text = (tmp_path / "calls").read_text(encoding="ascii")
    return [wire.loads(data) for data in calls(target, text, "tests").inputs]


def test_what_holds_module_and_tests_is_copied(target: UserFunction, tmp_path: Path) -> None:
    found = gate(target, str(tmp_path / "tests"))
    assert (found.root, found.module) == (str(tmp_path), "src/shop/tools.py")
    assert (found.tests, found.path, found.python) == ("tests", ("src",), sys.executable)


def test_tests_far_from_the_module_are_refused(target: UserFunction) -> None:
    with pytest.raises(ProblemError, match="will not be opened"):
        gate(target, "/usr/bin")


def test_tests_that_are_not_there_are_named(target: UserFunction) -> None:
    with pytest.raises(ProblemError, match="--tests none: No such file"):
        gate(target, "none")


def test_a_single_test_is_not_taken(target: UserFunction, tmp_path: Path) -> None:
    (tmp_path / "tests" / "test_f.py").write_text("", encoding="utf-8")
    with pytest.raises(ProblemError, match="No such file") as caught:
        gate(target, f"{tmp_path / 'tests' / 'test_f.py'}::test_one")
    assert caught.value.hint == "give a file or a folder: without 'test_one', that file is one"


def test_a_keyword_behind_a_default_is_recorded_with_the_default(
    target: UserFunction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SE_AGENT_CALLS", str(tmp_path / "calls"))
    space: dict[str, Any] = {}
    text = "def f(values, low=0, high=10, *, sure=True): return values\n"
    exec(recorder(target).replace(TOOLS, text), space)
    space["f"]([1, 5], high=30)
    space["f"]([2], 3)
    assert written(target, tmp_path) == [([1, 5], 0, 30), ([2], 3)]


def test_tests_of_which_no_call_can_be_repeated_are_an_error(
    target: UserFunction, function: Any, tmp_path: Path
) -> None:
    function(1, sure=False)
    found = calls(target, (tmp_path / "calls").read_text(encoding="ascii"), "tests")
    assert found.notes == (
        "1 call of the tests is not compared one by one: a call with a keyword-only argument.",
    )
    with pytest.raises(ProblemError, match="can be repeated: a call with a keyword-only argu"):
        found.require("tests")


def test_each_distinct_call_from_outside_is_recorded_once(
    target: UserFunction, function: Any, tmp_path: Path
) -> None:
    assert [function(3), function(3), function(2, others=[1])] == [0, 0, 0]
    assert written(target, tmp_path) == [(3,), (2, [1])]


def test_arguments_are_recorded_as_they_were_before_the_call(
    target: UserFunction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SE_AGENT_CALLS", str(tmp_path / "calls"))
    space: dict[str, Any] = {}
    exec(recorder(target).replace(TOOLS, "def f(values): values.clear()\n"), space)
    space["f"]([1, 2])
    assert written(target, tmp_path) == [([1, 2],)]


def test_calls_that_cannot_be_repeated_are_counted(
    target: UserFunction, function: Any, tmp_path: Path
) -> None:
    function(1)
    function(1, sure=False)
    function(0, others=object())
    function(-1, others=object())
    text = (tmp_path / "calls").read_text(encoding="ascii")
    found = calls(target, text, "tests")
    assert len(found.inputs) == 1
    assert [count for _, count in found.skipped] == [2, 1]
    (note,) = found.notes
    assert note.startswith("3 calls of the tests are not compared one by one: $[1]: unsupp")


def test_no_more_than_enough_is_recorded(
    target: UserFunction, function: Any, tmp_path: Path
) -> None:
    for number in range(-MOST - 5, 0):
        function(number)
    assert len(written(target, tmp_path)) == MOST


def test_tests_of_something_else_are_an_error(target: UserFunction) -> None:
    with pytest.raises(ProblemError, match=r"they never call 'shop\.tools\.f'"):
        calls(target, "", "tests")


def test_a_line_that_two_processes_wrote_is_left_out(
    target: UserFunction, function: Any
) -> None:
    assert calls(target, "+ %%%\n- why\n", "tests").inputs == ()
