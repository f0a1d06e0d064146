"""The few kernel calls that Python has no function for, through ctypes. Policy is elsewhere."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 1, 2, 4, 8
NEW_MOUNTS, NEW_HOST_NAME, NEW_IPC = 1 << 17, 1 << 26, 1 << 27
NEW_USER, NEW_PIDS, NEW_NETWORK = 1 << 28, 1 << 29, 1 << 30
_CLOSE_RANGE, _MOUNT_SETATTR = 436, 442  # the same numbers everywhere
_BY_MACHINE = {"x86_64": (56, 155, 126), "aarch64": (220, 41, 91)}  # clone, pivot_root, capset
_LAST_DESCRIPTOR = (1 << 32) - 1
_HERE, _RECURSIVE = -100, 0x8000
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_DETACH = 2
_NEW = "new namespaces"
_CAPABILITIES = 0x20080522  # version of the structure that `capset` is given

_libc = ctypes.CDLL(None, use_errno=True)
_prctl = _libc.prctl
_prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_mount = _libc.mount
_mount.argtypes = [*[ctypes.c_char_p] * 3, ctypes.c_ulong, ctypes.c_char_p]
_holding_the_lock = ctypes.PyDLL(None, use_errno=True).syscall  # a child starts where it was
_holding_the_lock.restype = ctypes.c_long


def prctl(option: int, value: int) -> None:
    """Change an attribute of this process.

    Raises:
        OSError: The kernel refused.
    """
    if _prctl(option, value, 0, 0, 0):
        raise _error(f"prctl {option}")


def syscall(number: int, *arguments: int) -> int:
    """Make a system call; addresses are passed as ints.

    Raises:
        OSError: The kernel refused.
    """
    result = int(_syscall(ctypes.c_long(number), *map(ctypes.c_ulong, arguments)))
    if result < 0:
        raise _error(f"system call {number}")
    return result


def keep_large_blocks() -> None:
    """Have malloc treat large blocks alike, whatever was freed before; glibc only.

    By itself it learns from each large block that is freed, and maps fewer of them anew: a
    dead text of a megabyte, once compiled, made a program that allocates 300 kB at a time 3.7
    times as fast.
    """
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(_MMAP_THRESHOLD, 32 << 20)  # the most that it would learn
        _libc.mallopt(_TRIM_THRESHOLD, 64 << 20)


def close_from(descriptor: int) -> None:
    """Close that descriptor and every higher one, however many the limit allows.

    Raises:
        OSError: The kernel refused.
    """
    syscall(_CLOSE_RANGE, descriptor, _LAST_DESCRIPTOR, 0)


def unshare(namespaces: int) -> None:
    """Move this process, or for pids its children, to new namespaces.

    Raises:
        OSError: The kernel refused.
    """
    if _libc.unshare(namespaces):
        raise _error(_NEW)


def map_user(user: tuple[int, int], group: tuple[int, int]) -> None:
    """Say who this process is in its new user namespace; all others do not exist there.

    Args:
        user: There, and outside.
        group: The same.

    Raises:
        OSError: The kernel refused.
    """
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user[0]} {user[1]} 1"),
        ("gid_map", f"{group[0]} {group[1]} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(text)


def fork_into(namespaces: int) -> int:
    """Fork a child into new namespaces; return its pid, and 0 in the child.

    Unlike `os.fork` it may be called with new pids any number of times. Nothing of Python's
    own is told of the fork: for a process of one thread, whose child starts no other.

    Raises:
        OSError: The kernel refused.
    """
    number = _BY_MACHINE[platform.machine()][0]
    flags = ctypes.c_ulong(namespaces | signal.SIGCHLD)
    pid = int(_holding_the_lock(ctypes.c_long(number), flags, *[ctypes.c_ulong(0)] * 4))
    if pid < 0:
        raise _error(f"a process in {_NEW}")
    return pid


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount something, or change how mounts spread.

    Raises:
        OSError: The kernel refused.
    """
    words = [word.encode() or None for word in (source, target, kind)]
    if _mount(*words, flags, options.encode() or None):
        what = kind or source
        raise _error(f"mounting {what} on {target}" if what else f"mounts below {target}")


def set_attributes(path: str, attributes: int, *, beneath: bool = True) -> None:
    """Restrict the mount at a path.

    Args:
        path: Where it is.
        attributes: Attributes that it gets.
        beneath: Whether those beneath it get them, too.

    Raises:
        OSError: The kernel refused, or is older than 5.12.
    """
    wanted = ctypes.create_string_buffer(struct.pack("<4Q", attributes, 0, 0, 0), 32)
    name = ctypes.create_string_buffer(path.encode())
    place = ctypes.c_ulong(_HERE).value
    flags = _RECURSIVE if beneath else 0
    syscall(_MOUNT_SETATTR, place, ctypes.addressof(name), flags, ctypes.addressof(wanted), 32)


def pivot_root(new: str, old: str) -> None:
    """Make a mount the root, and put the former root at a folder of it.

    Raises:
        OSError: The kernel refused.
    """
    names = [ctypes.create_string_buffer(path.encode()) for path in (new, old)]
    syscall(_BY_MACHINE[platform.machine()][1], *map(ctypes.addressof, names))


def detach(path: str) -> None:
    """Take a mount, and all beneath it, out of the tree.

    Raises:
        OSError: The kernel refused.
    """
    if _libc.umount2(path.encode(), _DETACH):
        raise _error(f"unmounting {path}")


def drop_capabilities(kept: int = 0) -> None:
    """Give up every right that a process may have beyond its user's.

    Args:
        kept: A bit for each that stays; it must be there. A program that is executed gets
            no others back if this process may gain no privileges.

    Raises:
        OSError: The kernel refused.
    """
    low, high = kept & 0xFFFFFFFF, kept >> 32
    head = ctypes.create_string_buffer(struct.pack("<Ii", _CAPABILITIES, 0), 8)
    sets = ctypes.create_string_buffer(struct.pack("<6I", low, low, 0, high, high, 0), 24)
    number = _BY_MACHINE[platform.machine()][2]
    syscall(number, ctypes.addressof(head), ctypes.addressof(sets))


def capabilities() -> int:
    """Return the rights that this process has beyond its user's, a bit for each."""
    # Not by `process_files`: a candidate's process loads nothing of ours but errors and wire.
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
        _, _, rest = file.read().partition("\nCapPrm:")
    return int(rest.split(maxsplit=1)[0], 16)


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
