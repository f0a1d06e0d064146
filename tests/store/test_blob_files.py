"""Contents on disk: where they lie, and that they are whole or not there."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.store.blob_files import (
    digest_at,
    is_intact,
    is_place,
    make_folders,
    place_of,
    places,
    write_blob,
)

DAY = date(2026, 2, 8)
DIGESTS = st.binary(max_size=8).map(lambda data: hashlib.sha256(data).hexdigest())


class TestPlaces:
    @pytest.mark.row("SQ-12")
    @given(DIGESTS, st.dates())
    def test_a_place_tells_its_content(self, digest: str, day: date) -> None:
        place = place_of(digest, day)
        assert digest_at(place) == digest
        assert is_place(place, digest)

    @pytest.mark.parametrize(
        "place",
        ["", "../../etc/passwd", "2026/02/08/ab/cd/short", "/2026/02/08", "2026/02/08/.part-1"],
    )
    def test_other_paths_are_none(self, place: str) -> None:
        assert digest_at(place) == ""
        assert not is_place(place, "")

    def test_folders_that_do_not_fit_the_hash_are_none(self) -> None:
        digest = hashlib.sha256(b"x").hexdigest()
        assert not is_place(f"2026/02/08/zz/zz/{digest}", digest)
        assert not is_place(place_of(digest, DAY), "0" * 64)

    @pytest.mark.row("SQ-44")
    def test_contents_of_a_day_lie_in_one_folder(self) -> None:
        digests = [hashlib.sha256(bytes([n])).hexdigest() for n in range(100)]
        assert {place_of(one, DAY)[:11] for one in digests} == {"2026/02/08/"}
        assert place_of(digests[0], date(2026, 2, 9)) > max(place_of(d, DAY) for d in digests)

    @pytest.mark.row("SQ-45")
    def test_no_folder_holds_many_of_them(self) -> None:
        digests = (hashlib.sha256(str(n).encode()).hexdigest() for n in range(20_000))
        held: dict[str, set[str]] = {}
        for place in (place_of(one, DAY) for one in digests):
            parts = place.split("/")
            for depth in range(3, 6):
                held.setdefault("/".join(parts[:depth]), set()).add(parts[depth])
        assert max(map(len, held.values())) <= 256


class TestWriting:
    @pytest.mark.row("SQ-46")
    @given(st.lists(st.binary(max_size=200), max_size=6))
    def test_what_is_written_is_there_whole_and_once(self, contents: list[bytes]) -> None:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as held:
            root = Path(held)
            for data in contents:
                digest = hashlib.sha256(data).hexdigest()
                write_blob(root, place_of(digest, DAY), data)
                assert is_intact(root, place_of(digest, DAY), digest)
            assert len([*places(root)]) == len(set(contents))

    def test_a_file_in_place_of_a_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "2026").write_text("x")
        with pytest.raises(OSError, match="a folder is due"):
            make_folders(tmp_path, tmp_path / "2026" / "02")

    def test_a_content_that_cannot_be_written_leaves_nothing(self, tmp_path: Path) -> None:
        digest = hashlib.sha256(b"x").hexdigest()
        (tmp_path / place_of(digest, DAY)).mkdir(parents=True)
        with pytest.raises(OSError, match="directory"):
            write_blob(tmp_path, place_of(digest, DAY), b"x")
        assert [*places(tmp_path)] == []

    def test_places_of_a_folder_that_is_not_there_are_none(self, tmp_path: Path) -> None:
        assert [*places(tmp_path / "none")] == []
