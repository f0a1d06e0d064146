"""Runs are read from folders in any state; what cannot be read is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.analysis.records import read_run, read_runs, run_folders_of
from se_agent.engine.journal.journal import Journal
from se_agent.environment.machine import machine_words
from se_agent.errors import ConfigError, JournalError
from se_agent.events import Learned
from tests.analysis.arms import run_in
from tests.finished import recorded, unfinished
from tests.report.html.runs import asked_run


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs."""
    home = tmp_path_factory.mktemp("records") / "runs"
    run_in(home, "one", seed=3)
    run_in(home, "two", timed=False)
    return home


@pytest.mark.tier("runs")
def test_a_run_has_its_result_its_machine_and_its_course(home: Path) -> None:
    found = read_run(home / "one")
    assert (found.result.seed, found.is_over, found.is_timed) == (3, True, True)
    assert found.machine == machine_words()
    effects = [point.effect for point in found.course]
    assert effects == sorted(effects)
    assert effects[0] > 0
    assert found.searched.evaluations == found.result.evaluations
    assert not read_run(home / "two").is_timed


@pytest.mark.tier("runs")
def test_the_course_ends_with_the_effect_of_the_incumbent(home: Path) -> None:
    learned = [event for event in recorded(home / "one") if isinstance(event, Learned)]
    effects = {event.child: event.effect for event in learned if event.effect is not None}
    assert read_run(home / "one").searched.effect == effects[learned[-1].best]


@pytest.mark.tier("runs")
def test_a_folder_of_folders_names_its_arms(home: Path) -> None:
    found = run_folders_of(home.parent)
    assert found == [(home / "one", "runs"), (home / "two", "runs")]
    assert run_folders_of(home) == [(home / "one", ""), (home / "two", "")]
    assert run_folders_of(home / "one") == [(home / "one", "")]
    assert run_folders_of(home / "one" / "run.db") == [(home / "one", "")]


def test_a_place_is_given_a_name(home: Path) -> None:
    assert run_folders_of(f"mine={home}") == [(home / "one", "mine"), (home / "two", "mine")]


@pytest.mark.parametrize("place", ["none", "."])
def test_a_place_without_runs_is_refused(place: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no such folder|there is no run in it"):
        run_folders_of(tmp_path / place)


@pytest.mark.tier("runs")
def test_runs_that_are_damaged_or_have_not_ended_are_named_and_left_out(
    home: Path, tmp_path: Path
) -> None:
    part = unfinished(tmp_path, 20)
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "run.db").write_bytes(b"no journal" * 100)
    found = read_runs([home, part, tmp_path / "damaged"])
    assert [run.folder.name for run in found.runs] == ["one", "two"]
    left_out = dict(found.left_out)
    assert left_out.keys() == {part, tmp_path / "damaged"}
    assert left_out[part] == "interrupted: it has no result yet"
    assert "not a journal" in left_out[tmp_path / "damaged"]


@pytest.mark.tier("runs")
def test_a_run_under_way_is_read_while_it_is_written(tmp_path: Path) -> None:
    part = unfinished(tmp_path, 40)
    with Journal(part / "run.db"):
        assert read_run(part).result.status == "running"
        (left,) = read_runs([part]).left_out
        assert left.why == "running: it has no result yet"
    assert read_run(part).result.status == "interrupted"


def test_an_event_that_cannot_be_read_leaves_its_run_out(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "torn"
    copy.mkdir()
    (copy / "run.db").write_bytes((home / "one" / "run.db").read_bytes())
    with closing(sqlite3.connect(copy / "run.db")) as db, db:
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE events SET body = '{' WHERE id = 9")
    with pytest.raises(JournalError, match="event 9"):
        read_run(copy)
    (left,) = read_runs([copy]).left_out
    assert "event 9" in left.why


def test_reading_writes_nothing(home: Path) -> None:
    before = contents(home)
    read_runs([home])
    assert before == contents(home)


def contents(home: Path) -> dict[Path, bytes]:
    """Return all files but those that SQLite itself keeps beside a journal that is read."""
    files = (path for path in home.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in files if path.name[-4:] not in {"-shm", "-wal"}}


@pytest.mark.tier("runs")
def test_programs_that_models_wrote_are_counted(tmp_path: Path) -> None:
    run = read_run(asked_run(tmp_path, evaluations=9))
    assert run.result.calls >= run.result.written > 0
