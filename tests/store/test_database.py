"""Databases of a kind: their versions, kills, other processes, and what is said of failures."""

from __future__ import annotations

import ast
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from se_agent.errors import MemoryFileError
from se_agent.store.backup import back_up
from se_agent.store.database import Database
from se_agent.store.migration import backup_path
from tests.house import nodes
from tests.ordinary_user import needs_root, python
from tests.store.notes import NOTES, STATES, state, texts, write_oldest

ROOT = Path(__file__).parents[2]
NOW = (3, ("text", "length"), True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.db"


def process(*words: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.store.notes", *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def said(path: Path, *, write: bool = True) -> tuple[str, str]:
    """Return the two lines about a file that cannot be opened."""
    with pytest.raises(MemoryFileError, match=r"notes\.db") as caught:
        Database(path, NOTES, write=write)
    return str(caught.value), caught.value.hint


class TestVersions:
    def test_a_new_file_is_of_the_version_of_today(self, path: Path) -> None:
        Database(path, NOTES).close()
        assert state(path) == NOW
        assert [each.name for each in path.parent.iterdir()] == ["notes.db"]

    def test_an_older_file_is_copied_and_migrated(self, path: Path) -> None:
        write_oldest(path)
        before = texts(path)
        Database(path, NOTES).close()
        assert state(path) == NOW
        assert state(backup_path(path, 1)) == (1, ("text",), False)
        assert texts(path) == texts(backup_path(path, 1)) == before

    def test_a_copy_may_be_read_by_whoever_reads_the_original(self, path: Path) -> None:
        write_oldest(path)
        path.chmod(0o640)
        Database(path, NOTES).close()
        assert backup_path(path, 1).stat().st_mode & 0o777 == 0o640

    def test_a_reader_of_an_older_file_changes_nothing(self, path: Path) -> None:
        write_oldest(path)
        before = path.read_bytes()
        with Database(path, NOTES, write=False) as db:
            rows = list(db.rows("SELECT text, length FROM notes", where="notes"))
        assert rows == [(f"note {n}", 6) for n in range(3)]
        assert path.read_bytes() == before
        assert not list(path.parent.glob("*.schema-*"))

    @pytest.mark.parametrize("write", [True, False])
    def test_a_newer_file_is_refused_and_left_alone(self, path: Path, write: bool) -> None:
        newer = {**NOTES.migrations, 3: ("CREATE TABLE more (x)",)}
        Database(path, replace(NOTES, version=4, migrations=newer)).close()
        before = path.read_bytes()
        what, hint = said(path, write=write)
        assert what == f"{path}: a newer version wrote it (schema 4, here 3)"
        assert hint == "update"
        assert path.read_bytes() == before

    def test_a_step_that_fails_changes_nothing(self, path: Path) -> None:
        write_oldest(path)
        broken = {**NOTES.migrations, 2: ("DELETE FROM notes", "DELETE FROM other")}
        with pytest.raises(MemoryFileError, match="no such table: other; all notes are saved"):
            Database(path, replace(NOTES, migrations=broken))
        assert state(path) == (1, ("text",), False)
        assert len(texts(path)) == 3

    def test_a_reader_whose_copy_cannot_be_migrated_is_told_that_it_cannot_read(
        self, path: Path
    ) -> None:
        write_oldest(path)
        broken = {**NOTES.migrations, 2: ("DELETE FROM notes", "DELETE FROM other")}
        with pytest.raises(MemoryFileError, match="cannot be read") as caught:
            Database(path, replace(NOTES, migrations=broken), write=False)
        told = f"{path}: cannot be read: brought from schema 1 to 3: no such table: other"
        assert str(caught.value) == told
        assert caught.value.hint == NOTES.damaged

    @pytest.mark.parametrize(
        ("version", "reached"), [(0, 5), (1, 5), (3, 5), (5, 9), (7, 9), (8, 9), (9, None)]
    )
    def test_versions_without_a_step_have_the_same_tables(
        self, version: int, reached: int | None
    ) -> None:
        kind = replace(NOTES, version=9, migrations={0: ("a",), 5: ("b",), 8: ("c",)})
        found = kind.migration(version)
        assert (found and found[1]) == {0: 5, 1: 8, 3: 8, 5: 8, 7: 9}.get(version, reached)


class TestProcesses:
    def test_whenever_a_process_is_killed_the_file_is_whole(self, path: Path) -> None:
        write_oldest(path)
        before = texts(path)
        killing = process("kill", path)
        killed = int(killing.communicate(timeout=120)[0])
        assert killed > 15
        left = [path.parent / str(number) / path.name for number in range(1, killed + 1)]
        assert {state(each) for each in left} <= STATES
        assert [each for each in left if texts(each) != before] == []
        copies = [copy for each in left for copy in each.parent.glob("*.schema-?")]
        assert [copy for copy in copies if state(copy)[0] != int(copy.name[-1])] == []
        for each in left:
            Database(each, NOTES).close()
        assert {state(each) for each in left} == {NOW}
        assert not list(path.parent.rglob("*.part*"))

    def test_a_killed_process_leaves_no_half_made_file(self, path: Path) -> None:
        path.touch()
        killing = process("kill", path)
        killed = int(killing.communicate(timeout=120)[0])
        left = [path.parent / str(number) / path.name for number in range(1, killed + 1)]
        for each in left:
            Database(each, NOTES).close()
        assert {state(each) for each in left} == {NOW}

    @pytest.mark.tier("runs")
    def test_many_processes_may_make_and_migrate_files(self, tmp_path: Path) -> None:
        new = [tmp_path / f"new-{number}.db" for number in range(10)]
        old = [tmp_path / f"old-{number}.db" for number in range(10)]
        for each in old:
            write_oldest(each)
        openers = [process("open", *new, *old) for _ in range(4)]
        assert [opener.communicate(timeout=120)[0] for opener in openers] == [""] * 4
        assert [opener.returncode for opener in openers] == [0] * 4
        assert {state(each) for each in (*new, *old)} == {NOW}
        assert {state(backup_path(each, 1))[0] for each in old} == {1}

    def test_a_copy_is_made_while_another_writes(self, path: Path) -> None:
        write_oldest(path)
        with closing(sqlite3.connect(path)) as writer:
            writer.execute("INSERT INTO notes VALUES ('not committed')")
            back_up(path, path.with_name("copy.db"))
        assert texts(path.with_name("copy.db")) == ["note 0", "note 1", "note 2"]


def test_a_copy_has_reached_the_disk_with_its_name(path: Path) -> None:
    write_oldest(path)
    synced = process("back_up", path).communicate(timeout=120)[0].splitlines()
    part = str(path.with_name("copy.db.part"))
    assert synced == [f"{part} before it had its name", str(path.parent)]


class TestFailures:
    def test_a_locked_file_is_told_and_not_called_damaged(self, path: Path) -> None:
        Database(path, NOTES).close()
        impatient = replace(NOTES, patience=0.0)
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            with (
                Database(path, impatient) as db,
                pytest.raises(MemoryFileError, match="is writing to it; all notes") as caught,
                db.transaction(),
            ):
                pass
        assert caught.value.hint == "wait until it is done, and try again"

    def test_a_full_disk_is_told_and_changes_nothing(self, path: Path) -> None:
        with Database(path, NOTES) as db:
            db.execute("PRAGMA max_page_count = 1")
            with pytest.raises(MemoryFileError, match="the disk is full; all") as caught:
                _fill(db)
        assert caught.value.hint.startswith("make room")
        assert texts(path) == []

    def test_a_disk_that_takes_no_more_while_a_copy_is_made(self, path: Path) -> None:
        write_oldest(path, 20_000)
        script = (
            "import resource, sys; from pathlib import Path\n"
            "from se_agent.errors import MemoryFileError\n"
            "from se_agent.store.database import Database\n"
            "from tests.store.notes import NOTES\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
            "try: Database(Path(sys.argv[1]), NOTES)\n"
            "except MemoryFileError as err: print(err)\n"
        )
        command = [sys.executable, "-c", script, str(path)]
        told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        assert told.stdout == f"{path}: the disk is full or fails; all notes are saved\n"
        assert state(path)[0] == 1
        assert not backup_path(path, 1).exists()
        assert not [*path.parent.glob("*.part")]  # it would take the room that is left

    @pytest.mark.parametrize("write", [True, False])
    def test_a_file_of_another_kind_is_left_alone(self, path: Path, write: bool) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE photos (name TEXT)")
        before = path.read_bytes()
        assert said(path, write=write) == (
            f"{path}: not a notebook: it has other tables",
            "choose another file",
        )
        assert path.read_bytes() == before


@needs_root
class TestRights:
    SCRIPT = (
        "import sys; from pathlib import Path\n"
        "from se_agent.errors import MemoryFileError\n"
        "from se_agent.store.database import Database\n"
        "from tests.store.notes import NOTES\n"
        "try:\n"
        "    with Database(Path(sys.argv[1]), NOTES, write=sys.argv[2] == 'write') as db:\n"
        "        print(*db.rows('SELECT count(*) FROM notes', where='notes'))\n"
        "except MemoryFileError as err: print(err); print(err.hint)\n"
    )

    @pytest.fixture
    def shared(self) -> Iterator[Path]:
        """A folder that others may read, and not write."""
        with TemporaryDirectory(prefix="shared-") as folder:
            Path(folder).chmod(0o755)
            yield Path(folder)

    def test_a_folder_that_is_read_only_is_read(self, shared: Path) -> None:
        write_oldest(shared / "notes.db")
        assert python("-c", self.SCRIPT, str(shared / "notes.db"), "read").stdout == "(3,)\n"
        assert [each.name for each in shared.iterdir()] == ["notes.db"]

    def test_what_a_killed_writer_left_there_is_read_too(
        self, shared: Path, tmp_path: Path
    ) -> None:
        write_oldest(tmp_path / "notes.db")
        with closing(sqlite3.connect(tmp_path / "notes.db")) as db, db:
            db.execute("INSERT INTO notes VALUES ('the last one')")
            db.commit()
            for each in tmp_path.iterdir():
                shutil.copy(each, shared)
        assert python("-c", self.SCRIPT, str(shared / "notes.db"), "read").stdout == "(4,)\n"

    def test_it_is_not_written_and_that_is_told(self, shared: Path) -> None:
        write_oldest(shared / "notes.db")
        what, hint = python(
            "-c", self.SCRIPT, str(shared / "notes.db"), "write"
        ).stdout.splitlines()
        assert what.startswith(f"{shared / 'notes.db'}: cannot be opened or written: ")
        assert hint.startswith("make its folder one that can be written")


@pytest.mark.parametrize("where", ["page 7", lambda: "page 7"], ids=["text", "asked-for"])
def test_what_cannot_be_read_is_said_with_its_place(
    path: Path, where: Callable[[], str] | str
) -> None:
    with (
        closing(Database(path, NOTES)) as db,
        pytest.raises(MemoryFileError, match=r"notes\.db: .*page 7"),
    ):
        next(db.rows("SELECT text FROM torn_out", where=where))


def test_a_row_that_nothing_can_be_made_of_is_damage(path: Path) -> None:
    with closing(Database(path, NOTES)) as db:
        db.execute_each("INSERT INTO notes VALUES (?, 0)", [("1",), ("two",), ("3",)])
        query = "SELECT text FROM notes ORDER BY rowid"
        made = db.records(query, make=lambda row: int(row[0]), where="its numbers")
        assert next(made) == 1
        with pytest.raises(MemoryFileError, match=r"notes\.db: .*its numbers: .*'two'"):
            next(made)


@pytest.mark.tier("runs")
def test_one_place_knows_the_errors_of_sqlite() -> None:
    found = {
        where
        for where, node in nodes("se_agent", "evaluators", "operators")
        if isinstance(node, ast.ExceptHandler)
        and node.type is not None
        and "sqlite3" in ast.unparse(node.type)
    }
    assert found == {"se_agent/store/failures.py"}


@pytest.mark.tier("runs")
def test_only_the_store_knows_sqlite() -> None:
    found = {
        where
        for where, node in nodes("se_agent", "evaluators", "operators", "experiments")
        if isinstance(node, ast.Import) and any(name.name == "sqlite3" for name in node.names)
    }
    assert {where for where in found if not where.startswith("se_agent/store/")} == set()


def _fill(db: Database) -> None:
    with db.transaction():
        db.execute_each("INSERT INTO notes VALUES (?, 0)", [("x" * 4000,)] * 100)
