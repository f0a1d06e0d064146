"""File access: which paths a process may read from here on; none may be written.

Landlock grants, it cannot take away: a folder is granted with everything beneath it. So
folders that hold more than we want to show are granted entry by entry.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Iterable, Iterator

from evaluators.sandbox.isolation.kernel import syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers everywhere
_VERSION = 1  # flag of _CREATE: return the version instead
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 1 << 1, 1 << 2, 1 << 3
_FILE_RIGHTS = (13, 14, 15, 15, 16)  # bits of the first versions; later ones added no more
_PACKAGE_FOLDERS = {"site-packages", "dist-packages"}
_DEVICES = ("/dev/urandom", "/dev/zero")


def version() -> int:
    """Return the version of Landlock that the kernel has; 0 when it has none."""
    with contextlib.suppress(OSError):
        return syscall(_CREATE, 0, 0, _VERSION)
    return 0


def restrict(
    readable: Iterable[str], *, listed: Iterable[str] = (), workshop: Iterable[str] = ()
) -> None:
    """Refuse this process and all it starts every path but these, for good.

    Needs `no_new_privs`. Network and signals beyond the process are refused as well, where
    the kernel's version can.

    Args:
        readable: Files and folders, a folder with everything beneath it.
        listed: Folders whose names may be read, with those of all folders beneath.
        workshop: Folders in which everything is allowed but to run programs; where there is
            one, programs among the readable ones may be run.

    Raises:
        OSError: The kernel refused, or has no Landlock.
    """
    abi = version()
    rights = (1 << _FILE_RIGHTS[min(abi, len(_FILE_RIGHTS)) - 1]) - 1
    attributes = struct.pack("<QQQ", rights, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    ruleset = syscall(_CREATE, ctypes.addressof(buffer), len(attributes), 0)
    try:
        places = list(workshop)
        for path in readable:
            _grant(ruleset, path, _READ_FILE | _READ_DIR | (_EXECUTE if places else 0))
        for path in listed:
            _grant(ruleset, path, _READ_DIR)
        for path in places:
            _grant(ruleset, path, rights & ~_EXECUTE)
        _grant(ruleset, os.devnull, _READ_FILE | _WRITE_FILE)
        syscall(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what does not exist needs no grant
    try:
        if not os.path.isdir(path):  # noqa: PTH112  (pathlib is not worth its import here)
            rights &= ~_READ_DIR
        rule = ctypes.create_string_buffer(struct.pack("<Qi", rights, place), 12)
        syscall(_ADD, ruleset, 1, ctypes.addressof(rule), 0)
    finally:
        os.close(place)


def python_paths(library: Iterable[str] = ()) -> Iterator[str]:
    """Return what Python itself reads: its library without packages, and shared libraries.

    Args:
        library: Folders of Python's own modules; by default all that modules come from here.
    """
    for folder in library or sys.path:
        yield from _entries(folder) if os.path.isdir(folder) else [folder]  # noqa: PTH112
    machine = os.uname().machine
    for folder in ("/lib", "/usr/lib", "/usr/local/lib"):
        yield f"{folder}/{machine}-linux-gnu"
    for folder in ("/lib", "/lib64", "/usr/lib", "/usr/lib64", f"{sys.base_prefix}/lib"):
        yield from (path for path in _entries(folder) if ".so" in path)
    yield from ("/etc/ld.so.cache", *_DEVICES)


def _entries(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []
    return [f"{folder}/{name}" for name in names if name not in _PACKAGE_FOLDERS]
