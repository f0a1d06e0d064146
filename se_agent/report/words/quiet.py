"""Steps that brought no candidate, in few words.

A generation has a line for them, and generations that had nothing else have one together. Not
here: how a step with a candidate is told (`steps`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from se_agent.events import GenerationOpened
from se_agent.report.story import Chapter, Standing, Story
from se_agent.wording import counted

_REASONS = {Standing.DUPLICATE: "tried before", Standing.UNANSWERED: "no room for a call"}


class Quiet:
    """What is not told yet: the heading of a generation waits for a line below it."""

    def __init__(self) -> None:
        self._untold: list[GenerationOpened] = []  # oldest first
        self._heading: Callable[[], str] = str  # makes that of the last one of these
        self._end = 0  # slot after those of the generation that was told last
        self._steps: list[tuple[int, str]] = []  # slots, and why there is no candidate

    def open(self, event: GenerationOpened, heading: Callable[[], str]) -> None:
        """Take note of a generation, and of what makes the line that heads it.

        It is made when it is told: steps of the generation before may be closed until then.
        """
        self._untold.append(event)
        self._heading = heading

    def begin(self, slot: int) -> Iterator[str]:
        """Yield what comes before a line of a step, or of a step after it."""
        if not self._untold or slot < self._untold[0].slot:
            return  # the last step of a generation is closed when the next one is open
        yield from self._told(self._untold[0].slot)
        opened = self._untold.pop()
        yield from self._passed(opened.slot)
        yield self._heading()
        self._end = opened.slot + opened.size

    def close(self, slot: int, why: str) -> Iterator[str]:
        """Take note of a closed step, and yield a line where it is its generation's last one.

        Args:
            slot: Slot of the step.
            why: It brought no candidate; empty: it did, or has a line of its own.
        """
        if why:
            self._steps.append((slot, why))
        if slot == self._end - 1:
            yield from self._told(self._end)

    def end(self) -> Iterator[str]:
        """Yield all that is left."""
        if self._untold:
            yield from self._told(self._untold[0].slot)
            yield from self._passed(self._untold[-1].slot + self._untold[-1].size)
        yield from self._told()

    def _told(self, end: float = math.inf) -> Iterator[str]:
        """Yield a line for the steps before a slot."""
        if reasons := [why for slot, why in self._steps if slot < end]:
            many = counted(len(reasons), "step")
            yield f"  no candidate in {many}: {_counted(reasons)}"
        self._steps = [(slot, why) for slot, why in self._steps if slot >= end]

    def _passed(self, end: int) -> Iterator[str]:
        """Yield a line for the generations that nothing was told of."""
        if not self._untold:
            return
        first, last = self._untold[0], self._untold[-1]
        reasons = dict.fromkeys(w for slot, w in self._steps if first.slot <= slot < end)
        several = f"s {first.generation} to {last.generation}"
        span = f" {first.generation}" if first is last else several
        yield f"generation{span}: {', '.join(reasons) or 'broken off'}"
        self._steps = [one for one in self._steps if not first.slot <= one[0] < end]
        self._untold = []


def _counted(reasons: Iterable[str]) -> str:
    found = Counter(reasons)
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(f"{count} {why}" for why, count in found.items())


def reason(chapter: Chapter, story: Story) -> str:
    """Say why a closed step has no candidate; its generation is open, or the one before."""
    if chapter.selected is not None:
        return _REASONS.get(chapter.standing, chapter.standing.value)
    name = _full(chapter.slot, story)
    return f"no room in budget.{name}" if name else "nothing left to try"


def _full(slot: int, story: Story) -> str:
    """Return the name of the limit that kept a slot from being filled; empty: none did."""
    later = (c for c in story.chapters.values() if c.slot > slot)
    if story.started is None or any(chapter.selected for chapter in later):
        return ""
    if story.no_room is not None:
        return story.no_room.limit
    limits, asked = story.started.config.get("budget", {}), story.costs.asked.in_all
    used = (
        ("evaluations", story.costs.evaluations + _awaited(slot, story)),
        ("proposals", story.filled),
        ("calls", asked.calls),
        ("tokens", asked.usage.total),
        ("money", asked.money or 0.0),
    )
    return next((name for name, n in used if n >= (limits.get(name) or math.inf)), "")


def _awaited(slot: int, story: Story) -> int:
    """Return how many models had been asked in vain when a slot was to be filled.

    Nobody knew then that it was in vain: room was kept for what they would bring.
    """
    assert story.started is not None
    assert story.generation is not None
    config, since = story.started.config, story.generation.slot
    if config.get("schedule") == "steady":
        since = slot + 1 - config.get("lag", 1)
    seen = [c for c in story.chapters.values() if since <= c.slot < slot]
    return sum(bool(c.asked.tallies) and c.evaluated is None for c in seen)


def repeats(story: Story) -> str:
    """Say how many proposals were equal to a program that was tried; nothing if none was."""
    number = story.counts()[Standing.DUPLICATE]
    was = "was" if number == 1 else "were"
    return f"{counted(number, 'repeat')} {was} not measured" if number else ""
