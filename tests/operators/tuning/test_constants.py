"""Marks of constants: where they are seen, what they allow, and what is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.tuning.constants import constants, replaced

TEXT = '''"""A program."""
ROUNDS = 60  # tune: int 20..200
RATE: float = 0.1  # tune: 0.001..1.0 log
OTHER = 3  # not marked
EMPTY = 3  # tune: int 5..5
ZERO = 0.5  # tune: 0..1 log


def f(x):
    return x * ROUNDS * RATE  # the sum
'''


def test_only_sound_marks_count() -> None:
    assert [(c.name, c.value) for c in constants("main.py", TEXT)] == [
        ("ROUNDS", 60.0),
        ("RATE", 0.1),
    ]


def test_line_endings_stay() -> None:
    text = "N = 1  # tune: int 1..30\r\nx = N\r\n"
    (one,) = constants("main.py", text)
    assert replaced(text, {one: 7.0}) == "N = 7  # tune: int 1..30\r\nx = N\r\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"""\nN = 6  # tune: int 2..9\n"""\n', id="docstring"),
        pytest.param("s = '''\nN = 6  # tune: int 2..9\n'''\n", id="string"),
        pytest.param("N = 6  # tune: int 5.2..5.9\n", id="no-whole-number"),
        pytest.param("N = 6  # tune: int 5.2..6.9\n", id="one-whole-number"),
        pytest.param("N = 6  # tune: 0..1e999\n", id="endless"),
        pytest.param("N = 6  # tune: -1e308..1e308\n", id="too-wide"),
        pytest.param("N = 1e999  # tune: int 1..5\n", id="not-finite"),
        pytest.param("N = 6  # tune: int 2..9\ndef f(:\n'''", id="not-python"),
    ],
)
def test_what_is_no_mark(text: str) -> None:
    assert constants("main.py", text) == ()


def test_a_form_feed_does_not_shift_the_lines() -> None:
    text = "x = 1\n\fN = 6  # tune: int 2..9\n"
    (one,) = constants("main.py", text)
    assert replaced(text, {one: 7.0}) == "x = 1\n\fN = 7  # tune: int 2..9\n"


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        pytest.param("N = 6  # tune: 2..9", True, id="bare"),
        pytest.param("N = 6  # tune: 1..50 log", True, id="bare-log"),
        pytest.param("N = 6  # tune: int 2..9", True, id="said"),
        pytest.param("N = 6.0  # tune: 2..9", False, id="point-in-the-value"),
        pytest.param("N = 6  # tune: 2.0..9", False, id="point-in-an-end"),
        pytest.param("N = 6  # tune: 2..1e3", False, id="exponent"),
    ],
)
def test_a_range_without_a_point_is_of_whole_numbers(line: str, whole: bool) -> None:
    (one,) = constants("main.py", line + "\n")
    assert one.whole is whole


def test_entries_of_a_dictionary_and_arguments_can_be_marked() -> None:
    text = (
        "P = {\n"
        '    "depth": 3,  # tune: 1..9\n'
        "    'rate': 0.1,  # tune: 0.01..1.0 log\n"
        "    3: 4,  # tune: 1..9\n"
        "}\n"
        "Q = dict(\n"
        "    width=7  # tune: 1..9\n"
        ")\n"
    )
    found = constants("main.py", text)
    assert [(one.name, one.value) for one in found] == [
        ("depth", 3.0),
        ("rate", 0.1),
        ("width", 7.0),
    ]
    assert '    "depth": 8,  # tune: 1..9\n' in replaced(text, {found[0]: 8.0})


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param(
            'P = {"a": 3, "b": 5}  # tune: 1..9\n',
            {"a": "1..9", "b": "1..9"},
            id="one-range-for-a-line",
        ),
        pytest.param(
            'P = {"a": 3, "b": 0.5}  # tune: 1..9, 0.1..1.0 log\n',
            {"a": "1..9", "b": "0.1..1.0 log"},
            id="a-range-each",
        ),
        pytest.param(
            'P = {"a": 3, "b": 4, "c": 5}  # tune: 1..9, 2..8\n', {}, id="too-few-ranges"
        ),
        pytest.param('P = {"a": 3}  # tune: 1..9, 2..8\n', {}, id="too-many-ranges"),
        pytest.param(
            'P = {"a": 3, "b": 4}  # tune: 5..5, 1..9\n', {"b": "1..9"}, id="one-is-empty"
        ),
        pytest.param(
            "f(a=3, b=4, c=g(5))  # tune: 1..9\n", {"a": "1..9", "b": "1..9"}, id="arguments"
        ),
        pytest.param(
            "def f(x, a=3, *, b=4):  # tune: 1..9\n    return x\n",
            {"a": "1..9", "b": "1..9"},
            id="defaults",
        ),
        pytest.param(
            'P = {  # tune: 1..9\n  "a": 3, "b": 4,\n  "c": {"d": 5, "e": "x"},\n}\nF = 6\n',
            {"a": "1..9", "b": "1..9", "d": "1..9"},
            id="all-of-a-dictionary",
        ),
        pytest.param(
            'P = {  # tune: 1..9\n    "a": 3,\n    "b": 4,  # tune: 2..8\n}\n',
            {"a": "1..9", "b": "2..8"},
            id="a-line-of-its-own",
        ),
        pytest.param(
            'P = {  # tune: 1..9\n    "a": 3,\n    "b": 4,  # tune: 2..8, 3..7\n}\n',
            {"a": "1..9"},
            id="a-line-of-its-own-that-is-unsound",
        ),
        pytest.param(
            'P = {  # tune: 1..9\n  "a": 3,\n  "c": {  # tune: 2..8\n    "d": 4,\n  },\n}\n',
            {"a": "1..9", "d": "2..8"},
            id="a-dictionary-inside",
        ),
        pytest.param(
            "P = dict(  # tune: 1..9\n    a=3,\n    b=-4,\n)\n",
            {"a": "1..9", "b": "1..9"},
            id="dict-called",
        ),
        pytest.param("f(  # tune: 1..9\n    a=3,\n)\n", {}, id="another-call"),
        pytest.param('P = {"a": 3 + 4, "b": [5]}  # tune: 1..9\n', {}, id="no-plain-numbers"),
        pytest.param('P = {"a b": 3, "c": True}  # tune: 1..9\n', {}, id="no-name-no-number"),
    ],
)
def test_marks_of_several_numbers(text: str, marked: dict[str, str]) -> None:
    found = constants("main.py", text)
    assert {one.name: str(one).partition("(")[2].rstrip(")") for one in found} == marked


def test_numbers_of_one_line_are_replaced_together() -> None:
    text = 'é = {"a": 3, "b": 0.5, "a": 40}  # tune: 1..90, 0.1..1.0, 1..90\n'
    found = constants("main.py", text)
    assert [(one.name, one.occurrence) for one in found] == [("a", 0), ("b", 0), ("a", 1)]
    made = replaced(text, dict(zip(found, (50.0, 0.25, 6.0), strict=True)))
    assert made == 'é = {"a": 50, "b": 0.25, "a": 6}  # tune: 1..90, 0.1..1.0, 1..90\n'


def test_what_may_not_change_is_not_tuned_whatever_marks_it() -> None:
    text = 'P = {  # tune: 1..9\n# EVOLVE-BLOCK-START\n"a": 3,\n# EVOLVE-BLOCK-END\n"b": 4}\n'
    assert [one.name for one in constants("main.py", text)] == ["a"]


@given(
    st.floats(0, 1), st.sampled_from(["N = 6  # tune: 2..900 log", "N = 6.5  # tune: -2..9"])
)
def test_a_place_is_found_again(share: float, line: str) -> None:
    (one,) = constants("main.py", line + "\n")
    value = one.at(share)
    assert one.low <= value <= one.high
    (again,) = constants("main.py", replaced(line + "\n", {one: value}))
    assert again.value == value
    assert again.at(again.share) == value


def test_it_is_told_as_it_is_marked() -> None:
    (one,) = constants("main.py", "N = 6  # tune: 2..900 log\n")
    assert str(one) == "N = 6 (2..900 log)"
