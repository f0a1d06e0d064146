"""The memory of a run over time: since when each entry stood there, and whom it was shown to.

LocalMemory is folded again, so that what was cut, merged or rolled back is told as it was. An
entry was shown to a candidate if it stood in the version that the slot was asked with, and its
words stand in the prompt on record. Not here: what the columns mean (`columns`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from se_agent.analysis.run_tables.local_versions import LocalVersions
from se_agent.analysis.run_tables.step_facts import Row
from se_agent.chat.escaping import inline
from se_agent.chat.events import Replied, RolledBack, Told, Unanswered
from se_agent.chat.messages import LEARNING
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.events import Event, Learned, Selected
from se_agent.memory import LocalMemory, MemoryUpdate, entry_line
from se_agent.memory_events import Recalled
from se_agent.values.lesson import Direction, Item

Entry = Direction | Item
Change = Literal["new", "changed"]
Cause = Literal["lesson", "rollback", "suggestion", "recalled"]
End = Literal["changed", "compressed", "cut", "told anew", "dropped", "rolled back"]


@dataclass
class _Stay:
    """An entry from the version that it came with to the one that it was gone with."""

    entry: Entry
    from_version: int
    change: Change
    cause: Cause
    slot: int
    step: str
    to_version: int | None = None
    end: End | None = None
    shown_to: list[str] = field(default_factory=list)
    withheld: int = 0


class MemoryTable:
    """A fold of a run's events into rows; the memory goes along by the same events.

    Attributes:
        reads: Kinds of the events that both go on by.
    """

    reads: ClassVar = (*LocalVersions.reads, "selected", "replied", "unanswered")

    def __init__(self, run: str, memory: LocalVersions, text: Callable[[str], str]) -> None:
        """Begin before the first event.

        Args:
            run: What stands in the column `run`.
            memory: The memory before the first event; it is moved on.
            text: Returns the text that the journal keeps under a digest.
        """
        self._run = run
        self._memory = memory
        self._text = text
        self._stays: list[_Stay] = []
        self._alive: dict[object, _Stay] = {}
        self._version = 0
        self._standing: dict[int, tuple[_Stay, ...]] = {0: ()}
        self._shown: dict[int, tuple[_Stay, ...]] = {}
        self._children: dict[int, str] = {}
        self._withheld: dict[int, tuple[str, ...]] = {}
        self._gains: dict[str, float] = {}

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        if isinstance(event, Selected):
            self._children[event.slot] = event.child
            if event.informed:
                self._shown[event.slot] = self._standing[self._memory.asked_with]
                told = event.shown_memory
                self._withheld[event.slot] = told.withheld if told else ()
        elif isinstance(event, Learned) and event.verdict is not None:
            found = event.verdict
            self._gains[event.child] = max(found.effect, 0.0) if found.significant else 0.0
        elif isinstance(event, Replied | Unanswered) and event.role not in LEARNING:
            self._show(event)
        self._memory.apply(event)
        if self._memory.now.version != self._version:
            self._move(self._memory.now, event)

    def rows(self) -> Iterator[Row]:
        """Yield the rows, in the order in which entries came."""
        yield from map(self._row, self._stays)

    def _move(self, local: LocalMemory, event: Event) -> None:
        """Note which entries a new version has and which it has no more.

        Most are the same objects as before, and are not looked at.
        """
        entries: tuple[Entry, ...] = (*local.attempted_directions, *local.reasoning_bank)
        here = {*map(id, entries)}
        known = {id(stay.entry) for stay in self._alive.values()}
        fresh = {_identity(each): each for each in entries if id(each) not in known}
        gone = [
            key
            for key, stay in self._alive.items()
            if id(stay.entry) not in here and fresh.get(key) != stay.entry
        ]
        cause = _cause(event)
        for key in gone:
            stay = self._alive.pop(key)
            stay.to_version = local.version
            stay.end = (
                "changed" if key in fresh else _end(stay.entry, cause, self._memory.update)
            )
        step = self._children.get(event.slot, "") if cause == "lesson" else ""
        for key, entry in fresh.items():
            if key not in self._alive:
                change: Change = "changed" if key in gone else "new"
                stay = _Stay(entry, local.version, change, cause, event.slot, step)
                self._alive[key] = stay
                self._stays.append(stay)
        self._version = local.version
        oldest = self._memory.asked_with  # slots selected from here on are asked with no older
        kept = {n: stays for n, stays in self._standing.items() if n >= oldest}
        self._standing = kept | {local.version: tuple(self._alive.values())}

    def _show(self, call: Replied | Unanswered) -> None:
        """Note which entries stood in the prompt of a call."""
        stays = self._shown.get(call.slot, ())
        child = self._children.get(call.slot, "")
        if not (stays and call.request and child):
            return
        messages = unpacked_messages(call.request, self._text)
        prompt = "\n".join(message.content for message in messages)
        left_out = self._withheld.pop(call.slot, ())  # a call that is repeated counts once
        for stay in stays:
            if child in stay.shown_to:
                continue
            if all(w in prompt for w in _words(stay.entry)):
                stay.shown_to.append(child)
            elif stay.entry.source_ref.solution_id in left_out:
                stay.withheld += 1

    def _row(self, stay: _Stay) -> Row:
        entry = stay.entry
        common = (
            self._run,
            "direction" if isinstance(entry, Direction) else "item",
            entry.key or entry.direction if isinstance(entry, Direction) else entry.title,
            stay.from_version,
            stay.to_version,
            stay.change,
            stay.cause,
            stay.slot,
            stay.step,
            entry.source_ref.solution_id,
        )
        gain = sum(self._gains.get(child, 0.0) for child in stay.shown_to)
        spent = self._tokens(entry) * len(stay.shown_to) if stay.shown_to else 0
        rate = 1000 * gain / spent if spent else None
        shown = (" ".join(stay.shown_to), stay.withheld, gain, rate)
        return (*common, *_told(entry), *shown, stay.end)

    def _tokens(self, entry: Entry) -> int:
        return self._memory.now.counter.count(entry_line(entry))


def _identity(entry: Entry) -> object:
    """Return what makes an entry the same one in another version."""
    if isinstance(entry, Direction):
        return "direction", entry.key or entry.direction
    return "item", entry.source_ref.solution_id, entry.title, entry.content


def _words(entry: Entry) -> tuple[str, ...]:
    """Return what a prompt holds that shows an entry."""
    if isinstance(entry, Direction):
        return (f"- {inline(entry.direction)}",)
    return f"**{inline(entry.title)}**", inline(entry.content)


def _told(entry: Entry) -> Row:
    """Return the columns from `text` to `evidence`."""
    if isinstance(entry, Direction):
        counts = entry.tries, entry.gains, entry.losses
        return entry.direction, str(entry.outcome), *counts, None, None, entry.evidence
    found = entry.evidence
    parts = (found.code_change, found.metrics_delta, found.context)
    return (
        entry.content,
        str(entry.type),
        None,
        None,
        None,
        entry.effect if math.isfinite(entry.effect) else None,
        entry.significant,
        "; ".join(part for part in parts if part),
    )


def _end(entry: Entry, cause: Cause, update: MemoryUpdate | None) -> End:
    """Return why an entry is gone of which nothing else stands there now."""
    done = update if update is not None and cause == "lesson" else None
    if isinstance(entry, Item):
        anew = {item.source_ref.solution_id for item in done.items} if done else set()
        is_anew = entry.merged <= 1 and entry.source_ref.solution_id in anew
        return "told anew" if is_anew else "compressed"
    if cause == "rollback":
        return "rolled back"
    if done is not None and all(entry.key != other.key for other in done.cut):
        return "dropped"
    return "cut"


def _cause(event: Event) -> Cause:
    match event:
        case RolledBack():
            return "rollback"
        case Told():
            return "suggestion"
        case Recalled():
            return "recalled"
    return "lesson"
