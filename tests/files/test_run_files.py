"""Files of a results folder: regular ones are read and written, nothing else is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from se_agent.files.run_files import LARGEST, content, open_regular, replace_whole, write_whole


def linked(path: Path) -> None:
    (path.parent / "outside").write_bytes(b"theirs")
    path.symlink_to("outside")


ODD: dict[str, Callable[[Path], object]] = {
    "link": linked,
    "link-to-nothing": lambda path: path.symlink_to("nothing"),
    "device": lambda path: path.symlink_to("/dev/zero"),
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
}


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_what_is_no_file_is_neither_read_nor_written(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    path = tmp_path / "file"
    make(path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match="it is a link, a device, a pipe or a folder"):
        content(path)
    with pytest.raises(OSError, match="it is a link, a device, a pipe or a folder"):
        write_whole(path, b"ours")
    assert sorted(tmp_path.iterdir()) == before
    assert not (tmp_path / "outside").exists() or content(tmp_path / "outside") == b"theirs"


def test_a_file_is_written_anew_and_read(tmp_path: Path) -> None:
    write_whole(tmp_path / "file", b"a longer text")
    write_whole(tmp_path / "file", b"ours")
    assert content(tmp_path / "file") == b"ours"


def test_a_file_with_another_name_is_read_and_not_written(tmp_path: Path) -> None:
    write_whole(tmp_path / "outside", b"theirs")
    (tmp_path / "file").hardlink_to(tmp_path / "outside")
    assert content(tmp_path / "file") == b"theirs"
    with pytest.raises(OSError, match="hard link"):
        write_whole(tmp_path / "file", b"ours")
    assert content(tmp_path / "outside") == b"theirs"


@pytest.mark.tier("runs")
def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    write_whole(tmp_path / "file", b"")
    os.truncate(tmp_path / "file", LARGEST + 1)
    with pytest.raises(OSError, match="it has more than 256 MB"):
        content(tmp_path / "file")


def test_what_is_not_there_is_told_as_ever(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="file"):
        open_regular(tmp_path / "file")


def test_what_cannot_take_its_place_leaves_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "old"
    file.mkdir()
    with pytest.raises(OSError, match="old"):
        replace_whole(file, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
