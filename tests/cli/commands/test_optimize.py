"""`optimize` on small projects: real runs with one rule, a short measure, and real files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.shop import QUICK, STOCK, UNREFUTED, optimize, said

SHORT = """\
import random

from shop.stock import untouched


def test_short():
    rng = random.Random(1)
    for _ in range(4):
        names, stock = ([rng.randrange(90) for _ in range(size)] for size in (40, 60))
        assert set(untouched(names, stock)) == set(names) - set(stock)
"""
CALLS = """

def called(names, stock):
    few = names[:2]
    return missing([n for n in names if n not in few], stock)
"""
HIDDEN = """

_WAYS = {"all": missing}

def called(names, stock):
    few = names[:2]
    return _WAYS["all"]([n for n in names if n not in few], stock)
"""


class TestAChange:
    """A module with globals and relative imports, one function of which may change."""

    @pytest.mark.tier("runs")
    def test_is_shown_and_not_written(self, proven: Path) -> None:
        called = said(proven)
        row = json.loads(called.out.splitlines()[-1])
        assert (row["status"], row["problem"]) == ("proven", "shop.stock.missing")
        assert row["gain_low"] > 1.5
        assert not row["written"]
        assert "notes" not in row, "there is nothing to doubt"
        end = called.err[called.err.index("\nproven: ") :]
        # A fast machine needs less than 0.1 ms, which is told in us.
        beside = r"read beside it: CPU time .* -> .* [mu]s, wall time .*"
        spent = r"spent: \d of 2 evaluations, .*"
        assert re.match(rf"\n.*\n{beside}\n{spent}\n(.*\n)*--- a/shop/stock.py", end)
        assert "+    stock_set = set(stock)" in called.err
        assert "+    return [n for n in names if n not in stock_set and" in called.err
        assert Path("shop/stock.py").read_text(encoding="utf-8") == STOCK
        assert not Path("shop/stock.py.orig").exists()

    @pytest.mark.tier("runs")
    @pytest.mark.skipif(shutil.which("patch") is None, reason="no `patch` on this machine")
    def test_that_was_not_written_comes_with_a_command_that_applies_it(
        self, proven: Path
    ) -> None:
        assert (
            "nothing was written (--write does so); to apply this change:\n"
            "  se-agent diff results/first | patch shop/stock.py\n"
        ) in said(proven).err
        assert "patience = 12" in Path("results/first/run.toml").read_text(encoding="utf-8")
        subprocess.run(
            ["patch", "shop/stock.py"],
            input=call("diff", "results/first").out,
            text=True,
            check=True,
            capture_output=True,
        )
        best = Path("results/first/best.py").read_text(encoding="utf-8")
        assert Path("shop/stock.py").read_text(encoding="utf-8") == best != STOCK

    @pytest.mark.tier("runs")
    @pytest.mark.usefixtures("proven")
    def test_is_an_ordinary_run(self) -> None:
        shown = call("show", "results/first")
        assert (shown.code, "set_membership" in shown.out) == (0, True)
        assert call("resume", "results/first").code == 0

    @pytest.mark.tier("runs")
    def test_inputs_that_are_too_short_are_refused(self, stock: Path) -> None:
        (stock.parent / "short.py").write_text("def short(names, stock): return sorted(names)")
        asked = ("operators=set_membership", "measure.fast_seconds=8", "measure.slow_seconds=9")
        options = [word for setting in asked for word in ("--set", setting)]
        called = call(
            "optimize", "shop/short.py:short", "--inputs", "inputs.py:lists", *options
        )
        error, _ = two_lines(called)
        assert "measure" in error  # on a busy machine it says that the program waits

    @pytest.mark.tier("runs")
    def test_of_a_function_changes_what_it_uses_of_its_file(self, stock: Path) -> None:
        stock.write_text(STOCK + CALLS, encoding="utf-8")
        called = optimize(
            "--inputs",
            "inputs.py:few",
            "--set",
            "name=first",
            *UNREFUTED,
            function="shop/stock.py:called",
        )
        assert called.code == 0, called
        assert "+    stock_set = set(stock)" in called.out
        beside = "`missing` changed with it: its answers were compared through `called`."
        assert beside in called.out
        patch = call("patch", "results/first").out
        assert f"\n- {beside}\n" in patch
        assert patch.startswith("Make called() ")

    @pytest.mark.tier("runs")
    def test_of_a_function_that_is_not_the_slow_one_names_that(
        self, stock: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text, inputs = stock.with_name("my stock.py"), Path("inputs.py").resolve()
        text.write_text(STOCK + HIDDEN, encoding="utf-8")
        elsewhere = stock.parents[1] / "elsewhere"
        elsewhere.mkdir()
        monkeypatch.chdir(elsewhere)
        called = optimize("--inputs", f"{inputs}:few", *UNREFUTED, function=f"{text}:called")
        assert called.code in (0, 1), called
        assert "of its CPU time is spent in missing(), which this run leaves" in called.out
        assert f"; next:\n  se-agent optimize '{text}:missing'\n" in called.out

    @pytest.mark.tier("runs")
    def test_of_a_function_without_a_change_names_the_slow_one(self, stock: Path) -> None:
        way = 'lambda *given: globals()["missing"](*given)'
        stock.write_text(f"{STOCK}\n\ndef called(names, stock): return ({way})(names, stock)\n")
        called = optimize("--inputs", "inputs.py:few", function="shop/stock.py:called")
        assert called.code == 2, called
        assert ", name missing() instead, where " in called.err


@pytest.mark.usefixtures("stock")
class TestGate:
    @pytest.mark.tier("runs")
    def test_the_users_tests_give_inputs_and_have_to_pass(self) -> None:
        called = optimize("--tests", "tests")
        assert called.code == 0, called
        assert "the tests pass, and make 60 distinct calls" in called.out
        assert "proven: " in called.out

    @pytest.mark.tier("runs")
    def test_tests_that_fail_as_the_code_is_are_an_error(self, stock: Path) -> None:
        path = stock.parents[1] / "tests" / "test_stock.py"
        path.write_text("def test_no():\n    assert 1 == 2\n", encoding="utf-8")
        called = optimize("--tests", str(path))
        assert called.code == 2, called
        assert (
            "the tests do not pass as the code is now: tests/test_stock.py::test_no"
            in called.err
        )

    @pytest.mark.tier("runs")
    def test_tests_of_something_else_are_an_error(self, stock: Path) -> None:
        path = stock.parents[1] / "tests" / "test_stock.py"
        path.write_text("def test_yes():\n    pass\n", encoding="utf-8")
        called = optimize("--tests", str(path))
        assert called.code == 2, called
        assert "they never call 'shop.stock.missing'" in called.err

    @pytest.mark.tier("runs")
    def test_whose_calls_are_too_short_and_like_no_others_say_what_helps(
        self, stock: Path
    ) -> None:
        path = stock.parents[1] / "tests" / "test_short.py"
        lines = "from shop.stock import untouched", "def test_short():"
        path.write_text("\n".join((*lines, "    assert untouched([], []) == []")))
        called = call("optimize", "shop/stock.py:untouched", "--tests", str(path), *QUICK)
        assert called.code == 2
        assert "too small to measure" in called.err
        assert "hint:  add --inputs MODULE:GENERATOR or --example with larger" in called.err
        assert "1 distinct call, and no input like theirs could be made up" in called.err

    @pytest.mark.tier("runs")
    def test_whose_calls_are_too_short_are_measured_on_others_like_them(
        self, stock: Path
    ) -> None:
        path = stock.parents[1] / "tests" / "test_short.py"
        path.write_text(SHORT, encoding="utf-8")
        options = ("--tests", str(path), *QUICK, *UNREFUTED, "--json")
        called = call("optimize", "shop/stock.py:untouched", *options)
        assert called.code == 0, called
        assert "proven: " in called.err
        row = json.loads(called.out.splitlines()[-1])
        doubt = r"\d+ of the measured inputs are made up, for the tests make only 4 rec"
        shown = call("show", row["run"]).out
        for told in (called.err.partition("proven: ")[2], shown, " ".join(row["notes"])):
            assert re.search(doubt, " ".join(told.split())), "wherever the gain is told"


class TestEnvironment:
    @pytest.mark.tier("runs")
    def test_packages_of_a_virtual_environment_are_found(self, stock: Path) -> None:
        env = stock.parents[1] / "env"
        mine = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        packages = env / "lib" / mine / "site-packages"
        packages.mkdir(parents=True)
        (env / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
        (packages / "cleaners.py").write_text("def clean(name): return name.strip()\n")
        (stock.parent / "names.py").write_text("from cleaners import clean\n")
        called = optimize("--inputs", "inputs.py:few")
        error, hint = two_lines(called)
        assert "No module named 'cleaners'" in error
        assert "--python VENV" in hint
        called = optimize("--inputs", "inputs.py:few", "--python", str(env), *UNREFUTED)
        assert "proven: " in called.out, called

    @pytest.mark.parametrize("place", ["/", "~", "~/.ssh"])
    def test_home_and_keys_are_never_opened(self, stock: Path, place: str) -> None:
        called = optimize("--inputs", "inputs.py:few", "--python", place)
        assert "will not be opened to the jail" in two_lines(called)[0]


@pytest.mark.usefixtures("stock")
class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "name", "said"),
        [
            ("class A:\n    def f(self): pass\n", "A.f", "is a method of class 'A'"),
            ("def f(n):\n    yield n\n", "f", "is a generator"),
            ("async def f(n): pass\n", "f", "is an async function"),
            ("f = lambda n: n\n", "f", "is a lambda"),
        ],
    )
    def test_name_what_cannot_be_called_by_itself(
        self, stock: Path, text: str, name: str, said: str
    ) -> None:
        path = stock.with_name("odd.py")
        path.write_text(text, encoding="utf-8")
        called = optimize("--inputs", "inputs.py:few", function=f"{path}:{name}")
        error, hint = two_lines(called)
        assert said in error
        assert ("--workload FILE.py:FUNCTION" in hint) is ("lambda" not in said)

    @pytest.mark.parametrize("setting", ["operators=set_membershp", "policy=portfolo"])
    def test_a_name_that_is_not_registered_is_said_before_the_tests_run(
        self, stock: Path, setting: str
    ) -> None:
        called = call("optimize", "shop/stock.py:missing", "--tests", "tests", "--set", setting)
        error, hint = two_lines(called)
        assert setting.partition("=")[2] in error
        assert "did you mean" in hint
        assert "tests" not in called.out

    def test_a_value_that_cannot_come_back_is_named_with_its_type(self, stock: Path) -> None:
        path = stock.with_name("odd.py")
        path.write_text("def f(a, b): return object()\n", encoding="utf-8")
        called = optimize("--inputs", "inputs.py:few", function=f"{path}:f")
        error, hint = two_lines(called)
        assert error == "odd.py:f: its result: unsupported value of type object"
        assert "results are None, numbers, text, bytes, lists, " in hint
        assert "wrap the function" in hint
