"""The law of the store: no content with a row is ever removed, and no row is without one.

A machine saves, dies, sweeps, and sweeps in the middle of a save, over real files and a real
database; processes that are killed at random moments do the same.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from se_agent.errors import ArtifactError
from se_agent.memory.artifacts.artifact_index import ArtifactIndex
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.garbage import GarbageCollector
from se_agent.memory.artifacts.schema import EPHEMERAL, FILE, KIND, PERSISTENT
from se_agent.store.database import Database
from se_agent.values.artifact import ArtifactRef
from tests.memory.artifacts.killed import check, kill_round

DAY = timedelta(days=1)
TEXTS = st.sampled_from(["one", "two", "three" * 300])
TAGS = st.sampled_from([(EPHEMERAL,), (PERSISTENT,), (EPHEMERAL, PERSISTENT)])
_IMPATIENT = replace(KIND, patience=0.05)
PLACES = st.sampled_from(["before the content", "after the content", "before the row"])


class _KilledError(BaseException):
    """Stands for a kill: nothing catches it, and no transaction is finished."""


class _InterruptedIndex(ArtifactIndex):
    """An index in which something happens before a row is written."""

    def __init__(self, db: Database, happens: Callable[[], None]) -> None:
        super().__init__(db)
        self._happens = happens

    def write(
        self, ref: ArtifactRef, told: tuple[str, str, str, str], at: str, path: str
    ) -> None:
        self._happens()
        super().write(ref, told, at, path)


class _Interrupted(ArtifactStore):
    """A store in which something happens at a place of the next save."""

    happens: Callable[[str], None] = staticmethod(lambda _: None)

    def __init__(self, folder: Path, db: Database, clock: Callable[[], datetime]) -> None:
        super().__init__(folder, db, clock=clock)
        self.index = _InterruptedIndex(db, lambda: self.happens("before the row"))
        self.lock = self.index.lock

    def _write(self, place: str, data: bytes) -> None:
        self.happens("before the content")
        super()._write(place, data)
        self.happens("after the content")

    @contextmanager
    def writing(self) -> Iterator[None]:
        self.happens("before the lock")
        with super().writing():
            yield


class Store(RuleBasedStateMachine):
    """Two processes at one store: a saver, and a collector with a connection of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.held = TemporaryDirectory()
        folder = Path(self.held.name)
        self.now = datetime.now(UTC)
        self.one, self.other = (Database(folder / FILE, _IMPATIENT) for _ in range(2))
        self.saver = _Interrupted(folder, self.one, clock=lambda: self.now)
        self.store = _Interrupted(folder, self.other, clock=lambda: self.now)
        self.collector = GarbageCollector(self.store, grace=timedelta(0))
        self.persistent: set[str] = set()
        self.seen: set[str] = set()

    def teardown(self) -> None:
        self.one.close()
        self.other.close()
        self.held.cleanup()

    @rule(text=TEXTS, tags=TAGS, group=st.sampled_from("ab"))
    def save(self, text: str, tags: tuple[str, ...], group: str) -> None:
        ref = self.saver.save_artifact(text, title="t", tags=tags, group_id=group)
        self.seen.add(ref.digest)
        if PERSISTENT in tags:
            self.persistent.add(ref.digest)

    @rule(text=TEXTS, tags=TAGS, place=PLACES)
    def die(self, text: str, tags: tuple[str, ...], place: str) -> None:
        def kill(at: str) -> None:
            if at == place:
                raise _KilledError

        self.saver.happens = kill
        with suppress(_KilledError):
            self.save(text, tags, "c")
        self.saver.happens = lambda _: None

    @rule(text=TEXTS, tags=TAGS)
    def sweep_within_a_save(self, text: str, tags: tuple[str, ...]) -> None:
        def sweep(at: str) -> None:
            if at == "after the content":
                with suppress(ArtifactError):  # it waits for a save that is writing its row
                    self.collector.sweep(self.now + DAY)

        self.saver.happens = sweep
        self.save(text, tags, "d")
        self.saver.happens = lambda _: None

    @rule(text=TEXTS)
    def save_within_a_sweep(self, text: str) -> None:
        def save(_: str) -> None:
            self.store.happens = lambda _: None
            self.save(text, (PERSISTENT,), "e")

        self.store.happens = save
        self.collector.sweep(self.now + DAY)
        self.store.happens = lambda _: None

    @rule(days=st.integers(0, 5))
    def wait(self, days: int) -> None:
        self.now += days * DAY

    @rule(force=st.booleans())
    def collect(self, force: bool) -> None:
        self.collector.collect(self.now, force=force)

    @rule()
    def pin(self) -> None:
        for row in self.store.find()[:1]:
            self.store.retag(row.digest, add=(PERSISTENT,))
            self.persistent.add(row.digest)

    @rule(harm=st.sampled_from(["cut", "gone"]))
    def harm_and_save_again(self, harm: str) -> None:
        for row in self.store.find()[:1]:
            path = self.store.folder / row.path
            data = path.read_bytes()
            path.unlink() if harm == "gone" else os.truncate(path, 1)
            self.saver.save_artifact(data, title="t", tags=(PERSISTENT,))
            self.persistent.add(row.digest)

    @invariant()
    def each_row_has_its_content(self) -> None:
        rows = self.store.find()
        for row in rows:
            data = (self.store.folder / row.path).read_bytes()
            assert hashlib.sha256(data).hexdigest() == row.digest
        assert self.persistent <= {row.digest for row in rows}

    @invariant()
    def no_reference_dangles(self) -> None:
        for digest in self.seen:
            assert self.store.read_artifact(digest)


Store.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


TestInAnyOrder = pytest.mark.row("SQ-38", "SQ-40")(Store.TestCase)


@pytest.mark.tier("runs")
@pytest.mark.row("SQ-40", "SQ-42")
@pytest.mark.parametrize("seed", range(3))
def test_processes_that_are_killed_lose_nothing_that_they_acknowledged(
    tmp_path: Path, seed: int
) -> None:
    acknowledged = kill_round(tmp_path, seed)
    assert check(tmp_path, acknowledged) == []
