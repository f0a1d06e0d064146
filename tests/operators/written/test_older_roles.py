"""Journals of before `rewrite`, `refine` and `replan` are read, replayed and gone on with."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.chat.events import Replied
from se_agent.config.run_file import Run
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import events_of, factory
from tests.engine.talking import of
from tests.fakes import number_problem, number_run
from tests.operators.written.test_in_a_run import WRITTEN, Reader

OLDER = {"refine": "mutate", "rewrite": "mutate", "replan": "plan"}


def config(results: Path) -> Run:
    return number_run(
        results,
        operators=list(WRITTEN),
        models={"main": {"name": "reader", "provider": f"{Reader.__module__}:Reader"}},
        budget={"calls": 60},
        asking={"in_flight": 1},
    )


def made_older(folder: Path, *, events: int) -> None:
    """Write a journal as before the roles were split, and only so many of its events."""
    with closing(sqlite3.connect(folder / "run.db")) as db, db:
        db.execute("DROP TRIGGER no_update")
        db.execute("DROP TRIGGER no_delete")
        db.execute("DELETE FROM events WHERE id > ?", (events,))
        for new, old in OLDER.items():
            db.execute(
                "UPDATE events SET body = replace(body, ?, ?)",
                (f'"role":"{new}"', f'"role":"{old}"'),
            )


@pytest.mark.tier("library")
def test_a_journal_with_the_older_roles_is_replayed_and_no_reply_is_paid_twice(
    tmp_path: Path,
) -> None:
    evaluators = factory(ComparisonKind.EXACT)
    whole = start(config(tmp_path), problem=number_problem(), evaluators=evaluators)
    events, folder = events_of(whole), Path(whole.run)
    assert {reply.role for reply in of(events, Replied)} >= {"rewrite", "refine", "plan"}
    place = [n for n, event in enumerate(events, 1) if isinstance(event, Replied)][20]
    made_older(folder, events=place)
    before = of([*events_of(whole)], Replied)
    assert {reply.role for reply in before} == {"mutate", "plan", "repair"}
    assert replay(folder).differences == ()
    replies = of(events_of(resume(folder, evaluators=evaluators)), Replied)
    calls = [(reply.slot, reply.attempt) for reply in replies]
    assert len(calls) == len({*calls})
    assert replies[: len(before)] == before
    assert replay(folder).differences == ()
