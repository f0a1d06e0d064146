"""One error has one template, whatever it names; two causes have two."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.program.error_template import SLOT, ErrorTemplate, error_template

PAIRS = Path(__file__).parent / "error_templates" / "pairs.jsonl.gz"


class Pair(TypedDict):
    same: bool
    causes: tuple[str, str]
    texts: tuple[str, str]


def pairs() -> list[Pair]:
    lines = gzip.decompress(PAIRS.read_bytes()).decode("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def is_taken_for_same(pair: Pair) -> bool:
    one, other = map(error_template, pair["texts"])
    return one.key == other.key


@pytest.mark.row("AM-64")
def test_of_400_pairs_at_least_95_percent_are_told_right() -> None:
    every = pairs()
    same = [pair for pair in every if pair["same"]]
    taken = [pair for pair in every if is_taken_for_same(pair)]
    right = [pair for pair in taken if pair["same"]]
    assert (len(every), len(same)) == (400, 200)
    assert len(right) / len(taken) >= 0.95, [p["causes"] for p in taken if not p["same"]]
    missed = [pair["causes"][0] for pair in same if not is_taken_for_same(pair)]
    assert len(right) / len(same) >= 0.95, missed


@pytest.mark.row("AM-64")
def test_what_stood_in_the_slots_is_kept() -> None:
    found = error_template("NameError: name 'heapq' is not defined\n  main.py:3 in solve: x")
    assert found == ErrorTemplate("NameError: name <*> is not defined", ("heapq",))
    found = error_template(
        "TypeError: f() missing 2 required positional arguments: 'a' and 'b'"
    )
    assert found.words == "TypeError: <*> missing <*> required positional argument: <*>"
    assert found.slots == ("f", "2", "a", "b")


def test_the_key_does_not_change_from_version_to_version() -> None:
    assert error_template("KeyError: 'a'").key == error_template("KeyError: (1, 'b')").key
    assert error_template("KeyError: 'a'").key == "9829188d34991d98"


def test_a_value_that_is_none_is_a_cause_of_its_own() -> None:
    none = error_template("AttributeError: 'NoneType' object has no attribute 'x'")
    other = error_template("AttributeError: 'list' object has no attribute 'x'")
    assert none.key != other.key


def test_a_report_and_the_exception_in_it_have_one_template() -> None:
    told = "IndexError: list index out of range"
    printed = (
        f'Traceback (most recent call last):\n  File "a.py", line 2, in f\n    x[3]\n{told}\n'
    )
    tested = f"____ test_f ____\n\n>   assert f(3)\n\nE   {told}\n\na.py:3: IndexError\n"
    assert {error_template(text).key for text in (told, printed, tested)} == {
        error_template(told).key
    }


@pytest.mark.parametrize("text", ["", "\n\n", " ", "\x00", "\ud800", "(" * 5000, "'" * 5000])
def test_any_text_has_a_template(text: str) -> None:
    assert len(error_template(text).words) <= 1000


_WORDS = st.sampled_from(
    [
        *("Error: ", "error: ", "KeyError: ", "Sanitizer: ", "READ", "\n", "\nE   ", SLOT),
        *("'", '"', "(", ")", "[1, 2]", "0x1f", "a_b", "a/b", "x()", " and ", ", "),
        "Traceback (most recent call last)",
    ]
)


@pytest.mark.tier("library")
@settings(max_examples=500)
@given(st.lists(_WORDS | st.text(max_size=6)).map("".join))
def test_the_template_of_any_text_is_one_line_and_always_the_same(text: str) -> None:
    found = error_template(text)
    error_template.cache_clear()
    assert error_template(text) == found
    assert "\n" not in found.words
    assert len(found.key) == 16


@pytest.mark.parametrize("pair", [pairs()[place] for place in range(0, 400, 7)])
def test_the_words_of_a_template_are_its_own_template(pair: Pair) -> None:
    for text in pair["texts"]:
        found = error_template(text)
        assert error_template(found.words).key == found.key
