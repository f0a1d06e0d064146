"""How the scripted models read a prompt: its repair, its siblings, and its earlier steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from se_agent.chat.messages import Message

_FAILS = "\n## How it fails\n"
_PARENT = "\n## Its parent, which is right\n"
_TRIED = "\n## Already tried on "


def is_repair(task: str) -> bool:
    """Say whether a task is to repair a program."""
    return _FAILS in task


def failure_in(task: str) -> str:
    """Return what a task to repair says of the failure."""
    return task.partition(_FAILS)[2].partition(_PARENT)[0]


def sibling_lines(task: str) -> list[str]:
    """Return what was made from the same parent in vain, a line each."""
    _, _, rest = task.partition(_TRIED)
    return [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("- ")]


def earlier_answers(messages: Sequence[Message]) -> Iterator[str]:
    """Yield what was answered in earlier steps, each with what came of it."""
    for message in messages[1:-1]:
        if message.role == "assistant":
            yield message.content
