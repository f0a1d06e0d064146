"""Fenced blocks of a reply, read as Markdown has them.

Not here: what is inside, nor how a block of a prompt is made (`se_agent.chat.fencing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_OPENING = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>.*)$")


@dataclass(frozen=True, kw_only=True)
class FencedBlock:
    """A fenced block of a reply.

    Attributes:
        label: First word behind the opening fence, in small letters.
        text: Between the fences, each line with its end.
        start: Place of the opening fence in the reply.
        end: Place behind the closing one.
        closed: False where the reply ends before the block does.
    """

    label: str
    text: str
    start: int
    end: int
    closed: bool = True


def blocks(reply: str) -> Iterator[FencedBlock]:
    """Yield the blocks of a reply, in order; a fence inside a block is part of its text."""
    place, opened, fence, label, inner = 0, 0, "", "", 0
    for line in reply.split("\n"):
        bare = line.rstrip("\r")
        if not fence:
            found = _OPENING.match(bare)
            if found and not ("`" in found["fence"] and "`" in found["info"]):
                fence, opened, inner = found["fence"], place, place + len(line) + 1
                label = (found["info"].split() or [""])[0].lower()
        elif _closes(bare, fence):
            end = place + len(bare)
            yield FencedBlock(label=label, text=reply[inner:place], start=opened, end=end)
            fence = ""
        place += len(line) + 1
    if fence:
        yield FencedBlock(
            label=label, text=reply[inner:], start=opened, end=len(reply), closed=False
        )


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    indented = line.startswith((" " * 4, "\t"))
    return len(mark) >= len(fence) and not indented and set(mark) == {fence[0]}
