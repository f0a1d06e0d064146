"""A large output by its two ends: the gap between them is marked, with its size in bytes.

Not here: where an output comes from, and how much of it is kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from se_agent.values.evaluation import MOST_OUTPUT

_NEAR = 2000  # bytes in which an end is moved to the end of a line, or of a word
_WORDS = 200  # bytes of headings and marks
_SPLIT = re.compile(rb"^[\x80-\xbf]{1,3}")  # the rest of a letter that is cut
_TORN = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,2}$")  # its beginning


def ends_of(data: bytes, most: int) -> str:
    """Return a text of about so many bytes at most; see `both_ends`."""
    return both_ends(lambda size, start: data[start : start + size], len(data), most)


def ends_of_file(path: Path, most: int) -> str:
    """Return what a file holds; see `both_ends`.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return ends_of_descriptor(file.fileno(), most)


def ends_of_descriptor(descriptor: int, most: int) -> str:
    """Return what an open file holds; see `both_ends`."""

    def read(size: int, start: int) -> bytes:
        return os.pread(descriptor, size, start)

    return both_ends(read, os.fstat(descriptor).st_size, most)


def both_ends(read: Callable[[int, int], bytes], size: int, most: int) -> str:
    """Return a text, or its beginning and its end in whole lines or words, and what is missing.

    Bytes that are no text are spelled out, and take four letters then.

    Args:
        read: Returns so many bytes from a place on.
        size: Bytes of all of it.
        most: Bytes of what is returned, but for the mark.
    """
    if size <= most:
        return _text(read(size, 0))
    half = most // 2
    head, tail = _head(read(half, 0)), _tail(read(half, size - half))
    missing = size - len(head) - len(tail)
    return f"{_text(head)}\n[... {missing} bytes are left out here ...]\n{_text(tail)}"


def _head(data: bytes) -> bytes:
    for mark in (b"\n", b" "):
        place = data.rfind(mark, max(0, len(data) - _NEAR))
        if place >= 0:
            return data[:place]
    return _TORN.sub(b"", data)


def _tail(data: bytes) -> bytes:
    for mark in (b"\n", b" "):
        place = data.find(mark, 0, _NEAR)
        if place >= 0:
            return data[place + 1 :]
    return _SPLIT.sub(b"", data)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def streams(
    error: Callable[[int], str], output: Callable[[int], str], sizes: tuple[int, int]
) -> str:
    """Return what a program printed: up to `MOST_OUTPUT` bytes, its complaints first.

    Args:
        error: Returns standard error, within so many bytes.
        output: The same of standard output.
        sizes: Bytes of both; what one does not need, the other may have.
    """
    room = MOST_OUTPUT - _WORDS
    first = min(sizes[0], max(room // 2, room - sizes[1]))
    told = {"standard error": error(first), "standard output": output(room - first)}
    return "\n".join(f"{head}:\n{text}" for head, text in told.items() if text)
