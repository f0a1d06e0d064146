"""The file of what runs learned: durable, shared, and told about when it is broken."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.errors import MemoryFileError
from se_agent.memory import experience
from se_agent.memory.experience.operator_counts import OperatorCounts
from se_agent.memory.experience.schema import (
    FILE,
    SCHEMA_VERSION,
    OperatorMemory,
    read,
    write,
)
from se_agent.store.migration import backup_path

ROW = OperatorCounts(
    rule="a",
    family="lists",
    traits=("nested loop", "text"),
    tries=5,
    wins=2,
    credit=1.25,
    gain=0.1 + 0.2,
    cpu_seconds=12.5,
)


OLD = Path(__file__).parent / "old" / "memory-1.sql"


def test_a_file_of_the_first_version_is_read_and_added_to(tmp_path: Path) -> None:
    script = OLD.read_text(encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.executescript(script)
    before = OperatorMemory(
        (
            replace(ROW, rule="seen_set"),
            OperatorCounts(rule="tune_tpe", tries=1),
            OperatorCounts(rule="seen_set", tries=3, wins=1, gain=0.5),
        ),
        2,
    )
    assert read(tmp_path / FILE) == before
    write(tmp_path / FILE, "third", [ROW])
    assert read(tmp_path / FILE) == OperatorMemory((*before.trials, ROW), 3)


def schema(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as db:
        return {str(row) for row in db.execute("SELECT type, name, sql FROM sqlite_master")}


def test_a_file_of_the_first_version_gets_the_tables_of_today_and_is_copied(
    tmp_path: Path,
) -> None:
    write(tmp_path / FILE, "first", [])
    old = tmp_path / "old" / FILE
    old.parent.mkdir()
    with closing(sqlite3.connect(old)) as db:
        db.executescript(OLD.read_text(encoding="utf-8"))
    write(old, "third", [ROW])
    assert schema(old) == schema(tmp_path / FILE)
    with closing(sqlite3.connect(backup_path(old, 1))) as db:
        assert db.execute("SELECT COUNT(*), SUM(tries) FROM trials").fetchone() == (3, 9)
        assert db.execute("SELECT value FROM meta").fetchone() == ("1",)


def test_nothing_learned_is_ever_deleted() -> None:
    room = Path(experience.__file__).parent
    found = [
        (path.name, line.strip())
        for path in sorted(room.glob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if "DELETE" in line
    ]
    # A run's own counts are written anew as a whole; nothing else is ever taken out.
    assert found == [
        ("schema.py", 'db.execute("DELETE FROM trials WHERE run = ?", (run,))'),
    ]


def test_an_empty_file_knows_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    assert read(tmp_path / FILE) == ((), 0)
    assert (tmp_path / FILE).read_bytes() == b""


@pytest.mark.parametrize("traits", ["no list", "7"])
def test_a_row_that_cannot_be_read_is_told(tmp_path: Path, traits: str) -> None:
    write(tmp_path / FILE, "first", [ROW])
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE trials SET traits = ?", (traits,))
    with pytest.raises(MemoryFileError, match=r"cannot be read: its rows: ") as found:
        read(tmp_path / FILE)
    assert "memory doctor --rebuild" in found.value.hint


def test_it_is_read_while_another_run_writes(tmp_path: Path) -> None:
    write(tmp_path / FILE, "first", [ROW])
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert read(tmp_path / FILE) == ((ROW,), 1)


def test_nothing_is_known_before_the_first_run(tmp_path: Path) -> None:
    assert read(tmp_path / FILE) == ((), 0)
    assert list(tmp_path.iterdir()) == []


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    other = OperatorCounts(rule="b", tries=1)
    write(tmp_path / FILE, "first", [ROW, other])
    assert read(tmp_path / FILE) == ((ROW, other), 1)


def test_a_run_counts_once_however_often_it_is_written(tmp_path: Path) -> None:
    write(
        tmp_path / FILE,
        "first",
        [OperatorCounts(rule="a", tries=1), OperatorCounts(rule="b", tries=1)],
    )
    write(tmp_path / FILE, "first", [ROW])
    assert read(tmp_path / FILE) == ((ROW,), 1)


def test_runs_may_write_at_the_same_time(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: write(tmp_path / FILE, f"run {n}", [ROW]), range(24)))
    assert read(tmp_path / FILE) == ((ROW,) * 24, 24)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"not a database, but long enough to be taken for one" * 40, id="text"),
        pytest.param(b"SQLite format 3\x00" + b"\xff" * 4096, id="damaged"),
    ],
)
def test_a_damaged_file_is_an_error_with_a_way_out(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(MemoryFileError, match=r"not a memory that can be used") as found:
        read(tmp_path / FILE)
    assert "memory doctor --rebuild" in found.value.hint
    with pytest.raises(MemoryFileError, match=r"not a memory that can be used"):
        write(tmp_path / FILE, "first", [ROW])
    assert (tmp_path / FILE).read_bytes() == content


def test_another_programs_file_is_an_error_and_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE trials (something TEXT)")
    db.close()
    with pytest.raises(MemoryFileError, match=r"it has other tables"):
        read(tmp_path / FILE)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(MemoryFileError, match=r"it has other tables"):
        write(tmp_path / FILE, "first", [ROW])
    assert (tmp_path / FILE).read_bytes() == before


def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path / FILE, "first", [ROW])
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("UPDATE meta SET value = ?", (SCHEMA_VERSION + 1,))
    db.close()
    with pytest.raises(MemoryFileError, match=r"a newer version wrote it"):
        write(tmp_path / FILE, "second", [ROW])
