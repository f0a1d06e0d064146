"""What each refuting input of a run was worth: how many programs it refuted, and when last.

Inputs of earlier runs count here, too: one that refutes again is asked before one that does
not. Pure. Not here: which inputs a run takes with it (`recall`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from se_agent.events import Challenged, Event, Retested
from se_agent.memory.experience.long_term import KnownTest
from se_agent.memory_events import Recalled
from se_agent.values.evaluation import Counterexample, Status, TestKey


@dataclass
class Refutations:
    """The refuting inputs of a run, gathered in one pass over its events."""

    _tests: dict[TestKey, Counterexample] = field(default_factory=dict)
    _programs: Counter[TestKey] = field(default_factory=Counter)
    _last: dict[TestKey, str] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case Recalled():
                self._tests |= {test.key: test for test in event.tests}
            case Challenged() if event.hunt.test is not None:
                self._tests.setdefault(event.hunt.test.key, event.hunt.test)
                self._count(event.hunt.test.key, event)
            case Retested() if event.evaluation.status is not Status.AC:
                self._count(event.test, event)

    def tests(self, fingerprint: str) -> Iterator[KnownTest]:
        """Yield the inputs that refuted a program of the run, the first one found at first.

        Args:
            fingerprint: Hash of the problem.
        """
        for key, test in self._tests.items():
            if number := self._programs[key]:
                at = self._last[key]
                yield KnownTest(fingerprint=fingerprint, test=test, programs=number, at=at)

    def _count(self, key: TestKey, event: Event) -> None:
        self._programs[key] += 1
        self._last[key] = event.at.isoformat(timespec="seconds")
