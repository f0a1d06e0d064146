"""`show --calls`: what the models of a run were asked, and what they said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.command import command
from se_agent.errors import ConfigError

if TYPE_CHECKING:
    from se_agent.engine.record.journal import Journal
    from se_agent.report.story import Story
    from se_agent.talks import Replied, Unanswered

_LISTED = "`se-agent show RUN --calls` lists all calls, with the ids of their steps"
_WIDTH = 100  # characters of a reply on a line of the list


def listed(folder: Path, story: Story) -> Iterator[str]:
    """Yield two lines for each call of a run: what it cost, and how its reply begins.

    Raises:
        JournalError: The folder holds no journal that we can read.
    """
    from se_agent.engine.record.journal import Journal
    from se_agent.report.words import one_line

    with Journal(folder / "run.db", write=False) as journal:
        calls = list(_calls(journal))
    for call in calls:
        yield _head(call, story)
        yield f"    {one_line(_said(call), _WIDTH)}"
    if calls:
        whole_ones = command("show", folder, story.chapters[calls[-1].slot].id, "--calls")
        yield f"prompts and replies of a step: {whole_ones}"
    else:
        yield "no model was asked"


def whole(folder: Path, story: Story, solution: str) -> Iterator[str]:
    """Yield each call of a step: its messages, and its reply, word by word.

    Args:
        folder: Of the run.
        story: The fold of its journal.
        solution: Id of the program that the step made, or should have made; or `best`.

    Raises:
        ConfigError: No step has that id.
        JournalError: The folder holds no journal that we can read, or a text is missing.
    """
    from se_agent.engine.record.journal import Journal
    from se_agent.report.words import clean

    slot = _slot(story, solution)
    with Journal(folder / "run.db", write=False) as journal:
        calls = [call for call in _calls(journal) if call.slot == slot]
        for call in calls:
            yield f"=== {_head(call, story)}"
            for name, text in _turns(call, journal.text):
                yield f"--- {name}"
                yield clean(text)
            yield ""
    if not calls:
        yield "no model was asked in this step"


def _slot(story: Story, solution: str) -> int:
    from se_agent.lessons import canonical_id
    from se_agent.report.page import champion

    best = champion(story)
    try:
        wanted = best.id if solution == "best" and best else canonical_id(solution)
    except ValueError as err:
        raise ConfigError(str(err), hint=_LISTED) from err
    chapter = story.chapter_of(wanted)
    if chapter is None:
        raise ConfigError(f"no step of this run has the id {wanted}", hint=_LISTED)
    return chapter.slot


def _calls(journal: Journal) -> Iterator[Replied | Unanswered]:
    from se_agent.talks import Replied, Unanswered

    return (event for event in journal.events() if isinstance(event, Replied | Unanswered))


def _head(call: Replied | Unanswered, story: Story) -> str:
    from se_agent.costs import Asked
    from se_agent.report import bill

    asked = Asked()
    asked.add(call)
    what = next(bill.of_step(asked), f"{call.role}: nobody was asked")
    again = ", once more after an unusable reply" if call.attempt else ""
    return f"{story.chapters[call.slot].id}: {what}, {call.seconds:.1f} s{again}"


def _turns(call: Replied | Unanswered, text: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    from se_agent.engine.record.transcript import unpacked

    for message in unpacked(call.request, text) if call.request else ():
        yield message.role, message.content
    if call.kind == "replied":
        yield "reply" if call.complete else "reply, cut at its limit of tokens", call.text
    else:
        yield "no reply", call.why


def _said(call: Replied | Unanswered) -> str:
    return call.text if call.kind == "replied" else call.why
