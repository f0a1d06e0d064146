"""Text of a program or a model, made safe to stand inside one line of a prompt.

Not Markdown in general: nothing that comes from outside may begin a line, close a fence,
look like a chat marker or hide characters, so that nothing can forge a section.
"""

from __future__ import annotations

import re
from functools import lru_cache

from se_agent.wire.spelling import blanked_text

_FENCE = re.compile(r"`{3,}|~{3,}")
_MARKER = re.compile(r"<(?=[|/!]|[A-Za-z])")


@lru_cache(1024)
def inline(text: str) -> str:
    """Return `text` on one line: spaces collapsed, hidden characters, fences, tags undone."""
    text = _FENCE.sub("''", " ".join(blanked_text(text).split()))
    return _MARKER.sub("< ", text)


def shortened_text(text: str, width: int) -> str:
    """Return `inline(text)`, of at most `width` characters: cut where a word or a span ends."""
    line = inline(text[: 4 * width])
    if len(line) <= width:
        return line
    cut = line[: width - 1]
    within = cut.count("`") % 2
    end = cut.rindex("`") if within else max(line.rfind(" ", 0, width), cut.rfind("`") + 1)
    if end >= width // 2:
        return f"{cut[:end].rstrip(' ,;:.')}…"
    return f"{cut[:-1]}…`" if within else f"{cut}…"  # a long word, or a long span


def quoted_value(text: str, *, width: int = 80) -> str:
    """Return a value that a program wrote as a code span of at most `width` characters."""
    line = inline(text[: 4 * width]).replace("`", "'")
    return f"`{line if len(line) <= width else line[: width - 1] + '…'}`"
