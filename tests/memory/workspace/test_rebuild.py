"""The index of artifacts made anew: what comes back, and what cannot."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from se_agent.errors import MemoryFileError
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.garbage import GarbageCollector, alone
from se_agent.memory.artifacts.schema import PERSISTENT, ArtifactRow
from se_agent.memory.workspace.doctor import examine
from se_agent.memory.workspace.rebuild import JournalOutput, rebuild
from se_agent.memory.workspace.workspace import Workspace

NOW = datetime.now(UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".se_agent"


@pytest.fixture
def named(folder: Path) -> list[JournalOutput]:
    """Outputs of three runs, as their journals name them; one content is of two runs."""
    found = list[JournalOutput]()
    with Workspace.open(folder) as workspace:
        store = workspace.artifacts()
        for n in range(60):
            group, text = f"run{n % 3}", f"output {max(n, 1)} " * 400
            ref = store.save_artifact(text, title=f"s{n}", author="evaluator", group_id=group)
            found.append(JournalOutput(group, ref, NOW))
        store.retag(found[7].artifact.digest, add=(PERSISTENT,))
    return found


def rows(folder: Path) -> list[tuple[object, ...]]:
    """Return what a rebuilt index has in common with the one before."""
    with Workspace.open(folder, write=False) as workspace:
        return sorted(told(row) for row in workspace.artifacts().find())


def told(row: ArtifactRow) -> tuple[object, ...]:
    return row.digest, row.group_id, row.title, row.author, row.path, row.size, row.mime


def use(folder: Path, work: Callable[[ArtifactStore], object]) -> object:
    with Workspace.open(folder) as workspace:
        return work(workspace.artifacts())


def gone(folder: Path) -> None:
    (folder / "artifacts.db").unlink()


def no_database(folder: Path) -> None:
    (folder / "artifacts.db").write_bytes(b"no database at all" * 1000)


def flipped(folder: Path) -> None:
    """Spoil a third of the pages; the first one stays, so that it can be opened."""
    data = bytearray((folder / "artifacts.db").read_bytes())
    rng = random.Random(3)
    for page in range(4096, len(data), 4096):
        if rng.random() < 0.4:
            data[page : page + 4096] = rng.randbytes(4096)
    (folder / "artifacts.db").write_bytes(data)


def test_a_sound_index_is_equal_and_left_as_it_is(
    folder: Path, named: list[JournalOutput]
) -> None:
    before = (folder / "artifacts.db").read_bytes()
    made = rebuild(folder, named, NOW)
    assert made.is_equal
    assert made.pins_known
    assert (made.rows, made.contents, made.lost, made.nameless) == (60, 59, (), 0)
    assert (folder / "artifacts.db").read_bytes() == before


@pytest.mark.tier("runs")
@pytest.mark.parametrize("spoil", [gone, no_database, flipped])
def test_what_journals_and_contents_say_comes_back(
    folder: Path, named: list[JournalOutput], spoil: Callable[[Path], None]
) -> None:
    before = rows(folder)
    was = rebuild(folder, named, NOW).checksum
    spoil(folder)
    made = rebuild(folder, named, NOW)
    assert made.checksum == was
    assert not made.is_equal
    assert rows(folder) == before
    assert [*examine(folder)] == []
    assert rebuild(folder, named, NOW).is_equal
    with Workspace.open(folder, write=False) as workspace:
        assert all(workspace.artifacts().content_of(one.artifact.digest) for one in named)


def test_what_no_journal_names_is_kept_without_a_name(
    folder: Path, named: list[JournalOutput]
) -> None:
    gone(folder)
    made = rebuild(folder, named[:50], NOW)
    assert (made.rows, made.nameless) == (60, 10)
    assert len(rows(folder)) == 60


def test_pins_and_outputs_of_deleted_runs_are_taken_over(
    folder: Path, named: list[JournalOutput]
) -> None:
    digest = named[7].artifact.digest
    other = replace(named[0].artifact, digest="f" * 64, title="elsewhere")
    made = rebuild(folder, [*named[:3], JournalOutput("run9", other, NOW)], NOW)
    assert (made.rows, made.lost) == (60, ("f" * 12,))
    with Workspace.open(folder, write=False) as workspace:
        (row,) = workspace.artifacts().rows_of(digest)
        assert PERSISTENT in row.tags


def test_what_has_ended_stays_so(folder: Path, named: list[JournalOutput]) -> None:
    use(folder, lambda s: GarbageCollector(s).expire(NOW + timedelta(days=4)))
    made = rebuild(folder, named, NOW)
    assert (made.is_equal, made.rows) == (True, 1)
    assert "expired on" in str(use(folder, lambda s: s.read_artifact(named[3].artifact.digest)))


def test_a_damaged_content_gets_no_row_and_is_left_where_it_is(
    folder: Path, named: list[JournalOutput]
) -> None:
    (path,) = [p for p in folder.rglob("*") if p.name == named[5].artifact.digest]
    path.write_bytes(b"cut")
    gone(folder)
    made = rebuild(folder, named, NOW)
    assert made.damaged == made.lost == (named[5].artifact.name,)
    assert path.read_bytes() == b"cut"
    assert "output 5" in str(use(folder, lambda s: s.read_artifact(path.name)))


def test_one_of_a_newer_version_is_left_as_it_is(
    folder: Path, named: list[JournalOutput]
) -> None:
    with closing(sqlite3.connect(folder / "artifacts.db")) as db, db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
    before = (folder / "artifacts.db").read_bytes()
    with pytest.raises(MemoryFileError, match="a newer version wrote it"):
        rebuild(folder, named, NOW)
    assert (folder / "artifacts.db").read_bytes() == before


def test_one_that_another_process_looks_after_is_left(
    folder: Path, named: list[JournalOutput]
) -> None:
    with alone(folder), pytest.raises(MemoryFileError, match="another process"):
        rebuild(folder, named, NOW)


def test_contents_do_not_go_while_the_index_does_not_know_them(
    folder: Path, named: list[JournalOutput]
) -> None:
    gone(folder)
    digests = [one.artifact.digest for one in named]

    def collect(store: ArtifactStore) -> str:
        collector = GarbageCollector(store, named=lambda: digests)
        return collector.collect(NOW + timedelta(days=30), force=True).note

    assert "does not know 59 outputs" in str(use(folder, collect))
    assert sum(path.is_file() for path in (folder / "artifacts").rglob("*")) == 59
    rebuild(folder, named, NOW)
    assert use(folder, collect) == ""
