"""Backups: whole or not there, checked before they are brought back, and what they replace."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from se_agent.errors import MemoryFileError
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.garbage import GarbageCollector, alone
from se_agent.memory.artifacts.schema import PERSISTENT
from se_agent.memory.experience import schema as experience
from se_agent.memory.experience.item_rows import ItemRow
from se_agent.memory.experience.operator_counts import OperatorCounts
from se_agent.memory.workspace.backup import LIST, back_up_all, check_backup, restore
from se_agent.memory.workspace.workspace import Workspace
from tests.redaction.planted import PLANTED

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "results" / ".se_agent"


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace.open(folder) as opened:
        store = opened.artifacts()
        store.save_artifact("log " * 1000, title="log")
        store.save_artifact("code", title="code", tags=(PERSISTENT,))
        (folder / "groups" / "g").mkdir(parents=True)
        (folder / "groups" / "g" / "1.jsonl").write_text("{}")
        learned = OperatorCounts(rule="seen_set", tries=4, wins=2, gain=1.0)
        experience.write(folder.parent / experience.FILE, "one", [learned])
        yield opened


def titles(workspace: Workspace) -> list[str]:
    return [row.title for row in workspace.artifacts().find()]


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


class TestBackup:
    @pytest.mark.row("AM-37", "AM-04")
    def test_all_that_is_kept_comes_back(self, workspace: Workspace) -> None:
        made = back_up_all(workspace, NOW)
        assert made.folder == workspace.folder / "backups" / "20261128T120000Z"
        assert made.left_out == ()
        store = workspace.artifacts()
        kept = {row.digest: store.content_of(row.digest) for row in store.find()}
        GarbageCollector(store, grace=timedelta(0)).collect(NOW + timedelta(days=9), force=True)
        store.save_artifact("later", title="later")
        store.retag("2", drop=(PERSISTENT,))
        (workspace.folder / "groups" / "g" / "1.jsonl").unlink()
        (workspace.folder.parent / experience.FILE).unlink()
        restore(workspace, made.folder, NOW)
        assert titles(workspace) == ["log", "code"]
        assert {row.digest: store.content_of(row.digest) for row in store.find()} == kept
        assert store.find(tag=PERSISTENT)[0].title == "code"
        assert (workspace.folder / "groups" / "g" / "1.jsonl").read_text() == "{}"
        assert experience.read(workspace.folder.parent / experience.FILE).runs == 1

    @pytest.mark.row("AM-37")
    def test_what_is_replaced_is_kept(self, workspace: Workspace) -> None:
        made = back_up_all(workspace, NOW)
        workspace.artifacts().save_artifact("later", title="later")
        before = restore(workspace, made.folder, NOW)
        assert titles(workspace) == ["log", "code"]
        restore(workspace, before.folder, NOW)
        assert titles(workspace) == ["log", "code", "later"]

    def test_others_are_kept_out(self, workspace: Workspace) -> None:
        made = back_up_all(workspace, NOW)
        modes = {
            (path.is_file(), path.stat().st_mode & 0o777) for path in made.folder.rglob("*")
        }
        assert modes == {(True, 0o600), (False, 0o700)}

    def test_a_copy_says_what_was_lost_before(self, workspace: Workspace) -> None:
        log, code = workspace.artifacts().find()
        (workspace.folder / log.path).unlink()
        made = back_up_all(workspace, NOW)
        assert made.left_out == (log.digest[:12],)
        assert (made.folder / code.path).read_text() == "code"

    def test_its_contents_share_nothing_with_the_originals(self, workspace: Workspace) -> None:
        made = back_up_all(workspace, NOW)
        (row, _) = workspace.artifacts().find()
        os.truncate(workspace.folder / row.path, 1)
        restore(workspace, made.folder, NOW)
        assert workspace.artifacts().content_of(row.digest) == b"log " * 1000

    def test_two_in_a_second_have_names_of_their_own(self, workspace: Workspace) -> None:
        assert back_up_all(workspace, NOW).folder != back_up_all(workspace, NOW).folder

    def test_a_folder_that_is_there_is_not_written_over(
        self, workspace: Workspace, tmp_path: Path
    ) -> None:
        with pytest.raises(MemoryFileError, match="there already"):
            back_up_all(workspace, NOW, target=tmp_path)

    def test_one_that_cannot_be_finished_is_not_there(
        self, workspace: Workspace, tmp_path: Path
    ) -> None:
        def full(_done: int, _of: int) -> None:
            raise OSError(28, "No space left on device")

        with pytest.raises(MemoryFileError, match="No space left") as caught:
            back_up_all(workspace, NOW, target=tmp_path / "copy", told=full)
        assert "make room" in caught.value.hint
        assert [path.name for path in tmp_path.iterdir()] == ["results"]

    def test_nothing_ends_while_it_is_made(self, workspace: Workspace) -> None:
        notes = []

        def collect(_done: int, _of: int) -> None:
            collector = GarbageCollector(workspace.artifacts())
            notes.append(collector.collect(NOW + timedelta(days=9), force=True).note)

        back_up_all(workspace, NOW, told=collect)
        assert notes == ["another process is collecting"] * 2
        with (
            alone(workspace.folder),
            pytest.raises(MemoryFileError, match="is collecting"),
        ):
            back_up_all(workspace, NOW)

    @pytest.mark.row("AM-48")
    def test_no_planted_secret_reaches_artifacts_or_backups(self, tmp_path: Path) -> None:
        known = [f"Known{n}Secret{n}Value" for n in range(3)]
        with Workspace.open(tmp_path / "w", secrets=known) as workspace:
            store = workspace.artifacts()
            planted = [pair for kind in PLANTED.values() for pair in kind]
            assert len(planted) == 40
            for secret, text in planted:
                store.save_artifact(f"said:\n{text}\n", title=text, author="a")
                store.save_artifact(f"said:\n{text}\n".encode() + b"\xff", title="bytes")
                assert secret not in store.read_artifact(str(store.find()[-1].id))
            store.save_artifact(f"known: {known}", title=known[0])
            back_up_all(workspace, NOW)
        kept = files(tmp_path)
        assert len(kept) > 40  # what differs in a secret only is one content
        secrets = [*known, *(line for secret, _ in planted for line in secret.splitlines())]
        told = [(s, name) for s in secrets for name, data in kept.items() if s.encode() in data]
        assert told == []


class TestRestore:
    @pytest.mark.parametrize(
        "harm", ["flipped", "cut", "missing", "link", "lost list", "bad list"]
    )
    def test_a_damaged_backup_changes_nothing(
        self, workspace: Workspace, harm: str, tmp_path: Path
    ) -> None:
        made = back_up_all(workspace, NOW)
        (row, _) = workspace.artifacts().find()
        path = made.folder / (LIST if "list" in harm else row.path)
        data = path.read_bytes()
        path.unlink()
        if harm == "flipped":
            path.write_bytes(b"L" + data[1:])
        elif harm == "cut":
            path.write_bytes(data[:-1])
        elif harm == "bad list":
            path.write_text("[]")
        elif harm == "link":
            (tmp_path / "away").write_bytes(data)
            path.symlink_to(tmp_path / "away")
        before = files(workspace.folder)
        with pytest.raises(MemoryFileError, match=r"no backup|not what it was") as caught:
            restore(workspace, made.folder, NOW)
        assert caught.value.hint
        assert files(workspace.folder) == before

    @pytest.mark.parametrize("name", ["../../evil", "/etc/evil"])
    def test_a_list_that_names_files_elsewhere_is_refused(
        self, workspace: Workspace, name: str
    ) -> None:
        made = back_up_all(workspace, NOW)
        told = json.loads((made.folder / LIST).read_text())
        told["files"][name] = "0" * 64
        (made.folder / LIST).write_text(json.dumps(told))
        with pytest.raises(MemoryFileError, match="evil is missing"):
            restore(workspace, made.folder, NOW)

    def test_one_of_a_newer_version_is_refused(self, workspace: Workspace) -> None:
        made = back_up_all(workspace, NOW)
        path = made.folder / "artifacts.db"
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE meta SET value = '9' WHERE key = 'schema'")
        told = json.loads((made.folder / LIST).read_text())
        from hashlib import sha256

        told["files"]["artifacts.db"] = sha256(path.read_bytes()).hexdigest()
        (made.folder / LIST).write_text(json.dumps(told))
        with pytest.raises(MemoryFileError, match="newer version"):
            restore(workspace, made.folder, NOW)
        assert titles(workspace) == ["log", "code"]

    @pytest.mark.parametrize("name", ["artifacts.db", "memory.db"])
    def test_a_database_that_cannot_be_opened_comes_back(
        self, workspace: Workspace, name: str
    ) -> None:
        made = back_up_all(workspace, NOW)
        workspace.close()
        path = (
            workspace.folder / name
            if name == "artifacts.db"
            else workspace.folder.parent / name
        )
        path.write_bytes(b"no database at all" * 1000)
        with Workspace.open(workspace.folder) as opened:
            restore(opened, made.folder, NOW)
            assert titles(opened) == ["log", "code"]
            assert experience.read(opened.folder.parent / experience.FILE).runs == 1
        aside = workspace.folder / "backups" / "damaged-20261128T120000Z" / name
        assert aside.read_bytes().startswith(b"no database at all")

    def test_of_a_torn_database_nothing_is_said_to_be_saved(self, workspace: Workspace) -> None:
        path = workspace.folder.parent / "memory.db"
        for number in range(200):
            workspace.items().add(ItemRow(title=f"lesson {number}", content="x" * 500), at="")
        workspace.close()
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        with Workspace.open(workspace.folder) as opened:
            (why,) = back_up_all(opened, NOW).unsound
        assert "malformed" in why or "damaged" in why
        assert "is saved" not in why

    def test_a_backup_is_left_as_it_was(self, workspace: Workspace) -> None:
        made = back_up_all(workspace, NOW)
        before = files(made.folder)
        check_backup(made.folder)
        restore(workspace, made.folder, NOW)
        assert files(made.folder) == before

    def test_another_open_store_sees_what_came_back(self, workspace: Workspace) -> None:
        made = back_up_all(workspace, NOW)
        with Workspace.open(workspace.folder) as other:
            store: ArtifactStore = other.artifacts()
            store.save_artifact("later", title="later")
            restore(workspace, made.folder, NOW)
            assert titles(other) == ["log", "code"]
            store.save_artifact("after", title="after")
        assert titles(workspace) == ["log", "code", "after"]
