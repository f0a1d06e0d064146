"""The same program in another layout: what rules find must not hang on where lines end."""

from __future__ import annotations

import io
import tokenize

_STRINGS = {
    getattr(tokenize, f"FSTRING_{part}", None): step
    for part, step in (("START", 1), ("MIDDLE", 0), ("END", -1))
}
_STEPS = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)


def spread(text: str) -> str:
    """Return a program with each token inside brackets on a line of its own."""
    lines = text.splitlines(keepends=True)
    for row, column in reversed(_breaks(text)):
        line = lines[row - 1]
        lines[row - 1] = f"{line[:column]}\n{line[column:]}"
    return "".join(lines)


def _breaks(text: str) -> list[tuple[int, int]]:
    """Return where tokens begin whose line may end before them, as rows from 1 and columns."""
    found, depth, within = [], 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        within += _STRINGS.get(token.type, 0)
        if depth and not within and token.type not in (tokenize.COMMENT, tokenize.NL):
            found.append(token.start)
        if token.type == tokenize.OP and not within:
            depth += _STEPS.get(token.string, 0)
    return found
