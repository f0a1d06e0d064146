"""Runs of before there were tables in `[memory]`: resumed, replayed and told as any other."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.config.changes import merged_table
from se_agent.config.run_file import Run, as_record
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.cell_record import CellRecord
from se_agent.engine.journal.folder import configuration_of
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import summarize
from se_agent.engine.journal.row_fingerprint import deciding_settings, with_flat_memory
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.problem.dataset import DatasetRow, Slow
from se_agent.values.evaluation import ComparisonKind
from tests.config import outside
from tests.engine.runs import Crash, events_of, factory, ran
from tests.fakes import number_problem, number_run

MEMORY = {"prior": False, "local": {"token_limit": 200, "directions_limit": 2}}
FLAT = {"memory.prior": False, "memory.token_limit": 200, "memory.directions_limit": 2}


def made_older(folder: Path) -> None:
    """Write the journal of a run as the version with schema 16 wrote it."""
    with closing(sqlite3.connect(folder / "run.db")) as db, db:
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE meta SET value = 16 WHERE key = 'schema'")
        (text,) = db.execute("SELECT body FROM events WHERE kind = 'started'").fetchone()
        body = json.loads(text)
        body["config"] = with_flat_memory(body["config"])
        body["settings"] = FLAT
        changed = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        db.execute("UPDATE events SET body = ? WHERE kind = 'started'", (changed,))


@pytest.mark.tier("runs")
@pytest.mark.parametrize("after", [3, 40, 100])
def test_such_a_run_is_resumed_to_the_same_end(tmp_path: Path, after: int) -> None:
    whole = ran(tmp_path, name="whole", memory=MEMORY)
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, name="old", memory=MEMORY),
            problem=number_problem(),
            listeners=[Crash(after)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    made_older(tmp_path / "old")
    resumed = resume(tmp_path / "old", evaluators=factory(ComparisonKind.EXACT))
    assert canonical(events_of(resumed))[1:] == canonical(events_of(whole))[1:]
    assert replay(tmp_path / "old").differences == ()


@pytest.mark.tier("runs")
def test_such_a_run_is_replayed_and_goes_on_with_more(tmp_path: Path) -> None:
    ran(tmp_path, memory=MEMORY)
    made_older(tmp_path / "run")
    assert replay(tmp_path / "run").differences == ()
    more = resume(
        tmp_path / "run",
        evaluators=factory(ComparisonKind.EXACT),
        overrides=["budget.evaluations=60"],
    )
    assert more.evaluations > 30
    assert replay(tmp_path / "run").differences == ()


@pytest.mark.tier("runs")
def test_such_a_run_is_told_by_the_keys_of_today(tmp_path: Path) -> None:
    ran(tmp_path, memory=MEMORY)
    made_older(tmp_path / "run")
    local = configuration_of(tmp_path / "run").memory.local
    assert (local.token_limit, local.directions_limit) == (200, 2)
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        settings = summarize(tmp_path / "run", journal.events()).settings
    assert settings == {
        "memory.prior": False,
        "memory.local.token_limit": 200,
        "memory.local.directions_limit": 2,
    }


@pytest.mark.parametrize(
    ("models", "fingerprint"),
    [
        pytest.param({}, "5f01cbafb4fb7a1dcf0680536600bd22", id="no-model"),
        pytest.param({"main": {"name": "m"}}, "d12c689f5a3a9a3c20de589ac514f640", id="a-model"),
    ],
)
def test_a_skipped_row_of_before_is_the_same_row(
    tmp_path: Path, models: dict[str, object], fingerprint: str
) -> None:
    """The fingerprints are those of the version before."""
    memory = {"prior": "read", "local": {"token_limit": 300}}
    values = {"problem": "p", "name": "a", "memory": memory, "models": models}
    row = DatasetRow(id="a", entry_point="f", slow=Slow(code="def f(): pass\n"))
    record = CellRecord(row, Run.model_validate({**values, "results": str(tmp_path)}))
    assert record.skip("too_small", "too small").fingerprint == fingerprint
    record.check()


def test_a_section_that_says_nothing_leaves_a_skipped_row_as_it_is(tmp_path: Path) -> None:
    row = DatasetRow(id="a", entry_point="f", slow=Slow(code="def f(): pass\n"))
    values = {"problem": "p", "name": "a", "results": str(tmp_path)}
    before = CellRecord(row, Run.model_validate(values)).skip("too_small", "").fingerprint
    with outside.installed(tmp_path, {"far": "Far", "memory.echo": "Echo"}):
        CellRecord(row, Run.model_validate(values)).check()
        said = Run.model_validate({**values, "far": {"away": 9}})
        assert CellRecord(row, said).skip("too_small", "").fingerprint != before


def test_a_key_that_is_new_leaves_a_skipped_row_as_it_is_until_it_is_set() -> None:
    models = {"main": {"name": "m"}}
    known = as_record(Run.model_validate({"problem": "p", "models": models}))
    for path in (("newer",), ("judge", "newer"), ("memory", "local", "newer")):
        more = merged_table(known, {".".join(path): 7})
        assert deciding_settings(more) != deciding_settings(known)
    # `folds` and `memory.tiers` came after the first fingerprints.
    assert not {"folds", "memory.tiers"} & deciding_settings(known).keys()
    tiers = merged_table(known, {"memory.tiers": ["notes"]})
    assert deciding_settings(tiers)["memory.tiers"] == ["notes"]
