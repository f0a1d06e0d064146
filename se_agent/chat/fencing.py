"""Text of a program, a statement or a diff as a block of a prompt: data, never instructions.

Not here: text that stands inside of one line (`escaping`), and blocks of a reply.
"""

from __future__ import annotations

import re

from se_agent.wire.spelling import visible

_TICKS = re.compile(r"`+")
_MARKER = re.compile(r"<(?=\|)")
_OPENED = re.compile(r"<(?=\\*\|)")
_GUARDED = re.compile(r"<\\(?=\\*\|)")


def fenced(text: str, label: str = "") -> str:
    """Return `text` as a block: its fence is longer than any run of backticks inside."""
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{label}\n{text}{end}{fence}"


def printable(text: str) -> str:
    """Return `text` without what cannot be seen, or looks like the marker of a turn."""
    return _MARKER.sub("< ", visible(text.replace("\r\n", "\n")))


def guarded(text: str) -> str:
    r"""Return code with `<\|` for `<|`, which begins the markers of turns; see `unguarded`.

    Where there are backslashes between the two already, there is one more.
    """
    return _OPENED.sub(r"<\\", text)


def unguarded(text: str) -> str:
    """Return code as it was before `guarded`; a bare `<|` stays."""
    return _GUARDED.sub("<", text)


def capped(text: str, limit: int) -> str:
    """Return `text`, or its first two thirds and its last one with a note of what is between.

    Args:
        text: Any.
        limit: Characters of `text` that are kept at most.
    """
    if len(text) <= limit:
        return text
    tail = limit // 3
    head, last = text[: limit - tail], text[len(text) - tail :]
    return f"{head}\n[... {len(text) - limit} characters are left out here ...]\n{last}"
