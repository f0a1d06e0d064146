"""Lines of a program or a reply as an error shows them to a model: marked, and not too long.

Not here: how text is kept from looking like a turn: `se_agent.chat.retry` does that for all.
"""

from __future__ import annotations

from collections.abc import Iterable

_WIDTH = 200  # characters of a line; a table in one line would be longer than a prompt may be


def cited(lines: Iterable[str]) -> str:
    """Return lines, each marked as one, and cut where it is long."""
    return "\n".join(f"| {_cut(line)}" for line in lines)


def _cut(line: str) -> str:
    rest = len(line) - _WIDTH
    return line if rest <= 0 else f"{line[:_WIDTH]} [... {rest} characters more]"
