"""Items of experience: merged, replaced, found again, never deleted, and free of secrets."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.errors import MemoryFileError
from se_agent.memory import ItemKind, ItemRow, Items, ItemSource, ItemStatus, Workspace
from se_agent.memory.experience.item_rows import item_id
from se_agent.memory.experience.items import merged_row
from se_agent.memory.experience.schema import FILE, KIND
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database

AT, LATER = "2026-11-28T10:00:00+00:00", "2026-11-29T10:00:00+00:00"
LESSON = ItemRow(
    outcome="Success",
    title="A set in place of a list makes membership tests cheap",
    description="`x in seen` took the whole list.",
    content="Keep what was seen in a set beside the list.",
    operator="seen_set",
    direction_key="seen_set@dedupe",
    words=("membership test", "nested loop"),
    language="python",
    family="lists",
    scope=("membership test", "nested loop"),
    effect=1.5,
    low=1.2,
    high=1.8,
    significant=True,
)
FIRST = ItemSource("first 2026", "Gen1_Sol_2", "Gen0_Sol_0", 1, 12, "ab", "cd", "m", "-a\n+b")


@pytest.fixture
def items() -> Iterator[Items]:
    with Database(IN_MEMORY, KIND) as db:
        yield Items(db, secrets=("a-known-secret-4711",))


def test_an_item_is_read_as_it_was_written(items: Items) -> None:
    id_ = items.add(LESSON, FIRST, at=AT)
    assert items.get(id_) == replace(LESSON, id=id_, valid_from=AT, created_at=AT)
    assert items.sources(id_) == [FIRST]
    assert id_[0] == "L"
    assert len(id_) == 13


def test_the_same_lesson_of_two_runs_is_one_item_with_two_sources(items: Items) -> None:
    other = replace(LESSON, family="texts", scope=("membership test", "text"), effect=0.5)
    id_ = items.add(LESSON, FIRST, at=AT)
    assert items.add(other, FIRST._replace(run="second"), at=LATER) == id_
    row = items.get(id_)
    assert row is not None
    assert (row.merged, row.family, row.scope) == (2, "", ("membership test",))
    assert (row.effect, row.created_at) == (1.5, AT)
    assert [source.run for source in items.sources(id_)] == ["first 2026", "second"]
    assert [version.why for version in items.versions(id_)] == [
        "added",
        "Gen1_Sol_2 of second says so",
    ]


def test_what_is_written_again_changes_nothing(items: Items) -> None:
    id_ = items.add(LESSON, FIRST, at=AT)
    before = (items.get(id_), items.sources(id_), items.versions(id_))
    items.add(LESSON, FIRST, at=LATER)
    assert (items.get(id_), items.sources(id_), items.versions(id_)) == before


def test_opposite_outcomes_are_two_items(items: Items) -> None:
    assert items.add(LESSON, FIRST, at=AT) != items.add(
        replace(LESSON, outcome="Failed", effect=-math.inf), FIRST, at=AT
    )


def test_what_was_not_right_keeps_its_effect(items: Items) -> None:
    id_ = items.add(replace(LESSON, effect=-math.inf), FIRST, at=AT)
    row = items.get(id_)
    assert row is not None
    assert row.effect == -math.inf
    assert json.loads(items.versions(id_)[0].body)["effect"] == "-inf"


def test_an_item_that_is_replaced_stays_with_its_times(items: Items) -> None:
    old = items.add(LESSON, FIRST, at=AT)
    new = items.add(replace(LESSON, outcome="Failed"), FIRST, at=LATER)
    items.supersede(old, new, why="it fails on such programs now", at=LATER)
    row = items.get(old)
    assert row is not None
    assert (row.status, row.valid_to, row.superseded_by) == ("superseded", LATER, new)
    assert [hit.item.id for hit in items.search(["membership"])] == [new]
    items.status(old, ItemStatus.ACTIVE, why="it does help", at=LATER)
    row = items.get(old)
    assert row is not None
    assert (row.status, row.valid_to, row.superseded_by) == ("active", "", "")
    assert [version.why for version in items.versions(old)][1:] == [
        "it fails on such programs now",
        "it does help",
    ]


@pytest.mark.parametrize("status", list(ItemStatus))
def test_only_valid_items_are_found(items: Items, status: ItemStatus) -> None:
    id_ = items.add(LESSON, FIRST, at=AT)
    items.status(id_, status, why="a test", at=LATER)
    assert bool(items.search(["membership"])) == status.is_valid
    assert items.get(id_) is not None


def test_a_status_that_stands_already_makes_no_version(items: Items) -> None:
    id_ = items.add(LESSON, FIRST, at=AT)
    items.status(id_, ItemStatus.CANDIDATE, why="again", at=LATER)
    assert len(items.versions(id_)) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda items: items.status("Lnothing", ItemStatus.RETIRED, why="", at=AT),
        lambda items: items.supersede("Lnothing", "Lnothing", why="", at=AT),
        lambda items: items.merge_into("Lnothing", LESSON, FIRST, at=AT),
    ],
    ids=["status", "supersede", "merge"],
)
def test_an_item_that_is_not_there_is_an_error(
    items: Items, change: Callable[[Items], object]
) -> None:
    with pytest.raises(MemoryFileError, match="there is no item 'Lnothing'") as found:
        change(items)
    assert "memory list" in found.value.hint
    assert items.sources("Lnothing") == []


class TestSimilar:
    def test_one_of_the_same_title_and_operator_is(self, items: Items) -> None:
        id_ = items.add(LESSON, FIRST, at=AT)
        other = replace(LESSON, direction_key="seen_set@unique")
        assert [row.id for row in items.similar(other)] == [id_]
        assert items.similar(replace(other, operator="memo")) == []
        assert items.similar(replace(other, outcome="Failed")) == []
        assert items.similar(replace(other, language="c")) == []
        assert items.similar(replace(other, title="Something else entirely")) == []
        assert items.similar(LESSON) == []

    def test_one_that_is_merged_counts_once_a_step(self, items: Items) -> None:
        id_ = items.add(LESSON, FIRST, at=AT)
        second = FIRST._replace(run="second")
        other = replace(LESSON, direction_key="seen_set@unique")
        assert items.merge_into(id_, other, second, at=LATER)
        assert not items.merge_into(id_, other, second, at=LATER)
        row = items.get(id_)
        assert row is not None
        assert (row.merged, row.direction_key) == (2, "seen_set@dedupe")


class TestSearch:
    def test_hits_are_those_of_the_language_and_kind(self, items: Items) -> None:
        policy = ItemRow(
            kind=ItemKind.POLICY,
            title="Never use a set where the order matters",
            status=ItemStatus.ACTIVE,
        )
        for row in (LESSON, replace(LESSON, language="c"), policy):
            items.add(row, FIRST if row.operator else None, at=AT)
        found = [hit.item.language for hit in items.search(["set"], language="python")]
        assert sorted(found) == ["", "python"]
        (hit,) = items.search(["set"], kinds=["policy"])
        assert hit.item.kind == "policy"

    @pytest.mark.parametrize(
        "query",
        ['" OR 1', "title:zz*", "NEAR(zz yy)", "'; DROP TABLE zz; --", "\0", "", "y\nz"],
    )
    def test_operators_of_the_search_are_words(self, items: Items, query: str) -> None:
        items.add(LESSON, FIRST, at=AT)
        assert items.search([query]) == []

    def test_the_title_counts_more_than_the_body(self, items: Items) -> None:
        for number in range(8):
            items.add(ItemRow(title=f"Another thing, number {number:b}"), at=AT)
        items.add(ItemRow(title="Quite another thing", content="a deque"), at=AT)
        id_ = items.add(ItemRow(title="A deque", content="another thing"), at=AT)
        assert items.search(["deque"])[0].item.id == id_


@pytest.mark.row("AM-48")
def test_secrets_are_taken_out_of_every_text(items: Items) -> None:
    secret = "a-known-secret-4711"
    items.add(
        replace(
            LESSON, title=f"t {secret}", description=secret, content=secret, words=(secret,)
        ),
        FIRST._replace(diff=f"+key = {secret!r}"),
        at=AT,
    )
    ((everything,),) = items.db.rows(
        "SELECT group_concat(quote(diff)) || (SELECT group_concat(body) FROM item_versions)"
        " FROM item_sources",
        where="all",
    )
    assert secret not in everything
    assert "***" in everything


def test_hostile_texts_stay_texts(items: Items) -> None:
    id_ = items.add(replace(LESSON, title="a\n## b\0\ud800", direction_key=""), FIRST, at=AT)
    row = items.get(id_)
    assert row is not None
    assert row.title == "a ## b \\ud800"


def test_a_row_that_cannot_be_read_is_told(items: Items) -> None:
    id_ = items.add(LESSON, FIRST, at=AT)
    items.db.execute("UPDATE items SET status = 'great'")
    with pytest.raises(MemoryFileError, match="cannot be read: its items"):
        items.get(id_)


def test_several_writers_lose_nothing(tmp_path: Path) -> None:
    def add(number: int) -> None:
        with Workspace.open(tmp_path / ".se_agent") as workspace:
            workspace.items().add(LESSON, FIRST._replace(run=f"run {number}"), at=AT)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(24)))
    with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
        (row,) = workspace.items().rows()
    assert row.merged == 24
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_workspace_without_memory_has_no_items(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
        assert list(workspace.items().rows()) == []
    assert list(tmp_path.iterdir()) == []


def test_a_change_is_whole_or_not_at_all(tmp_path: Path) -> None:
    with Database(tmp_path / FILE, KIND) as db:
        items = Items(db)
        with suppress(RuntimeError), items.db.transaction():
            items.add(LESSON, FIRST, at=AT)
            raise RuntimeError
        assert list(items.rows()) == []
    with closing(sqlite3.connect(tmp_path / FILE)) as raw:
        assert raw.execute("SELECT COUNT(*) FROM item_sources").fetchone() == (0,)


ROWS = st.builds(
    ItemRow,
    outcome=st.sampled_from(["Success", "Failed"]),
    title=st.sampled_from(["one two three", "one two three four", "five"]),
    direction_key=st.sampled_from(["", "a@f", "b@g"]),
    operator=st.sampled_from(["a", "b"]),
    scope=st.lists(st.sampled_from(["x", "y", "z"]), unique=True).map(tuple),
    effect=st.floats(-2, 2),
    significant=st.booleans(),
)


@pytest.mark.tier("runs")
@given(st.lists(st.tuples(ROWS, st.integers(0, 2)), max_size=12))
@settings(max_examples=50, deadline=None)
def test_items_do_not_depend_on_how_often_they_are_written(
    drawn: list[tuple[ItemRow, int]],
) -> None:
    def written(times: int) -> list[ItemRow]:
        with Database(IN_MEMORY, KIND) as db:
            items = Items(db)
            for number, (row, run) in enumerate(drawn):
                for _ in range(times):
                    items.add(row, ItemSource(f"run {run}", f"Gen1_Sol_{number}"), at=AT)
            return list(items.rows())

    once = written(1)
    assert once == written(3)
    assert sum(row.merged for row in once) == len(drawn)
    assert {row.id for row in once} == {item_id(row) for row, _ in drawn}


@given(ROWS, ROWS)
def test_a_merged_item_holds_where_both_do(one: ItemRow, other: ItemRow) -> None:
    both = merged_row(one, other)
    assert set(both.scope) == set(one.scope) & set(other.scope)
    assert both.significant == (one.significant or other.significant)
    assert abs(both.effect) in (abs(one.effect), abs(other.effect))
