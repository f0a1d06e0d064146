"""A model that keeps lessons in the world of numbers: it does as its prompts say."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from se_agent.chat.messages import Message, Reply, RetryCheck, Usage
from se_agent.config.sections import Endpoint
from tests.memory.keepers import Diligent


class Lecturer:
    """Words lessons, and compresses them; keeps what it was asked."""

    asked: list[tuple[Message, ...]]

    def __init__(self, endpoint: Endpoint) -> None:
        type(self).asked = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        self.asked.append(tuple(messages))
        return Reply(text=self.say(messages), usage=Usage(prompt=90, completion=40))

    def say(self, messages: Sequence[Message]) -> str:
        asked = messages[-1].content
        if "outgrown" in asked:
            return json.dumps({"items": compressed(asked)})
        return Diligent().answer(asked) or ""

    def close(self) -> None:
        """Nothing is under way."""


class Babbler(Lecturer):
    """Never says anything of use."""

    def say(self, messages: Sequence[Message]) -> str:
        return "I am sure that this is {interesting}."


class Forgetful(Lecturer):
    """Leaves out of the list whatever it was shown."""

    def say(self, messages: Sequence[Message]) -> str:
        return '{"updated_directions": [], "new_memory_item": null}'


def compressed(asked: str) -> list[dict[str, object]]:
    """One item of all successes, and one of all failures."""
    found = re.search(r"## Lessons\n(`{3,})json\n(.*?)\n\1", asked, re.DOTALL)
    assert found is not None
    lessons = [json.loads(line) for line in found[2].splitlines()]
    kinds = {lesson["type"]: list[int]() for lesson in lessons}
    for lesson in lessons:
        kinds[lesson["type"]].append(lesson["number"])
    return [
        {"sources": numbers, "title": f"All of {kind}", "description": "", "content": "So."}
        for kind, numbers in kinds.items()
    ]


def models(name: str = "Lecturer") -> dict[str, object]:
    return {"keeper": {"name": "any", "provider": f"tests.engine.lecturing:{name}"}}
