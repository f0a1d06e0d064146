"""Offloading: a large text is kept whole, and what stands in its place says where (SQ-19).

Not here: how it is kept (`artifact_store`), nor who asks for a part of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from se_agent.chat.references import reference as reference
from se_agent.memory.artifacts.schema import EPHEMERAL

if TYPE_CHECKING:
    from se_agent.memory.artifacts.artifact_store import ArtifactStore
    from se_agent.values.artifact import ArtifactRef

LIMIT, HEAD, TAIL = 2000, 500, 200
"""Characters of a text that is not offloaded, and of the preview of one that is (SQ-21, 23)."""


@dataclass(frozen=True)
class OffloadedText:
    """What stands in the place of a text, never longer than the limit.

    Attributes:
        text: The text itself, or a reference to it with a preview.
        artifact: Names what was kept; None: nothing was.
    """

    text: str
    artifact: ArtifactRef | None = None


def offload(
    text: str,
    *,
    title: str,
    author: str,
    store: ArtifactStore | None,
    group_id: str = "",
    limit: int = LIMIT,
    head: int = HEAD,
    tail: int = TAIL,
    language: str = "en",
) -> OffloadedText:
    """Keep a text whole if it is longer than the limit, and return what stands in its place.

    Args:
        text: Anything; up to `limit` characters it stays as it is.
        title: What it is, in a line.
        author: The part of the engine that made it.
        store: Where it is kept; None: nowhere, and only its beginning stays.
        group_id: Name of the run.
        limit: Characters of a text that is not offloaded.
        head: Characters of its beginning that the preview has.
        tail: Characters of its end that the preview has.
        language: Language of the words around the preview; see `reference`.

    Raises:
        ArtifactError: It cannot be kept.
    """
    if len(text) <= limit:
        return OffloadedText(text)
    if store is None:
        return OffloadedText(text[:limit])
    kept = store.save_artifact(
        text, title=title, tags=(EPHEMERAL,), author=author, group_id=group_id
    )
    whole = kept.head + kept.tail  # as it was kept: without secrets
    words = len(reference(kept, language=language)) - len(whole)
    room = max(limit - words, 0)
    begin, end = kept.head[: min(head, room)], kept.tail
    end = end[len(end) - min(tail, room - len(begin), len(end)) :]
    artifact = replace(kept, head=begin, tail=end)
    return OffloadedText(reference(artifact, language=language)[:limit], artifact)
