"""`prove` on pairs of real functions, and its words. Processes are real; inputs are small."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Called, call, two_lines

COUNT = """\
def count(n):
    total = 0
    for i in range({}):
        total += i * i % 7
    return n
"""
UNIQUE = """\
def unique(values):
    found = []
    for value in values:
        if value not in found:
            found.append(value)
    return found
"""
PICKY = """\
def picky(n):
    if n % 2:
        raise ValueError({!r})
    return count(n)
"""
TOTALS = """\
def totals(records, rate):
    found = {}
    for record in records:
        found[record["name"]] = found.get(record["name"], 0) + record["amount"] * rate
    return found
"""
MEAN = """\
import math
def mean(values):
    for _ in range(2000):
        found = {}
    return found
"""
RARE = """\
def unique(values):
    if len(values) == 5 and values[0] > values[1]:
        values = values[::-1]
    return list(dict.fromkeys(values))
"""
SMALL = """\
def unique(values):
    found = list(dict.fromkeys(values))
    return found if len(found) > 1 or len(values) < 4 else []
"""
CLOSED = """\
def unique(values):
    return list({v: None for v in values if 1 / (v + 1)})
"""
INPUTS = """\
import random

def number(rng):
    return (rng.randrange(40_000, 50_000),)

NUMBERS = [(n,) for n in range(45_000, 45_060)]  # enough: below 50 there is a doubt

def values(rng, size):
    return ([rng.randrange(-1, size + 1) for _ in range(size)],)

def strange(rng):
    return (object(),)
broken = lambda rng: ([1 / 0],)

def floats(rng):
    return ([rng.random() for _ in range(60)],)

def _records():
    rng = random.Random(5)
    for size in (3000, 3000):
        names = [f"c{rng.randrange(9)}" for _ in range(size)]
        rows = [{"name": name, "amount": rng.randrange(999)} for name in names]
        rows[1700]["amount"] = 777
        yield (rows, rng.randrange(2, 9))

RECORDS = list(_records())

def bare(rng):
    return [1, 2]
"""

CLASSED = "class OddError(ValueError): pass\n" + PICKY.replace("ValueError", "OddError")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {
        "old": COUNT.format("n")
        + UNIQUE
        + PICKY.format("no: odd")
        + MEAN.format("sum(values) / len(values)")
        + TOTALS,
        "worded": COUNT.format("n * 6") + PICKY.format("odd numbers are not taken"),
        "classed": COUNT.format("n") + CLASSED.format("no: odd"),
        "classed_again": COUNT.format("n * 6") + CLASSED.format("odd numbers are not taken"),
        "same": COUNT.format("n"),
        "twice": COUNT.format("n // 2"),
        "slower": COUNT.format("n * 103 // 100"),
        "rare": RARE,
        "heavy": "TOTAL = sum(n * n % 7 for n in range(60_000))\n" + COUNT.format("n"),
        "closed": CLOSED,
        "fsum": MEAN.format("math.fsum(values) / len(values)").replace("2000", "200"),
        "whole": MEAN.format("int(sum(values) / len(values))"),
        "numpy_float": "import numpy\n"
        + MEAN.format("numpy.float64(sum(values) / len(values))"),
        "small": SMALL,
        "skips": TOTALS.replace("in records", "in [r for r in records if r['amount'] != 777]"),
        "inputs": INPUTS,
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


QUICK = tuple(
    part
    for setting in (
        "measure.self_test_blocks=4",
        "measure.fast_seconds=0.004",
        "measure.slow_seconds=0.02",
        "judge.pairs=6",
        "judge.counterexample_seconds=0.5",
    )
    for part in ("--set", setting)
)

BRIEF = (*QUICK, "--set", "judge.max_blocks=3", "--set", "measure.self_test_blocks=2")
"""For what does not depend on how long is measured."""
PATIENT = (*QUICK, "--set", "judge.counterexample_seconds=5")


def prove(old: str, new: str, inputs: str, *options: str) -> Called:
    return call("prove", old, new, "--inputs", f"inputs.py:{inputs}", *options)


@pytest.mark.tier("runs")
@pytest.mark.usefixtures("shop")
class TestPairs:
    def test_twice_as_fast_is_proven(self) -> None:
        called = prove("old.py:count", "twice.py:count", "number", "--json", *QUICK)
        assert called.code == 0, called
        (line,) = called.out.splitlines()
        row = json.loads(line)
        assert row["status"] == "faster"
        # Its width depends on who else is on the machine, its middle does not.
        assert 1 < row["gain_low"] < row["gain"] < row["gain_high"]
        assert 1.5 < row["gain"] < 2.7
        assert "faster: " in called.err
        assert "99 % interval" in called.err
        assert "same results on 149 distinct inputs (150 comparisons), and on" in called.err
        assert "it takes 20 blocks at most, roughly " in called.err
        assert "; a gain above 20x is measured twice, in 36" in called.err
        assert row["made_up"] > 0
        assert "no difference found on " in called.err

    def test_identical_code_is_not(self) -> None:
        called = prove("old.py:count", "same.py:count", "number", "--markdown", *BRIEF)
        assert called.code == 1, called
        assert called.out.startswith("**`old.py:count` against `same.py:count`: not proven: ")
        assert "- CPU a call: " in called.out

    def test_exceptions_of_one_type_are_the_same_result(self) -> None:
        called = prove("old.py:picky", "worded.py:picky", "NUMBERS", "--json", *BRIEF)
        assert called.code == 1, called
        assert (
            "doubt: The old function raises ValueError: no: odd: so must the new one."
            in called.err
        )

    def test_files_that_define_the_same_class_of_exceptions_have_the_same_results(self) -> None:
        called = prove("classed.py:picky", "classed_again.py:picky", "NUMBERS", *BRIEF)
        assert called.code == 1, called
        assert "not proven: " in called.out

    def test_a_module_that_loads_faster_is_no_gain(self) -> None:
        # It loads slowly and keeps nothing: beside a large heap calls are slower in truth.
        longer = ("--set", "measure.slow_seconds=0.1", "--set", "measure.fast_seconds=0.02")
        called = prove("heavy.py:count", "same.py:count", "NUMBERS", "--json", *BRIEF, *longer)
        assert called.code == 1, called
        assert 0.8 < json.loads(called.out)["gain"] < 1.25

    def test_three_percent_slower_is_not(self) -> None:
        called = prove("old.py:count", "slower.py:count", "NUMBERS", *BRIEF)
        assert called.code == 1, called
        assert "not proven: " in called.out

    def test_a_different_result_on_a_rare_input_is_shown(self) -> None:
        called = prove("old.py:unique", "rare.py:unique", "values", "--json")
        assert called.code == 4, called
        difference = json.loads(called.out)["difference"]
        assert difference["name"].startswith("size 5, seed ")
        assert difference["input"].startswith("([")
        assert difference["expected"] != difference["got"]
        assert "different results: rare.py:unique does not do what" in called.err
        assert f"old:   {difference['expected']}" in called.err

    def test_a_difference_that_no_given_input_shows_is_looked_for(self) -> None:
        called = prove("old.py:unique", "small.py:unique", "values", "--json")
        assert called.code == 4, called
        difference = json.loads(called.out)["difference"]
        assert difference["name"] == "a counterexample"
        assert difference["got"] == "[]"
        (value,) = json.loads(difference["expected"])
        assert difference["input"] == f"({[value] * 4},)"

    def test_an_exception_where_there_was_none_is_told_in_its_own_words(self) -> None:
        called = prove("old.py:unique", "closed.py:unique", "values", "--markdown")
        assert called.code == 4, called
        assert "new:   " in called.out
        assert "ZeroDivisionError: division by zero" in called.out


@pytest.mark.usefixtures("shop")
class TestInputs:
    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("end", "said"),
        [
            ("raise PermissionError(1, 'no')", "REJECTED: PermissionError"),
            ("__import__('os').kill(__import__('os').getpid(), 9)", "REJECTED: "),
        ],
        ids=["refused", "signal"],
    )
    def test_an_end_without_an_answer_is_a_different_result(
        self, shop: Path, end: str, said: str
    ) -> None:
        text = "def unique(values):\n    if len(values) == 5 and values[0] == values[1]:"
        text += f" {end}\n    return list(dict.fromkeys(values))\n"
        (shop / "ends.py").write_text(text, encoding="utf-8")
        called = prove("old.py:unique", "ends.py:unique", "values", *PATIENT)
        assert called.code == 4, called
        assert said in called.out

    @pytest.mark.tier("runs")
    def test_where_floats_differ_in_the_last_digit_a_tolerance_is_advised(self) -> None:
        pair = "old.py:mean", "fsum.py:mean", "floats"
        exact = prove(*pair, "--json", *QUICK)
        assert exact.code == 4, exact
        difference = json.loads(exact.out)["difference"]
        assert 0 < difference["relative"] < 1e-12
        assert f"(differ by {difference['relative']:.2g} relative" in difference["got"]
        assert "`--rel-tol 1e-9` takes such results as the same" in exact.err

    @pytest.mark.tier("runs")
    def test_within_a_tolerance_they_are_the_same(self) -> None:
        pair = "old.py:mean", "fsum.py:mean", "floats"
        near = prove(*pair, "--json", "--rel-tol", "1e-9", *BRIEF)
        assert near.code == 0, near
        assert json.loads(near.out)["rel_tol"] == 1e-9
        assert "measured one, within a relative tolerance of 1e-9" in near.err
        assert "compared: values and types (floats within that)" in near.err

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("new", "said"),
        [("whole", "int instead of float"), ("numpy_float", "numpy.float64 instead of float")],
    )
    def test_another_type_of_number_is_named(self, new: str, said: str) -> None:
        called = prove("old.py:mean", f"{new}.py:mean", "floats", *QUICK)
        assert called.code == 4, called
        assert said in called.out

    @pytest.mark.tier("runs")
    def test_an_input_of_3000_records_is_made_small_kept_and_read_back(
        self, shop: Path
    ) -> None:
        pair = "old.py:totals", "skips.py:totals"
        called = prove(*pair, "RECORDS", "--json", "--save-input", "kept.py", *PATIENT)
        assert called.code == 4, called
        difference = json.loads(called.out)["difference"]
        assert difference["name"].endswith(", made smaller")
        assert "'amount': 777" in difference["input"]
        assert "..." not in difference["input"]
        assert "read it back with --inputs kept.py:INPUTS" in called.err
        scope: dict[str, Any] = {}
        exec((shop / "kept.py").read_text(encoding="utf-8"), scope)
        (arguments,) = scope["INPUTS"]
        assert repr(arguments) == difference["input"]
        again = call("prove", *pair, "--inputs", "kept.py:INPUTS", "--json", *QUICK)
        assert again.code == 4, again
        assert "'amount': 777" in json.loads(again.out)["difference"]["input"]
        taken = prove(*pair, "RECORDS", "--save-input", "kept.py", *QUICK)
        two_lines(taken)
        assert "exists already" in taken.err

    @pytest.mark.tier("runs")
    def test_a_different_result_on_an_example_is_told_in_its_words(self) -> None:
        example = "unique([5, count(4), 3, 2, 1])"
        called = call("prove", "old.py:unique", "rare.py:unique", "--example", example)
        assert called.code == 4, called
        assert f"case:  {example}" in called.out
        assert "input: ([5, 4, 3, 2, 1],)" in called.out
        assert "doubt: The evidence is thin: 1 distinct input, fewer than 50." in called.out

    @pytest.mark.tier("runs")
    def test_examples_that_are_too_small_to_time_are_an_error(self) -> None:
        called = call("prove", "old.py:unique", "old.py:unique", "--example", "unique([1])")
        error, _ = last_two_lines(called)
        assert "too small to measure" in error

    @pytest.mark.parametrize(
        ("inputs", "said"),
        [
            pytest.param(
                "strange", "arguments[0]: unsupported value of type object", id="value"
            ),
            pytest.param("bare", "gives list, not a tuple of arguments", id="no-tuple"),
            pytest.param("missing", "'missing' is not defined", id="no-generator"),
            pytest.param("broken", "by zero (inputs.py, line ", id="raises"),
        ],
    )
    def test_what_cannot_be_an_input_is_said(self, inputs: str, said: str) -> None:
        error, _ = two_lines(prove("old.py:unique", "rare.py:unique", inputs))
        assert said in error

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("head", "said", "next_"),
        [
            pytest.param(
                "import absent_package", "absent_package", "--python VENV", id="missing"
            ),
            pytest.param(
                "raise OSError('no')", "OSError: no", "that it can answer", id="raises"
            ),
        ],
    )
    def test_a_module_that_cannot_be_loaded_is_no_different_result(
        self, head: str, said: str, next_: str
    ) -> None:
        Path("lame.py").write_text(f"{head}\n{Path('old.py').read_text()}")
        error, hint = two_lines(prove("old.py:unique", "lame.py:unique", "values"))
        assert "lame.py:unique: " in error
        assert said in error
        assert next_ in hint

    def test_a_key_that_it_does_not_read_is_an_error(self) -> None:
        told = ("--seed", "1", "--set", "objective=memory")
        error, hint = two_lines(call("prove", "old.py:unique", "rare.py:unique", *told))
        assert "--set objective: `prove` has no use for it" in error
        assert "it takes keys of judge, measure, sandbox" in hint

    def test_a_table_that_it_does_not_read_is_named_with_those_that_it_does(self) -> None:
        told = ("--set", "limits.output_bytes=1000000000")
        error, hint = two_lines(call("prove", "old.py:unique", "rare.py:unique", *told))
        assert "limits.output_bytes: `prove` has no use for it" in error
        assert hint == "it takes keys of judge, measure, sandbox"

    @pytest.mark.tier("runs")
    def test_a_size_whose_answer_is_too_large_is_not_chosen(self) -> None:
        Path("wide.py").write_text("def wide(n):\n    return 'x' * (n * 2000)\n")
        Path("sizes.py").write_text("def sizes(rng, size):\n    return (size,)\n")
        told = ("wide.py:wide", "wide.py:wide", "--inputs", "sizes.py:sizes")
        long = ("--set", "measure.fast_seconds=100", "--set", "measure.slow_seconds=200")
        called = call("prove", *told, *long)
        assert "; size 10000 is too large: its answer has 20 MB, 16 is the most" in called.out
        assert "too small to measure" in called.err  # and nothing before that refuses it

    def test_without_inputs_there_is_nothing_to_compare(self) -> None:
        error, hint = two_lines(call("prove", "old.py:unique", "rare.py:unique"))
        assert "no inputs" in error
        assert "--inputs MODULE:GENERATOR" in hint

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("example", "said"),
        [
            ("unique([1]", "not a Python expression"),
            ("unique($1)", "invalid syntax ('$' means nothing in Python)"),
            ("unique([absent])", "NameError: name 'absent' is not defined"),
            ("count(1)", "not a call of 'unique'"),
            ("unique(values=[1])", "by position"),
        ],
    )
    def test_an_example_is_a_call_of_the_function(self, example: str, said: str) -> None:
        called = call("prove", "old.py:unique", "rare.py:unique", "--example", example)
        assert said in two_lines(called)[0]


def last_two_lines(called: Called) -> tuple[str, str]:
    """Return error and hint of a command that had begun to talk."""
    return two_lines(called._replace(err="\n".join(called.err.splitlines()[-2:])))
