"""Both ends of a large output: whole lines, whole letters, and a gap that says its size."""

from __future__ import annotations

import os
import re
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.sandbox.ends import ends_of, ends_of_file, streams
from se_agent.values.evaluation import MOST_OUTPUT

MARK = re.compile(rb"\n\[\.\.\. (\d+) bytes are left out here \.\.\.\]\n")


@given(st.text(alphabet="ab \n\u00e9\u4e00\U0001f600", max_size=400), st.integers(2, 200))
def test_what_is_there_and_what_the_gap_says_is_all(text: str, most: int) -> None:
    data = text.encode()
    found = ends_of(data, most).encode()
    if len(data) <= most:
        assert found == data
        return
    head, missing, tail = MARK.split(found)
    assert data.startswith(head)
    assert data.endswith(tail)
    assert len(head) + int(missing) + len(tail) == len(data)
    assert len(head) + len(tail) <= most


def test_it_is_cut_at_lines_or_else_at_words() -> None:
    lines = b"".join(b"line %d\n" % n for n in range(100))
    head, _, tail = MARK.split(ends_of(lines, 100).encode())
    assert re.fullmatch(rb"(line \d+\n)*line \d+", head)
    assert re.fullmatch(rb"(line \d+\n)*", tail)
    words = b"word " * 100
    head, _, tail = MARK.split(ends_of(words, 51).encode())
    assert head.split() == [b"word"] * 5
    assert tail.split() == [b"word"] * 4


def test_what_is_no_text_is_spelled_out(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"\xff\xfe")
    assert ends_of_file(tmp_path / "out", 100) == "\\xff\\xfe"


def test_of_a_gigabyte_the_ends_alone_are_read(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as file:
        file.write(b"begun\n")
        file.truncate(1 << 30)  # of zeros, which take no room on the disk
        file.seek(0, os.SEEK_END)
        file.write(b"\nended")
    tracemalloc.start()
    try:
        found = ends_of_file(tmp_path / "out", MOST_OUTPUT)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.startswith("begun\n")
    assert found.endswith("ended")
    assert len(found) <= MOST_OUTPUT + 100
    assert most < 16 * MOST_OUTPUT


@pytest.mark.parametrize(
    ("sizes", "rooms"),
    [
        ((10, 10), (10, 1048366)),
        ((2 << 20, 100), (1048276, 100)),
        ((100, 2 << 20), (100, 1048276)),
        ((2 << 20, 2 << 20), (524188, 524188)),
    ],
)
def test_what_one_stream_leaves_the_other_has(
    sizes: tuple[int, int], rooms: tuple[int, int]
) -> None:
    given_rooms = list[int]()

    def taken(room: int) -> str:
        given_rooms.append(room)
        return "x"

    assert streams(taken, taken, sizes) == "standard error:\nx\nstandard output:\nx"
    assert given_rooms[0] == rooms[0]
    assert given_rooms[1] >= rooms[1]
