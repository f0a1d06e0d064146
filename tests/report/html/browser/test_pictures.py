"""Pictures of the documents: one command makes each that a page shows."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest

from experiments.docs.browser import missing
from experiments.docs.pictures import PICTURES, make_pictures
from tests.house import ROOT


@pytest.mark.tier("fast")
def test_pages_show_the_pictures_that_are_made_and_no_others() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {
        Path(path).name
        for page in pages
        for path in re.findall(r"!\[[^\]]*\]\((.*?\.png)\)", page.read_text(encoding="utf-8"))
    }
    assert shown == {*PICTURES} == {path.name for path in (ROOT / "docs").glob("*.png")}


@pytest.mark.tier("browser")
def test_each_is_made_in_its_size_and_shows_something(two_arms: Path, tmp_path: Path) -> None:
    if lacking := missing():
        pytest.skip(lacking)
    made = make_pictures(two_arms, tmp_path)
    assert {path.name for path in made} == {*PICTURES}
    for path in made:
        size, lines = _read(path)
        assert size == (PICTURES[path.name].width, PICTURES[path.name].height)
        assert size == _read(ROOT / "docs" / path.name)[0], "renew the pictures of the pages"
        assert len(set(lines)) > 100, f"{path.name} shows nothing"
    assert len({path.read_bytes() for path in made}) == len(made)


@pytest.mark.tier("fast")
def test_of_one_colour_nothing_is_seen(tmp_path: Path) -> None:
    header = struct.pack(">II5B", 40, 300, 8, 2, 0, 0, 0)
    packed = zlib.compress(300 * (b"\0" + 40 * b"\x10\x20\x30"))
    parts = b"".join(_part(*each) for each in ((b"IHDR", header), (b"IDAT", packed)))
    (tmp_path / "one.png").write_bytes(b"\x89PNG\r\n\x1a\n" + parts)
    size, lines = _read(tmp_path / "one.png")
    assert size == (40, 300)
    assert len(lines) == 300
    assert len(set(lines)) == 1


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + b"\0\0\0\0"


def _read(path: Path) -> tuple[tuple[int, int], list[bytes]]:
    """Return width and height of a PNG in pixels, and its lines as they are packed."""
    data, at, packed = path.read_bytes(), 8, b""
    wide, high = struct.unpack(">II", data[16:24])
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        packed += data[at + 8 : at + 8 + length] * (data[at + 4 : at + 8] == b"IDAT")
        at += 12 + length
    lines = zlib.decompress(packed)
    size = len(lines) // high
    return (wide, high), [lines[n * size : (n + 1) * size] for n in range(high)]
