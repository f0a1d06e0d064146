"""Who proposed each program first, and which programs a slot may know: hundreds of thousands.

A run never forgets a program that it tried, and a long one tries many. As a dictionary of texts
they took 0.4 KB each; in columns, sorted by their digests, an eighth.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from se_agent.events import Event, Proposed, Started, Trimmed
from se_agent.values.solution import Solution

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from se_agent.engine.state.state import State

RECENT = 4096
"""Contents that are kept apart, before they are sorted into all others at once."""


class Origin(NamedTuple):
    """Who proposed a program first.

    Attributes:
        solution: Id of the first one of this content.
        slot: Of that one; -1 for the initial program.
        rule: First slot in which an operator made it without a model; infinite: in none.
    """

    solution: str
    slot: int
    rule: float = math.inf


class _Columns(NamedTuple):
    """Origins by the digests of their contents, in ascending order.

    Attributes:
        high: First half of each digest.
        low: Second half.
        solution: Id, as bytes of UTF-8.
        slot: See `Origin`.
        rule: See `Origin`.
    """

    high: NDArray[np.int64]
    low: NDArray[np.int64]
    solution: NDArray[np.bytes_]
    slot: NDArray[np.int64]
    rule: NDArray[np.float64]


class Contents:
    """Origins by content address.

    Threads may ask while one sets: they find what was set before they asked, and do not lock.
    """

    def __init__(self, *, recent: int = RECENT) -> None:
        """Begin with none, and sort so many in at a time."""
        self._most = recent
        self._recent: dict[str, Origin] = {}
        self._columns: _Columns | None = None

    def get(self, content: str) -> Origin | None:
        """Return who proposed a content first; None: nobody did."""
        # In this order: what is sorted in meanwhile is there before it is not recent any more.
        found = self._recent.get(content)
        return _found(self._columns, content) if found is None else found

    def know(self, solution: Solution, slot: int) -> Origin:
        """Return who proposed a program first; from now on somebody did."""
        origin = self.get(solution.content) or Origin(solution.id, slot)
        self[solution.content] = origin
        return origin

    def __setitem__(self, content: str, origin: Origin) -> None:
        if self.get(content) == origin:
            return
        self._recent[content] = origin
        if len(self._recent) >= self._most:
            self._columns = _joined(_columns(self._recent), self._columns)
            self._recent = {}


class ContentsFold(Contents):
    """Contents, moved on by proposals and by trials at the end of a search."""

    reads: ClassVar = (Started, Proposed, Trimmed)

    def __init__(self, run: State) -> None:
        super().__init__()
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in a program, unless it is known."""
        match event:
            case Started():
                self[event.initial.content] = Origin(event.initial.id, event.slot)
            case Proposed():
                self._propose(event)
            case Trimmed():
                self.know(event.solution, event.slot)

    def _propose(self, event: Proposed) -> None:
        if event.proposal is None:
            return
        solution = event.proposal.solution
        origin = self.know(solution, event.slot)
        if not self._run.open[event.slot].answers:
            rule = min(origin.rule, event.slot)
            self[solution.content] = origin._replace(rule=rule)


def _found(columns: _Columns | None, content: str) -> Origin | None:
    if columns is None:
        return None
    high, low = _digest(content)
    place = int(columns.high.searchsorted(high))
    while place < len(columns.high) and columns.high[place] == high:
        if columns.low[place] == low:
            _, _, solution, slot, rule = (column[place] for column in columns)
            return Origin(solution.decode(), int(slot), float(rule))
        place += 1
    return None


def _joined(new: _Columns, old: _Columns | None) -> _Columns:
    """Return both in order; of two of a content the new one is kept."""
    import numpy as np  # not before there are many: a report needs none of it

    parts = (new, old) if old else (new,)
    joined = _Columns._make(np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.lexsort((joined.low, joined.high))  # stable: of two the new one comes first
    high, low = joined.high[order], joined.low[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    kept = order[first]
    return _Columns._make(column[kept] for column in joined)


def _columns(origins: Mapping[str, Origin]) -> _Columns:
    import numpy as np

    digests = np.array([_digest(content) for content in origins], dtype=np.int64)
    ids, slots, rules = zip(*origins.values(), strict=True)
    return _Columns(
        digests[:, 0].copy(),
        digests[:, 1].copy(),
        np.array([name.encode() for name in ids], dtype=np.bytes_),
        np.array(slots, dtype=np.int64),
        np.array(rules, dtype=np.float64),
    )


def _digest(content: str) -> tuple[int, int]:
    """Return both halves of a digest that is the same in each process."""
    high, low = struct.unpack("qq", hashlib.blake2b(content.encode(), digest_size=16).digest())
    return high, low


@dataclass(frozen=True)
class Tried(Container[str]):
    """The content addresses that a slot may know: the same whenever it is asked.

    These are all of closed steps that the slot sees, and what rules made for open slots before
    it. What a model writes for those is not known yet, or known by luck: it is left out.

    Attributes:
        contents: Of the run so far.
        slot: The one.
        closed: How many closed steps it sees.
        promised: Made by rules for slots before it, and not on record yet.
    """

    contents: Contents
    slot: int
    closed: int
    promised: frozenset[str] = frozenset()

    def __contains__(self, content: object) -> bool:
        """Say whether a program was tried."""
        if content in self.promised:
            return True
        origin = self.contents.get(str(content))
        return origin is not None and (origin.slot < self.closed or origin.rule < self.slot)
