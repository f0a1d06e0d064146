"""System-call filters: which calls a process may make from here on. Files are `landlock`'s.

Two filters, because a filter is checked by the kernel for every system-call number when it is
installed: the long list of what is allowed is installed once, in the fork server; the child
only adds a short one that takes away what starting needed.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import signal
import struct
from collections.abc import Iterable, Mapping, Sequence

from evaluators.sandbox.isolation.kernel import syscall
from evaluators.sandbox.isolation.syscalls import (
    ARCHITECTURES,
    BY_ARGUMENT,
    CLONE,
    CLONE3,
    COMMANDS,
    LASTING,
    LIMITING,
    NAMING,
    ON_OTHERS,
    PRCTL,
    PRLIMIT,
    PURE,
    REACHING,
    SETITIMER,
    SIGACTION,
    STARTING,
    WORKING,
    WORKING_COMMANDS,
)

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM
_UNKNOWN = 0x00050000 | errno.ENOSYS
_NAMESPACES, _THREAD = 0x7E020000, 0x10000  # flags of `clone`
_SET_MODE_FILTER = 1
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_X32 = 0x40000000  # from here on x86-64 has its calls again, by other numbers; arm64 has none
_EMPTY_PATH = 0x1000  # flag of execveat: the descriptor itself is executed

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
    return _allowing(PURE | STARTING, COMMANDS)


def household_filter() -> Filter:
    """Return the filter of a fork server that makes namespaces: `server_filter` and more."""
    return _allowing(
        PURE | STARTING | WORKING | LIMITING | {"setitimer": SETITIMER}, WORKING_COMMANDS
    )


def _allowing(
    calls: Mapping[str, tuple[int | None, int | None]],
    commands: Mapping[str, tuple[int, tuple[int, ...]]],
) -> Filter:
    column, audit = ARCHITECTURES[platform.machine()]
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for name, numbers in calls.items():
        number = numbers[column]
        if number is not None and name not in BY_ARGUMENT:
            program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for name, numbers in BY_ARGUMENT.items():
        program += _by_argument(numbers[column] or 0, *commands[name])
    return Filter([*program, (_RETURN, 0, 0, _REFUSE)])


def child_filter() -> Filter:
    """Return what a child adds: starting is over, but its own limits may be read."""
    return refusing(STARTING, spared=_reading_own_limits())


def program_filter(pid: int, descriptor: int) -> Filter:
    """Return what a child adds that becomes a compiled program.

    Besides what any child keeps, it may execute that one descriptor, which is closed by it,
    and send signals to itself, as `abort` does.

    Args:
        pid: Id of the child.
        descriptor: Descriptor of the program.
    """
    column, _ = ARCHITECTURES[platform.machine()]
    execute, signal = (STARTING[name][column] or 0 for name in ("execveat", "tgkill"))
    itself = ((_ARGUMENTS, descriptor), (_ARGUMENTS + 32, _EMPTY_PATH))
    spared = [*_where(execute, itself), *_where(signal, [(_ARGUMENTS, pid)])]
    return refusing(STARTING, spared=[*_reading_own_limits(), *spared])


def worker_filter() -> Filter:
    """Return what a child adds that may have threads, children and files.

    It can make no namespace, lift no limit and ask for no timer that would make its clock
    coarse. It cannot touch what happens when its children end either: the CPU time of children
    that nobody waits for would count nowhere.
    """
    column, _ = ARCHITECTURES[platform.machine()]
    clone = CLONE[column]
    spared = [
        *_limited(),
        *_where(SIGACTION[column], [(_ARGUMENTS + 8, 0), (_ARGUMENTS + 12, 0)]),
        *[(_EQUAL, 0, 4, SIGACTION[column]), (_LOAD, 0, 0, _ARGUMENTS)],
        *[(_EQUAL, 0, 1, signal.SIGCHLD), (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)],
        *[(_EQUAL, 0, 4, clone), (_LOAD, 0, 0, _ARGUMENTS)],
        *[(_ANY_BIT, 0, 1, _NAMESPACES), (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)],
        *_without_clone3(),
    ]
    return refusing(LIMITING, spared=spared)


def hosted_filter() -> Filter:
    """Return what a child adds that becomes a program with a run time of its own.

    As `worker_filter`, with threads and no children: run times want to hear of the end of
    children, and nobody may where children are.
    """
    column, _ = ARCHITECTURES[platform.machine()]
    spared = [
        *_limited(),
        *[(_EQUAL, 0, 5, CLONE[column]), (_LOAD, 0, 0, _ARGUMENTS)],
        *[(_ANY_BIT, 1, 0, _NAMESPACES), (_ANY_BIT, 1, 0, _THREAD)],
        *[(_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)],
        *_without_clone3(),
    ]
    forking = {name: STARTING[name] for name in ("fork", "vfork")}
    return refusing(LIMITING | forking, spared=spared)


def _limited() -> list[Instruction]:
    """Allow names and reading own limits, but no timer that makes a clock coarse."""
    column, _ = ARCHITECTURES[platform.machine()]
    return [
        *_reading_own_limits(),
        *_by_argument(PRCTL[column], 0, NAMING),
        *_by_argument(SETITIMER[column], 0, (0,)),
    ]


def _without_clone3() -> list[Instruction]:
    """Call it unknown: libraries use `clone` then, whose flags can be looked at."""
    column, _ = ARCHITECTURES[platform.machine()]
    return [(_EQUAL, 0, 1, CLONE3[column]), (_RETURN, 0, 0, _UNKNOWN)]


def tool_filter(calls: Mapping[str, tuple[int | None, int | None]]) -> Filter:
    """Return the filter of a tool that needs most of what a process may do.

    It refuses these calls, what reaches beyond the process, changes of other processes' limits
    and schedules, and what would stay in the kernel for good.
    """
    column, _ = ARCHITECTURES[platform.machine()]
    own = [
        instruction
        for numbers, words in ON_OTHERS.values()
        for instruction in _where(
            numbers[column], [(_ARGUMENTS + 8 * place, 0) for place in range(words)]
        )
    ]
    others = {name: numbers for name, (numbers, _) in ON_OTHERS.items()}
    return refusing({**calls, **REACHING, **others, **LASTING}, spared=own)


def refusing(
    calls: Mapping[str, tuple[int | None, int | None]], *, spared: Iterable[Instruction] = ()
) -> Filter:
    """Return a filter that refuses these calls, and all of a foreign architecture or of x32.

    Args:
        calls: Their numbers, as in `syscalls`.
        spared: Instructions that allow some of them; the number is loaded before and after.
    """
    column, audit = ARCHITECTURES[platform.machine()]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _REFUSE),
    ]
    program += spared
    for numbers in calls.values():
        if numbers[column] is not None:
            program += [(_EQUAL, 0, 1, numbers[column] or 0), (_RETURN, 0, 0, _REFUSE)]
    return Filter([*program, (_RETURN, 0, 0, _ALLOW)])


def _reading_own_limits() -> list[Instruction]:
    """Allow process 0, which is the caller, and new limits at address 0: both words of it."""
    column, _ = ARCHITECTURES[platform.machine()]
    words = (_ARGUMENTS, _ARGUMENTS + 16, _ARGUMENTS + 20)
    return _where(PRLIMIT[column], [(word, 0) for word in words])


def _where(number: int, words: Sequence[tuple[int, int]]) -> list[Instruction]:
    """Allow a call where all these words of its data have these values."""
    body: list[Instruction] = []
    for place, (word, value) in enumerate(words):
        left = 2 * (len(words) - place - 1)
        body += [(_LOAD, 0, 0, word), (_EQUAL, 0, left + 1, value)]
    body.append((_RETURN, 0, 0, _ALLOW))
    return [(_EQUAL, 0, len(body) + 1, number), *body, (_LOAD, 0, 0, _NUMBER)]


def _by_argument(number: int, place: int, commands: tuple[int, ...]) -> list[Instruction]:
    body: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * place)]
    for command in commands:
        body += [(_EQUAL, 0, 1, command), (_RETURN, 0, 0, _ALLOW)]
    body.append((_RETURN, 0, 0, _REFUSE))
    return [(_EQUAL, 0, len(body), number), *body]
