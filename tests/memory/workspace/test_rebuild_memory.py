"""The memory of runs made anew out of journals: equal sums, and what no journal gives stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.memory.experience.harvest import Harvest
from se_agent.memory.experience.item_rows import ItemKind, ItemRow, ItemSource, ItemStatus
from se_agent.memory.experience.items import Items
from se_agent.memory.experience.long_term import KnownRun
from se_agent.memory.experience.promotion import promote
from se_agent.memory.experience.schema import FILE
from se_agent.memory.graph.queries import delete_relations
from se_agent.memory.graph.writing import put_entity, put_fact
from se_agent.memory.workspace.rebuild_memory import RebuiltMemory, rebuild_memory
from se_agent.memory.workspace.workspace import Workspace
from tests.memory.experience.journals import finished, harvested, numbered

NOW = datetime(2026, 11, 28, tzinfo=UTC)
LATER = "2026-11-29T10:00:00+00:00"
LOSSES = (
    "DELETE FROM executions",
    "DELETE FROM executions WHERE slot % 2",
    "UPDATE executions SET success = 1 - success",
    "DELETE FROM test_runs",
    "UPDATE test_runs SET raw = 'forged'",
    "INSERT OR IGNORE INTO exposures (run, slot, item) VALUES ('first', 1, 'L0')",
    "DELETE FROM items",
    "DELETE FROM items WHERE outcome = 'Failed'",
    "DELETE FROM relations",
    "UPDATE relations SET relation_type = 'slows' WHERE relation_type = 'improves'",
    "DELETE FROM observations",
    "DELETE FROM entities",
    "DELETE FROM entities WHERE id % 3 = 0",
    "DELETE FROM runs",
    "DELETE FROM solutions",
    "DELETE FROM tests",
)


@pytest.fixture(scope="module")
def harvests(tmp_path_factory: pytest.TempPathFactory) -> list[Harvest]:
    """What two runs leave, by their journals."""
    results = tmp_path_factory.mktemp("runs")
    return [harvested(numbered(finished(results, name)), name) for name in ("first", "second")]


@contextmanager
def written(folder: Path, harvests: list[Harvest]) -> Iterator[Workspace]:
    """Open a workspace in which runs left what they found out, as each came to its end."""
    with Workspace.open(folder / ".se_agent", results=folder) as opened:
        for one in harvests:
            promote(one, opened.items(), at=one.run.ended)
        yield opened


@pytest.fixture
def workspace(tmp_path: Path, harvests: list[Harvest]) -> Iterator[Workspace]:
    with written(tmp_path, harvests) as opened:
        yield opened


def rebuilt(workspace: Workspace, harvests: list[Harvest]) -> RebuiltMemory:
    return rebuild_memory(workspace, harvests, NOW)


def ids(items: Items) -> set[str]:
    return {row.id for row in items.rows()}


@pytest.mark.tier("runs")
def test_what_is_whole_stays_as_it_is(workspace: Workspace, harvests: list[Harvest]) -> None:
    made = rebuilt(workspace, harvests)
    assert made.is_equal
    assert made.changed == ()
    assert (made.runs, made.kept_runs, made.kept_items, made.policies) == (2, 0, 0, 0)
    assert made.replaced == ""
    tables = ("items", "executions", "test_runs", "relations", "observations")
    assert all(made.rows[name] for name in tables)


def test_what_is_lost_comes_back_with_the_same_sum(
    workspace: Workspace, harvests: list[Harvest]
) -> None:
    db, whole = workspace.items().db, rebuilt(workspace, harvests)

    @settings(max_examples=12)
    @given(losses=st.lists(st.sampled_from(LOSSES), min_size=1, max_size=4))
    def law(losses: list[str]) -> None:
        for loss in losses:
            db.execute(loss)
        made = rebuilt(workspace, harvests)
        assert (made.checksum, made.rows) == (whole.checksum, whole.rows)

    law()


@pytest.mark.parametrize("damage", [b"", b"nothing" * 999], ids=["lost", "damaged"])
def test_a_file_that_is_gone_is_made_of_journals_alone(
    tmp_path: Path, harvests: list[Harvest], damage: bytes
) -> None:
    with written(tmp_path, harvests) as opened:
        whole = rebuilt(opened, harvests)
    for path in tmp_path.glob(f"{FILE}*"):
        path.unlink()
    if damage:
        (tmp_path / FILE).write_bytes(damage)
    with Workspace.open(tmp_path / ".se_agent", results=tmp_path) as opened:
        made = rebuilt(opened, harvests)
    assert (made.checksum, made.rows) == (whole.checksum, whole.rows)
    assert not made.is_equal
    assert bool(made.replaced) == bool(damage)
    assert not damage or (Path(made.replaced) / FILE).read_bytes() == damage


def test_what_no_journal_gives_stays(workspace: Workspace, harvests: list[Harvest]) -> None:
    items = workspace.items()
    policy = ItemRow(kind=ItemKind.POLICY, title="Names stay", status=ItemStatus.ACTIVE)
    policy_id = items.add(policy, at=LATER)
    row = ItemRow(title="Of a run that is gone", operator="x", direction_key="x@g")
    gone = Harvest(run=KnownRun(run="gone"), items=((row, ItemSource("gone", "Gen1_Sol_1")),))
    promote(gone, items, at=LATER)
    lesson = next(
        one.id for one in items.rows() if one.kind == ItemKind.LESSON and one.operator != "x"
    )
    items.status(lesson, ItemStatus.RETIRED, why="I know better", at=LATER)
    before = items.versions(lesson)
    made = rebuilt(workspace, harvests)
    assert made.is_equal
    assert (made.kept_runs, made.kept_items, made.policies) == (1, 1, 1)
    assert items.get(policy_id) is not None
    assert items.versions(lesson) == before
    kept = items.get(lesson)
    assert kept is not None
    assert kept.status == ItemStatus.RETIRED


def test_what_people_say_in_the_graph_stays(
    workspace: Workspace, harvests: list[Harvest]
) -> None:
    graph = workspace.graph()
    put_entity(graph, "person:Ada", "person")
    put_fact(graph, "person:Ada", "wrote the first program")
    taken_back = harvests[0].graph.triples[0].relation
    delete_relations(graph, [taken_back])
    made = rebuilt(workspace, harvests)
    assert made.is_equal
    ended = """SELECT COUNT(*) FROM relations AS r JOIN entities AS s ON s.id = src
        JOIN entities AS d ON d.id = dst WHERE s.name = ? AND d.name = ?
        AND relation_type = ? AND r.valid_to IS NOT NULL"""
    assert list(graph.db.rows(ended, tuple(taken_back), where="it")) == [(1,)]


def test_what_untrusted_runs_found_out_is_taken_out_of_nothing(
    workspace: Workspace, harvests: list[Harvest]
) -> None:
    first = harvests[0]
    doubted = replace(first, run=replace(first.run, trusted=False))
    made = rebuilt(workspace, [doubted, harvests[1]])
    assert made.is_equal
    assert made.kept_runs == 1
