"""Earlier steps in a few words: one as what was asked and what came of it, many as a count.

Pure. Not here: which steps a prompt shows (`messages.shown`), nor what is known of them
(`messages.fold`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from se_agent.chat.escaping import inline
from se_agent.chat.messages import Message
from se_agent.memory.context.shortening import clipped_text, cut_text
from se_agent.memory.context.tokens import ESTIMATE, TokenCounter

_LINE = 80  # tokens of a declaration, an outcome or an objection


@dataclass(frozen=True, kw_only=True)
class PastTurn:
    """One closed step in which a model was asked.

    Attributes:
        slot: Number of the step.
        agent: Role in which the model was asked.
        strategy: Strategy that the step followed; empty: none.
        declared: What the reply declared that it does; empty: no reply could be used.
        outcome: What was measured, on one line.
        objection: Why the last reply could not be used; empty: it could.
        gain: Proven effect; 0 where none is proven.
        failed: Whether no right program came of it.
        request: Digest of what was asked.
        reply: Digest of the last reply.
        tokens: Tokens of that reply, as charged.
    """

    slot: int
    agent: str
    strategy: str = ""
    declared: str = ""
    outcome: str = ""
    objection: str = ""
    gain: float = 0.0
    failed: bool = False
    request: str = ""
    reply: str = ""
    tokens: int = 0


def turn(told: PastTurn, counter: TokenCounter = ESTIMATE) -> tuple[Message, Message]:
    """Return a step as two messages: what was asked, and what was said and came of it."""
    strategy = f", strategy {inline(told.strategy)}" if told.strategy else ""
    asked = f"Earlier step {told.slot} ({inline(told.agent)}{strategy}): what came of it?"
    said = "\n".join(
        f"{name} (step {told.slot}): {clipped_text(text, _LINE, counter)}"
        for name, text in (("Declared", told.declared), *_came(told))
        if text
    )
    return _earlier("user", asked), _earlier("assistant", said)


def whole_turn(told: PastTurn, task: str, reply: str) -> tuple[Message, Message]:
    """Return a step word by word, with what came of it below the reply."""
    asked = f"Earlier step {told.slot}.\n\n{task}"
    came = "\n".join(f"{name} (step {told.slot}): {inline(text)}" for name, text in _came(told))
    return _earlier("user", asked), _earlier("assistant", f"{reply}\n\n{came}".strip())


def _came(told: PastTurn) -> Iterator[tuple[str, str]]:
    yield "Outcome", told.outcome
    if told.objection:
        yield "Objection", told.objection


def summary_of_turns(
    turns: Sequence[PastTurn], room: int, counter: TokenCounter = ESTIMATE
) -> tuple[Message, ...]:
    """Return the steps that found no room as two messages (LF-102), or none.

    They say how many there are, which brought most, and how the last one failed.

    Args:
        turns: Oldest first.
        room: Tokens of both messages.
        counter: Counts tokens.
    """
    if not turns:
        return ()
    asked = _earlier("user", "What came of the steps before these?")
    text = cut_text(_counted(turns), room - counter.count(asked.content), counter)
    return (asked, _earlier("assistant", text)) if text else ()


def _counted(turns: Sequence[PastTurn]) -> str:
    counts = Counter(
        "failed" if t.failed else "gained" if t.gain > 0 else "equal" for t in turns
    )
    words = {"gained": "proven better", "equal": "right, not proven better", "failed": "failed"}
    parts = [f"{counts[key]} {text}" for key, text in words.items() if counts[key]]
    lines = [f"{len(turns)} earlier steps: {', '.join(parts)}."]
    best = max(turns, key=lambda t: t.gain)
    if best.gain > 0:
        lines.append(f"Best: step {best.slot}, {inline(best.declared)}: {inline(best.outcome)}")
    failure = next((t for t in reversed(turns) if t.failed), None)
    if failure is not None:
        said = failure.objection or failure.outcome
        lines.append(f"Last failure: step {failure.slot}, {inline(said)}")
    return "\n".join(lines)


def _earlier(role: str, content: str) -> Message:
    assert role in ("user", "assistant")
    return Message("user" if role == "user" else "assistant", content, earlier=True)
