"""What a search knows of an item, whoever keeps it. A frozen value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PoolItem:
    """An item that can be found.

    Attributes:
        id: Stable and unique.
        kind: Such as `lesson` or `fix`.
        title: A few words.
        triggers: Words of the program that it was learned from, with spaces between them.
        body: What it says.
        language: Language of the program; empty: any.
        family: Family of the problem; empty: several.
        status: Where it stands, such as `active`.
        failed: Whether it tells of a failure.
        around: What the knowledge graph has around it: it is shown, and finds nothing.
    """

    id: str
    kind: str = "lesson"
    title: str
    triggers: str = ""
    body: str = ""
    language: str = ""
    family: str = ""
    status: str = "active"
    failed: bool = False
    around: str = ""

    @property
    def text(self) -> str:
        """All that it says, as an embedder reads it."""
        return f"{self.title}\n{self.body}"
