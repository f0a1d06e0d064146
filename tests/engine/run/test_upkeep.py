"""A run ends what has had its days beside it, and never fails for that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import resume, start
from se_agent.engine.run.upkeep import note_begin
from se_agent.errors import SandboxError
from se_agent.events import Ended
from se_agent.memory import (
    ArtifactStore,
    GarbageCollector,
    Workspace,
    agents_of,
    group_of,
    maintain,
)
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import CrashAt, factory
from tests.fakes import number_problem, number_run
from tests.finished import finished


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a workspace with an output of five days ago and one of today."""
    return filled(tmp_path / ".se_agent", "run")


def filled(folder: Path, group: str) -> Path:
    before = datetime.now(UTC) - timedelta(days=5)
    with Workspace.open(folder) as workspace:
        store = workspace.artifacts()
        earlier = ArtifactStore(folder, store.db, clock=lambda: before)
        earlier.save_artifact("old", title="old", group_id=group)
        store.save_artifact("new", title="new", group_id=group)
    return folder


def titles(folder: Path) -> list[str]:
    with Workspace.open(folder, write=False) as workspace:
        return [row.title for row in workspace.artifacts().find()]


@pytest.mark.row("SQ-32", "SQ-34", "AM-50")
def test_what_has_had_its_days_ends_with_a_run(folder: Path) -> None:
    finished(folder.parent, timed=False)
    assert titles(folder) == ["new"]


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "memory",
    [
        {"artifacts": {"enabled": False}},
        {"artifacts": {"retention_days": 6.0}},
        {"workspace": {"path": "none"}},
    ],
)
def test_it_stays_where_the_run_file_says_so(folder: Path, memory: dict[str, object]) -> None:
    finished(folder.parent, timed=False, memory=memory)
    assert titles(folder) == ["old", "new"]


@pytest.mark.tier("runs")
def test_another_folder_may_be_named(tmp_path: Path) -> None:
    folder, results = tmp_path / "shared", tmp_path / "elsewhere"
    filled(folder, group_of(results / "run", folder))
    memory = {"workspace": {"path": str(folder)}}
    finished(results, timed=False, memory=memory)
    assert titles(folder) == ["new"]


@pytest.mark.tier("runs")
def test_outputs_of_another_run_stay_for_it_may_keep_them_for_longer(folder: Path) -> None:
    finished(folder.parent, timed=False, name="other")
    assert titles(folder) == ["old", "new"]


def test_a_workspace_that_cannot_be_used_costs_a_run_nothing(folder: Path) -> None:
    (folder / "artifacts.db").write_bytes(b"no database" * 500)
    assert (finished(folder.parent, timed=False) / "run.db").exists()


def test_a_workspace_that_cannot_be_entered_costs_a_run_nothing(tmp_path: Path) -> None:
    memory = {"workspace": {"path": str(tmp_path / ("x" * 300))}}
    with Journal(finished(tmp_path, timed=False, memory=memory) / "run.db", write=False) as run:
        assert any(isinstance(event, Ended) for event in run.events())


@pytest.mark.tier("runs")
@pytest.mark.row("AM-27")
def test_the_context_of_each_agent_is_kept_as_the_journal_says(
    folder: Path,
) -> None:
    run = finished(folder.parent, timed=False)
    with Journal(run / "run.db", write=False) as journal:
        known = agents_of(journal.events(), {}).known
    assert known.contexts
    with Workspace.open(folder, write=False) as workspace:
        states, name = workspace.states(), group_of(run, folder)
        for agent, context in known.contexts.items():
            kept = states.load_agent_state(agent, run=name)
            assert kept is not None
            assert kept.keys() > context._asdict().keys()
            assert {key: kept[key] for key in context._asdict()} == context._asdict()
        assert states.load_agent_state("nobody", run=name) is None


class TestTheTableOfRuns:
    @pytest.mark.tier("runs")
    @pytest.mark.row("SQ-10")
    def test_a_run_says_how_it_stands(self, folder: Path) -> None:
        run = finished(folder.parent, timed=False)
        with Workspace.open(folder, write=False) as workspace:
            (row,) = workspace.runs().rows()
            assert workspace.runs().broken_off() == []
        assert (row.folder, row.problem) == (str(run), "numbers")
        assert row.status in {"proven", "not_proven"}
        assert row.started <= row.ended

    @pytest.mark.tier("runs")
    @pytest.mark.row("SQ-10", "AM-50")
    def test_one_that_was_broken_off_is_named_until_it_is_resumed(self, folder: Path) -> None:
        with pytest.raises(SandboxError, match="gave up"):
            start(
                number_run(folder.parent, name="broken"),
                problem=number_problem(),
                evaluators=factory(ComparisonKind.EXACT),
                listeners=[CrashAt("learned")],
            )
        with Workspace.open(folder) as workspace:
            (row,) = workspace.runs().broken_off()
            collector = GarbageCollector(workspace.artifacts())
            done = maintain(workspace, collector, datetime.now(UTC))
            assert done.broken_off == (row.folder,)
        resume(Path(row.folder), evaluators=factory(ComparisonKind.EXACT))
        with Workspace.open(folder, write=False) as workspace:
            assert workspace.runs().broken_off() == []

    def test_no_workspace_is_made_for_it(self, tmp_path: Path) -> None:
        assert note_begin(tmp_path / "run", number_run(tmp_path), "numbers") == ""
        assert [*tmp_path.iterdir()] == []

    @pytest.mark.tier("runs")
    def test_a_table_that_cannot_be_used_costs_a_run_nothing(self, folder: Path) -> None:
        (folder / "state.db").write_bytes(b"no database" * 500)
        assert (finished(folder.parent, timed=False) / "run.db").exists()
