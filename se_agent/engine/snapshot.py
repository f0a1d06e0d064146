"""Where a long run stood, kept, so that it is taken up without folding its whole journal.

A snapshot is a cache: the journal is the truth, and whatever does not fit it is passed over, be
it of other code, of another journal, or torn. Snapshots lie in the account's own cache folder
and never in a run's: unpickling runs code, and a run's folder may come from anybody.
Not here: what is kept (`state`), and reports and replays, which read the journal alone.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import se_agent
from se_agent.engine.record.journal import Journal
from se_agent.engine.state.state import State
from se_agent.events import Ended, Event, GenerationOpened
from se_agent.memory.tokens import TokenCounter
from se_agent.protocols import Listener, Recalling

EVERY = 1000
"""Closed steps between two snapshots; folding so many takes about a second."""

RUNS = 32
"""Snapshots that are kept; those of the runs that stood still longest go first."""

_SUFFIX = ".snapshot"
_COUNTER = "counter"  # of tokens: large, and made anew from its name


class Taken(NamedTuple):
    """What a snapshot holds.

    Attributes:
        row: Of the last event that is in it.
        state: The fold of all events up to that one.
        pasts: What listeners knew then.
    """

    row: int
    state: State
    pasts: tuple[object, ...]

    def told(self, listeners: Sequence[Listener]) -> bool:
        """Give all listeners their pasts, or none of them any; say whether it was done."""
        known = {type(past): past for past in (None, *self.pasts)}
        able = [each for each in listeners if isinstance(each, Recalling)]
        if len(able) < len(listeners) or not {type(each.past()) for each in able} <= set(known):
            return False
        for each in able:
            each.recall(known[type(each.past())])
        return True


class Snapshots:
    """The snapshot of one run.

    1. It is only ever the fold of a prefix of this journal, made by this very code.
    2. Nothing fails for want of one: what cannot be kept, or read, is not there.
    """

    def __init__(self, journal: Journal) -> None:
        """Take the journal, which has its first event."""
        self._journal = journal

    def save(self, state: State, pasts: Sequence[object]) -> None:
        """Keep where a run stands: after the journal's last event."""
        if not type(state.policy).__module__.startswith(f"{se_agent.__name__}."):
            return  # nobody could say whether its code is still the same
        row = self._journal.last
        try:
            body = _dumped((state, tuple(pasts)), state)
            said = {"row": row, "body": hashlib.sha256(body).hexdigest(), **self._marks(row)}
            path = self._path()
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, json.dumps(said).encode() + b"\n" + body)
            _tidy(path.parent)
        except OSError:  # a full disk, or an account without a home
            self.drop()

    def load(self, counter: TokenCounter | None) -> Taken | None:
        """Return the snapshot, if there is one that fits.

        Args:
            counter: Of the run's tokens: it is not in the snapshot.
        """
        try:
            head, _, body = _read(self._path()).partition(b"\n")
            said = json.loads(head)
            known = {"row": said["row"], "body": hashlib.sha256(body).hexdigest()}
            if said != {**known, **self._marks(said["row"])}:
                return None
            state, pasts = _Loader(io.BytesIO(body), counter).load()
        except Exception:  # noqa: BLE001 - whatever is wrong with it, the journal is right
            return None
        return Taken(said["row"], state, pasts)

    def drop(self) -> None:
        """Forget it."""
        with suppress(OSError):
            self._path().unlink(missing_ok=True)

    def _path(self) -> Path:
        return folder() / f"{self._journal.digest(1)[:32]}{_SUFFIX}"

    def _marks(self, row: int) -> dict[str, str]:
        return {"event": self._journal.digest(row), "code": _code()}


class Keeper:
    """A listener that keeps a snapshot every thousand steps; the last one to be told.

    Args:
        journal: Of the run.
        state: That it leads to.
        listeners: Whose pasts are kept, too, if they have any.
        since: Closed steps in the snapshot that is there.
    """

    def __init__(
        self, journal: Journal, state: State, listeners: Sequence[Listener], *, since: int = 0
    ) -> None:
        self._journal = journal
        self._state = state
        self._listeners = listeners
        self._since = since

    def on_event(self, event: Event) -> None:
        """Keep one where a generation begins: nobody asks the search meanwhile."""
        if isinstance(event, Ended):
            Snapshots(self._journal).drop()
        elif isinstance(event, GenerationOpened) and self._is_due():
            self._since = self._state.closed
            pasts = [each.past() for each in self._listeners if isinstance(each, Recalling)]
            Snapshots(self._journal).save(self._state, pasts)

    def _is_due(self) -> bool:
        return self._state.closed - self._since >= EVERY


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


@cache
def _code() -> str:
    """Return what is another one when the code is: its files, their sizes and times, Python."""
    root = Path(se_agent.__path__[0])
    found = sorted(root.rglob("*.py"))
    told = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in found]
    return hashlib.sha256(repr((sys.version, told)).encode()).hexdigest()


def _write(path: Path, text: bytes) -> None:
    """Write a file that is there whole, or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with open(part, "xb", opener=_opened_by_us_alone) as file:
            file.write(text)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _opened_by_us_alone(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _read(path: Path) -> bytes:
    """Return a file that nobody else could have written.

    Raises:
        OSError: There is none.
    """
    with open(path, "rb", opener=_opened_by_us_alone) as file:
        for told in (os.fstat(file.fileno()), path.parent.stat()):
            if told.st_uid != os.getuid() or told.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise PermissionError(str(path))
        return file.read()


def _tidy(place: Path) -> None:
    """Drop the oldest snapshots beyond what is kept."""
    found = sorted(place.glob(f"*{_SUFFIX}"), key=lambda path: -path.stat().st_mtime)
    for path in found[RUNS:]:
        path.unlink(missing_ok=True)
