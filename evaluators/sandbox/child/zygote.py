"""The program that candidates are forked from: started anew for each address-space layout.

It holds nothing worth stealing: an ordinary environment, loaded modules and one socket to the
parent. It never reads a program; the child does, after it was locked. Run by path:
`python -I -S zygote.py FD`.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn  # the settings, as JSON

ROOT = str(Path(__file__).resolve().parents[3])

sys.path.insert(0, ROOT)
from evaluators.sandbox.child.loading import apart  # noqa: E402

with apart():
    from evaluators.sandbox.child import entry as child
    from evaluators.sandbox.child.interpreter import Settings
    from evaluators.sandbox.child.job_request import JOB_DESCRIPTOR
    from evaluators.sandbox.frames import FORK, FORKED, OUT_OF_MEMORY, REAPED, REQUEST
    from evaluators.sandbox.isolation import landlock, ordinary
    from evaluators.sandbox.isolation.jail import Jail
    from evaluators.sandbox.isolation.kernel import close_from, keep_large_blocks
    from se_agent.files.kept_back import KeptBack

if TYPE_CHECKING:
    from evaluators.sandbox.isolation.namespace import Namespace

    Lock = Jail | Namespace

sys.path.remove(ROOT)

COMMON = (
    "array", "bisect", "cmath", "collections", "copy", "dataclasses", "datetime", "decimal",
    "enum", "fractions", "functools", "hashlib", "heapq", "io", "itertools", "json", "math",
    "numbers", "operator", "random", "re", "statistics", "string", "struct", "textwrap",
    "time", "typing", "unicodedata", "zlib",
)  # fmt: skip
"""Modules that candidates often import: loaded before the fork, so that none pays for them."""

_CONTROL = 3  # a number below all that are received, and the one that a child overwrites
_DESCRIPTORS = 5  # the job's socket, standard input, output and error, a compiled program
_MOST = _DESCRIPTORS + 1  # and one for who has to introduce itself
_LARGEST = 1 << 20  # settings


def main(control: socket.socket) -> None:
    """Load, lock, say so, and serve until the parent is gone."""
    settings = json.loads(control.recv(_LARGEST))
    keep_large_blocks()
    try:
        jail = _jail(settings)
        readable = _load(settings)
        shown = [KeptBack(*project).reach() for project in settings["projects"]]
        readable += [path for reach in shown for path in reach.paths]
        jail.lock_server(readable, [path for reach in shown for path in reach.listed])
    except Exception as err:  # noqa: BLE001  (told to the parent, which raises)
        _tell(control, json.dumps({"error": f"{type(err).__name__}: {err}"}).encode())
        return
    _tell(control, b"{}")
    child.hide()
    ordinary.furnish(jail.folder)  # before the fork: no program pays for it
    for name in settings["single_threaded"]:  # for libraries in C that a program loads itself
        os.putenv(name, "1")  # which is no part of `os.environ`
    _serve(control, jail)


def _jail(settings: dict[str, Any]) -> Lock:
    if settings["isolation"] != "namespace":
        return Jail(settings["isolation"])
    sys.path.insert(0, ROOT)
    from evaluators.sandbox.isolation.namespace import (
        Namespace,  # rarely needed, and to be loaded fast
    )
    from evaluators.sandbox.isolation.runtime import RunTime

    sys.path.remove(ROOT)
    hosted = settings["run_time"]
    return Namespace(RunTime(**hosted) if hosted else None)


def _tell(control: socket.socket, data: bytes) -> None:
    os.write(control.fileno(), data)  # the lock leaves no way to send


def _load(settings: dict[str, Any]) -> list[str]:
    """Import what children will find loaded; return all that they may read but for projects."""
    python = list(sys.path)
    readable = [*landlock.python_paths(), *settings["shown"]]
    if settings["compiled"]:
        readable.append(settings["compiled"])
        _find_compiled(settings["compiled"])
    for name in COMMON:
        importlib.import_module(name)
    ordinary.withdraw()
    for name in settings["library"]:
        with contextlib.suppress(Exception, SystemExit):
            importlib.import_module(name)
    sys.path[:0] = settings["folders"]
    before = set(sys.modules)
    os.environ.update(dict.fromkeys(settings["single_threaded"], "1"))
    for name in settings["imports"]:
        importlib.import_module(name)
    sys.path[:] = [*python, *settings["site"]]
    loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
    folders = [folder for folder in settings["folders"] if folder not in settings["site"]]
    return [*readable, *_package_paths(folders, loaded)]


def _find_compiled(folder: str) -> None:
    """Let Python look for the compiled form of a module in a folder of ours, if it is there.

    Python compares its time and size with those of the source, as of any other.
    """
    external: Any = importlib.import_module("importlib._bootstrap_external")
    beside = external.cache_from_source
    known = frozenset(f"{at}/{name}" for at, _, names in os.walk(folder) for name in names)

    def cache_from_source(path: Any, *args: Any, **kwargs: Any) -> Any:
        form = f"{folder}{os.fspath(path)}c"
        return form if form in known else beside(path, *args, **kwargs)

    if known:
        external.cache_from_source = cache_from_source


def _package_paths(folders: list[str], packages: set[str]) -> list[str]:
    """Return, of every package loaded from these folders, its own path and its libraries."""
    return [
        f"{folder}/{entry}"
        for folder in folders
        for entry in os.listdir(folder)  # noqa: PTH208
        if entry.partition(".")[0] in packages
    ]


def _serve(control: socket.socket, jail: Lock) -> None:
    gc.collect()
    gc.freeze()
    settings = Settings()
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, REQUEST.size, _MOST)
        if len(data) != REQUEST.size:
            return
        operation, first, second = REQUEST.unpack(data)
        if operation == FORK:
            pid = _fork(descriptors, jail, (first, second), settings)
            _tell(control, FORKED.pack(pid))
        else:
            _tell(control, _reap(first))


def _fork(
    descriptors: list[int], jail: Lock, limits: tuple[int, int], settings: Settings
) -> int:
    try:
        pid = jail.fork(descriptors)
    except OSError as err:
        pid = -(err.errno or errno.EAGAIN)
    if pid == 0:
        try:
            _become_child(descriptors, jail, limits, settings)
        finally:
            os._exit(1)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid


def _become_child(
    descriptors: list[int], jail: Lock, limits: tuple[int, int], settings: Settings
) -> None:
    # Received descriptors lie above the ones they are copied to, so none is overwritten.
    for place, descriptor in enumerate(descriptors[1:4]):
        os.dup2(descriptor, place)
    if len(descriptors) == _DESCRIPTORS:
        _become_program(descriptors[-1], jail, limits)
    os.dup2(descriptors[0], JOB_DESCRIPTOR)  # where our own socket was
    close_from(JOB_DESCRIPTOR + 1)
    jail.lock_child(*limits)
    child.serve(settings, jailed=jail.locked)


def _become_program(executable: int, jail: Lock, limits: tuple[int, int]) -> NoReturn:
    """Execute a compiled program, which inherits nothing but the three standard files."""
    os.dup2(executable, JOB_DESCRIPTOR, inheritable=False)
    close_from(JOB_DESCRIPTOR + 1)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
        signal.signal(number, signal.SIG_DFL)
    try:
        jail.lock_child(*limits, executable=JOB_DESCRIPTOR)
        jail.execute(JOB_DESCRIPTOR, limits[0])
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def _reap(pid: int) -> bytes:
    _, status, usage = os.wait4(pid, 0)
    return REAPED.pack(status, usage.ru_maxrss * 1024)


if __name__ == "__main__":
    gc.disable()
    os.dup2(int(sys.argv[1]), _CONTROL)
    close_from(_CONTROL + 1)
    main(socket.socket(fileno=_CONTROL))
