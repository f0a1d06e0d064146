"""Settings of the interpreter that outlast a call: which of them a program leaves changed.

A function that switches the collector off, or lets decimals have four digits, makes its caller
pay for its speed. What it restores before it returns is its own affair. Runs in the child, with
functions that were taken before there was a candidate; objects are told apart by identity,
which asks none of them. Not here: what is made of it (`evaluators.answers.bench`).
"""

from __future__ import annotations

import _locale
import _signal  # type: ignore[import-not-found]
import _thread
import builtins
import decimal
import gc
import os
import sys
import warnings
from collections.abc import Callable
from operator import is_

_FOLDER = "the working folder"
_ALL = 6  # LC_ALL
_SIGNALS = range(1, 32)  # but for those of real time
RESTING = "the collector: switched off, or of another pace"
"""What is left by a program after which `Settings.rests`."""

_UNREADABLE = "unreadable"
_LONGEST = 120  # letters of a value
_MANY = 50_000  # blocks of a program's memory, from which on counting is the shorter way
_OF_SYSTEM = ("stdin", "stdout", "stderr", "displayhook", "excepthook", "unraisablehook")

# Taken once, before there is a candidate: what it puts in their place changes nothing here.
_enabled, _threshold, _umask, _handler = (
    *(gc.isenabled, gc.get_threshold, os.umask, _signal.getsignal),
)
_setlocale, _trace, _profile = _locale.setlocale, sys.gettrace, sys.getprofile
_context, _parts = decimal.getcontext, decimal.Context.__reduce__
_mask_signals, _alarm = _signal.pthread_sigmask, _signal.alarm
_count_frozen, _referrers, _blocks = (
    gc.get_freeze_count,
    gc.get_referrers,
    sys.getallocatedblocks,
)
_title = type.__dict__["__name__"].__get__
_builtins, _warnings, _system = vars(builtins), vars(warnings), vars(sys)
_BUILT_IN = frozenset(map(id, _builtins.values()))  # no class of a program has one of these
_environment = vars(os.environ)["_data"]


def _mask() -> object:
    found = _umask(0o077)
    _umask(found)
    return found


def _locales() -> object:
    return _setlocale(_ALL, None)


def _decimals() -> object:
    """Return all of the context but its flags, which every inexact result sets."""
    *held, _, traps = _parts(_context())[1]
    return (*held, *map(_title, traps))


def _blocked() -> object:
    return sorted(map(int, _mask_signals(_signal.SIG_BLOCK, ())))


def _armed() -> object:
    """Say whether an alarm will end the caller, or call into the program; it is put off."""
    return _alarm(0) > 0


def _read(of: Callable[[], object]) -> object:
    try:
        return of()
    except OSError:  # what the jail refuses nobody has changed; and a folder may be gone
        return _UNREADABLE


_VALUES: dict[str, Callable[[], object]] = {
    "the recursion limit": sys.getrecursionlimit,
    "the switch interval of threads": sys.getswitchinterval,
    "the most digits of an integer": sys.get_int_max_str_digits,
    "the stack size of threads": _thread.stack_size,
    "the file mode mask": _mask,
    _FOLDER: os.getcwd,
    "the locale": _locales,
    "the decimal context": _decimals,
    "blocked signals": _blocked,
    "an alarm to come": _armed,
}
"""Settings with a value that means the same in every process."""


def _filters() -> list[object]:
    """Return those for all messages and modules, of a built-in kind: imports add others."""
    found = _warnings["filters"]
    return [f for f in found if f[1] is None and f[3] is None and id(f[2]) in _BUILT_IN]


def _handlers() -> list[object]:
    return [*map(_handler, _SIGNALS)]


def _names() -> list[object]:
    return [*_builtins.values()]


def _hooks() -> list[object]:
    return [_trace(), _profile()]


def _streams() -> list[object]:
    return [_system.get(name) for name in _OF_SYSTEM]


def _variables() -> list[object]:
    return [*_environment.keys(), *_environment.values()]


_OBJECTS: dict[str, Callable[[], list[object]]] = {
    "filters of warnings": _filters,
    "signal handlers": _handlers,
    "builtins": _names,
    "trace or profile function": _hooks,
    "standard streams or hooks of sys": _streams,
    "the environment": _variables,
}
"""Settings that are objects: that they are others is all that can be told."""


class Settings:
    """What a fork server has, and so what every program finds: made before the first job."""

    def __init__(self) -> None:
        self._values, self._pace = {**_VALUES}, _threshold()
        self._frozen, self._before, self._token = _count_frozen(), _blocks(), object()
        self._held = [self._token]
        self._values["frozen objects"] = self._more_frozen
        errors = getattr(sys.modules.get("numpy"), "geterr", None)
        if errors is not None:
            self._values["numpy's treatment of errors"] = lambda: (*errors().items(),)
        self._found = {name: _read(of) for name, of in self._values.items()}
        self._kept = {name: of() for name, of in _OBJECTS.items()}

    def enter(self) -> None:
        """Take note of the folder where a job runs."""
        self._found[_FOLDER] = _read(self._values[_FOLDER])
        self._before, self._held = _blocks(), [self._token]

    def _more_frozen(self) -> bool:
        """Say whether a program froze objects.

        What was made for this job is then none of those that the collector looks at. To count
        all frozen ones, most of them the server's, takes longer than a small job.
        """
        if _blocks() - self._before > _MANY:  # of those that were frozen before, some may go
            return _count_frozen() > self._frozen
        return all(each is not self._held for each in _referrers(self._token))

    def rests(self) -> bool:
        """Say whether the collector is off, or comes by at another pace."""
        return not _enabled() or _threshold() != self._pace

    def left(self) -> list[str]:
        """Return what is other than it was found, but for the collector: a line each.

        A process that was just forked has to copy much of what is looked at.
        """
        lines = []
        for name, of in self._values.items():
            if (value := _read(of)) != self._found[name]:
                lines.append(f"{name}: {value}"[:_LONGEST])
        for name, objects in _OBJECTS.items():
            now, kept = objects(), self._kept[name]
            if len(now) != len(kept) or not all(map(is_, now, kept)):
                lines.append(f"{name}: others")
        return lines
