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
    assert replaced(text, one, 7.0) == "N = 7  # tune: int 1..30\r\nx = N\r\n"


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
    assert replaced(text, one, 7.0) == "x = 1\n\fN = 7  # tune: int 2..9\n"


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
    assert '    "depth": 8,  # tune: 1..9\n' in replaced(text, found[0], 8.0)


@given(
    st.floats(0, 1), st.sampled_from(["N = 6  # tune: 2..900 log", "N = 6.5  # tune: -2..9"])
)
def test_a_place_is_found_again(share: float, line: str) -> None:
    (one,) = constants("main.py", line + "\n")
    value = one.at(share)
    assert one.low <= value <= one.high
    (again,) = constants("main.py", replaced(line + "\n", one, value))
    assert again.value == value
    assert again.at(again.share) == value


def test_it_is_told_as_it_is_marked() -> None:
    (one,) = constants("main.py", "N = 6  # tune: 2..900 log\n")
    assert str(one) == "N = 6 (2..900 log)"
