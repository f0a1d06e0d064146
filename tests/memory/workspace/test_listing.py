"""All memories as one list: shown, searched, counted, exported, backed up."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from se_agent.errors import MemoryFileError
from se_agent.memory import ItemKind, ItemRow, MemoryHit, MemoryManager, MemoryQuery, Workspace
from tests.memory.experience.journals import finished


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    finished(folder, "first")
    with Workspace.open(folder / ".se_agent") as workspace:
        policy = ItemRow(kind=ItemKind.POLICY, title="Use no threads", status="active")
        workspace.items().add(policy, at="2026-11-28T10:00:00+00:00")
    return folder


@pytest.fixture
def manager(results: Path) -> MemoryManager:
    return MemoryManager(Workspace.open(results / ".se_agent"))


@pytest.mark.row("AM-11", "AM-33")
def test_all_kinds_are_listed(manager: MemoryManager) -> None:
    rows = manager.list_all_memories()
    kinds = {row.kind for row in rows}
    assert kinds == {"lesson", "policy", "solution", "execution", "test_run", "run"}
    executions = manager.list_all_memories("execution")
    assert executions
    assert {row.kind for row in executions} == {"execution"}
    assert len({(row.kind, row.id) for row in rows}) == len(rows)


def test_an_item_is_shown_with_its_versions_and_sources(manager: MemoryManager) -> None:
    lesson = manager.list_all_memories("lesson")[0]
    row = manager.get_memory(lesson.id)
    assert row is not None
    assert row.details["versions"][0]["why"] == "added"
    assert row.details["sources"][0]["run"].startswith("first ")
    assert manager.get_memory("nothing") is None
    run = manager.list_all_memories("run")[0]
    assert manager.get_memory(run.id) == run


@pytest.mark.row("AM-34")
def test_a_search_is_by_words_agent_success_and_time(manager: MemoryManager) -> None:
    def found(text: str = "", **parts: object) -> list[MemoryHit]:
        asked = MemoryQuery(text=text, **parts)  # type: ignore[arg-type]
        return manager.search_memories(asked)

    assert [hit.row.title for hit in found("threads")] == ["Use no threads"]
    agent = "tests.fakes:Step3"
    by_agent = found(agent=agent, kinds=["execution"], top_k=99)
    assert by_agent
    assert {hit.row.agent for hit in by_agent} == {agent}
    for success in (True, False):
        assert {hit.row.success for hit in found(success=success, top_k=99)} == {success}
    assert found(since="2999") == []
    assert found(until="1999", kinds=["execution"]) == []
    assert len(found(since="2000", top_k=3)) == 3
    for until in ("2026", "2026-11", "2026-11-28", "2026-11-28T10:00:00+00:00"):
        assert found("threads", until=until)  # all of a year, a month, a day
    assert found("threads", until="2026-11-27") == []


def test_a_program_is_found_by_words_of_its_text(manager: MemoryManager) -> None:
    (known,) = manager.list_all_memories("solution")
    (text,) = known.details["files"].values()
    hits = manager.search_memories(MemoryQuery(text=text, kinds=["solution"]))
    assert [hit.row.id for hit in hits] == [known.id]


@pytest.mark.row("AM-35")
def test_statistics_add_up(manager: MemoryManager, results: Path) -> None:
    found = manager.get_memory_statistics()
    executions = manager.list_all_memories("execution")
    won = sum(row.success is True for row in executions)
    assert found["success_rate"] == won / len(executions)
    assert sum(one["count"] for one in found["by_agent"].values()) == len(executions)
    assert found["by_task_type"]["refactoring"]["count"] == len(executions)
    assert found["by_family"] == {"numbers": 1}
    assert sum(found["memories"].values()) == len(manager.list_all_memories())
    assert found["time_range"][0] <= found["time_range"][1]
    states = [*(results / ".se_agent" / "agent_states").iterdir()]
    assert found["agent_states"] == len(states) > 0


@pytest.mark.row("AM-36")
def test_both_exports_hold_all_memories(manager: MemoryManager, tmp_path: Path) -> None:
    rows = manager.list_all_memories()
    assert manager.export_memories(tmp_path / "m.json") == len(rows)
    told = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in told] == [row.id for row in rows]
    manager.export_memories(tmp_path / "m.csv", "csv")
    with (tmp_path / "m.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["title"] for row in read] == [row.title for row in rows]
    assert json.loads(read[0]["details"])
    with pytest.raises(MemoryFileError, match="cannot be written"):
        manager.export_memories(tmp_path / "nowhere" / "m.json")


def test_an_empty_workspace_has_figures_too(tmp_path: Path) -> None:
    manager = MemoryManager(Workspace.open(tmp_path / ".se_agent", write=False))
    assert manager.list_all_memories() == []
    assert manager.get_memory_statistics()["success_rate"] is None
    assert manager.search_memories(MemoryQuery(text="anything")) == []


@pytest.mark.row("AM-37")
def test_a_backup_brings_memories_back(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / ".se_agent") as workspace:
        manager = MemoryManager(workspace)
        workspace.items().add(ItemRow(title="kept"), at="T")
        made = manager.backup_all_data(tmp_path / "backup")
        workspace.items().add(ItemRow(title="later"), at="T")
    with Workspace.open(tmp_path / ".se_agent") as workspace:
        MemoryManager(workspace).restore(made.folder)
        assert [row.title for row in workspace.items().rows()] == ["kept"]
