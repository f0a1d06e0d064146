"""A function is found again under other names and beside other functions."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.program.same_function import function_form, has_same_comments, transplanted_text

OLD = '''\
import math


def scale(value, by=2):
    return value * by


def f(xs, *, cut=0):
    """Distinct values."""
    found = []
    for x in xs:  # in their order
        if x not in found and x >= cut:
            found.append(scale(x, by=3))
    return found
'''
BETTER = OLD.replace("import math\n", "import math\nfrom collections import Counter\n").replace(
    "    for x in xs:  # in their order\n        if x not in found and x >= cut:\n",
    "    each = Counter()\n    for x in xs:  # in their order\n"
    "        if x not in found and x >= cut:\n            each[x] += 1\n",
)
NEW = '''\
"""A shop."""

from __future__ import annotations


def before():
    return 1


def scale(amount, by=2):
    return amount * by


def unlike(items: list[int], *, cut: int = 0) -> list[int]:
    """Return what sells."""
    kept = []
    for each in items:  # in their order
        if each not in kept and each >= cut:
            kept.append(scale(each, by=3))
    return kept


def after():
    return unlike([1], cut=2)
'''


def run(text: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    exec(compile(text, "text", "exec"), made)
    return made


def test_names_comments_annotations_and_neighbours_do_not_count() -> None:
    assert function_form(OLD, "f") == function_form(NEW, "unlike") != ""
    assert function_form(OLD, "f") != function_form(BETTER, "f")


@pytest.mark.parametrize(
    ("text", "entry"), [("not python (", "f"), (OLD, "g"), ("f = 1", "f"), ("", "f")]
)
def test_what_is_no_function_has_no_form(text: str, entry: str) -> None:
    assert function_form(text, entry) == ""
    assert transplanted_text(text, text, entry, NEW, "unlike") == ""


def test_what_a_function_rests_on_counts() -> None:
    other = OLD.replace("value * by", "value + by")
    assert function_form(other, "f") != function_form(OLD, "f")
    assert function_form(OLD.replace("import math", "import cmath"), "f") == (
        function_form(OLD, "f")
    )


def test_a_better_function_takes_the_place_of_the_renamed_one() -> None:
    made = transplanted_text(OLD, BETTER, "f", NEW, "unlike")
    assert "def unlike(items: list[int], *, cut: int = 0) -> list[int]:\n" in made
    assert '    """Return what sells."""\n' in made
    assert "    each_2 = Counter()\n    for each in items:  # in their order\n" in made
    assert "kept.append(scale(each, by=3))" in made
    assert made.index("import annotations") < made.index("import Counter") < made.index("def b")
    assert "import math" not in made
    assert run(made)["after"]() == run(NEW)["after"]() == []
    assert run(made)["unlike"]([2, 2, 1]) == run(BETTER)["f"]([2, 2, 1])


def test_a_function_that_is_new_comes_before_it_and_one_whose_name_is_taken_is_refused() -> (
    None
):
    better = "def quick(a):\n    return a\n\n\ndef f(a):\n    return quick(a)\n"
    old, new = "def f(a):\n    return a\n", "X = 1\n\n\ndef g(b):\n    return b\n"
    made = transplanted_text(old, better, "f", new, "g")
    assert run(made)["g"](3) == 3
    assert made.index("def quick") < made.index("def g")
    assert transplanted_text(old, better, "f", new.replace("X", "quick"), "g") == ""


def test_a_text_in_which_names_may_hide_is_written_anew() -> None:
    old = "def f(a):\n    return str(a)\n"
    better = 'def f(a):\n    return f"{a}"\n'
    made = transplanted_text(old, better, "f", "def g(b):\n    return str(b)\n", "g")
    assert run(made)["g"](3) == "3"


def test_comments_are_compared_where_the_function_is() -> None:
    assert has_same_comments(OLD, "f", NEW, "unlike")
    assert has_same_comments(OLD + "# the end\n", "f", NEW, "unlike")
    assert not has_same_comments(OLD, "f", NEW.replace("in their order", "each"), "unlike")


_NAMES = st.lists(
    st.from_regex(r"[a-z]{1,6}_", fullmatch=True), min_size=3, max_size=3, unique=True
)


@pytest.mark.tier("runs")
@given(_NAMES)
def test_whatever_the_names_are_the_result_is_that_of_the_better_one(names: list[str]) -> None:
    new = NEW
    for old, name in zip(("items", "kept", "each"), names, strict=True):
        new = new.replace(old, name)
    assert function_form(new, "unlike") == function_form(OLD, "f")
    made = transplanted_text(OLD, BETTER, "f", new, "unlike")
    assert ast.parse(made)
    assert run(made)["unlike"]([3, 1, 3], cut=1) == run(OLD)["f"]([3, 1, 3], cut=1)
