"""`show --calls`: what the models of a run were asked, and what they said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from se_agent.cli.naming import named
from se_agent.errors import ConfigError
from se_agent.wording import command

if TYPE_CHECKING:
    from se_agent.chat.events import Lost, Replied, Unanswered
    from se_agent.report.story import Story

    Call: TypeAlias = Replied | Unanswered | Lost

_LISTED = "`se-agent show RUN --calls` lists all calls, with the ids of their steps"
_WIDTH = 100  # characters of a reply on a line of the list
_NAMELESS = re.compile(r"slot-(\d+)")  # a step that no program was to come of


class _Read(NamedTuple):
    """The calls of a run, names of their steps, objections to replies, replies that read."""

    calls: list[Call]
    ids: dict[int, str]
    objected: dict[tuple[int, str, int], str]
    read: set[tuple[int, str, int]]

    def name(self, call: Call) -> str:
        return self.ids.get(call.slot) or f"slot-{call.slot}"


def listed(folder: Path) -> Iterator[str]:
    """Yield two lines for each call of a run: what it cost, and how its reply begins.

    Raises:
        JournalError: The folder holds no journal that we can read.
    """
    from se_agent.report.words.phrases import one_line

    found = _read(folder)
    for call in found.calls:
        yield _head(call, found)
        yield f"    {one_line(_said(call)[1], _WIDTH)}"
    if found.calls:
        last = command("show", folder, found.name(found.calls[-1]), "--calls")
        yield f"prompts and replies of a step: {last}"
    else:
        yield "no model was asked"


def whole(folder: Path, story: Story, solution: str) -> Iterator[str]:
    """Yield each call of a step: its messages, and its reply, word by word.

    Args:
        folder: Folder of the run.
        story: The fold of its journal.
        solution: Id of the program that the step made, or should have made; `initial`, `best`,
            or what the list calls a step without an id.

    Raises:
        ConfigError: No step has that id.
        JournalError: The folder holds no journal that we can read, or a text is missing.
    """
    from se_agent.engine.journal.journal import Journal
    from se_agent.report.words.phrases import clean

    found = _read(folder)
    slot = _slot(solution, found, story)
    calls = [call for call in found.calls if call.slot == slot]
    with Journal(folder / "run.db", write=False) as journal:
        for call in calls:
            yield f"=== {_head(call, found)}"
            for name, text in _turns(call, journal.text):
                yield f"--- {clean(name)}"
                yield clean(text)
            if why := found.objected.get((call.slot, call.role, call.attempt)):
                yield "--- cannot be used"
                yield clean(why)
            yield ""
    if not calls:
        yield "no model was asked for this program"


def _slot(solution: str, found: _Read, story: Story) -> int | None:
    """Return the slot that is meant; None: of a program that no step made."""
    from se_agent.values.lesson import canonical_id

    if nameless := _NAMELESS.fullmatch(solution):
        return int(nameless[1])
    slots = {name: slot for slot, name in found.ids.items()}
    try:
        wanted = canonical_id(solution)
    except ValueError:
        wanted = named(story, solution).id
    if wanted not in slots and wanted not in story.solutions:
        raise ConfigError(f"no step of this run has the id {wanted}", hint=_LISTED)
    return slots.get(wanted)


def _read(folder: Path) -> _Read:
    """Read calls and ids at once: a run may go on meanwhile."""
    from se_agent.chat.events import Lost, Objected, Replied, Unanswered
    from se_agent.engine.journal.journal import Journal
    from se_agent.events import Selected
    from se_agent.memory_events import Fetched

    found = _Read([], {}, {}, set())
    with Journal(folder / "run.db", write=False) as journal:
        for event in journal.events():
            if isinstance(event, Selected):
                found.ids[event.slot] = event.child
            elif isinstance(event, Objected):
                found.objected[event.slot, event.role, event.attempt] = event.why
            elif isinstance(event, Fetched):
                found.read.add((event.slot, event.role, event.attempt))
            elif isinstance(event, Replied | Unanswered | Lost):
                found.calls.append(event)
    return found


def _head(call: Call, found: _Read) -> str:
    from se_agent.report.words import model_costs
    from se_agent.report.words.phrases import one_line
    from se_agent.stats.costs import Asked

    asked = Asked()
    asked.add(call)
    what = next(model_costs.of_step(asked), f"{call.role}: nobody was asked")
    after = "an unusable reply"
    if (call.slot, call.role, call.attempt - 1) in found.read:
        after = "it read a part of an output"
    again = f", once more after {after}" if call.attempt else ""
    return one_line(f"{found.name(call)}: {what}, {call.seconds:.1f} s{again}", 300)


def _turns(call: Call, text: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    from se_agent.engine.journal.transcript import unpacked_messages

    for message in unpacked_messages(call.request, text) if call.request else ():
        yield message.role, message.content
    if call.kind == "replied" and call.thoughts:
        yield "thoughts", text(call.thoughts)
    yield _said(call)


def _said(call: Call) -> tuple[str, str]:
    """Return what came of a call, with a word on it."""
    if call.kind == "replied":
        return "reply" if call.complete else "reply, cut off", call.text
    if call.kind == "unanswered":
        return "no reply", call.why
    ended = "the run ended meanwhile; the call is made again when it goes on"
    return "broken off", f"{call.why}: {ended}" if call.why else ended
