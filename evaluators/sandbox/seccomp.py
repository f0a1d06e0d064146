"""System-call filters: which calls a process may make from here on. Files are `landlock`'s.

Two filters, because a filter is checked by the kernel for every system-call number when it is
installed: the long list of what is allowed is installed once, in the fork server; the child
only adds a short one that takes away what starting needed.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Iterable, Mapping

from evaluators.sandbox.kernel import syscall
from evaluators.sandbox.syscalls import (
    ARCHITECTURES,
    BY_ARGUMENT,
    COMMANDS,
    PRLIMIT,
    PURE,
    STARTING,
)

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM
_SET_MODE_FILTER = 1
_SECCOMP = {"x86_64": 317, "aarch64": 277}

Instruction = tuple[int, int, int, int]


class Filter:
    """A compiled filter, kept in memory so that installing it is one call."""

    def __init__(self, program: Iterable[Instruction]) -> None:
        code = b"".join(struct.pack("<HBBI", *instruction) for instruction in program)
        self._code = ctypes.create_string_buffer(code, len(code))
        head = struct.pack("<H6xQ", len(code) // 8, ctypes.addressof(self._code))
        self._head = ctypes.create_string_buffer(head, len(head))

    def install(self) -> None:
        """Apply it to this process and all it starts, for good.

        Raises:
            OSError: The kernel refused, or has no seccomp.
        """
        number = _SECCOMP[platform.machine()]
        syscall(number, _SET_MODE_FILTER, 0, ctypes.addressof(self._head))


def supported() -> bool:
    """Say whether we know the system-call numbers of this machine."""
    return platform.machine() in ARCHITECTURES


def server_filter() -> Filter:
    """Return the filter of the fork server: what computing and starting children need."""
    column, audit = ARCHITECTURES[platform.machine()]
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for name, numbers in (PURE | STARTING).items():
        number = numbers[column]
        if number is not None and name not in BY_ARGUMENT:
            program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for name, numbers in BY_ARGUMENT.items():
        program += _by_argument(numbers[column] or 0, *COMMANDS[name])
    return Filter([*program, (_RETURN, 0, 0, _REFUSE)])


def child_filter() -> Filter:
    """Return what a child adds: starting is over, but its own limits may be read."""
    return refusing(STARTING, readable_limits=True)


def refusing(
    calls: Mapping[str, tuple[int | None, int | None]], *, readable_limits: bool = False
) -> Filter:
    """Return a filter that refuses these calls, and every call of a foreign architecture.

    Args:
        calls: Their numbers, as in `syscalls`.
        readable_limits: Allow `prlimit64` where it reads the limits of the caller itself.
    """
    column, audit = ARCHITECTURES[platform.machine()]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if readable_limits:
        program += _reading_own_limits(PRLIMIT[column])
    for numbers in calls.values():
        if numbers[column] is not None:
            program += [(_EQUAL, 0, 1, numbers[column] or 0), (_RETURN, 0, 0, _REFUSE)]
    return Filter([*program, (_RETURN, 0, 0, _ALLOW)])


def _reading_own_limits(number: int) -> list[Instruction]:
    """Allow process 0, which is the caller, and new limits at address 0: both words of it."""
    words = (_ARGUMENTS, _ARGUMENTS + 16, _ARGUMENTS + 20)
    body: list[Instruction] = []
    for left, word in zip((4, 2, 0), words, strict=True):
        body += [(_LOAD, 0, 0, word), (_EQUAL, 0, left + 1, 0)]
    body.append((_RETURN, 0, 0, _ALLOW))
    return [(_EQUAL, 0, len(body) + 1, number), *body, (_LOAD, 0, 0, _NUMBER)]


def _by_argument(number: int, place: int, commands: tuple[int, ...]) -> list[Instruction]:
    body: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * place)]
    for command in commands:
        body += [(_EQUAL, 0, 1, command), (_RETURN, 0, 0, _ALLOW)]
    body.append((_RETURN, 0, 0, _REFUSE))
    return [(_EQUAL, 0, len(body), number), *body]
