"""What is dropped after a change of a function, and what stays."""

from __future__ import annotations

import pytest

from operators.rewrite.leftover import tidied
from operators.rewrite.program import program

OLD = """\
def f(values):
    count = {value}
    # the sum
    total = 0
    for value in values:
        total += value + count
    return total
"""
NEW = """\
def f(values):
    count = {value}
    # the sum
    return sum(values)
"""
TIDY = """\
def f(values):
    # the sum
    return sum(values)
"""


def made(old: str, new: str, name: str = "f") -> str:
    parsed = program(old)
    assert parsed is not None
    (place,) = [place for place in parsed.places if place.name == name]
    return tidied(parsed, place, new)


@pytest.mark.parametrize("value", ["0", "[]", "len(values)", "set()", "values"])
def test_an_assignment_that_nobody_reads_any_more_goes(value: str) -> None:
    assert made(OLD.format(value=value), NEW.format(value=value)) == TIDY


@pytest.mark.parametrize(
    "value", ["values[0]", "1 // len(values)", "print(values)", "values.pop()", "(y := 3)"]
)
def test_what_may_raise_or_leave_a_trace_stays(value: str) -> None:
    assert made(OLD.format(value=value), NEW.format(value=value)) == NEW.format(value=value)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("    count += 1\n", id="added-to"),
        pytest.param("    def g(): return count\n", id="read-inside"),
        pytest.param("    del count\n", id="deleted"),
    ],
)
def test_a_name_that_something_else_mentions_stays(line: str) -> None:
    new = NEW.format(value="0").replace("    # the sum\n", line)
    assert made(OLD.format(value="0"), new) == new


def test_what_was_unread_before_is_left_to_its_author() -> None:
    old = "def f(values):\n    unused = 1\n    return sorted(values)[0]\n"
    new = "def f(values):\n    unused = 1\n    return min(values)\n"
    assert made(old, new) == new


def test_where_names_can_be_seen_all_of_them_stay() -> None:
    old, new = (text.format(value="0") + "    locals()\n" for text in (OLD, NEW))
    assert made(old, new) == new


@pytest.mark.parametrize("look", ["dir()", "vars()", "sys._getframe()", "currentframe()"])
def test_where_a_frame_can_be_looked_at_all_of_them_stay(look: str) -> None:
    old, new = (text.format(value="0") + f"    {look}\n" for text in (OLD, NEW))
    assert made(old, new) == new


def test_what_is_tried_stays() -> None:
    """Its exception may be what it is there for."""
    tried = "    try:\n        count = len(values)\n    except TypeError:\n        return 0\n"
    old, new = (text.format(value="0").replace("    count = 0\n", tried) for text in (OLD, NEW))
    assert made(old, new) == new


def test_names_of_a_module_stay() -> None:
    assert made("n = 1\nm = n + 1\n", "n = 1\nm = 2\n", name="") == "n = 1\nm = 2\n"


def test_a_function_that_loses_its_only_line_is_still_one() -> None:
    old = "def f():\n    n = 1\n    print(n)\n"
    assert made(old, "def f():\n    n = 1\n") == "def f():\n    pass\n"
