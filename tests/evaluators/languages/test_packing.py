"""Classes in one file: the same bytes for the same classes, and nothing from elsewhere."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from evaluators.languages.packing import packed

NAMES = ("Main.class", "Main$1.class", "shapes/Square.class")
MOST = 1 << 20


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    for name in NAMES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name.encode())
    return tmp_path


def test_all_classes_are_there(classes: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(packed(classes, MOST))) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == {
            name: name for name in NAMES
        }


def test_when_they_were_made_does_not_count(classes: Path) -> None:
    before = packed(classes, MOST)
    os.utime(classes / NAMES[0], (10**9, 10**9))
    (classes / NAMES[1]).unlink()
    (classes / NAMES[1]).write_bytes(NAMES[1].encode())
    assert packed(classes, MOST) == before


def test_links_are_not_followed(classes: Path) -> None:
    (classes / "Other.class").symlink_to(__file__)
    (classes / "more").symlink_to(Path(__file__).parent)
    with zipfile.ZipFile(io.BytesIO(packed(classes, MOST))) as archive:
        assert set(archive.namelist()) == set(NAMES)


def test_without_a_class_to_start_there_is_no_program(classes: Path) -> None:
    (classes / "Main.class").unlink()
    with pytest.raises(ValueError, match="there is no class `Main`"):
        packed(classes, MOST)


def test_they_may_not_be_too_large(classes: Path) -> None:
    with pytest.raises(ValueError, match="take more than 0 MB"):
        packed(classes, 20)
