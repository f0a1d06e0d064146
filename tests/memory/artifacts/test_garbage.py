"""What ends and what stays: phases, tombstones, grace, the lock, clocks that are wrong."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from se_agent.errors import ArtifactError
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.garbage import LOCK, STATE, GarbageCollector
from se_agent.memory.artifacts.schema import EPHEMERAL, FILE, KIND, PERSISTENT
from se_agent.store.database import Database

NOON = datetime.now(UTC)  # files bear the time of the machine
DAY = timedelta(days=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ArtifactStore]:
    with Database(tmp_path / FILE, KIND) as db:
        yield ArtifactStore(tmp_path, db, clock=lambda: NOON)


@pytest.fixture
def collector(store: ArtifactStore) -> GarbageCollector:
    return GarbageCollector(store)


def contents(store: ArtifactStore) -> list[Path]:
    return sorted(path for path in store.blobs.rglob("*") if path.is_file())


class TestPhaseOne:
    @pytest.mark.row("SQ-33", "SQ-34", "SQ-35", "SQ-37")
    def test_what_is_ephemeral_ends_after_three_days_and_what_is_persistent_never(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        store.save_artifact("log", title="log")
        store.save_artifact("code", title="code", tags=(PERSISTENT,))
        store.save_artifact("pinned", title="pinned", tags=(EPHEMERAL, PERSISTENT))
        store.save_artifact("other", title="other", tags=("mine",))
        assert collector.expire(NOON + 3 * DAY) == 0
        assert collector.expire(NOON + 3 * DAY + timedelta(seconds=1)) == 1
        assert collector.expire(NOON + 3000 * DAY) == 0
        assert [row.title for row in store.find()] == ["code", "pinned", "other"]

    @pytest.mark.row("SQ-25", "SQ-37")
    def test_what_has_ended_still_says_what_it_was(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        ref = store.save_artifact("begin" + "x" * 1000 + "end", title="the log")
        collector.collect(NOON + 4 * DAY, force=True)
        assert contents(store) == []
        for name in (ref.name, ref.digest):
            said = store.read_artifact(name)
            day = (NOON + 4 * DAY).date()
            assert said.startswith(f"[the log: expired on {day}. It had 1008 bytes")
            assert "begin" in said
            assert said.endswith("end")
        with pytest.raises(ArtifactError, match="expired"):
            store.retag(ref.name, add=(PERSISTENT,))

    def test_what_is_saved_again_is_alive_again(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        ref = store.save_artifact("log", title="log")
        collector.collect(NOON + 4 * DAY, force=True)
        store.save_artifact("log", title="log")
        assert store.read_artifact(ref.name) == "log"

    def test_a_content_lives_as_long_as_the_last_row_of_it(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        ref = store.save_artifact("log", title="log", group_id="one")
        store.save_artifact("log", title="log", group_id="two", tags=(PERSISTENT,))
        collector.collect(NOON + 4 * DAY, force=True)
        assert [row.group_id for row in store.find()] == ["two"]
        assert store.read_artifact(ref.name) == "log"

    def test_of_one_run_no_output_of_another_ends(self, store: ArtifactStore) -> None:
        for name in ("one", "two"):
            store.save_artifact(name, title=name, group_id=name)
        collector = GarbageCollector(store, group_id="one")
        assert collector.due(NOON + 4 * DAY) == 1
        assert collector.expire(NOON + 4 * DAY) == 1
        assert [row.title for row in store.find()] == ["two"]

    def test_days_are_those_of_the_settings(self, store: ArtifactStore) -> None:
        store.save_artifact("log", title="log")
        collector = GarbageCollector(store, retention_days=10)
        assert collector.due(NOON + 9 * DAY) == 0
        assert collector.due(NOON + 11 * DAY) == 1


class TestPhaseTwo:
    @pytest.mark.row("SQ-36", "SQ-38", "SQ-40")
    def test_what_a_crash_left_goes_and_what_has_a_row_stays(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        kept = store.save_artifact("kept", title="t")
        lost = store.save_artifact("of a write whose row failed", title="t")
        store.db.execute("DELETE FROM artifacts WHERE content_hash = ?", (lost.digest,))
        unfinished = contents(store)[0].parents[2] / ".part-1-ab"
        unfinished.write_text("cut")
        foreign = store.blobs / "README"
        foreign.write_text("somebody else's")
        report = collector.sweep(NOON + 2 * DAY)
        assert report.removed == 2
        assert report.freed == len("of a write whose row failed") + len("cut")
        assert {path.name for path in contents(store)} == {kept.digest, "README"}

    def test_what_is_young_may_be_on_its_way_to_a_row(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        store.save_artifact("young", title="t")
        store.db.execute("DELETE FROM artifacts")
        now = datetime.now(UTC)  # NOON may be an hour ago: it is read when tests are collected
        assert collector.sweep(now + timedelta(hours=23)).removed == 0
        assert collector.sweep(now + timedelta(hours=25)).removed == 1

    def test_empty_folders_go(self, store: ArtifactStore, collector: GarbageCollector) -> None:
        store.save_artifact("log", title="t")
        collector.collect(NOON + 4 * DAY, force=True)
        assert [*store.blobs.iterdir()] == []

    def test_a_second_file_of_a_content_goes_too(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        ref = store.save_artifact("log", title="t", tags=(PERSISTENT,))
        (path,) = contents(store)
        second = store.blobs / "2001/01/01" / path.relative_to(path.parents[2])
        second.parent.mkdir(parents=True)
        second.write_bytes(path.read_bytes())
        assert collector.sweep(NOON + 2 * DAY).removed == 1
        assert contents(store) == [path]
        assert store.read_artifact(ref.name) == "log"

    def test_links_are_not_followed(
        self, store: ArtifactStore, collector: GarbageCollector, tmp_path: Path
    ) -> None:
        ref = store.save_artifact("log", title="t")
        away = tmp_path / "away" / ref.digest[:2] / ref.digest[2:4]
        away.mkdir(parents=True)
        (away / ref.digest).write_text("log")
        (store.blobs / "2001/01").mkdir(parents=True)
        (store.blobs / "2001/01/01").symlink_to(tmp_path / "away")
        collector.collect(NOON + 4 * DAY, force=True)
        assert (away / ref.digest).exists()


class TestCollecting:
    @pytest.mark.row("SQ-04", "SQ-32", "SQ-39", "SQ-43", "SQ-56")
    def test_rows_end_each_time_and_contents_go_once_a_week(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        assert collector.collect(NOON).swept
        store.save_artifact("log", title="t")
        report = collector.collect(NOON + 6 * DAY)
        assert (report.expired, report.swept, report.removed) == (1, False, 0)
        assert len(contents(store)) == 1
        assert collector.collect(NOON + 7 * DAY).removed == 1
        told = json.loads((store.folder / STATE).read_text())
        assert set(map(datetime.fromisoformat, told.values())) == {
            (NOON + 7 * DAY).replace(microsecond=0)
        }
        assert (store.folder / STATE).stat().st_mode & 0o777 == 0o600

    @pytest.mark.row("SQ-42")
    def test_one_process_at_a_time_collects(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        store.save_artifact("log", title="t")
        with (store.folder / LOCK).open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            report = collector.collect(NOON + 4 * DAY, force=True)
        assert report.note == "another process is collecting"
        assert report.expired == 0
        assert len(store.find()) == 1
        assert collector.collect(NOON + 4 * DAY, force=True).expired == 1

    def test_a_dry_run_changes_nothing(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        store.save_artifact("log", title="t")
        store.save_artifact("lost", title="t")
        store.db.execute("DELETE FROM artifacts WHERE id = 2")
        report = collector.collect(NOON + 4 * DAY, dry_run=True)
        assert (report.expired, report.removed) == (1, 1)
        assert len(contents(store)) == 2
        assert len(store.find()) == 1
        assert not (store.folder / STATE).exists()

    @pytest.mark.parametrize(
        "text", ["", "[]", '{"swept": 7}', '{"swept": "2026-01-01"}', "\0"]
    )
    def test_a_state_that_cannot_be_read_is_none(
        self, store: ArtifactStore, collector: GarbageCollector, text: str
    ) -> None:
        (store.folder / STATE).write_text(text)
        assert collector.collect(NOON).swept
        assert json.loads((store.folder / STATE).read_text())

    @pytest.mark.parametrize("collected", [True, False])
    def test_a_clock_a_year_ahead_ends_nothing(
        self, store: ArtifactStore, collector: GarbageCollector, collected: bool
    ) -> None:
        store.save_artifact("log", title="t")
        if collected:
            collector.collect(NOON)
        report = collector.collect(NOON + 365 * DAY)
        assert "365 days past" in report.note
        assert "gc --force" in report.note
        assert len(store.find()) == len(contents(store)) == 1
        assert collector.collect(NOON + 365 * DAY, force=True).expired == 1

    def test_a_clock_a_year_behind_ends_nothing_and_is_forgotten(
        self, store: ArtifactStore, collector: GarbageCollector
    ) -> None:
        collector.collect(NOON)
        store.save_artifact("log", title="t")
        report = collector.collect(NOON - 365 * DAY)
        assert (report.expired, report.removed) == (0, 0)
        assert len(store.find()) == len(contents(store)) == 1

    def test_a_link_in_place_of_the_lock_is_refused(
        self, store: ArtifactStore, collector: GarbageCollector, tmp_path: Path
    ) -> None:
        (store.folder / LOCK).symlink_to(tmp_path / "other")
        with pytest.raises(ArtifactError, match="link"):
            collector.collect(NOON)
        assert not os.path.lexists(tmp_path / "other")
