"""The figures of the gold set: the right lesson for a program, among three, without a model."""

from __future__ import annotations

import pytest

from tests.memory.retrieval.gold_set import (
    HALVES,
    code_words,
    lessons,
    pairs,
    program_words,
    recall,
)

LEAST = 0.85
"""What is asked for on the half that nothing was tuned on."""


def test_the_set_holds_what_its_rules_say() -> None:
    keys = [{one["key"] for one in lessons(half) if one.get("program")} for half in HALVES]
    assert not keys[0] & keys[1]
    found = [(half, pair) for half in HALVES for pair in pairs(half)]
    assert len(found) >= 100
    for half, pair in found:
        known = {one["key"] for one in lessons(half)}
        assert pair.lesson not in pair.also
        assert pair.also <= known
        assert len(known - pair.also) - 1 >= 8


@pytest.mark.tier("runs")
@pytest.mark.row("AM-01", "SQ-62")
@pytest.mark.parametrize("half", HALVES)
def test_the_right_lesson_is_among_three(half: str) -> None:
    assert recall(half, program_words) >= LEAST


@pytest.mark.parametrize("half", HALVES)
def test_what_a_program_is_built_of_finds_more_than_its_text(half: str) -> None:
    assert recall(half, code_words) + 0.25 < recall(half, program_words)
