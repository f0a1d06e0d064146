"""A tiny scored problem, a model that answers by its prompt alone, and a fold that tells.

What runs are made of that are killed (`kills`). A third of the model's programs fail at length,
so that outputs are kept, read in part, and mended.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from se_agent.chat.events import EventBase
from se_agent.chat.messages import Message, Reply, RetryCheck, Usage
from se_agent.config.sections import Endpoint
from se_agent.events import Event

TOLD = "SE_AGENT_TOLD"
"""Variable that names the file in which `Telling` puts down what was recorded."""

_FILES = {
    "problem.toml": """kind = "score"
title = "A number, the larger the better."
entry_point = "number"

[programs]
first = "first.py"

[inputs]
sizes = [1, 2]

[score]
file = "scorer.py"
direction = "maximize"
unit = "points"
""",
    "statement.md": "Write `number(size)`, which returns a number. The larger, the better.\n",
    "first.py": "NUMBER = 1\n\n\ndef number(size):\n    return NUMBER + size\n",
    "generator.py": "def generate(rng, size):\n    return (size,)\n",
    "scorer.py": "def score(args, output):\n    return float(output)\n",
}
_LINE = re.compile(r"^    return .*$", re.MULTILINE)
_NUMBER = re.compile(r"^NUMBER = (\d+)$", re.MULTILINE)
_DECLARED = '{"direction": "Say %d", "expected_effect": "more", "lessons_used": []}'
_FAILING = '    raise ValueError("\\n".join(f"{n} is not {NUMBER}" for n in range(900)))'


def write_problem(folder: Path) -> Path:
    """Write the problem into a folder that is made, and return that."""
    folder.mkdir(parents=True)
    for name, text in _FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


class Stateless:
    """A model whose replies hang on what it is asked, and on nothing else."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Take any endpoint."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Return a change of the program in the prompt, or what it wants to read first."""
        return Reply(text=_answer(messages), usage=Usage(prompt=9, completion=9))

    def close(self) -> None:
        """Nothing is under way."""


def _answer(messages: Sequence[Message]) -> str:
    task = next(m.content for m in reversed(messages) if "NUMBER = " in m.content)
    number, line = int(_NUMBER.findall(task)[0]), _LINE.findall(task)
    named = re.findall(r"Saved as artifact: (\w+)", task)
    if named and messages[-1].content == task:
        return json.dumps({"read": [{"artifact": named[0], "start": 4000}]})
    if "## How it fails" in task or not line:  # a parent may fail though nobody says how
        return _changed(number, [(_FAILING, "    return NUMBER + size")])
    new = number + 1 + zlib.crc32(repr(messages).encode()) % 9
    changes = [(f"NUMBER = {number}", f"NUMBER = {new}")]
    if new % 3 == 0:
        changes.append((line[0], _FAILING))
    return _changed(new, changes)


def _changed(number: int, changes: Sequence[tuple[str, str]]) -> str:
    parts = [
        f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n" for old, new in changes
    ]
    noted = f'<api_constraint confidence="high">more than {number}</api_constraint>'
    return "\n".join([_DECLARED % number, noted, *parts])


class Telling:
    """A fold that puts down each event that is on record, in a file, before anything else."""

    name = "experiments.soak.tiny:Telling"
    reads = (EventBase,)

    def apply(self, event: Event) -> None:
        """Add a line to the file, if there is one."""
        if path := os.environ.get(TOLD):
            with Path(path).open("a", encoding="utf-8") as out:
                out.write(f"{event.slot} {event.kind} {event.at.isoformat()}\n")
