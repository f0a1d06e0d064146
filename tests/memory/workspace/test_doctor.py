"""The doctor and the maintenance: what is wrong is named, with what to do; nothing is lost."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from se_agent.errors import MemoryFileError
from se_agent.memory.artifacts.garbage import GarbageCollector
from se_agent.memory.workspace.doctor import Finding, examine
from se_agent.memory.workspace.maintain import maintain
from se_agent.memory.workspace.state_schema import FILE as STATE
from se_agent.memory.workspace.state_schema import KIND as STATE_KIND
from se_agent.memory.workspace.workspace import Workspace
from se_agent.store.database import Database

NOW = datetime.now(UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "results" / ".se_agent"
    with Workspace.open(folder) as workspace:
        for n in range(30):
            workspace.artifacts().save_artifact(f"log {n} " * 300, title=f"log {n}")
    Database(folder / STATE, STATE_KIND).close()
    return folder


def rows(folder: Path) -> Iterator[Path]:
    with Workspace.open(folder, write=False) as workspace:
        yield from (folder / row.path for row in workspace.artifacts().find())


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "artifacts.db")) as db, db:
        db.execute(statement)


def only(folder: Path) -> Finding:
    (one,) = examine(folder)
    return one


class TestDoctor:
    def test_all_is_well(self, folder: Path) -> None:
        assert [*examine(folder)] == []
        assert [*examine(folder / "none")] == []

    def test_progress_is_told(self, folder: Path) -> None:
        told: list[tuple[int, int]] = []
        assert [*examine(folder, told=lambda done, of: told.append((done, of)))] == []
        assert told == [(n, 30) for n in range(1, 31)]

    @pytest.mark.parametrize("harm", ["missing", "cut", "flipped"])
    def test_a_content_that_is_lost_is_named(self, folder: Path, harm: str) -> None:
        path = next(rows(folder))
        data = path.read_bytes()
        if harm == "missing":
            path.unlink()
        else:
            path.write_bytes(data[:100] if harm == "cut" else b"L" + data[1:])
        found = only(folder)
        assert found.is_harm
        assert found.what.startswith(f"artifact {path.name[:12]}: its content is")
        assert "backup" in found.todo

    def test_what_nobody_names_is_untidy(self, folder: Path) -> None:
        change(folder, "DELETE FROM artifacts WHERE id = 1")
        change(folder, "DELETE FROM artifact_tags WHERE artifact_id = 1")
        found = only(folder)
        assert not found.is_harm
        assert "memory gc" in found.todo

    def test_what_was_broken_off_is_untidy(self, folder: Path) -> None:
        day = next(rows(folder)).parents[2]
        (day / ".part-1-aa").write_text("x")
        (folder / "backups" / ".part-x").mkdir(parents=True)
        first, second = examine(folder)
        assert "a save that was broken off" in first.what
        assert "a backup that was broken off" in second.what
        assert not first.is_harm
        assert not second.is_harm

    @pytest.mark.parametrize(
        ("statement", "told"),
        [
            ("UPDATE artifacts SET path = '/etc/passwd' WHERE id = 1", "place of no content"),
            ("DELETE FROM artifact_tags WHERE artifact_id = 1", "two lists of tags differ"),
            ("UPDATE meta SET value = '99'", "newer version"),
            ("DROP TABLE tombstones", "it has other tables"),
        ],
    )
    def test_an_index_that_is_wrong_is_named(
        self, folder: Path, statement: str, told: str
    ) -> None:
        change(folder, statement)
        assert any(told in one.what and one.todo and one.is_harm for one in examine(folder))

    def test_rights_that_are_too_wide_are_named(self, folder: Path) -> None:
        folder.chmod(0o755)
        assert only(folder).todo == f"chmod 700 {folder}"

    @pytest.mark.parametrize("name", ["artifacts.db", STATE])
    @pytest.mark.parametrize("seed", range(3))
    def test_flipped_bytes_of_a_database_are_named_and_nothing_crashes(
        self, folder: Path, name: str, seed: int
    ) -> None:
        rng, path = random.Random(seed), folder / name
        data = bytearray(path.read_bytes())
        for _ in range(400):
            data[rng.randrange(len(data))] ^= 1 + rng.randrange(255)
        path.write_bytes(bytes(data))
        found = [*examine(folder)]
        assert any(str(path) in one.what and one.todo for one in found)
        with Workspace.open(folder) as workspace:
            if name == STATE:
                assert len(workspace.artifacts().find()) == 30
                return
            with suppress(MemoryFileError):  # two lines, or it was not needed
                workspace.artifacts().save_artifact("new", title="new")
        assert sum(1 for path in folder.rglob("*") if len(path.name) == 64) >= 30

    def test_it_changes_nothing(self, folder: Path) -> None:
        before = {str(path): path.stat().st_mtime_ns for path in folder.rglob("*")}
        os.truncate(next(rows(folder)), 5)
        assert [*examine(folder)] != []
        after = {str(path): path.stat().st_mtime_ns for path in folder.rglob("*")}
        assert {path for path in after if not path.endswith(("-wal", "-shm"))} == {
            path for path in before if not path.endswith(("-wal", "-shm"))
        }


class TestMaintenance:
    @pytest.mark.row("AM-50", "SQ-32")
    def test_what_ended_goes_and_the_index_gets_smaller(self, folder: Path) -> None:
        with Workspace.open(folder) as workspace:
            store = workspace.artifacts()
            store.retag(store.find()[0].digest, add=("user:persistent",))
            done = maintain(workspace, GarbageCollector(store), NOW + timedelta(days=4))
            assert (done.collected.expired, done.collected.removed) == (29, 29)
            assert done.damaged == ()
            assert set(done.sizes) == {"artifacts.db", STATE}
            assert [row.title for row in store.find()] == ["log 0"]
        assert [*examine(folder)] == []

    def test_what_is_damaged_is_left(self, folder: Path) -> None:
        with Workspace.open(folder) as workspace:
            store = workspace.artifacts()
            store.db.execute("PRAGMA writable_schema = ON")
            store.db.execute("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'idx_tags'")
            store.db.execute("PRAGMA writable_schema = OFF")
        with Workspace.open(folder) as workspace:
            done = maintain(workspace, GarbageCollector(workspace.artifacts()), NOW)
        assert done.damaged == ("artifacts.db",)


def test_a_workspace_that_cannot_be_entered_is_named(tmp_path: Path) -> None:
    found = only(tmp_path / ("x" * 300))
    assert "cannot be read: File name too long" in found.what
    assert found.is_harm


def test_a_link_is_not_followed_by_what_is_to_be_done(tmp_path: Path) -> None:
    place, link = tmp_path / "elsewhere", tmp_path / ".se_agent"
    place.mkdir(mode=0o755)
    link.symlink_to(place)
    found = next(iter(examine(link)))
    assert "it is a link" in found.what
    assert "chmod" not in found.todo
