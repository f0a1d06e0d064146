"""The records of the memory: the seed's fields, in every spelling that may come in."""

from __future__ import annotations

import json
import math

import pytest
from pydantic import ValidationError

from se_agent.values.evaluation import Branch
from se_agent.values.lesson import (
    Direction,
    GlobalStatus,
    Item,
    Lesson,
    Metric,
    Outcome,
    SourceRef,
    canonical_id,
)

REPLY = {
    "updated_directions": [
        {
            "direction": "Use distinct ids for visited nodes",
            "outcome": "Failed",
            "source_ref": "Gen_2_Sol_1",
            "evidence": "TLE on test case 15.",
        }
    ],
    "new_memory_item": {
        "type": "Success",
        "title": "Bitwise operation",
        "description": "Replace modulo by a bitwise and for powers of 2.",
        "content": "`x & (MOD - 1)` has a smaller constant factor.",
        "related_operator": "Refinement",
        "source_ref": {"generation": 3, "solution_id": "Sol_5", "parent_id": "Gen_2_Sol_2"},
        "evidence": {
            "code_change": "`dp[i] % 1024` became `dp[i] & 1023`.",
            "metrics_delta": "150 ms -> 120 ms",
            "context": "MOD is a power of 2.",
        },
    },
}


@pytest.mark.lm(*(f"LM-{row}" for row in range(12, 28) if row != 17), "LM-50", "X-07")
def test_a_reply_with_the_seeds_fields_is_a_lesson_lm_50() -> None:
    lesson = Lesson.model_validate(REPLY)
    (entry,) = lesson.updated_directions
    assert entry.outcome is Outcome.FAILED
    assert entry.source_ref == SourceRef(generation=2, solution_id="Gen2_Sol_1")
    item = lesson.new_memory_item
    assert item is not None
    assert item.type is Branch.SUCCESS
    assert item.source_ref.model_dump() == {
        "generation": 3,
        "solution_id": "Gen3_Sol_5",
        "parent_id": "Gen2_Sol_2",
    }
    assert item.evidence.context == "MOD is a power of 2."
    assert Lesson.model_validate_json(lesson.model_dump_json()) == lesson


@pytest.mark.lm("LM-50")
def test_a_trivial_insight_makes_no_item_lm_50() -> None:
    lesson = Lesson.model_validate({**REPLY, "new_memory_item": None})
    assert lesson.new_memory_item is None


@pytest.mark.lm("LM-08", "LM-09", "LM-10", "LM-11", "X-08")
def test_the_global_status_has_the_seeds_fields_lm_08_to_lm_11() -> None:
    status = GlobalStatus.model_validate(
        {
            "current_generation": 5,
            "best_runtime": {"value": 0.12},
            "best_solution_id": "Gen_3_Sol_4",
            "current_approach": "Dynamic Programming with Bitmask",
        }
    )
    assert status.best_runtime == Metric(value=0.12, unit="s", direction="minimize")
    assert status.best_solution_id == "Gen3_Sol_4"


@pytest.mark.lm("X-06")
@pytest.mark.parametrize(
    "text", ["Gen3_Sol_4", "Gen_3_Sol_4", "gen3_sol4", "g3s4", " Gen3_Sol_04 "]
)
def test_every_spelling_of_an_id_is_accepted(text: str) -> None:
    assert canonical_id(text) == "Gen3_Sol_4"
    assert canonical_id("Sol_4", generation=3) == "Gen3_Sol_4"


@pytest.mark.parametrize("text", ["", "Sol_4", "Gen3", "Gen3_Sol_4; drop", f"g1s{'9' * 10}"])
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a solution id"):
        canonical_id(text)


@pytest.mark.lm("LM-14", "LM-19", "X-05")
@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Failure", "Failed"),
        ("failed", "Failed"),
        ("SUCCESS", "Success"),
        ("neutral", "Neutral"),
    ],
)
def test_aliases_of_an_outcome_become_the_seeds_words(text: str, outcome: str) -> None:
    entry = Direction.model_validate({"direction": "d", "outcome": text, "source_ref": "g1s1"})
    assert entry.outcome == outcome


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": "perhaps"}, "'Success', 'Failed' or 'Neutral'"),
        ({"surprise": 1}, "Extra inputs"),
        ({"source_ref": "somewhere"}, "not a solution id"),
        ({"source_ref": {"generation": 1}}, "Field required"),
        ({"tries": -1}, "greater than or equal to 0"),
    ],
)
def test_a_malformed_direction_is_refused(change: dict[str, object], message: str) -> None:
    good = {"direction": "d", "outcome": "Success", "source_ref": "g1s1"}
    with pytest.raises(ValidationError, match=message):
        Direction.model_validate({**good, **change})


def test_an_effect_may_be_infinite_but_has_a_rank() -> None:
    item = Item(type=Branch.FAILURE, title="t", source_ref=SourceRef.model_validate("g1s1"))
    lost = item.model_copy(update={"effect": -math.inf})
    assert json.loads(lost.model_dump_json())["effect"] == "-Infinity"
    assert Item.model_validate_json(lost.model_dump_json()) == lost
    with pytest.raises(ValidationError, match="it has no rank"):
        Item.model_validate({**item.model_dump(), "effect": math.nan})


def test_directions_that_a_lesson_repeats_are_made_once() -> None:
    given: dict[str, list[dict[str, object]]] = {
        "updated_directions": [
            {
                "direction": f"Use a set {number}",
                "outcome": "fail",
                "source_ref": {"generation": 1, "solution_id": "g1s2", "parent_id": ""},
                "evidence": "",
                "key": str(number),
                "tries": 1,
                "gains": 0,
                "losses": 1,
            }
            for number in range(3)
        ]
    }
    first = Lesson.model_validate(given)
    given["updated_directions"][1]["tries"] = 2
    second = Lesson.model_validate_json(json.dumps(given))
    pairs = zip(first.updated_directions, second.updated_directions, strict=True)
    assert [one is other for one, other in pairs] == [True, False, True]
    assert second.updated_directions[1].tries == 2
    assert second.updated_directions[0].source_ref.solution_id == "Gen1_Sol_2"
