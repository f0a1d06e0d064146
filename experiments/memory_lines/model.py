"""A model for the run that is traced: the market of the arena, which also speaks to the memory.

It writes what its role is asked for in tags, has programs fail at length, and asks to read an
output that was cut.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.arena.server import Market

_TAG = re.compile(r"^(?:- )?(<(\w+)[^\n]*?(?:</\2>|/>))(?:: |$)", re.MULTILINE)
_ARTIFACT = re.compile(r"Saved as artifact: (\w+)")
_LAST_RETURN = re.compile(r"^    return [^\n]*$(?![\s\S]*^    return )", re.MULTILINE)
_FAILING = (
    '    raise ValueError("\\n".join(str(n) + " is missing" for n in range(900)))',
    "    math.floor(0)\n{}",
)
"""What takes the place of a program's end: a long output, and a name that is unbound."""

_EACH = 4  # programs, of which one fails


class Speaker(Market):
    """Answers as the market does, and says more."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._numbers = itertools.count(1)
        self._read = set[str]()

    def reply(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """Return the answer, with tags before it, or what the model wants to read first."""
        text = "\n\n".join(str(message["content"]) for message in messages)
        for name in set(_ARTIFACT.findall(text)) - self._read:
            self._read.add(name)
            return json.dumps({"read": [{"artifact": name, "start": 4000}]})
        answer, number = super().reply(messages), next(self._numbers)
        if number % _EACH == 0:
            failing = _FAILING[number // _EACH % len(_FAILING)]
            answer = _LAST_RETURN.sub(lambda end: failing.replace("{}", end[0]), answer)
        return f"{tags(text, number)}\n{answer}"


def tags(prompt: str, number: int) -> str:
    """Return the tags that a prompt asks for, each once: as it words them, and numbered."""
    told = "\n".join(tag for tag, _ in _TAG.findall(prompt))
    for words in ("a sentence", "one thing that callers rely on, in one sentence"):
        told = told.replace(words, f"fact {number}")
    return told.replace("name of the archetype", "array_scan").replace("its name", "dp_table")
