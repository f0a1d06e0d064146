"""What a run leaves is taken in once, in one transaction, beside what is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import MemoryFileError
from se_agent.memory.experience.champions import ArchetypeRow, archetype_rows
from se_agent.memory.experience.harvest import Harvest
from se_agent.memory.experience.item_rows import ItemRow, ItemSource, ItemStatus
from se_agent.memory.experience.items import Items
from se_agent.memory.experience.long_term import FixRow, KnownRun, LongTerm
from se_agent.memory.experience.promotion import is_lesson, promote
from se_agent.memory.experience.schema import FILE, KIND
from se_agent.memory.graph.shapes import Edge
from se_agent.memory.graph.triples import derived_of
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database
from tests.memory.experience.journals import finished, harvested, numbered

AT, LATER = "2026-11-28T10:00:00+00:00", "2026-11-29T10:00:00+00:00"
ROW = ItemRow(
    outcome="Success",
    title="A set in place of a list pays off",
    operator="seen_set",
    direction_key="seen_set@f",
    scope=("membership test",),
    language="python",
    effect=1.0,
    significant=True,
)


def left(run: str, *rows: ItemRow) -> Harvest:
    found = ((row, ItemSource(run, f"Gen1_Sol_{n}")) for n, row in enumerate(rows))
    return Harvest(run=KnownRun(run=run), items=tuple(found))


@pytest.fixture
def items() -> Iterator[Items]:
    with Database(IN_MEMORY, KIND) as db:
        yield Items(db)


def dump(items: Items) -> dict[str, list[tuple[object, ...]]]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    names = [name for (name,) in items.db.rows(query, where="it")]
    return {name: list(items.db.rows(f"SELECT * FROM {name}", where=name)) for name in names}


@pytest.mark.row("LF-104", "SQ-07")
def test_a_run_that_is_written_again_changes_nothing(items: Items, tmp_path: Path) -> None:
    found = harvested(numbered(finished(tmp_path)))
    report = promote(found, items, at=AT)
    assert report.items == len(found.items) > 0
    before = dump(items)
    again = promote(found, items, at=LATER)
    assert (again.items, again.superseded) == (0, 0)
    assert dump(items) == before
    assert before["executions"]
    assert before["test_runs"]
    assert before["solutions"]


@pytest.mark.tier("runs")
@pytest.mark.row("AM-59", "AM-77")
def test_the_graph_is_written_with_the_items_and_names_runs_that_give_it_again(
    items: Items, tmp_path: Path
) -> None:
    runs = {name: numbered(finished(tmp_path, name)) for name in ("first", "second")}
    for name, events in runs.items():
        promote(harvested(events, name), items, at=AT)
    query = """SELECT s.name, d.name, r.relation_type, r.run FROM relations AS r
        JOIN entities AS s ON s.id = r.src JOIN entities AS d ON d.id = r.dst"""
    rows = list(items.db.rows(query, where="the graph"))
    given = {
        name: {one.relation for one in derived_of((event for _, event in events), name).triples}
        for name, events in runs.items()
    }
    lessons = [row for row in rows if row[0].startswith("lesson:")]
    for source, target, kind, run in (row for row in rows if row not in lessons):
        assert Edge(source, target, kind) in given[run]
    assert {run for *_, run in rows} == set(runs)
    assert lessons
    for lesson, *_ in lessons:
        assert items.get(lesson.removeprefix("lesson:")) is not None


def test_a_harvest_that_cannot_be_written_whole_is_not_written(
    items: Items, tmp_path: Path
) -> None:
    before = dump(items)
    items.db.execute("DROP TABLE observations")
    with pytest.raises(MemoryFileError, match="observations"):
        promote(harvested(numbered(finished(tmp_path))), items, at=AT)
    after = dump(items)
    assert {name: after[name] for name in after} == {name: before[name] for name in after}


@pytest.mark.tier("runs")
@given(runs=st.lists(st.sampled_from("abc"), max_size=8))
def test_runs_that_are_written_again_in_any_order_count_their_fixes_once(
    runs: list[str],
) -> None:
    fix = FixRow(id="F1", error_pattern="E", solution="Mend it", frequency=2, verified=True)
    with Database(IN_MEMORY, KIND) as db:
        for run in runs:
            mine = Harvest(run=KnownRun(run=run), fixes=(replace(fix, last_run=run),))
            promote(mine, Items(db), at=AT)
        found = LongTerm(db).fixes()
    wanted = [replace(fix, frequency=2 * len({*runs}), last_run=max(runs))] if runs else []
    assert found == wanted


def test_a_program_that_holds_a_secret_is_not_kept(items: Items, tmp_path: Path) -> None:
    found = harvested(numbered(finished(tmp_path)))
    (known,) = found.solutions
    files = {"main.py": "password = 'not-so-secret-4711'"}
    promote(replace(found, solutions=(replace(known, files=files),)), items, at=AT)
    assert LongTerm(items.db).solutions() == []


def test_the_same_lesson_of_another_run_is_counted_and_opposites_end(items: Items) -> None:
    failed = replace(ROW, outcome="Failed", significant=False, merged=1)
    promote(left("first", ROW), items, at=AT)
    promote(left("second", failed), items, at=LATER)
    won, lost = sorted(items.rows(), key=lambda row: row.outcome, reverse=True)
    assert (won.status, lost.status) == ("candidate", "candidate")
    assert not is_lesson(lost)  # seen once: it says nothing yet
    report = promote(left("third", failed), items, at=LATER)
    assert report.superseded == 1
    won, lost = sorted(items.rows(), key=lambda row: row.outcome, reverse=True)
    assert (won.status, won.valid_to, won.superseded_by) == ("superseded", LATER, lost.id)
    assert is_lesson(lost)
    promote(left("fourth", ROW), items, at=LATER)
    won, lost = sorted(items.rows(), key=lambda row: row.outcome, reverse=True)
    assert (won.status, won.valid_to, lost.status) == ("candidate", "", "superseded")


def test_opposites_on_programs_of_other_traits_stand_beside_each_other(items: Items) -> None:
    other = replace(ROW, outcome="Failed", merged=2, scope=("text",))
    promote(left("first", ROW), items, at=AT)
    assert promote(left("second", other), items, at=LATER).superseded == 0
    assert {row.status for row in items.rows()} == {"candidate"}


@pytest.mark.row("AM-63")
def test_near_duplicates_are_merged_with_all_sources(items: Items) -> None:
    promote(left("first", ROW), items, at=AT)
    report = promote(left("second", replace(ROW, direction_key="seen_set@g")), items, at=AT)
    assert (report.items, report.merged) == (0, 1)
    (row,) = items.rows()
    assert row.merged == 2
    assert [source.run for source in items.sources(row.id)] == ["first", "second"]


def test_what_was_part_of_a_champion_is_active(items: Items) -> None:
    promote(left("first", ROW), items, at=AT)
    promote(left("second", replace(ROW, verified=True)), items, at=AT)
    (row,) = items.rows()
    assert (row.status, row.verified) == ("active", True)


def test_an_untrusted_run_teaches_nobody(items: Items, tmp_path: Path) -> None:
    found = harvested(numbered(finished(tmp_path)))
    boasting = replace(found, run=replace(found.run, trusted=False))
    assert promote(boasting, items, at=AT).items == 0
    assert not any(rows for name, rows in dump(items).items() if name != "meta")


@pytest.mark.row("LF-98")
def test_the_share_of_runs_that_proved_a_gain_stands_with_the_solution(
    items: Items, tmp_path: Path
) -> None:
    found = harvested(numbered(finished(tmp_path)))
    kind = ArchetypeRow(id="A1", project=found.run.problem, archetype_type="array_scan")
    promote(replace(found, archetypes=(kind,)), items, at=AT)
    vain = replace(found.run, run="second", status="not_proven")
    promote(Harvest(run=vain), items, at=AT)
    (solution,) = LongTerm(items.db).solutions()
    assert solution.success_rate == 0.5
    (archetype,) = archetype_rows(items.db)
    assert (archetype.project, archetype.archetype_type) == (found.run.problem, "array_scan")
    assert solution.files == found.solutions[0].files


def test_a_write_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    found = harvested(numbered(finished(tmp_path / "runs")))
    with Database(tmp_path / FILE, KIND) as db:
        db.execute("DROP TABLE fixes")
        db.execute("CREATE TABLE fixes (id TEXT)")
        broken = replace(found, fixes=(), tests=())
        promote(broken, Items(db), at=AT)
    (tmp_path / FILE).unlink()
    with Database(tmp_path / FILE, KIND) as db:
        db.execute("DROP TABLE runs")  # the last table that is written
        db.execute("CREATE TABLE runs (run TEXT)")
        with pytest.raises(Exception, match="runs"):
            promote(found, Items(db), at=AT)
    with closing(sqlite3.connect(tmp_path / FILE)) as raw:
        assert raw.execute("SELECT COUNT(*) FROM items").fetchone() == (0,)
        assert raw.execute("SELECT COUNT(*) FROM executions").fetchone() == (0,)


def test_items_that_a_run_took_with_it_were_used_when_it_began(items: Items) -> None:
    promote(left("first", ROW), items, at=AT)
    (row,) = items.rows()
    assert row.last_used_at == ""
    began = KnownRun(run="second", started=AT)
    promote(Harvest(run=began, recalled=(row.id, "Lgone")), items, at=LATER)
    assert [one.last_used_at for one in items.rows()] == [AT]


def test_a_lesson_that_was_counted_into_one_that_has_ended_is_not_taken_in_again(
    items: Items,
) -> None:
    elsewhere = left("second", replace(ROW, direction_key="seen_set@g"))
    promote(left("first", ROW), items, at=AT)
    assert promote(elsewhere, items, at=AT).merged == 1
    (kept,) = items.rows()
    items.status(kept.id, ItemStatus.RETIRED, why="it is of no use", at=LATER)
    before = dump(items)
    promote(elsewhere, items, at=LATER)
    assert dump(items) == before
