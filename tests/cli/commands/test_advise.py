"""`advise`: what is worth the work, from a workload, tests, a benchmark or a command."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any  # rows of JSON

import pytest

from se_agent.cli.commands.advise import profile_workload
from se_agent.cli.function_options import InputOptions
from se_agent.errors import ProblemError
from se_agent.user_function.workloads.workload import find_workload
from tests.cli.calls import ROOT, call, two_lines
from tests.cli.shelf import QUICK, QUICKEST, shelf_in

BENCHED = """\
from shelf import Book, Shelf


def test_unread(benchmark):
    shelf = Shelf([Book(str(n), []) for n in range(800)])
    assert benchmark(shelf.unread, [str(n) for n in range(0, 800, 2)])[0] == "1"
"""
PYPERF = """\
import pyperf
from shelf import Book, Shelf

runner = pyperf.Runner()
shelf = Shelf([Book(str(n), []) for n in range(800)])
runner.bench_func("unread", shelf.unread, [str(n) for n in range(0, 800, 2)])
"""
SCRIPT = """\
from shelf import Book, Shelf

print("said by the program")
Shelf([Book(str(n), []) for n in range(800)]).unread([str(n) for n in range(0, 800, 2)])
"""


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return shelf_in(tmp_path)


def first(*options: object) -> dict[str, Any]:
    called = call("advise", "--json", *options)
    assert called.code == 0, called
    row: dict[str, Any] = json.loads(called.out.splitlines()[-1])["functions"][0]
    return row


@pytest.mark.tier("runs")
class TestAWorkload:
    def test_is_profiled_over_its_sizes(self, books: Path) -> None:
        row = first("--workload", "use.py:method")
        assert (row["function"], row["file"], row["code"]) == (
            "Shelf.unread",
            str(books),
            "yours",
        )
        assert row["own"] > 0.5
        assert row["growth"] > 1.3
        assert "set_membership" in row["rules"]
        assert row["optimize"] == (
            "se-agent optimize shelf/books.py:Shelf.unread --workload use.py:method"
        )

    def test_is_told_as_a_table_with_what_to_type(self, books: Path) -> None:
        called = call("advise", "--workload", "use.py:method")
        assert called.code == 0, called
        table, command = called.out.split("next:\n")
        assert "Shelf.unread" in table
        assert "shelf/books.py:" in table
        assert shlex.split(command)[:3] == [
            "se-agent",
            "optimize",
            "shelf/books.py:Shelf.unread",
        ]

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            pytest.param("raise RuntimeError('no')", "RuntimeError", id="raises"),
            pytest.param("import os; os.fork()", "", id="forks"),
            pytest.param("import gone_package", "gone_package", id="imports-what-is-not-there"),
        ],
    )
    def test_that_cannot_be_run_is_two_lines(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("bad.py").write_text(f"def work():\n    {text}\n", encoding="utf-8")
        called = call("advise", "--workload", "bad.py:work")
        assert called.code == 2, called
        assert told in two_lines(called)[0]

    def test_that_never_ends_is_ended(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("bad.py").write_text("def work():\n    while True: pass\n", encoding="utf-8")
        with pytest.raises(ProblemError, match=r"TLE: used more than 2 s of CPU time") as found:
            profile_workload(find_workload("bad.py:work"), InputOptions(), "", (), patience=2)
        assert "inputs that it can answer" in (found.value.hint or "")

    def test_that_prints_is_profiled(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("lib.py").write_text(
            "def busy(n):\n    return sum(i * i for i in range(n))\n", encoding="utf-8"
        )
        Path("use.py").write_text(
            "import lib\n\n\ndef work():\n    print('loud')\n    return lib.busy(30000)\n",
            encoding="utf-8",
        )
        assert first("--workload", "use.py:work")["function"] == "busy"


@pytest.mark.tier("runs")
@pytest.mark.usefixtures("books")
class TestOtherWays:
    def test_tests_are_profiled(self) -> None:
        Path("tests/test_shelf.py").write_text(BENCHED, encoding="utf-8")
        row = first("--tests", "tests")
        assert (row["function"], row["code"]) == ("Shelf.unread", "yours")
        assert row["optimize"] is None  # a method needs a workload

    def test_tests_that_fail_are_two_lines(self) -> None:
        Path("tests/test_shelf.py").write_text("def test():\n    assert 0\n", encoding="utf-8")
        called = call("advise", "--tests", "tests")
        assert called.code == 2, called
        assert "the tests do not pass as the code is now" in two_lines(called)[0]

    @pytest.mark.parametrize(
        "text", [pytest.param(BENCHED, id="pytest"), pytest.param(PYPERF, id="pyperf")]
    )
    def test_a_benchmark_is_profiled(self, text: str) -> None:
        Path("test_bench.py").write_text(text, encoding="utf-8")
        assert first("--benchmark", "test_bench.py")["function"] == "Shelf.unread"

    def test_a_command_is_profiled_and_what_it_says_is_no_json(self) -> None:
        Path("main.py").write_text(SCRIPT, encoding="utf-8")
        row = first("--", sys.executable, "main.py")
        assert (row["function"], row["optimize"]) == ("Shelf.unread", None)


@pytest.mark.tier("runs")
def test_without_a_target_the_hottest_function_with_a_rule_is_made_faster(books: Path) -> None:
    called = call("optimize", "--workload", "use.py:method", "--json", *QUICK, *QUICKEST)
    assert called.code == 0, called
    assert "Shelf.unread takes " in called.err
    row = json.loads(called.out.splitlines()[-1])
    assert (row["status"], row["problem"]) == ("proven", "shelf.books.Shelf.unread")


@pytest.mark.tier("runs")
def test_the_guide_s_example_is_advised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    guide = (ROOT / "docs" / "workload.md").read_text(encoding="utf-8")
    books, use = re.findall(r"^```python\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)[:2]
    Path("shelf").mkdir()
    Path("shelf/__init__.py").touch()
    Path("shelf/books.py").write_text(books, encoding="utf-8")
    Path("use.py").write_text(use, encoding="utf-8")
    assert "se-agent advise --workload use.py:workload\n" in guide
    assert first("--workload", "use.py:workload")["function"] == "Shelf.unread"


class TestRefusals:
    def test_optimize_names_what_it_needs(self) -> None:
        called = call("optimize")
        assert "nothing is named that is to be faster" in two_lines(called)[0]

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            pytest.param([], "there is nothing to profile", id="nothing"),
            pytest.param(
                ["--workload", "a.py:f", "--tests", "t"],
                "workload and tests are given: one is taken",
                id="two-ways",
            ),
            pytest.param(["--", "ls", "-l"], "it is no Python program", id="no-python"),
            pytest.param(["--tests", "gone"], "--tests gone: No such file", id="no-tests"),
            pytest.param(
                ["--benchmark", "shelf/books.py"], "neither imports pyperf", id="no-b"
            ),
            pytest.param(["--workload", "use.py:gone"], "no function 'gone'", id="no-workload"),
        ],
    )
    def test_are_two_lines(self, books: Path, options: list[str], told: str) -> None:
        called = call("advise", *options)
        assert called.code == 2, called
        assert told in two_lines(called)[0]
