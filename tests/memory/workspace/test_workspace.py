"""The workspace: rights, lazy opening, and what is said of one that cannot be used."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.errors import ArtifactError, MemoryFileError
from se_agent.memory import Workspace, workspace_folder
from tests.ordinary_user import NOBODY, needs_root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "results" / ".se_agent"


def saved(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        workspace.artifacts().save_artifact("seen", title="t")


def content(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class TestRights:
    @pytest.mark.row("AM-49", "SQ-09")
    @pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
    def test_it_is_closed_to_others_whatever_the_umask(self, folder: Path, umask: int) -> None:
        folder.parent.mkdir()
        before = os.umask(umask)
        try:
            with Workspace.open(folder) as workspace:
                workspace.artifacts().save_artifact("seen", title="t")
                found = {(p.is_file(), p.stat().st_mode & 0o777) for p in folder.rglob("*")}
        finally:
            os.umask(before)
        assert found == {(True, 0o600), (False, 0o700)}
        assert folder.stat().st_mode & 0o777 == 0o700

    @pytest.mark.row("AM-49")
    def test_one_that_was_open_to_others_is_closed(self, folder: Path) -> None:
        saved(folder)
        folder.chmod(0o755)
        (folder / "artifacts.db").chmod(0o644)
        saved(folder)
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "artifacts.db").stat().st_mode & 0o777 == 0o600

    @needs_root
    def test_another_users_is_not_written(self, folder: Path) -> None:
        saved(folder)
        os.chown(folder, 65534, 65534)
        before = content(folder)
        with pytest.raises(MemoryFileError, match="another user's"):
            Workspace.open(folder)
        assert content(folder) == before


class TestOpening:
    def test_a_database_is_opened_when_it_is_asked_for(self, folder: Path) -> None:
        with Workspace.open(folder) as workspace:
            assert list(folder.iterdir()) == []
            assert workspace.artifacts() is workspace.artifacts()
            assert (folder / "artifacts.db").exists()

    def test_opening_twice_changes_nothing(self, folder: Path) -> None:
        saved(folder)
        before = content(folder)
        with Workspace.open(folder) as workspace:
            workspace.artifacts()
        assert content(folder) == before

    def test_a_reader_finds_nothing_where_there_is_none_and_makes_nothing(
        self, folder: Path
    ) -> None:
        with Workspace.open(folder, write=False) as workspace:
            assert workspace.artifacts().find() == []
        assert not folder.parent.exists()

    def test_a_reader_changes_nothing(self, folder: Path) -> None:
        saved(folder)
        before = content(folder)
        with Workspace.open(folder, write=False) as workspace:
            (row,) = workspace.artifacts().find()
            assert workspace.artifacts().read_artifact(row.digest) == "seen"
            with pytest.raises(ArtifactError, match="readonly"):
                workspace.artifacts().save_artifact("seen", title="other")
        assert content(folder).items() >= before.items()  # SQLite leaves two files beside it

    def test_what_was_closed_can_be_opened_again(self, folder: Path) -> None:
        saved(folder)
        saved(folder)


class TestUnusable:
    def test_a_newer_version_is_refused_in_two_lines(self, folder: Path) -> None:
        saved(folder)
        with closing(sqlite3.connect(folder / "artifacts.db")) as db, db:
            db.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        with (
            Workspace.open(folder) as workspace,
            pytest.raises(ArtifactError, match=r"newer version wrote it \(schema 99") as caught,
        ):
            workspace.artifacts()
        assert "workspace.path" in caught.value.hint

    @pytest.mark.parametrize("what", ["file", "link", "file above"])
    def test_what_is_no_folder_is_refused(self, folder: Path, what: str) -> None:
        if what == "file above":
            folder.parent.write_text("x")
        else:
            folder.parent.mkdir()
            folder.write_text("x") if what == "file" else folder.symlink_to("/tmp")
        with pytest.raises(MemoryFileError, match="cannot be a workspace") as caught:
            Workspace.open(folder)
        assert "workspace.path" in caught.value.hint

    @pytest.mark.parametrize("what", ["text", "link", "folder", "pipe"])
    def test_what_is_no_index_is_refused_and_left(self, folder: Path, what: str) -> None:
        folder.mkdir(parents=True)
        path = folder / "artifacts.db"
        if what == "text":
            path.write_text("no database" * 500)
        elif what == "link":
            path.symlink_to("/etc/passwd")
        elif what == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)
        with (
            Workspace.open(folder) as workspace,
            pytest.raises(ArtifactError, match=r"artifacts\.db: ") as caught,
        ):
            workspace.artifacts()
        assert caught.value.hint
        assert path.lstat()


class TestWhere:
    @pytest.mark.row("SQ-09")
    def test_it_lies_beside_the_runs_or_where_the_run_file_says(self) -> None:
        results = Path("results")
        assert workspace_folder("", results) == results / ".se_agent"
        assert workspace_folder("elsewhere", results) == Path("elsewhere")
        assert workspace_folder("none", results) is None


class TestState:
    @pytest.mark.row("SQ-10")
    def test_it_has_the_tables_of_the_design(self, folder: Path) -> None:
        with Workspace.open(folder) as workspace:
            assert workspace.runs().rows() == []
        with closing(sqlite3.connect(folder / "state.db")) as db:
            found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            assert {name for (name,) in found} == {"meta", "runs", "agent_states"}
            assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.tier("runs")
@pytest.mark.row("SQ-41", "SQ-46")
def test_eight_processes_at_once_lose_nothing(folder: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from se_agent.memory import Workspace\n"
        "with Workspace.open(Path(sys.argv[1])) as one:\n"
        "    for n in range(20):\n"
        "        group = sys.argv[2]\n"
        "        one.artifacts().save_artifact(f'{n} ' * 50, title='t', group_id=group)\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(folder), str(n)]) for n in range(8)
    ]
    assert [one.wait(timeout=120) for one in started] == [0] * 8
    with Workspace.open(folder) as workspace:
        rows = workspace.artifacts().find()
        assert len(rows) == 160
        assert len({row.path for row in rows}) == 20
        assert all(workspace.artifacts().content_of(row.digest) for row in rows)
    assert sum(1 for path in folder.rglob("*") if len(path.name) == 64) == 20


@needs_root
def test_a_reader_is_told_of_a_folder_that_it_cannot_enter() -> None:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        saved(Path(name) / ".se_agent")
        os.seteuid(NOBODY)
        try:
            with (
                Workspace.open(Path(name) / ".se_agent", write=False) as workspace,
                pytest.raises(ArtifactError, match="Permission denied"),
            ):
                workspace.artifacts()
        finally:
            os.seteuid(0)
