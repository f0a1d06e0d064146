"""What of a run's events stands in its session logs, line by line: a fold.

Pure: the same events give the same lines. Not here: the files (`session_logs`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import singledispatch
from typing import NamedTuple

from se_agent.chat.escaping import inline
from se_agent.chat.events import Lost, Objected, Planned, Replied, RolledBack, Told, Unanswered
from se_agent.chat.fencing import fenced, printable
from se_agent.chat.messages import LEARNING, is_name
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.errors import JournalError
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Confirmed,
    Ended,
    Evaluated,
    Event,
    Learned,
    Proposed,
    Resumed,
    Retested,
    Selected,
    Started,
)
from se_agent.memory_events import Fetched
from se_agent.redaction.patterns import free_of_secrets
from se_agent.store.blobs import digest_of
from se_agent.values.artifact import SHOWN_DIGITS
from se_agent.values.evaluation import Evaluation, Status

RULES, EVALUATOR, USER, OTHER = "rules", "evaluator", "user", "other"
"""Agents that are no roles of models; the last has what names no role."""

_LONGEST, _HEAD, _TAIL = 2000, 500, 200  # characters of a text, of a preview of a longer one
_JSON = json.JSONEncoder(ensure_ascii=False)
_LINE = 200  # characters of a text that people read on a line

Text = Callable[[str], str]
"""The journal's texts by digest."""


class LogLine(NamedTuple):
    """A line of one agent's log, for machines and for people; each ends its line."""

    agent: str
    row: str
    markdown: str


@dataclass
class AgentTally:
    """What an agent did so far.

    Attributes:
        lines: Lines of its log.
        calls: Replies of models.
        tokens: Tokens of these calls, both ways.
        unusable: Replies that could not be used.
        outcomes: How often its work ended how.
        system: Digest of the instructions that were written last.
    """

    lines: int = 0
    calls: int = 0
    tokens: int = 0
    unusable: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    system: str = ""


@dataclass
class _Slot:
    """An open slot: what it tries, who works on it, and how many messages were written."""

    child: str = ""
    operator: str = ""
    agent: str = RULES
    messages: Counter[str] = field(default_factory=Counter)


class LogFold:
    """The fold. Its size does not grow with the run.

    Args:
        is_whole: Whether long texts stand in it whole, not in part.

    Attributes:
        opened: How often the run was opened.
        agents: What each agent did, by name.
        slots: Open slots by number.
    """

    def __init__(self, *, is_whole: bool = False) -> None:
        self._longest = sys.maxsize if is_whole else _LONGEST
        self.opened = 1
        self.agents: dict[str, AgentTally] = {}
        self.slots: dict[int, _Slot] = {}

    def lines(self, event: Event, text: Text) -> list[LogLine]:
        """Return the lines of an event, and move on by it.

        Args:
            event: The next one.
            text: Gives texts that it names.
        """
        read = list(_read(event, self, text))
        return [*read, *_of(event, self)]

    def agent(self, slot: int) -> str:
        """Return who works on a slot."""
        return self.slots.get(slot, _Slot()).agent

    def tally(self, agent: str) -> AgentTally:
        """Return what an agent did so far, to be added to."""
        return self.agents.setdefault(agent, AgentTally())

    def line(
        self,
        event: Event,
        agent: str,
        *,
        told: str,
        role: str = "",
        tokens: int = 0,
        artifact: str = "",
        outcome: str = "",
        kind: str = "",
    ) -> LogLine:
        """Return the next line of an agent's log.

        Args:
            event: What happened.
            agent: The one that the log is of.
            told: A text of others; a long one is shown in part.
            role: The speaker in a conversation.
            tokens: Tokens of a reply.
            artifact: Names the whole of the text, or an output; empty: there is none.
            outcome: What came of it.
            kind: What the line is; empty: as the event.
        """
        agent = agent if is_name(agent) else OTHER  # it becomes the name of a folder
        tally = self.tally(agent)
        tally.lines += 1
        if len(told) > self._longest:
            artifact = artifact or digest_of(told)[:SHOWN_DIGITS]
            head, tail = (free_of_secrets(part) for part in (told[:_LONGEST], told[-_LONGEST:]))
            told = f"{head[:_HEAD]}\n[...]\n{tail[-_TAIL:]}"
        else:
            told = free_of_secrets(told)
        more = {"role": role, "tokens": tokens, "text": told}
        more |= {"artifact": artifact, "outcome": str(outcome)}
        row = {
            "n": tally.lines,
            "at": event.at.isoformat(),
            "slot": event.slot,
            "agent": agent,
            "kind": kind or event.kind,
        } | {name: value for name, value in more.items() if value}
        return LogLine(agent, f"{_JSON.encode(row)}\n", _markdown(row))


@singledispatch
def _of(event: Event, fold: LogFold) -> Iterator[LogLine]:
    """Yield nothing: no agent did it."""
    del event, fold
    yield from ()


@_of.register
def _resumed(event: Resumed, fold: LogFold) -> Iterator[LogLine]:
    del event
    fold.opened += 1
    yield from ()


@_of.register
def _started(event: Started, fold: LogFold) -> Iterator[LogLine]:
    yield fold.line(event, EVALUATOR, told=event.name, outcome=event.evaluation.status)


@_of.register
def _selected(event: Selected, fold: LogFold) -> Iterator[LogLine]:
    fold.slots[event.slot] = _Slot(event.child, event.operator)
    yield from ()


@_of.register
def _replied(event: Replied, fold: LogFold) -> Iterator[LogLine]:
    tally = fold.tally(event.role)
    tally.calls, tally.tokens = tally.calls + 1, tally.tokens + event.paid.total
    tokens = event.usage.completion
    yield fold.line(event, event.role, role="assistant", told=event.text, tokens=tokens)


@_of.register
def _no_reply(event: Unanswered | Lost, fold: LogFold) -> Iterator[LogLine]:
    fold.tally(event.role).tokens += event.paid.total
    yield fold.line(event, event.role, told=event.why)


@_of.register
def _objected(event: Objected, fold: LogFold) -> Iterator[LogLine]:
    fold.tally(event.role).unusable += 1
    yield fold.line(event, event.role, told=event.why)


@_of.register
def _planned(event: Planned, fold: LogFold) -> Iterator[LogLine]:
    names = ", ".join(one.name for one in event.strategies)
    yield fold.line(event, fold.agent(event.slot), told=names)


@_of.register
def _proposed(event: Proposed, fold: LogFold) -> Iterator[LogLine]:
    slot, made = fold.slots.get(event.slot, _Slot()), event.proposal
    told = f"{slot.operator}: {made.direction if made else ''}"
    outcome = slot.child if made else "nothing"
    if event.duplicate_of:
        outcome = f"the same program as {event.duplicate_of}"
    yield fold.line(event, slot.agent, told=told, outcome=outcome)


@_of.register
def _evaluated(event: Evaluated, fold: LogFold) -> Iterator[LogLine]:
    yield _judged(event, fold, event.solution, event.evaluation)


@_of.register
def _retested(event: Retested, fold: LogFold) -> Iterator[LogLine]:
    yield _judged(event, fold, event.solution, event.evaluation)


@_of.register
def _measured(event: BlockMeasured, fold: LogFold) -> Iterator[LogLine]:
    told = f"{event.candidate} against {event.reference}, block {event.block.number}"
    yield fold.line(event, EVALUATOR, told=told, outcome=f"{event.block.effect:+.4f}")


@_of.register
def _challenged(event: Challenged, fold: LogFold) -> Iterator[LogLine]:
    outcome = "refuted" if event.hunt.found else "not refuted"
    yield fold.line(event, EVALUATOR, told=event.solution, outcome=outcome)


@_of.register
def _learned(event: Learned, fold: LogFold) -> Iterator[LogLine]:
    agent = fold.agent(event.slot)
    fold.slots.pop(event.slot, None)
    if event.verdict is None:
        return
    outcome: str = event.verdict.status
    if event.verdict.status is Status.AC:
        outcome = "better" if event.verdict.significant else "not proven better"
    fold.tally(agent).outcomes[outcome] += 1
    yield fold.line(event, agent, told=event.child, outcome=outcome)


@_of.register
def _told(event: Told, fold: LogFold) -> Iterator[LogLine]:
    yield fold.line(event, USER, told=event.direction)


@_of.register
def _rolled_back(event: RolledBack, fold: LogFold) -> Iterator[LogLine]:
    yield fold.line(event, USER, told=f"back to version {event.version} of memory")


@_of.register
def _confirmed(event: Confirmed, fold: LogFold) -> Iterator[LogLine]:
    yield fold.line(event, EVALUATOR, told=event.solution, outcome=event.status)


@_of.register
def _ended(event: Ended, fold: LogFold) -> Iterator[LogLine]:
    """Yield a summary for each agent (SQ-63)."""
    for agent in sorted(fold.agents):
        told = _summary(fold.agents[agent], event)
        line = fold.line(event, agent, told=told, kind="summary")
        yield line._replace(markdown=f"## Summary\n\n{told}\n")


def _judged(
    event: Evaluated | Retested, fold: LogFold, solution: str, found: Evaluation
) -> LogLine:
    fold.tally(EVALUATOR).outcomes[found.status] += 1
    told = f"{solution}: {found.feedback}" if found.feedback else solution
    artifact = found.output.name if found.output else ""
    return fold.line(event, EVALUATOR, told=told, artifact=artifact, outcome=found.status)


def _read(event: Event, fold: LogFold, text: Text) -> Iterator[LogLine]:
    """Yield the lines for which texts of the journal are needed."""
    if isinstance(event, Replied | Unanswered | Lost):
        yield from _asked(event, fold, text)
        if isinstance(event, Replied) and event.thoughts:
            told = _found(text, event.thoughts)
            yield fold.line(event, event.role, role="assistant", told=told, kind="thought")
    elif isinstance(event, Fetched):
        told = _found(text, event.text)
        yield fold.line(event, event.role, told=told, artifact=event.artifact)


def _asked(event: Replied | Unanswered | Lost, fold: LogFold, text: Text) -> Iterator[LogLine]:
    """Yield what a model was asked, beyond what the slot's log has of it already."""
    slot = fold.slots.setdefault(event.slot, _Slot()) if event.slot >= 0 else _Slot()
    if event.role not in LEARNING:
        slot.agent = event.role
    try:
        messages = unpacked_messages(event.request, text) if event.request else ()
    except JournalError:
        messages = ()
    before, tally = slot.messages[event.role], fold.tally(event.role)
    slot.messages[event.role] = max(before, len(messages))
    for role, told in ((m.role, m.content) for m in messages[before:]):
        if role == "assistant" or (role == "system" and _is_said(tally, told)):
            continue  # its own reply has a line, and so have its instructions
        yield fold.line(event, event.role, role=role, told=told, kind="asked")


def _is_said(tally: AgentTally, instructions: str) -> bool:
    """Say whether these are the instructions of the last call, and note them."""
    before, tally.system = tally.system, digest_of(instructions)
    return tally.system == before


def _markdown(row: dict[str, object]) -> str:
    """Return a line for people; foreign text stands in a block."""
    head = f"### {row['n']}. slot {row['slot']}: {row['kind']}"
    besides = [row.get("role"), row.get("outcome")]
    besides += [f"{row['tokens']} tokens"] if "tokens" in row else []
    besides += [f"whole: {row['artifact']}"] if "artifact" in row else []
    told = ", ".join(str(one) for one in besides if one)
    text = str(row.get("text", ""))
    is_long = len(text) > _LINE or "\n" in text
    block = f"\n{fenced(printable(text)) if is_long else inline(text)}\n" if text else ""
    return f"{head}{f' ({told})' if told else ''}\n{block}\n"


def _summary(tally: AgentTally, event: Ended) -> str:
    """Return what an agent did in a run, in a few lines."""
    asked = f"- {tally.calls} replies of models, {tally.tokens} tokens, "
    lines = [f"{asked}{tally.unusable} of the replies unusable"] if tally.calls else []
    ends = ", ".join(f"{count} {name}" for name, count in sorted(tally.outcomes.items()))
    lines += [f"- outcomes: {ends}"] if ends else []
    return "\n".join([*lines, f"- the run ended: {event.status}"])


def _found(text: Text, digest: str) -> str:
    try:
        return text(digest)
    except JournalError:
        return ""
