"""A lesson is shown to programs that have what it is about, and to no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.extraction.rule_extractor import item_of
from se_agent.memory.local.applying import (
    CONSTRUCTS,
    constructs,
    direction_applies,
    item_applies,
)
from se_agent.memory.local.bank import united_item
from se_agent.values.lesson import Item
from tests.fakes import solution
from tests.memory.examples import comparison, direction, item, judged, proposal

SCAN = """def distinct(xs):
    out = []
    for x in xs:
        if x not in out:
            out.append(x)
    return out
"""
DICT = "def distinct(xs):\n    return list(dict.fromkeys(xs))\n"
SORTED = "def other(words):\n    return sorted(set(words), key=words.index)\n"
TWIN = """def keep_first(values):
    kept = list()
    for value in values:
        if value not in kept: kept += [value]
        if value not in kept:
            kept += [value]
    return kept
"""


def lesson(old: str = SCAN, new: str = DICT) -> Item:
    return item().model_copy(update={"constructs": constructs(old, new)})


def test_a_lesson_is_about_what_its_change_took_out_whatever_things_are_called() -> None:
    assert constructs(SCAN, DICT) == ("if _ not in _:", "for _ in _:", "_.append(_)")
    assert constructs(DICT, SCAN) == ("return list(_.fromkeys(_))",)
    assert constructs(SCAN, SCAN) == ()
    assert constructs("x = 1\n", "x = 2\n") == (), "it tells nothing from anything"


@pytest.mark.parametrize(
    ("text", "applies"),
    [
        pytest.param(SCAN, True, id="its own parent"),
        pytest.param(TWIN, True, id="the same construct under other names"),
        pytest.param(DICT, False, id="what it led to"),
        pytest.param(SORTED, False, id="another way to do it"),
    ],
)
def test_it_applies_to_a_program_that_has_one_of_these(text: str, applies: bool) -> None:
    assert item_applies(lesson(), [solution(text)]) is applies
    assert item_applies(lesson(), [solution(SORTED), solution(text)]) is applies


def test_a_change_that_only_adds_and_an_older_lesson_apply_to_any() -> None:
    assert item_applies(lesson("x = f(1)\n", "x = f(1)\ny = g(2)\n"), [solution(DICT)])
    assert item_applies(item(), [solution(DICT)])


def test_a_rule_without_a_model_says_what_its_lessons_are_about() -> None:
    parent, child = solution(SCAN), solution(DICT)
    made = item_of(parent, judged(comparison(2.0, 1.0), proposal(child)))
    assert made.constructs == constructs(SCAN, DICT)


@pytest.mark.parametrize(
    ("key", "applies"),
    [
        ("deque@distinct", True),
        ("deque@other+set_membership@distinct", True),
        ("deque@other", False),
        ("deque@", True),
        ("0123456789ab", True),
    ],
)
def test_a_direction_of_a_rule_applies_where_its_function_is(key: str, applies: bool) -> None:
    assert direction_applies(direction("Use it", key=key), [solution(SCAN)]) is applies


def test_a_merged_lesson_is_about_what_any_of_them_is() -> None:
    one, two = lesson(), lesson(SORTED, DICT)
    assert set(united_item([one, two]).constructs) == {*one.constructs, *two.constructs}
    assert united_item([one, item()]).constructs == ()


@given(old=st.text(max_size=300), new=st.text(max_size=300))
def test_it_always_applies_to_the_program_that_it_comes_from(old: str, new: str) -> None:
    made = lesson(old, new)
    assert len(made.constructs) <= CONSTRUCTS
    assert item_applies(made, [solution(old)])
