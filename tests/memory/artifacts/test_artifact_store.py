"""The artifact store: contents kept once, found by their hash, and never handed out wrong."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import ArtifactError
from se_agent.memory.artifacts.artifact_store import HEAD, TAIL, ArtifactStore
from se_agent.memory.artifacts.schema import EPHEMERAL, FILE, KIND, PERSISTENT
from se_agent.memory.workspace.workspace import Workspace
from se_agent.store.database import Database

NOON = datetime(2026, 2, 8, 12, tzinfo=UTC)


class Clock:
    """A clock that stands still until somebody moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[ArtifactStore]:
    with Database(tmp_path / FILE, KIND) as db:
        yield ArtifactStore(tmp_path, db, clock=clock)


def files(store: ArtifactStore) -> list[str]:
    return sorted(
        str(p.relative_to(store.folder)) for p in store.blobs.rglob("*") if p.is_file()
    )


def blob(store: ArtifactStore) -> Path:
    (one,) = files(store)
    return store.folder / one


class TestSaving:
    @pytest.mark.row("SQ-08", "SQ-54", "SQ-59")
    def test_what_was_saved_is_read_whole_or_in_slices(self, store: ArtifactStore) -> None:
        text = "".join(f"line {n}\n" for n in range(2000))
        ref = store.save_artifact(text, title="the log")
        assert store.content_of(ref.digest).decode() == text
        assert store.read_artifact(ref.name, size=10**6) == text
        assert store.read_artifact(ref.name) == text[:8000]
        assert store.read_artifact(ref.name, start=100, size=7) == text[100:107]

    @pytest.mark.row("SQ-12", "SQ-55")
    def test_a_content_lies_under_its_day_and_its_hash(self, store: ArtifactStore) -> None:
        digest = hashlib.sha256(b"seen").hexdigest()
        store.save_artifact(b"seen", title="t")
        place = f"artifacts/blobs/2026/02/08/{digest[:2]}/{digest[2:4]}/{digest}"
        assert files(store) == [place]
        assert store.find()[0].path == place

    @pytest.mark.row("SQ-46", "SQ-49")
    def test_one_content_of_two_groups_on_two_days_is_two_rows_and_one_file(
        self, store: ArtifactStore, clock: Clock
    ) -> None:
        store.save_artifact("seen", title="t", group_id="one")
        clock.now += timedelta(days=1)
        store.save_artifact("seen", title="t", group_id="two")
        assert len(files(store)) == 1
        assert [row.group_id for row in store.find()] == ["one", "two"]
        assert len({row.path for row in store.find()}) == 1

    def test_the_same_artifact_again_is_no_row_more_and_lives_anew(
        self, store: ArtifactStore, clock: Clock
    ) -> None:
        store.save_artifact("seen", title="t")
        clock.now += timedelta(days=1)
        store.save_artifact("seen", title="t", tags=("mine",))
        (row,) = store.find()
        assert row.created_at == "2026-02-09T12:00:00+00:00"
        assert row.tags == ("mine", EPHEMERAL)

    @pytest.mark.row("SQ-23")
    def test_a_reference_has_the_beginning_and_the_end(self, store: ArtifactStore) -> None:
        text = "a" * HEAD + "b" * 1000 + "c" * TAIL
        ref = store.save_artifact(text, title="t")
        assert (ref.head, ref.tail) == ("a" * 500, "c" * 200)

    @pytest.mark.tier("runs")
    @given(st.binary(max_size=3000) | st.text(max_size=3000))
    def test_preview_and_content_are_of_one_text(self, content: bytes | str) -> None:
        with TemporaryDirectory() as folder, Workspace.open(Path(folder)) as workspace:
            store = workspace.artifacts()
            ref = store.save_artifact(content, title="t")
            data = store.content_of(ref.digest)
            text = data.decode("utf-8", "replace")
            assert hashlib.sha256(data).hexdigest() == ref.digest
            assert text.startswith(ref.head)
            assert text.endswith(ref.tail)
            assert len(ref.head + ref.tail) == min(len(text), HEAD + TAIL)

    def test_a_title_is_one_line(self, store: ArtifactStore) -> None:
        assert store.save_artifact("x", title="a\n# b\x1b[0m").title == "a # b [0m"

    def test_a_tag_is_a_word(self, store: ArtifactStore) -> None:
        with pytest.raises(ArtifactError, match="no tag"):
            store.save_artifact("x", title="t", tags=('a"b',))
        assert store.find() == []

    def test_rights_hold_whatever_the_umask(self, store: ArtifactStore) -> None:
        for umask in (0o000, 0o777):
            before = os.umask(umask)
            try:
                store.save_artifact(f"seen {umask}", title="t")
            finally:
                os.umask(before)
        modes = {(p.is_file(), p.stat().st_mode & 0o777) for p in store.blobs.rglob("*")}
        assert modes == {(True, 0o600), (False, 0o700)}

    def test_a_link_in_place_of_a_folder_leads_nowhere(
        self, store: ArtifactStore, tmp_path: Path
    ) -> None:
        (away := tmp_path / "away").mkdir()
        (store.folder / "artifacts").symlink_to(away)
        with pytest.raises(ArtifactError, match="link or a file"):
            store.save_artifact("x", title="t")
        assert list(away.iterdir()) == []
        assert store.find() == []


class TestTheIndex:
    @pytest.mark.row("SQ-11", "SQ-47", "SQ-48", "SQ-50", "SQ-51")
    def test_it_has_the_columns_and_the_indexes_of_the_seed(self, store: ArtifactStore) -> None:
        with closing(sqlite3.connect(store.db.path)) as db:
            columns = [
                (name, kind, bool(needed), bool(key))
                for _, name, kind, needed, _, key in db.execute("PRAGMA table_info(artifacts)")
            ]
            (made,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'artifacts'")
            indexes = {
                name: [one[2] for one in db.execute(f"PRAGMA index_info({name})")]
                for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
                if name.startswith("idx_")
            }
        assert columns == [
            ("id", "INTEGER", False, True),
            ("content_hash", "TEXT", True, False),
            ("group_id", "TEXT", False, False),
            ("title", "TEXT", False, False),
            ("tags", "TEXT", False, False),
            ("author", "TEXT", False, False),
            ("created_at", "TIMESTAMP", False, False),
            ("path", "TEXT", False, False),
            ("size", "INTEGER", False, False),
            ("mime", "TEXT", False, False),
        ]
        assert "id INTEGER PRIMARY KEY AUTOINCREMENT" in made[0]
        assert indexes == {
            "idx_content_hash": ["content_hash"],
            "idx_tags": ["tags"],
            "idx_created": ["created_at"],
            "idx_tag": ["tag", "artifact_id"],
        }

    @pytest.mark.row("SQ-41")
    def test_readers_and_a_writer_do_not_wait_for_each_other(
        self, store: ArtifactStore
    ) -> None:
        store.save_artifact("seen", title="t")
        with store.db.transaction(), Database(store.db.path, KIND, write=False) as other:
            store.db.execute("UPDATE artifacts SET title = 'new'")
            assert [row.title for row in ArtifactStore(store.folder, other).find()] == ["t"]
        with closing(sqlite3.connect(store.db.path)) as db:
            assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    def test_rows_are_found_by_group_tag_and_time(
        self, store: ArtifactStore, clock: Clock
    ) -> None:
        store.save_artifact("one", title="1", group_id="g", tags=("a",))
        clock.now += timedelta(days=1)
        store.save_artifact("two", title="2", group_id="g", tags=("a", "b"))
        store.save_artifact("three", title="3", group_id="h", tags=("b",))
        assert [row.title for row in store.find(group_id="g")] == ["1", "2"]
        assert [row.title for row in store.find(tag="b")] == ["2", "3"]
        assert [row.title for row in store.find(since="2026-02-09")] == ["2", "3"]
        assert [row.title for row in store.find(group_id="g", tag="b")] == ["2"]

    def test_tags_are_given_and_taken(self, store: ArtifactStore) -> None:
        ref = store.save_artifact("x", title="t", group_id="g")
        store.save_artifact("x", title="t", group_id="h")
        store.retag(ref.name, add=(PERSISTENT,), drop=(EPHEMERAL,))
        store.retag("2", add=("mine",))
        assert [row.tags for row in store.find()] == [(PERSISTENT,), ("mine", PERSISTENT)]
        assert [row.id for row in store.find(tag="mine")] == [2]
        assert store.find(tag=EPHEMERAL) == []


class TestNames:
    def test_a_number_a_hash_and_its_beginning_mean_the_same(
        self, store: ArtifactStore
    ) -> None:
        ref = store.save_artifact("seen", title="t")
        assert {store.read_artifact(one) for one in ("1", ref.digest, ref.name)} == {"seen"}

    @pytest.mark.parametrize(
        "name",
        [
            "../../etc/passwd",
            "",
            "2",
            "0" * 12,
            "%",
            "' OR 1=1 --",
            "\0",
            "\u0661",
            "A" * 12,
            "9" * 40,
        ],
    )
    def test_what_was_never_kept_is_said_in_two_lines(
        self, store: ArtifactStore, name: str
    ) -> None:
        store.save_artifact("seen", title="t")
        with pytest.raises(ArtifactError, match="no artifact") as caught:
            store.read_artifact(name)
        assert "artifact ls" in caught.value.hint
        with pytest.raises(ArtifactError, match="no artifact"):
            store.retag(name, add=("mine",))

    def test_a_beginning_of_two_contents_is_none(self, store: ArtifactStore) -> None:
        ref = store.save_artifact("seen", title="t")
        store.db.execute(
            "INSERT INTO tombstones SELECT substr(content_hash, 1, 60) || '0000', title, size,"
            " head, tail, expired_at FROM tombstones"
        )
        with pytest.raises(ArtifactError, match="several"):
            store.read_artifact(ref.name)
        assert store.read_artifact(ref.digest) == "seen"

    def test_a_slice_begins_in_the_text(self, store: ArtifactStore) -> None:
        ref = store.save_artifact("seen", title="t")
        assert store.read_artifact(ref.name, start=100) == ""
        with pytest.raises(ArtifactError, match="no slice"):
            store.read_artifact(ref.name, start=-1)


class TestDamage:
    @pytest.mark.parametrize("harm", ["missing", "cut", "flipped"])
    def test_a_lost_content_leaves_its_preview_and_comes_back_with_the_next_save(
        self, store: ArtifactStore, harm: str
    ) -> None:
        text = "begin" + "x" * 2000 + "end"
        ref = store.save_artifact(text, title="log")
        path = blob(store)
        if harm == "missing":
            path.unlink()
        else:
            data = path.read_bytes()
            path.write_bytes(data[:100] if harm == "cut" else b"B" + data[1:])
        said = store.read_artifact(ref.name)
        assert said.startswith("[log: artifact ")
        assert "begin" in said
        assert said.endswith("end")
        with pytest.raises(ArtifactError, match="its content") as caught:
            store.content_of(ref.digest)
        assert "doctor" in caught.value.hint
        store.save_artifact(text, title="log")
        assert store.read_artifact(ref.name) == text[:8000]

    def test_a_path_of_a_forged_index_is_not_followed(self, store: ArtifactStore) -> None:
        ref = store.save_artifact("seen", title="t")
        store.db.execute("UPDATE artifacts SET path = 'artifacts/blobs/../../../etc/passwd'")
        with pytest.raises(ArtifactError, match="no such path"):
            store.content_of(ref.digest)
        with pytest.raises(ArtifactError, match="no such path"):
            store.save_artifact("seen", title="t")

    def test_rows_of_another_shape_are_damage(self, store: ArtifactStore) -> None:
        store.save_artifact("seen", title="t")
        store.db.execute("UPDATE artifacts SET tags = '7'")
        with pytest.raises(ArtifactError, match="its rows"):
            store.find()
