"""Our own environment while a command runs: secrets are set apart, and read from here.

`os.environ` no longer has them, nor what the kernel shows as `/proc/PID/environ`: neither a
file that leads there nor a process that we start sees a key. Not here: the environment of
processes (`child_process`), and what is a secret in a text (`se_agent.redaction.redactor`).
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress

from se_agent.environment.process_files import PROC, SELF, stat_fields

_WORDS = re.compile(
    r"(.*_)?(\w*(KEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|PASS|CREDENTIAL|CRED|AUTH|COOKIE)S?\d*"
    r"|HEADERS|DSN|PAT)(_.*)?|.+_PWD",
    re.IGNORECASE,
)
_USER = re.compile(r"://[^/\s@]+@")  # of a URL, most likely with a password
_PUBLIC = {"TIKTOKEN_CACHE_DIR", "CONTAINER_HOST", "DOCKER_HOST"}
_START, _END = 47, 48  # of the environment, among the words of `stat` behind the name


class _Apart:
    """The secrets of this process, once for all threads."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.running = 0
        self.shown = 0
        self.values: dict[str, str] = {}

    def show(self) -> None:
        for name, value in self.values.items():
            os.environ.setdefault(name, value)

    def hide(self, names: Iterable[str]) -> None:
        for name in names:
            os.environ.pop(name, None)


_apart = _Apart()


@contextmanager
def secrets_apart() -> Iterator[None]:
    """Set apart what is secret by its name or value; `os.environ` has it again afterwards.

    Several threads may be in here: it has it again when the last one has left.
    """
    with _apart.lock:
        _apart.running += 1
        set_apart(name for name, value in os.environ.items() if is_secret(name, value))
    try:
        yield
    finally:
        with _apart.lock:
            _apart.running -= 1
            if not _apart.running:
                _apart.show()
                _apart.values.clear()


def set_apart(names: Iterable[str]) -> None:
    """Set these variables apart as well, such as those that a run file names.

    It does nothing unless secrets are set apart: a program that uses us as a library keeps its
    environment.
    """
    with _apart.lock:
        found = {name: os.environ[name] for name in names if name in os.environ}
        if not _apart.running or not found:
            return
        _apart.values |= found
        _apart.hide(found)
        _overwrite(found)
        if _apart.shown:
            _apart.show()


def given() -> dict[str, str]:
    """Return the environment as we were given it, secrets included."""
    with _apart.lock:
        return _apart.values | dict(os.environ)


@contextmanager
def show_secrets() -> Iterator[None]:
    """Have `os.environ` hold the secrets: for code of others, which looks for them there."""
    with _apart.lock:
        _apart.shown += 1
        _apart.show()
    try:
        yield
    finally:
        with _apart.lock:
            _apart.shown -= 1
            if not _apart.shown:
                _apart.hide(_apart.values)


def is_secret(name: str, value: str) -> bool:
    """Say whether a variable is taken for a secret: by its name, or as a URL with a user."""
    if name in _PUBLIC:
        return False
    return bool(_WORDS.fullmatch(name) or _USER.search(value))


def _overwrite(names: Collection[str]) -> None:
    """Overwrite variables in the memory that `/proc/PID/environ` shows.

    The C library must not know them any more. Where the kernel lets nobody write there, they
    stay readable for processes of the same user that are in no jail.
    """
    wanted = {os.fsencode(name) for name in names}
    with suppress(OSError, ValueError, IndexError):
        words = stat_fields(SELF)
        start, end = int(words[_START]), int(words[_END])
        with (PROC / SELF / "mem").open("r+b", buffering=0) as memory:
            memory.seek(start)
            for found in re.finditer(rb"[^\0]+", memory.read(end - start)):
                if found[0].partition(b"=")[0] in wanted:
                    memory.seek(start + found.start())
                    memory.write(bytes(len(found[0])))
