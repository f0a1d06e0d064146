"""Where a long run stood, kept, so that it is taken up without folding its whole journal.

A snapshot is a cache: the journal is the truth, and whatever does not fit it is passed over, be
it of other code, of another journal, or torn. Snapshots lie in the account's own cache folder
and never in a run's: unpickling runs code, and a run's folder may come from anybody.
Not here: what is kept (`state`), and reports and replays, which read the journal alone.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import json
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import NoneType
from typing import NamedTuple

import se_agent
from se_agent.abilities.optional import Resumable
from se_agent.engine.journal.journal import Journal
from se_agent.engine.state.state import State
from se_agent.events import Ended, Event, GenerationOpened
from se_agent.memory import TokenCounter
from se_agent.protocols import Listener

EVERY = 1000
"""Closed steps between two snapshots, or those of a generation, if it has more.

Folding so many takes about a second.
"""

RUNS = 32
"""Snapshots that are kept; those of the runs that stood still longest go first."""

_COUNTER = "counter"  # of tokens: large, and made anew from its name


class Taken(NamedTuple):
    """What a snapshot holds.

    Attributes:
        row: Row of the last event that is in it.
        state: The fold of all events up to that one.
        pasts: What listeners knew then.
    """

    row: int
    state: State
    pasts: tuple[object, ...]

    def told(self, listeners: Sequence[Listener]) -> bool:
        """Give all listeners their pasts, or none of them any; say whether it was done.

        Several of a kind get theirs in order.
        """
        left, given = list(self.pasts), list[tuple[Resumable, object]]()
        for each in listeners:
            if not isinstance(each, Resumable):
                return False
            if (kind := type(each.snapshot())) is NoneType:
                continue
            past = next((past for past in left if type(past) is kind), None)
            if past is None:
                return False
            left = [other for other in left if other is not past]
            given.append((each, past))
        for able, past in given:
            able.restore(past)
        return True


class Snapshots:
    """The snapshot of one run.

    1. It is only ever the fold of a prefix of this journal, made by this very code.
    2. Nothing fails for want of one: what cannot be kept, or read, is not there.
    """

    def __init__(self, journal: Journal) -> None:
        """Take the journal, which has its first event."""
        self._journal = journal

    def save(self, state: State, listeners: Sequence[Listener]) -> None:
        """Keep where a run stands: after the journal's last event."""
        tiers = state.memory.tiers if state.memory else ()
        if not all(map(_is_ours, (state.policy, *tiers))):
            return  # nobody could say whether their code is still the same
        # A full disk, an account without a home, a past that is no data: the journal is enough.
        with suppress(Exception):
            pasts = [each.snapshot() for each in listeners if isinstance(each, Resumable)]
            body = _dumped((state, tuple(pasts)), state)
            path = self._path()
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, json.dumps(self._head(body, state)).encode() + b"\n" + body)
            _tidy(path.parent)

    def load(self, begun: State) -> Taken | None:
        """Return the snapshot, if there is one that fits.

        Args:
            begun: The state before the first event, with the run's folds and its counter of
                tokens, which is not in the snapshot.
        """
        try:
            head, _, body = _read(self._path()).partition(b"\n")
            said = json.loads(head)
            if said != self._head(body, begun, said["row"]):
                return None
            counter = begun.memory.counter if begun.memory else None
            state, pasts = _Loader(io.BytesIO(body), counter).load()
            if [*state.folds] != [*begun.folds]:
                return None
        except Exception:  # noqa: BLE001 - whatever is wrong with it, the journal is right
            return None
        return Taken(said["row"], state, pasts)

    def drop(self) -> None:
        """Forget it."""
        with suppress(OSError):
            self._path().unlink(missing_ok=True)

    def _path(self) -> Path:
        _, first = self._journal.mark(1)
        return folder() / f"{first[:32]}.snapshot"

    def _head(self, body: bytes, state: State, row: int = 0) -> dict[str, object]:
        """Return what a snapshot must fit: an event, by default the newest, code and body."""
        row, event = self._journal.mark(row)
        digest = hashlib.sha256(body).hexdigest()
        return {"row": row, "event": event, "code": _code(_packages(state)), "body": digest}


class Keeper:
    """A listener that keeps a snapshot every thousand steps; the last one to be told.

    Args:
        journal: Journal of the run.
        state: State that the journal leads to.
        listeners: Listeners; their pasts are kept, too, if they have any.
        since: Closed steps in the snapshot that is there.
    """

    def __init__(
        self, journal: Journal, state: State, listeners: Sequence[Listener], *, since: int = 0
    ) -> None:
        self._journal = journal
        self._state = state
        self._listeners = listeners
        self._since = since
        # Now: the files may be others before the first snapshot is made. That of a fold may
        # have none: then nothing is kept.
        with suppress(Exception):
            _code(_packages(state))

    def on_event(self, event: Event) -> None:
        """Keep one where a generation begins: nobody asks the search meanwhile."""
        if isinstance(event, Ended):
            Snapshots(self._journal).drop()
        elif isinstance(event, GenerationOpened) and self._state.closed - self._since >= EVERY:
            self._since = self._state.closed
            Snapshots(self._journal).save(self._state, self._listeners)


def folder() -> Path:
    """Return the folder of all snapshots of this account.

    Raises:
        OSError: The account has no home.
    """
    try:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError as err:
        raise FileNotFoundError(*err.args) from err
    if not root.is_absolute():
        raise FileNotFoundError(str(root))
    return root / "se_agent" / "snapshots"


def _is_ours(part: object) -> bool:
    return type(part).__module__.startswith(f"{se_agent.__name__}.")


class _Dumper(pickle.Pickler):
    def __init__(self, file: io.BytesIO, counter: TokenCounter | None) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._counter = counter

    def persistent_id(self, obj: object) -> str | None:
        return _COUNTER if obj is self._counter and obj is not None else None


class _Loader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, counter: TokenCounter | None) -> None:
        super().__init__(file)
        self._counter = counter

    def persistent_load(self, pid: object) -> TokenCounter | None:
        assert pid == _COUNTER
        return self._counter


def _dumped(kept: object, state: State) -> bytes:
    file = io.BytesIO()
    _Dumper(file, state.memory.counter if state.memory else None).dump(kept)
    return file.getvalue()


def _packages(state: State) -> tuple[str, ...]:
    """Return the packages of the code that a state is folded by: ours, and those of folds."""
    outside = {type(state.folds[name]).__module__.partition(".")[0] for name in state.outside}
    return se_agent.__name__, *sorted(outside - {se_agent.__name__})


def code_of(packages: Sequence[str]) -> str:
    """Return what is another one when the code is: the digest of its files and of Python.

    Raises:
        TypeError: One of the packages has no files.
    """
    digest = hashlib.sha256(sys.version.encode())
    for package in packages:
        root, files = _files(package)
        for path in files:
            digest.update(f"\n{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


_code = cache(code_of)


def _files(package: str) -> tuple[Path, list[Path]]:
    """Return the folder and the files of an imported package, or of a module that is a file."""
    module = sys.modules[package]
    for root in map(Path, getattr(module, "__path__", ())):
        return root, sorted(root.rglob("*.py"))
    path = Path(inspect.getfile(module))
    return path.parent, [path]


def _write(path: Path, text: bytes) -> None:
    """Write a file that is there whole, or not at all, and that is ours alone."""
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _read(path: Path) -> bytes:
    """Return a file that nobody else could have written.

    Raises:
        OSError: There is none.
    """
    for place in (path.parent.parent, path.parent):
        _check_ours(place, place.lstat(), stat.S_IFDIR)
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        _check_ours(path, os.fstat(file.fileno()), stat.S_IFREG)
        return file.read()


def _check_ours(path: Path, told: os.stat_result, kind: int) -> None:
    others = told.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if told.st_uid != os.getuid() or others or stat.S_IFMT(told.st_mode) != kind:
        raise PermissionError(str(path))


def _tidy(place: Path) -> None:
    """Drop the oldest files beyond what is kept, and parts that a kill has left."""
    times = dict[Path, float]()
    for path in place.iterdir():
        with suppress(FileNotFoundError):  # of a run that has just ended
            times[path] = path.stat().st_mtime
    for path in sorted(times, key=lambda path: -times[path])[RUNS:]:
        path.unlink(missing_ok=True)
