"""A journal is read without what was learned: the same events, as if memory were off."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError
from se_agent.events import Learned
from tests.finished import events


def test_all_events_are_there_and_steps_have_no_lessons(tmp_path: Path) -> None:
    known = events(timed=True)
    with Journal(tmp_path / "run.db") as journal:
        journal.append(*known)
        light = list(journal.events(lessons=False))
    bare = {"lesson": None, "bank": None}
    assert light == [e.model_copy(update=bare) if isinstance(e, Learned) else e for e in known]
    assert any(isinstance(e, Learned) and e.lesson for e in known)


def test_an_event_that_is_no_json_is_named_as_ever(tmp_path: Path) -> None:
    known = events(timed=True)
    number = 1 + next(n for n, event in enumerate(known) if isinstance(event, Learned))
    with Journal(tmp_path / "run.db") as journal:
        journal.append(*known)
    with closing(sqlite3.connect(tmp_path / "run.db")) as db, db:
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE events SET body = '{\"kind\":' WHERE id = ?", (number,))
    told: list[str] = []
    with Journal(tmp_path / "run.db", write=False) as journal:
        with pytest.raises(JournalError, match=f"event {number}"):
            list(journal.events(lessons=False))
        assert len(list(journal.events(lessons=False, unread=told.append))) == len(known) - 1
    assert len(told) == 1
