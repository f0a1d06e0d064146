"""A value comes from before a loop to the helper that asked for it again, by an argument."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.handed_down import HandedDown
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
def line_ranges(lines):
    first = 0
    for number, line in enumerate(lines):
        if line % 3:
            yield first, number
            first = number + 1

def range_of(lines, number):
    \"\"\"The range around a line.\"\"\"
    for first, last in line_ranges(lines):
        if first <= number <= last:
            return lines[first:last + 1]
    return []

def is_odd(lines, number, limit):
    return sum(range_of(lines, number)) % 2 and number < limit

def solve(lines, numbers):
    return [number for number in numbers if not is_odd(lines, number, 9)]
"""
HANDED_ON = [
    "def range_of(lines, number, ranges=None):\n",
    "    if ranges is None:\n        ranges = line_ranges(lines)\n",
    "    for first, last in ranges:\n",
    "def is_odd(lines, number, limit, ranges=None):\n",
    "sum(range_of(lines, number, ranges))",
    "    ranges = list(line_ranges(lines)) if numbers else None\n    return [",
    "if not is_odd(lines, number, 9, ranges)]",
]
METHOD = """
class Checker:
    def __init__(self, lines):
        self.lines = lines
        self.asked = []

    def _starts(self, depth):
        found = []
        for number, line in enumerate(self.lines):
            if line > depth:
                found.append(number)
        return found

    def _next(self, number, *, depth=0):
        return 0

    def _nearest(self, number, depth):
        for start in self._starts(depth):
            if start >= number:
                return start
        return -1

    def check(self, numbers, depth):
        found = []
        for number in numbers:
            found.append(self._nearest(number, depth=depth) + 1)
        return found

def solve(lines, numbers):
    return Checker(lines).check(numbers, 2)
"""
STEP = "            found.append(self._n"


class TestContract(RuleContract):
    rule = HandedDown
    slow = dedented(SLOW)


def test_a_value_is_worked_out_before_the_loop_and_handed_down() -> None:
    (found,) = rewritten(HandedDown(), SLOW)
    for part in HANDED_ON:
        assert part in found
    assert found.count("ranges=None") == 2


def test_who_leaves_the_argument_out_gets_the_same_answer() -> None:
    (found,) = rewritten(HandedDown(), SLOW)
    for number in range(8):
        given = [1, 3, 6, 2, 9, 5], number
        assert answer(found, given, "range_of") == answer(SLOW, given, "range_of")


def test_methods_hand_it_down_by_name_where_names_are_given() -> None:
    (found,) = rewritten(HandedDown(), METHOD)
    assert "def _nearest(self, number, depth, starts=None):" in found
    assert "        starts = self._starts(depth) if numbers else None\n" in found
    assert "self._nearest(number, depth=depth, starts=starts)" in found


@given(st.lists(st.integers(-3, 9), max_size=9), st.lists(st.integers(-2, 12), max_size=9))
@pytest.mark.parametrize("text", [SLOW, METHOD])
def test_answers_are_the_same(text: str, lines: list[int], numbers: list[int]) -> None:
    assert_equivalent(HandedDown(), text, lines, numbers)


def test_a_helper_without_arguments_gets_one() -> None:
    text = METHOD.replace("for start in self._starts(depth):", "for start in self._starts(2):")
    text = text.replace("number, depth)", "number)").replace(
        "(number, depth=depth)", "(number)"
    )
    text = text.replace("def _nearest(self, number):", "def _nearest(self):").replace(
        "start >= number", "start"
    )
    text = text.replace("self._nearest(number)", "self._nearest()").replace(
        "check(self, numbers)", "check(self, numbers, depth)"
    )
    (found,) = rewritten(HandedDown(), text)
    assert "def _nearest(self, starts=None):" in found
    assert "self._nearest(starts=starts)" in found or "self._nearest(starts)" in found


def test_it_is_worked_out_where_it_stood_if_it_is_left_out() -> None:
    guarded = SLOW.replace(
        '    """The range', '    assert number is not None\n    """The range'
    )
    (found,) = rewritten(HandedDown(), guarded)
    assert "    if ranges is None:\n        ranges = line_ranges(lines)\n    for" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("    return [number", "    return [lines.pop()", id="loop"),
        pytest.param("9)]", "9) or lines.append(number)]", id="loop-changes"),
        pytest.param("is_odd(lines, number, 9)]", "is_odd(lines[1:], number, 9)]", id="value"),
        pytest.param("is_odd(lines, number, 9)]", "is_odd(*[lines, number, 9])]", id="starred"),
        pytest.param("if not is_odd", "if number and not is_odd", id="asked-sometimes"),
        pytest.param("    return sum", "    if limit > 3:\n        return 0\n    return sum",
                     id="helper-may-not-ask"),
        pytest.param("    return sum", "    lines.sort()\n    return sum", id="helper-changes"),
        pytest.param("    return sum", "    lines = [*lines]\n    return sum", id="another"),
        pytest.param("def is_odd", "@cache\ndef is_odd", id="decorated"),
        pytest.param("number, limit)", "number, limit, *more)", id="any-arguments"),
        pytest.param("first = 0\n", "first = 0\n    print(lines)\n", id="effect"),
        pytest.param("first = 0\n", "first = lines.pop()\n", id="generator-changes"),
        pytest.param("    for number, line in enumerate(lines):",
                     "    number = line = 1\n    while True:", id="endless"),
        pytest.param("def solve", "def range_of(xs, n): ...\n\ndef solve", id="twice"),
        pytest.param("    return [number", "    for number in numbers:\n        yield number\n"
                     "    return [lines.pop() or number", id="others-run-meanwhile"),
        pytest.param("    return [number", "    lines = map(int, lines)\n    return [number",
                     id="read-once"),
        pytest.param("def solve", "range_of = max\n\ndef solve", id="bound-again"),
        pytest.param("def solve", "from fast import *\n\ndef solve", id="perhaps-bound-again"),
        pytest.param("def solve(lines, numbers):", "def solve(lines, numbers, is_odd):",
                     id="an-argument-of-that-name"),
    ],
)  # fmt: skip
def test_must_not_fire(old: str, new: str) -> None:
    text = SLOW.replace(old, new)
    assert text != SLOW
    assert rewritten(HandedDown(), text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(STEP, "            self.lines = []\n"
                     f"{STEP}", id="sets-the-attribute"),
        pytest.param(STEP, "            self._note()\n"
                     f"{STEP}", id="asks-who-knows-whom"),
        pytest.param("        found = []\n        for number in numbers", "        found = []\n"
                     "        self = found\n        for number in numbers", id="another"),
        pytest.param("found.append(number)", "self.asked.append(number)", id="leaves-a-trace"),
        pytest.param("def solve", "class Other(Checker):\n    def _starts(self, depth):\n"
                     "        return [depth]\n\ndef solve", id="a-class-below-has-its-own"),
        pytest.param("    def _nearest", "    @staticmethod\n    def _nearest", id="no-object"),
        pytest.param("_nearest", "nearest", id="others-may-override-it"),
        pytest.param(STEP, "            edit(self.lines, number)\n"
                     f"{STEP}", id="a-part-is-handed-on"),
        pytest.param(STEP, "            number.bump()\n"
                     f"{STEP}", id="another-object-is-asked"),
        pytest.param("def solve", "Checker._starts = None\n\ndef solve", id="set-elsewhere"),
        pytest.param("def solve", "def __getattr__(self, n): ...\n\ndef solve", id="own-ways"),
    ],
)  # fmt: skip
def test_must_not_fire_for_methods(old: str, new: str) -> None:
    text = METHOD.replace(old, new)
    assert text != METHOD
    assert rewritten(HandedDown(), text) == []
