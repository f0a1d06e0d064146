"""What prompts and journals hold of a large output: its name, its beginning and its end.

Not here: where the whole is kept (`se_agent.memory.artifacts`).
"""

from __future__ import annotations

from dataclasses import dataclass

SHOWN_DIGITS = 12
"""Hex digits of a digest by which prompts name an artifact: no row number, which would depend
on who came first."""


@dataclass(frozen=True, kw_only=True)
class ArtifactRef:
    """A reference that stays true: the preview is here even where the whole has expired.

    Attributes:
        digest: SHA-256 of the whole, 64 hex digits.
        size: Bytes of the whole.
        title: What it is, in a line.
        tags: `sys:ephemeral`, `user:persistent`, and others (SQ-33, SQ-34).
        head: First characters.
        tail: Last characters.
    """

    digest: str
    size: int
    title: str
    tags: tuple[str, ...] = ("sys:ephemeral",)
    head: str = ""
    tail: str = ""

    @property
    def is_short(self) -> bool:
        """Whether its head is all of it."""
        return not self.tail and len(self.head.encode()) == self.size

    @property
    def name(self) -> str:
        """Return what a prompt calls it."""
        return self.digest[:SHOWN_DIGITS]
