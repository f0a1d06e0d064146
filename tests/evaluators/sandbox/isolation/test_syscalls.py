"""Numbers of system calls: what the kernel's own headers say, and no number for two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluators.sandbox.isolation import syscalls

pytestmark = pytest.mark.tier("fast")

HEADERS = {
    0: (
        Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        Path("/usr/include/asm/unistd_64.h"),
    ),
    1: (Path("/usr/include/asm-generic/unistd.h"),),  # arm64 numbers its calls as new ones do
}
_DEFINED = re.compile(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", re.MULTILINE)


def named(column: int) -> set[tuple[str, int]]:
    """Return all that the tables say of an architecture."""
    tables = [table for table in vars(syscalls).values() if isinstance(table, dict)]
    given = [pair for table in tables for pair in table.items() if _is_numbers(pair[1])]
    given += [(name, numbers) for name, (numbers, _) in syscalls.ON_OTHERS.items()]
    of_calls = [(name, each) for name, each in given if name not in syscalls.ARCHITECTURES]
    return {(name, each[column]) for name, each in of_calls if each[column] is not None}


def _is_numbers(given: object) -> bool:
    """Say whether it is a number for each architecture, and no argument with its values."""
    if not isinstance(given, tuple) or len(given) != 2:
        return False
    return all(each is None or isinstance(each, int) for each in given)


@pytest.mark.parametrize("column", HEADERS)
def test_a_number_means_one_call_and_a_call_has_one_number(column: int) -> None:
    pairs = named(column)
    assert len(pairs) > 100
    assert len({name for name, _ in pairs}) == len(pairs)
    assert len({number for _, number in pairs}) == len(pairs)


@pytest.mark.parametrize("column", HEADERS)
def test_numbers_are_those_of_the_kernel(column: int) -> None:
    headers = [path for path in HEADERS[column] if path.exists()]
    if not headers:
        pytest.skip("the kernel's headers are not installed")
    text = headers[0].read_text(encoding="utf-8")
    kernels = {name: int(number) for name, number in _DEFINED.findall(text)}
    known = {(name, number) for name, number in named(column) if name in kernels}
    assert len(known) > 100
    assert known == {(name, kernels[name]) for name, _ in known}
