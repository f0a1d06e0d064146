"""Compiled programs in memory: sealed, bounded, closed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from evaluators.languages.binaries import Binaries, sealed
from se_agent.environment.process_files import open_files


@pytest.fixture
def binaries() -> Iterator[Binaries]:
    kept = Binaries(room=100)
    yield kept
    kept.close()


def test_a_program_comes_back_as_it_was(binaries: Binaries) -> None:
    kept = binaries.put("a", b"program")
    assert binaries.get("a") is kept
    assert os.pread(kept.descriptor, 100, 0) == b"program"


def test_why_there_is_none_comes_back_too(binaries: Binaries) -> None:
    assert (binaries.put("a", b"", "error").feedback, binaries.get("b")) == ("error", None)
    assert binaries.put("a", b"", "error").descriptor == -1


def test_what_is_said_of_programs_takes_room_as_well(binaries: Binaries) -> None:
    binaries.put("a", b"", "error" * 15)
    binaries.put("b", b"", "error" * 15)
    assert (binaries.get("a"), binaries.get("b") is None) == (None, False)


def test_nobody_can_write_to_a_program() -> None:
    descriptor = sealed(b"program")
    try:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.write(descriptor, b"x")
        with pytest.raises(PermissionError, match="not permitted"):
            os.open(f"/proc/self/fd/{descriptor}", os.O_RDWR | os.O_TRUNC)
    finally:
        os.close(descriptor)


def test_what_was_not_used_for_longest_goes_first(binaries: Binaries) -> None:
    first, second = binaries.put("a", b"x" * 40), binaries.put("b", b"x" * 40)
    assert binaries.get("a") is first
    binaries.put("c", b"x" * 40)
    assert (binaries.get("a"), binaries.get("b")) == (first, None)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(second.descriptor)


def test_one_that_is_too_large_is_kept_while_it_is_the_last(binaries: Binaries) -> None:
    large = binaries.put("a", b"x" * 200)
    assert binaries.get("a") is large


def opened() -> int:
    return len(open_files())


def test_closing_closes_every_file() -> None:
    before = opened()
    binaries = Binaries()
    binaries.put("a", b"x")
    binaries.put("b", b"y")
    assert opened() == before + 2
    binaries.close()
    binaries.close()
    assert opened() == before
