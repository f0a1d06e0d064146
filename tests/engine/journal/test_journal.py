"""The journal: what it promises, kept under kill, fullness, locks and strangers."""

from __future__ import annotations

import math
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Role
from se_agent.engine.journal.journal import LARGE, Journal
from se_agent.environment.process_files import open_files
from se_agent.errors import JournalError
from se_agent.events import (
    SCHEMA_VERSION,
    BlockMeasured,
    Evaluated,
    Event,
    Failed,
    GenerationOpened,
    Learned,
)
from se_agent.store.blobs import digest_of
from se_agent.values.evaluation import (
    Block,
    Branch,
    Evaluation,
    FailedCase,
    InputSet,
    Status,
    Verdict,
)
from se_agent.wire.spelling import encodable
from tests.texts import TEXTS

ROOT = Path(__file__).parents[3]


def block(slot: int, effect: float = 0.1) -> BlockMeasured:
    return BlockMeasured(
        slot=slot,
        reference="Gen0_Sol_0",
        candidate="Gen1_Sol_1",
        inputs=InputSet.SEARCH,
        block=Block(number=0, effect=effect, reference=0.1, candidate=0.09),
    )


def learned(slot: int) -> Learned:
    verdict = Verdict(
        status=Status.WA,
        perf_diff=-math.inf,
        effect=-math.inf,
        interval=(-math.inf, -math.inf),
        significant=False,
        branch=Branch.FAILURE,
    )
    return Learned(slot=slot, best="Gen0_Sol_0", verdict=verdict)


def test_events_come_back_equal_and_in_order(tmp_path: Path) -> None:
    written: list[Event] = [block(2, -math.inf), learned(2), block(1), learned(1)]
    with Journal(tmp_path / "run.db") as journal:
        journal.append(*written)
    with Journal(tmp_path / "run.db") as journal:
        assert list(journal.events()) == written


def test_a_killed_process_loses_no_event(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from se_agent.engine.journal.journal import Journal\n"
        "from tests.engine.journal.test_journal import block\n"
        "Journal(Path(sys.argv[1])).append(block(3, 0.5))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "run.db"
    done = subprocess.run([sys.executable, "-c", script, path], check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    with Journal(path) as journal:
        (event,) = journal.events()
    assert isinstance(event, BlockMeasured)
    assert event.block.effect == 0.5


@pytest.mark.parametrize("statement", ["DELETE FROM events", "UPDATE events SET body = ''"])
def test_the_past_cannot_be_changed(tmp_path: Path, statement: str) -> None:
    with Journal(tmp_path / "run.db") as journal:
        journal.append(block(1))
    with (
        closing(sqlite3.connect(tmp_path / "run.db")) as db,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        db.execute(statement)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("not a database, but long enough for a header" * 9)
    with pytest.raises(JournalError, match="not a journal"):
        Journal(tmp_path / "notes.db")


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("CREATE TABLE photos (name TEXT)", id="other-tables"),
        pytest.param("CREATE TABLE meta (key TEXT, value TEXT)", id="one-of-ours"),
        pytest.param(
            "CREATE TABLE meta (key TEXT, value TEXT); CREATE TABLE events (x)", id="no-version"
        ),
        pytest.param("CREATE TABLE meta (x); CREATE TABLE events (x)", id="other-columns"),
        pytest.param("PRAGMA application_id = 77; VACUUM", id="another-application's"),
    ],
)
@pytest.mark.parametrize("write", [True, False])
def test_a_foreign_database_is_refused_and_left_alone(
    tmp_path: Path, statement: str, write: bool
) -> None:
    path = tmp_path / "run.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(statement)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="not a journal"):
        Journal(path, write=write)
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("run.db-*"))


@pytest.mark.parametrize("begun", [False, True])
def test_what_was_killed_before_the_tables_were_made_is_an_empty_journal(
    tmp_path: Path, begun: bool
) -> None:
    path = tmp_path / "run.db"
    path.touch()
    if begun:
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(JournalError, match="nothing was written yet"):
        Journal(path, write=False)
    with Journal(path) as journal:
        journal.append(block(1))
        assert len(list(journal.events())) == 1


def test_a_damaged_event_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with Journal(path) as journal:
        journal.append(block(1), block(2))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "INSERT INTO events (slot, kind, body) VALUES (3, 'learned', '{\"slot\": 3')"
        )
    with Journal(path, write=False) as journal:
        events = journal.events()
        assert [next(events).slot, next(events).slot] == [1, 2]
        with pytest.raises(
            JournalError, match=r"run\.db: cannot be read: event 3: Invalid JSON"
        ):
            next(events)


def test_a_damaged_file_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with Journal(path) as journal:
        journal.append(*(block(n) for n in range(200)))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 2))
    with (
        Journal(path, write=False) as journal,
        pytest.raises(JournalError, match="cannot be read: "),
    ):
        list(journal.events())


@pytest.mark.parametrize(
    "prepared",
    [
        pytest.param(lambda lock: lock.mkdir(), id="a-folder"),
        pytest.param(lambda lock: lock.symlink_to("/dev/full"), id="full-disk"),
        pytest.param(lambda lock: lock.parent.rmdir(), id="no-folder"),
    ],
)
def test_what_cannot_be_locked_is_told_and_nothing_stays_open(
    tmp_path: Path, prepared: Callable[[Path], None]
) -> None:
    (folder := tmp_path / "run").mkdir()
    prepared(folder / "run.lock")
    before = len(open_files())
    with pytest.raises(JournalError, match=r"run: cannot be locked: \w+"):
        Journal(folder / "run.db")
    assert len(open_files()) == before


def test_a_folder_in_the_journals_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "run.db").mkdir()
    with pytest.raises(JournalError, match="not a journal: it is a link, a device"):
        Journal(tmp_path / "run.db")


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "run.db"):
        pass
    with closing(sqlite3.connect(tmp_path / "run.db")) as db, db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        db.execute("DROP TRIGGER no_update")
    with pytest.raises(JournalError, match=r"newer version wrote it \(schema 99") as caught:
        Journal(tmp_path / "run.db")
    assert "update se_agent" in caught.value.hint
    with closing(sqlite3.connect(tmp_path / "run.db")) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    assert "no_update" not in names, "it is left as it was"


def test_what_an_older_version_began_is_of_this_one_once_it_was_added_to(
    tmp_path: Path,
) -> None:
    path = tmp_path / "run.db"
    with Journal(path) as journal:
        journal.append(block(1))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value = '2' WHERE key = 'schema'")
    with Journal(path) as journal:
        assert schema(path) == "2", "to open it changes nothing"
        journal.append(block(2))
    assert schema(path) == str(SCHEMA_VERSION)


def schema(path: Path) -> str:
    with closing(sqlite3.connect(path)) as db:
        (found,) = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    return str(found)


def test_a_second_writer_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    with Journal(tmp_path / "run.db") as journal:
        journal.append(block(1))
        with pytest.raises(JournalError, match=f"another process .pid {os.getpid()}"):
            Journal(tmp_path / "run.db")
        with Journal(tmp_path / "run.db", write=False) as reader:
            assert len(list(reader.events())) == 1
    Journal(tmp_path / "run.db").close()


def test_a_reader_of_nothing_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no such journal"):
        Journal(tmp_path / "run.db", write=False)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with Journal(path) as journal:
        journal.append(block(1))
        journal._db.execute("PRAGMA max_page_count = 1")  # noqa: SLF001 - SQLite's own "full"
        with pytest.raises(JournalError, match="the disk is full") as caught:
            journal.append(*(block(n) for n in range(2000)))
    assert "se-agent resume" in caught.value.hint
    with Journal(path) as journal:
        assert len(list(journal.events())) == 1


def _write_twenty(journal: Journal, slot: int) -> None:
    for _ in range(20):
        journal.append(block(slot))


def test_threads_may_append(tmp_path: Path) -> None:
    with Journal(tmp_path / "run.db") as journal:
        threads = [threading.Thread(target=_write_twenty, args=(journal, s)) for s in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(list(journal.events())) == 80


def test_one_append_is_all_or_nothing(tmp_path: Path) -> None:
    opened = GenerationOpened(generation=1, size=8, cpu_seconds=0, wall_seconds=0)
    with Journal(tmp_path / "run.db") as journal:
        journal._db.execute(  # noqa: SLF001 - a disk that fails on the second row
            "CREATE TEMP TRIGGER broken BEFORE INSERT ON events WHEN NEW.slot = 7 "
            "BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END"
        )
        with pytest.raises(JournalError, match="everything up to the last event is saved"):
            journal.append(opened, block(7))
        assert list(journal.events()) == []


def replied(text: str, request: str = "") -> Replied:
    return Replied(slot=1, role=Role.MUTATE, model="main", text=text, request=request)


class TestLetters:
    """No text is lost, and what is gone on with is what is read."""

    @pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
    def test_an_event_is_read_as_it_was_written(self, tmp_path: Path, text: str) -> None:
        failed = FailedCase(name=text, expected=text, got=text, input=text)
        wrong = Evaluation(status=Status.WA, failing=(failed,), feedback=text)
        made = Evaluated(solution="a", content="b", evaluation=wrong)
        with Journal(tmp_path / "run.db") as journal:
            written = journal.append(made, Failed(message=text), replied(text), texts=[text])
            assert tuple(journal.events()) == written
            assert journal.text(digest_of(text)) == encodable(text)
        assert isinstance(written[0], Evaluated)
        assert written[0].evaluation.failing[0].got == encodable(text)


class TestTexts:
    """What is large, or shared by many events, lies beside them."""

    @pytest.mark.parametrize(
        "text", ["short", "x" * LARGE, "é" * (LARGE + 1), "half a pair \ud800" * 2000]
    )
    def test_a_reply_comes_back_whole_however_large(self, tmp_path: Path, text: str) -> None:
        with Journal(tmp_path / "run.db") as journal:
            _, written, _ = journal.append(block(1), replied(text), block(2))
            assert isinstance(written, Replied)
            text = text.replace("\ud800", r"\ud800")
            assert written.text == text
            first, event, last = journal.events()
        assert isinstance(event, Replied)
        assert (first.slot, event.text, event.digest, last.slot) == (1, text, "", 2)
        with closing(sqlite3.connect(tmp_path / "run.db")) as db:
            (longest,) = db.execute("SELECT max(length(body)) FROM events").fetchone()
        assert longest < LARGE + 1000

    def test_equal_texts_are_kept_once_and_small(self, tmp_path: Path) -> None:
        text = "the same instructions again and again\n" * 200
        with Journal(tmp_path / "run.db") as journal:
            for slot in range(20):
                journal.append(block(slot), texts=[text, f"program {slot}"])
            assert journal.text(digest_of(text)) == text
            assert journal.text(digest_of("program 7")) == "program 7"
        with closing(sqlite3.connect(tmp_path / "run.db")) as db:
            count, size = db.execute(
                "SELECT count(*), sum(length(text)) FROM contents"
            ).fetchone()
        assert count == 21
        assert size < len(text) // 2

    def test_a_text_is_kept_with_its_event_or_not_at_all(self, tmp_path: Path) -> None:
        with Journal(tmp_path / "run.db") as journal:
            journal._db.execute(  # noqa: SLF001 - a disk that fails after the text
                "CREATE TEMP TRIGGER broken BEFORE INSERT ON events WHEN NEW.slot = 7 "
                "BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END"
            )
            with pytest.raises(JournalError, match="is saved"):
                journal.append(block(7), texts=["a prompt"])
            with pytest.raises(JournalError, match="cannot be read: text"):
                journal.text(digest_of("a prompt"))

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param("DELETE FROM contents", id="gone"),
            pytest.param("DROP TABLE contents", id="an-older-journal"),
            pytest.param("UPDATE contents SET text = x'00ff'", id="damaged"),
            pytest.param(
                "UPDATE contents SET text = (SELECT text FROM contents)", id="another"
            ),
        ],
    )
    def test_a_text_that_is_not_there_is_told(self, tmp_path: Path, change: str) -> None:
        path, large = tmp_path / "run.db", "y" * (LARGE + 1)
        with Journal(path) as journal:
            journal.append(block(1), texts=["another"])
            journal.append(replied(large))
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(change)
        with Journal(path, write=False) as journal:
            with pytest.raises(JournalError, match="cannot be read: text"):
                journal.text(digest_of(large))
            events = journal.events()
            next(events)
            with pytest.raises(JournalError, match="cannot be read: text") as caught:
                next(events)
        assert "restore it from a copy" in caught.value.hint

    def test_an_older_journal_gets_its_table_with_the_first_text(self, tmp_path: Path) -> None:
        path = tmp_path / "run.db"
        with Journal(path) as journal:
            journal.append(block(1))
        with closing(sqlite3.connect(path)) as db:
            names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        assert "contents" not in names
        with Journal(path) as journal:
            journal.append(block(2), texts=["a prompt"])
            assert journal.text(digest_of("a prompt")) == "a prompt"
