"""Text cut to a number of tokens: on one line, as it is, or after a line.

Not here: how it is made safe (`se_agent.chat.escaping`).
"""

from __future__ import annotations

from se_agent.chat.escaping import inline
from se_agent.memory.context.tokens import TokenCounter

_CHARACTERS = 16  # no useful token is longer; bounds the work on a huge text


def clipped_text(text: str, limit: int, counter: TokenCounter) -> str:
    """Return `text` inline and cut to `limit` tokens, with an ellipsis if it was cut."""
    line = inline(text[: limit * _CHARACTERS * 4])
    if len(line) <= limit * _CHARACTERS and counter.count(line) <= limit:
        return line
    return _longest(line, limit, counter)


def cut_text(text: str, limit: int, counter: TokenCounter) -> str:
    """Return the text, cut to `limit` tokens with an ellipsis if it has more."""
    if counter.count(text) <= limit:
        return text
    return _longest(text, limit, counter)


def limited_text(text: str, limit: int, counter: TokenCounter) -> tuple[str, int]:
    """Return the first lines of a text that fit into a limit, each with its end; and tokens."""
    kept, tokens = [], 0
    for line in text.removesuffix("\n").split("\n") if text else ():
        more = counter.count(f"{line}\n")
        if tokens + more > limit:
            break
        kept.append(f"{line}\n")
        tokens += more
    return "".join(kept), tokens


def _longest(text: str, limit: int, counter: TokenCounter) -> str:
    """Return as much of a text as has room with its ellipsis; empty: nothing has."""
    low, high = 0, min(len(text), max(0, limit) * _CHARACTERS)
    while low < high:
        middle = (low + high + 1) // 2
        if counter.count(_cut(text, middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    return _cut(text, low) if low else ""


def _cut(line: str, length: int) -> str:
    """Return the beginning of a line, up to the end of a clause, or else of a word."""
    return line[: _end(line, length)].rstrip(" ,;:") + "…"


def _end(line: str, length: int) -> int:
    if length >= len(line) or not line[length - 1 : length + 1].strip():
        return length
    clause = max(line.rfind(mark, 0, length) for mark in (", ", "; ", ": ", ". ", " ("))
    word = line.rfind(" ", 0, length)
    return next((end for end in (clause, word) if end >= length * 2 // 3), length)
