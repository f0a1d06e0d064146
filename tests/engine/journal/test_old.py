"""Journals that older versions wrote, as the text of SQL: they open, and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import summarize
from se_agent.events import SCHEMA_VERSION, Failed, dumps, loads
from se_agent.store.blobs import digest_of

OLD = Path(__file__).parent / "old"
GAINS = {1: 1.300038, 5: 1.400041, 8: 1.400041, 12: 1.400041, 16: 1.400041, 18: 1.400041}
"""What each version said that its run has gained."""
UNREAD = ".model"
"""What is not read of a proposal: the model, which replies name since version 7."""
KEPT = "the same instructions again and again\n" * 20


@pytest.fixture(params=GAINS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The run folder of a version."""
    script = (OLD / f"journal-{request.param}.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "run.db")) as db:
        db.executescript(script)
        db.execute("PRAGMA journal_mode = WAL")
    return tmp_path


def bodies(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "run.db")) as db:
        return [body for (body,) in db.execute("SELECT body FROM events ORDER BY id")]


def schema(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "run.db")) as db:
        (found,) = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    return int(found)


def lost(old: object, new: object, where: str = "") -> list[str]:
    """Return where a value has something that another one has not."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [each for key in old for each in lost(old[key], new.get(key), f"{where}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [each for at, (a, b) in pairs for each in lost(a, b, f"{where}[{at}]")]
    return [] if old == new else [where]


def test_each_event_is_read_with_all_that_it_says(old: Path) -> None:
    found = {
        (number, where)
        for number, body in enumerate(bodies(old), 1)
        for where in lost(json.loads(body), json.loads(dumps(loads(body))))
    }
    assert {where for _, where in found} <= {UNREAD}


def test_the_result_is_what_it_was(old: Path) -> None:
    before, version = (old / "run.db").read_bytes(), schema(old)
    with Journal(old / "run.db", write=False) as journal:
        result = summarize(old, journal.events())
    assert (result.status, result.evaluations) == ("proven", 3)
    assert result.gain == pytest.approx(GAINS[version])
    assert (old / "run.db").read_bytes() == before


@pytest.mark.parametrize("old", [8, 12, 16, 18], indirect=True)
def test_a_text_is_still_there(old: Path) -> None:
    with Journal(old / "run.db", write=False) as journal:
        assert journal.text(digest_of(KEPT)) == KEPT


def test_what_is_appended_raises_it_and_makes_no_copy(old: Path) -> None:
    before = bodies(old)
    with Journal(old / "run.db") as journal:
        journal.append(Failed(message="the machine gave up"))
    assert schema(old) == SCHEMA_VERSION
    assert bodies(old)[:-1] == before
    assert not list(old.glob("*.schema-*"))


def test_a_new_journal_has_the_tables_of_the_first_one(tmp_path: Path) -> None:
    Journal(tmp_path / "run.db").close()
    with closing(sqlite3.connect(tmp_path / "run.db")) as db:
        made = {line for line in db.iterdump() if line.startswith("CREATE")}
    first = (OLD / "journal-1.sql").read_text(encoding="utf-8")
    assert {statement for statement in made if statement not in first} == set()
    assert len(made) == first.count("CREATE ")
