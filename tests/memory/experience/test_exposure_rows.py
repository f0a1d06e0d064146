"""Exposures: read off a journal, kept, counted for the credit of items, and told."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.events import Event, Learned, Proposed, Selected
from se_agent.memory import Workspace
from se_agent.memory.experience.explanation import explanation_of
from se_agent.memory.experience.exposure_rows import ExposureLog, ExposureRow, exposures_of
from se_agent.memory.experience.harvest import Harvest
from se_agent.memory.experience.item_credit import Exposure
from se_agent.memory.experience.item_rows import ItemRow, ItemSource, ItemStatus
from se_agent.memory.experience.items import Items
from se_agent.memory.experience.long_term import KnownRun
from se_agent.memory.experience.promotion import HARMFUL, promote
from se_agent.memory.experience.schema import KIND
from se_agent.memory.experience.slot_records import SlotRecord
from se_agent.memory_events import ShownMemory
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database
from se_agent.values.evaluation import Branch, Status, Verdict
from se_agent.values.step import Proposal
from tests.cli.calls import call, two_lines
from tests.fakes import solution

AT = "2026-11-28T10:00:00+00:00"
SHOWN = ShownMemory(items=("Lone", "Ltwo"), items_withheld=("Lthree",), tokens=9)
GAINED = Verdict(
    status=Status.AC,
    perf_diff=1.0,
    effect=0.7,
    interval=(0.6, 0.8),
    significant=True,
    branch=Branch.SUCCESS,
)
UNCLEAR = replace(GAINED, significant=False)
WRONG = replace(GAINED, status=Status.WA, effect=float("-inf"), significant=False)


def record(
    verdict: Verdict | None = GAINED,
    *,
    shown: ShownMemory | None = SHOWN,
    informed: bool | None = True,
    used: tuple[str, ...] = (),
) -> SlotRecord:
    child = solution("x = 2", id="Gen3_Sol_7")
    made = SlotRecord(number=7)
    events: list[Event] = [
        Selected(
            slot=7,
            child=child.id,
            parents=("Gen1_Sol_2",),
            operator="mutation",
            informed=informed,
            shown_memory=shown,
        ),
        Proposed(
            slot=7, proposal=Proposal(solution=child, direction="Faster", lessons_used=used)
        ),
    ]
    for event in events:
        made.add(event)
    made.learned = Learned(slot=7, child=child.id, best=child.id, verdict=verdict)
    return made


def of(made: SlotRecord) -> dict[str, ExposureRow]:
    rows = exposures_of(made, "r", "shop", {"Gen1_Sol_2": 0.5})
    return {row.exposure.item: row for row in rows}


@pytest.mark.row("AM-65")
def test_a_slot_tells_what_it_was_shown_what_not_and_what_came_of_it() -> None:
    found = of(record(used=("Ltwo", "Lthree")))
    assert {item: row.exposure.shown for item, row in found.items()} == {
        "Lone": True,
        "Ltwo": True,
        "Lthree": False,
    }
    assert {row.exposure.gain for row in found.values()} == {0.7}
    one = found["Lone"].exposure
    assert (one.family, one.generation, one.parent_effect) == ("shop", 3, 0.5)
    declared = {item for item, row in found.items() if row.declared}
    assert declared == {"Ltwo"}  # what was not shown cannot have been used


def test_a_slot_that_was_asked_without_memory_was_shown_nothing() -> None:
    found = of(record(informed=False))
    assert set(found) == {"Lone", "Ltwo", "Lthree"}
    assert not any(row.exposure.shown for row in found.values())


@pytest.mark.parametrize("verdict", [UNCLEAR, WRONG, None])
def test_only_a_proven_gain_is_one(verdict: Verdict | None) -> None:
    row = of(record(verdict))["Lone"]
    assert row.exposure.gain == 0.0
    assert not row.proven
    assert row.valid == (verdict is UNCLEAR)


def test_a_slot_of_no_model_has_no_exposures() -> None:
    assert of(record(shown=None)) == {}


@pytest.fixture
def items() -> Iterator[Items]:
    with Database(IN_MEMORY, KIND) as db:
        yield Items(db)


def lesson(title: str) -> ItemRow:
    return ItemRow(outcome="Success", title=title, significant=True, language="python")


def many(id_: str, lift: float) -> Harvest:
    """Return what a run of 200 model slots leaves, half of which were shown an item."""
    draw = random.Random(1)
    rows = []
    for slot in range(200):
        shown = draw.random() < 0.5
        gain = max(0.0, draw.gauss(0.4, 0.1) + lift * shown)
        exposure = Exposure(run="r", slot=slot, item=id_, shown=shown, gain=gain)
        rows.append(ExposureRow(exposure=exposure, valid=True, proven=gain > 0))
    return Harvest(run=KnownRun(run="r", family="shop"), exposures=tuple(rows))


def test_what_is_written_is_read_back_and_twice_is_once(items: Items) -> None:
    left = many("Lone", 0.1)
    promote(left, items, at=AT)
    promote(left, items, at=AT)
    found = list(ExposureLog(items.db).rows())
    assert len(found) == 200
    expected = [
        replace(row, exposure=replace(row.exposure, family="shop")) for row in left.exposures
    ]
    assert found == expected


def test_an_item_that_harms_is_taken_out_of_use_with_the_reason(items: Items) -> None:
    bad = items.add(lesson("Sort it twice"), at=AT)
    report = promote(many(bad, -0.3), items, at=AT)
    row = items.get(bad)
    assert row is not None
    assert (report.quarantined, row.status) == (1, ItemStatus.QUARANTINED)
    assert items.versions(bad)[-1].why.startswith(HARMFUL)


def test_an_item_that_helps_stays(items: Items) -> None:
    good = items.add(lesson("Use a set"), at=AT)
    assert promote(many(good, 0.3), items, at=AT).quarantined == 0


def test_what_a_person_brought_back_stays(items: Items) -> None:
    bad = items.add(lesson("Sort it twice"), at=AT)
    promote(many(bad, -0.3), items, at=AT)
    items.status(bad, ItemStatus.ACTIVE, why="I know better", at=AT)
    again = promote(many(bad, -0.3), items, at=AT)
    row = items.get(bad)
    assert row is not None
    assert (again.quarantined, row.status) == (0, ItemStatus.ACTIVE)


def test_a_policy_of_people_is_never_taken_out(items: Items) -> None:
    policy = items.add(ItemRow(kind="policy", title="No threads"), at=AT)
    assert promote(many(policy, -0.3), items, at=AT).quarantined == 0


@pytest.fixture
def explained(tmp_path: Path) -> tuple[Path, str]:
    with Workspace.open(tmp_path / ".se_agent", results=tmp_path) as workspace:
        items = workspace.items()
        source = ItemSource(
            "r", "Gen1_Sol_0", "Gen0_Sol_0", 0, 12, "a" * 64, "b" * 64, "m", "-x\n+y\n"
        )
        id_ = items.add(lesson("Use a set"), source, at=AT)
        promote(many(id_, 0.3), items, at=AT)
    return tmp_path, id_


def test_an_item_is_explained_to_people_and_programs(explained: tuple[Path, str]) -> None:
    results, id_ = explained
    said = call("memory", "explain", id_, "--results", results).out
    assert "r: Gen1_Sol_0 from Gen0_Sol_0, row 12 of its journal" in said
    assert "prompt aaaaaaaaaaaa, reply bbbbbbbbbbbb" in said
    assert "    +y" in said
    assert "worth to those who were shown it: 1.3" in said
    row = json.loads(call("memory", "explain", id_, "--results", results, "--json").out)
    shown = sum(one["exposure"]["shown"] for one in row["exposures"])
    assert (row["lift"]["shown"], row["lift"]["withheld"]) == (shown, 200 - shown)
    assert row["lift"]["low"] > 0.2


def test_an_unknown_item_is_refused_in_two_lines(explained: tuple[Path, str]) -> None:
    error, hint = two_lines(call("memory", "explain", "Lnothing", "--results", explained[0]))
    assert "Lnothing" in error
    assert "memory list" in hint


def test_an_item_that_nobody_was_shown_is_explained_without_a_figure(items: Items) -> None:
    id_ = items.add(lesson("Use a set"), at=AT)
    found = explanation_of(items, id_)
    assert found is not None
    assert (found.lift.shown, found.exposures) == (0, ())
    assert explanation_of(items, "Lnothing") is None
