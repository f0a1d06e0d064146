"""What did best in earlier runs: models by family, and lessons in a prompt."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from se_agent.engine.search.choice import begun, chosen
from se_agent.memory import ItemKind, ItemRow, Items
from se_agent.memory.experience.execution_rows import Execution
from se_agent.memory.experience.executions import ExecutionLog
from se_agent.memory.experience.item_credit import Exposure
from se_agent.memory.experience.long_term import KnownRun, LongTerm
from se_agent.memory.experience.preferences import (
    best_top_k,
    learned_preferences,
    preferences_of,
)
from se_agent.memory.experience.schema import KIND
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.recall import LearnedPreferences, ModelReturns

AT = "2026-11-28T10:00:00+00:00"


@pytest.fixture
def items() -> Iterator[Items]:
    with Database(IN_MEMORY, KIND) as db:
        yield Items(db)


def prefer(items: Items, title: str, family: str, role: str = "refine") -> str:
    row = ItemRow(
        kind=ItemKind.PREFERENCE, title=title, family=family, operator=role, status="active"
    )
    return items.add(row, at=AT)


@pytest.mark.row("SQ-14")
def test_preferences_are_those_of_a_family_by_role(items: Items) -> None:
    ids = {
        prefer(items, "Change one loop", "lists"),
        prefer(items, "Change one loop", "lists", "plan"),
        prefer(items, "Change one loop", "graphs"),
    }
    assert len(ids) == 3
    assert {row.operator for row in preferences_of(items, "lists")} == {"refine", "plan"}
    assert [*preferences_of(items, "texts")] == []


def write_steps(items: Items, family: str, model: str, gains: list[float]) -> None:
    run = f"{family} {model}"
    LongTerm(items.db).put_run(KnownRun(run=run, family=family))
    ExecutionLog(items.db).put(
        Execution(
            run=run,
            slot=slot,
            agent_name="refine",
            task_type="refactoring",
            task_description="change",
            execution_result="",
            success=gain > 0,
            context={"model": model, "effect": gain},
        )
        for slot, gain in enumerate(gains)
    )


@pytest.mark.row("AM-66")
def test_models_are_chosen_by_what_they_brought_in_runs_of_the_family(items: Items) -> None:
    write_steps(items, "lists", "good", [0.5] * 9 + [0.0])
    write_steps(items, "lists", "poor", [0.0] * 10)
    write_steps(items, "graphs", "poor", [0.5] * 10)
    found = learned_preferences(items.db, "lists")
    assert found.models == (
        ModelReturns(model="good", steps=10, gains=9),
        ModelReturns(model="poor", steps=10, gains=0),
    )
    past = begun(found.models)
    assert all(sum(known.before) == pytest.approx(2.0) for known in past.values())
    draws = [
        chosen({"good": 1.0, "poor": 1.0}, past, rng_at(1, slot, Purpose.MODEL))
        for slot in range(200)
    ]
    assert 110 < draws.count("good") < 190  # a prior of two steps, no verdict
    assert learned_preferences(items.db, "texts") == LearnedPreferences()


def exposures(gains: dict[int, float], slots: int, eligible: int = 3) -> list[Exposure]:
    numbers = [[*gains][slot % len(gains)] for slot in range(slots)]
    return [
        Exposure(
            run=f"r{eligible}",
            slot=slot,
            item=f"L{item}",
            shown=item < number,
            gain=gains[number],
        )
        for slot, number in enumerate(numbers)
        for item in range(eligible)
    ]


@pytest.mark.row("AM-66")
def test_a_prompt_has_as_many_lessons_as_steps_fared_best_with() -> None:
    fewer_are_better = {3: 0.0, 2: 0.1, 1: 0.3}
    assert best_top_k(exposures(fewer_are_better, 90)) == 1
    assert best_top_k(exposures({3: 0.3, 2: 0.1, 1: 0.0}, 90)) == 3
    assert best_top_k(exposures(fewer_are_better, 30)) == 0  # too few to know
    assert best_top_k(exposures({3: 0.3}, 90)) == 0  # nothing to compare with


@pytest.mark.row("AM-66")
def test_easy_programs_with_many_lessons_do_not_speak_for_many() -> None:
    hard = exposures({1: 0.1, 0: 0.0}, 90, eligible=1)
    easy = exposures({4: 0.9, 1: 1.0}, 90, eligible=4)
    assert best_top_k([*hard, *easy]) == 1
