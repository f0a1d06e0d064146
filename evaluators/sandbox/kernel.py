"""The few kernel calls that Python has no function for, through ctypes. Policy is elsewhere."""

from __future__ import annotations

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
_CLOSE_RANGE = 436  # the same number everywhere
_LAST_DESCRIPTOR = (1 << 32) - 1

_libc = ctypes.CDLL(None, use_errno=True)
_prctl = _libc.prctl
_prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long


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


def close_from(descriptor: int) -> None:
    """Close that descriptor and every higher one, however many the limit allows.

    Raises:
        OSError: The kernel refused.
    """
    syscall(_CLOSE_RANGE, descriptor, _LAST_DESCRIPTOR, 0)


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
