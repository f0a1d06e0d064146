"""How the readers of what a jail reports bear forgeries.

`python -m experiments.bench.readers [--reads N] [--seed S]`: random and mutated answers,
observations, frames, scores and blocks go into the real readers, and what these make of them
into a journal. Counted are crashes of a reader or of the journal, events that come back as
others, memory, and the longest read. The exit code is 1 if anything crashed or came back as
another. Not here: what is forged (`forged`), and who reads it (`doors`).
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from experiments.bench.doors import DOORS
from se_agent.engine.journal.journal import Journal
from se_agent.events import Event, dumps
from se_agent.store.connection import IN_MEMORY

_A_JOURNAL = 5000  # events, after which another is begun
_SHOWN = 30  # kinds of crashes


@dataclass
class Count:
    """What came of the reads of one door.

    Attributes:
        reads: How many.
        crashes: Those that raised, or whose events the journal did not take.
        events: How many were written.
        others: Those that could not be read, or came back as another.
        longest: CPU seconds of the longest read.
        why: How often it raised what, and where.
    """

    reads: int = 0
    crashes: int = 0
    events: int = 0
    others: int = 0
    longest: float = 0.0
    why: Counter[str] = field(default_factory=Counter)


class Kept:
    """Journals, one after the other, and whether what is written comes back."""

    def __init__(self) -> None:
        self._begin()

    def comes_back(self, event: Event) -> bool:
        """Write an event; say whether the same is read."""
        (written,) = self._journal.append(event)
        self._events += 1
        try:
            (read,) = self._journal.events(after=self._events - 1)
            same = _told(read) == _told(written)
        except Exception:  # noqa: BLE001  (any is what is counted)
            same = False
        if self._events == _A_JOURNAL:
            self.close()
            self._begin()
        return same

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def _begin(self) -> None:
        self._events = 0
        self._journal = Journal(IN_MEMORY)


def _told(event: Event) -> object:
    """Return what an event says: 1 is 1.0, and what is no number is itself."""
    return json.loads(dumps(event))


def counted(reads: int, seed: int) -> dict[str, Count]:
    """Return what came of so many reads, door by door."""
    counts = {name: Count() for name in DOORS}
    kept = Kept()
    for number, name in zip(range(reads), _turns(), strict=False):
        _read(counts[name], name, Random(f"{seed} {number}"), kept)
    kept.close()
    return counts


def _turns() -> Iterator[str]:
    turns = [name for name, (_, share) in DOORS.items() for _ in range(share)]
    while True:
        yield from turns


def _read(count: Count, name: str, random: Random, kept: Kept) -> None:
    door, _ = DOORS[name]
    count.reads += 1
    begun = time.thread_time()
    try:
        events = door(random)
        count.longest = max(count.longest, time.thread_time() - begun)
        for event in events:
            count.events += 1
            count.others += not kept.comes_back(event)
    except Exception as err:  # noqa: BLE001  (any is what is counted)
        count.crashes += 1
        place = traceback.extract_tb(err.__traceback__)[-1]
        count.why[f"{type(err).__name__} at {Path(place.filename).name}:{place.lineno}"] += 1


def main(arguments: list[str]) -> int:
    """Read forgeries, print what came of it, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.bench.readers")
    parser.add_argument("--reads", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    counts = counted(asked.reads, asked.seed)
    print("| reader | reads | crashes | events | come back as others | longest read, CPU ms |")
    print("|---|---|---|---|---|---|")
    for name, one in counts.items():
        row = (
            name,
            one.reads,
            one.crashes,
            one.events,
            one.others,
            f"{1000 * one.longest:.0f}",
        )
        print("|", " | ".join(map(str, row)), "|")
    total = [sum(getattr(one, part) for one in counts.values()) for part in _SUMS]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{total[0]:,} reads: {total[1]:,} crashes, {total[3]:,} of {total[2]:,} events come")
    print(f"back as others; at most {peak} MB of memory in all")
    why = sum((one.why for one in counts.values()), Counter[str]())
    for place, often in why.most_common(_SHOWN):
        print(f"  {often:6,} {place}")
    return int(bool(total[1] or total[3]))


_SUMS = ("reads", "crashes", "events", "others")

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
