"""The records hold the seed's fields, each in its place, and a prompt shows their values."""

from __future__ import annotations

import pytest

from se_agent.memory.local.rendering import render_markdown
from se_agent.values.lesson import Direction, GlobalStatus, Item, Lesson, Outcome
from tests.memory.examples import memory

DIRECTION = {
    "direction": "Keep visited nodes in a set",
    "outcome": "Failure",
    "source_ref": "Gen_2_Sol_1",
    "evidence": "TLE on case 15, above 2000 ms",
}
ITEM = {
    "type": "Success",
    "title": "Bitwise and for a power of two",
    "description": "Replace the modulo operator where the modulus is a power of two.",
    "content": "A mask costs less than a division.",
    "related_operator": "refinement",
    "source_ref": {"generation": 3, "solution_id": "Sol_5", "parent_id": "Gen_2_Sol_2"},
    "evidence": {
        "code_change": "`x % 1024` became `x & 1023`",
        "metrics_delta": "150 ms -> 120 ms (-20 %)",
        "context": "holds for moduli that are powers of two",
    },
    "effect": 0.22,
    "significant": True,
}


@pytest.mark.lm("LM-13", "LM-14", "LM-15", "LM-16")
def test_a_direction_as_a_model_writes_it() -> None:
    """LM-13, LM-14, LM-15, LM-16: text, outcome in any spelling, source, evidence."""
    entry = Direction.model_validate(DIRECTION)
    assert entry.direction == "Keep visited nodes in a set"
    assert entry.outcome is Outcome.FAILED
    assert entry.source_ref.solution_id == "Gen2_Sol_1"
    assert entry.evidence == "TLE on case 15, above 2000 ms"


@pytest.mark.lm("LM-20", "LM-21", "LM-22", "LM-25", "LM-26", "LM-27")
def test_an_item_as_a_model_writes_it() -> None:
    """LM-20, LM-21, LM-22 (title, description, content); LM-25, LM-26, LM-27 (evidence)."""
    item = Item.model_validate(ITEM)
    assert (item.title, item.description, item.content) == (
        ITEM["title"],
        ITEM["description"],
        ITEM["content"],
    )
    assert item.evidence.model_dump() == ITEM["evidence"]
    assert (item.source_ref.solution_id, item.source_ref.parent_id) == (
        "Gen3_Sol_5",
        "Gen2_Sol_2",
    )


@pytest.mark.lm("LM-06", "LM-30", "LM-32")
def test_a_prompt_shows_the_values_and_not_the_keys() -> None:
    """LM-32: redundant keys dropped, core values kept."""
    lesson = Lesson(
        updated_directions=(Direction.model_validate(DIRECTION),),
        new_memory_item=Item.model_validate(ITEM),
    )
    shown = render_markdown(memory().apply(lesson, GlobalStatus()).memory)
    for value in ("Keep visited nodes in a set", "TLE on case 15", "Bitwise and", "-20 %"):
        assert value in shown
    for key in ("related_operator", "source_ref", "metrics_delta", "updated_directions"):
        assert key not in shown
