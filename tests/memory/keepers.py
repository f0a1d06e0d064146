"""Models that keep lessons, as far as the memory can tell: they answer `Ask`, and count."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from se_agent.chat.events import Replied, Unanswered
from se_agent.chat.messages import Message

Json = dict[str, Any]


class Scripted:
    """Gives replies in order; then nobody answers."""

    def __init__(self, *replies: str | Json) -> None:
        self._replies = [r if isinstance(r, str) else json.dumps(r) for r in replies]
        self.asked: list[tuple[int, str, int, tuple[Message, ...]]] = []
        self.schemas: list[Mapping[str, Any] | None] = []

    def __call__(
        self,
        slot: int,
        role: str,
        messages: Sequence[Message],
        *,
        attempt: int = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> Replied | Unanswered:
        self.asked.append((slot, role, attempt, tuple(messages)))
        self.schemas.append(schema)
        text = self.answer(messages[-1].content)
        if text is None:
            return Unanswered(slot=slot, role=role, attempt=attempt, model="m", why="no reply")
        return Replied(slot=slot, role=role, attempt=attempt, model="m", text=text)

    def answer(self, asked: str) -> str | None:
        return self._replies.pop(0) if self._replies else None


class Diligent(Scripted):
    """Does as it is told: repeats the directions, adds the step, writes an item."""

    def __init__(self, change: Callable[[Json], Json] = lambda said: said) -> None:
        super().__init__()
        self._change = change

    def answer(self, asked: str) -> str | None:
        child = re.findall(r"^- Step: (\S+) from", asked, re.MULTILINE)[-1]
        tried = re.findall(r"^- Declared Direction: (.*)$", asked, re.MULTILINE)[-1]
        old = directions_of(asked)
        outcome = "Success" if "Outcome: SUCCESS" in asked else "Failed"
        if "within noise\n" in asked:
            outcome = "Neutral"
        entry = {"key": "", "direction": tried, "outcome": outcome, "source_ref": child}
        said: Json = {"updated_directions": [*old, entry], "new_memory_item": None}
        if outcome != "Neutral":
            said["new_memory_item"] = {
                "title": "Hash lookups",
                "description": "Look values up in a set.",
                "content": "A lookup in a set takes the same time whatever its size.",
                "source_ref": child,
                "evidence": {"code_change": "the list became a set", "context": "long lists"},
            }
        return f"Here it is:\n```json\n{json.dumps(self._change(said))}\n```"


def directions_of(asked: str) -> list[Json]:
    """The JSON that a prompt shows below "Current Directions"."""
    found = re.search(r"\*\*Current Directions\*\*:\n(`{3,})json\n(.*?)\n\1", asked, re.DOTALL)
    assert found is not None
    listed: list[Json] = json.loads(found[2])
    return listed
