"""What prompts show of a pack: a bundle within a token limit, all archetypes in short (X-60).

Documents are whole for people. Pure. Not here: when it is shown, and to whom (`tier`).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.chat.fencing import guarded, printable
from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.knowledge.schema import ArchetypeDocument, Pack, PitfallDocument
from se_agent.values.knowledge import ArchetypeExcerpt, KnowledgeExcerpt

_FENCES = {".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".py": "python"}


def excerpt_of(
    pack: Pack, chosen: str, *, limit: int, counter: TokenCounter, analysed: bool = False
) -> KnowledgeExcerpt:
    """Return what a run takes over from a pack.

    Args:
        pack: The pack.
        chosen: Name of the archetype that fits; empty, or unknown to the pack: none.
        limit: Tokens of the bundle, at most.
        counter: Counts them.
        analysed: Whether a role of the run may name another archetype than the chosen one.
    """
    told = {
        name: _of_one(pack, each, limit=limit, counter=counter)
        for name, each in pack.archetypes.items()
        if analysed or name == chosen
    }
    nothing = ArchetypeExcerpt(relevant=tuple(pack.pitfalls))
    return KnowledgeExcerpt(
        archetypes=_safe(in_short(pack)),
        pitfalls={name: _safe(_pitfall(each)) for name, each in pack.pitfalls.items()},
        leads={name: each.leads for name, each in pack.pitfalls.items()},
        names=tuple(pack.archetypes),
        others={name: each for name, each in told.items() if name != chosen},
        **dict(told.get(chosen, nothing)),
    )


def _of_one(
    pack: Pack, archetype: ArchetypeDocument, *, limit: int, counter: TokenCounter
) -> ArchetypeExcerpt:
    return ArchetypeExcerpt(
        bundle=bundle_text(pack, archetype, limit=limit, counter=counter),
        relevant=archetype.pitfalls,
        rules={name: (share, 1 - share) for name, share in archetype.rules.items()},
    )


def in_short(pack: Pack) -> str:
    """Return all archetypes of a pack, a paragraph of signature each (LF-35)."""
    lines = (
        f"- **{each.name}**: {_paragraph(each.sections['Pattern Signature'])}"
        for each in pack.archetypes.values()
    )
    return "\n".join(["## Archetypes", "", *lines, ""])


def bundle_text(
    pack: Pack, archetype: ArchetypeDocument, *, limit: int, counter: TokenCounter
) -> str:
    """Return signature, parameter strategy, pitfalls in a line each and skeleton (LF-36).

    Where that is above the limit, the skeleton goes first, then the strategy, then pitfalls
    from the last one on: half a program, or half a sentence, helps nobody.
    """
    parts = [*_parts(pack, archetype)]
    while parts and _tokens(_joined(parts), counter) > limit:
        parts.pop()
    return _joined(parts) if parts else ""


def _tokens(text: str, counter: TokenCounter) -> int:
    """Return the tokens of a text as a memory stack counts them: line by line."""
    return sum(counter.count(f"{line}\n") for line in text.removesuffix("\n").split("\n"))


def _parts(pack: Pack, archetype: ArchetypeDocument) -> Iterator[str]:
    """Yield the parts of a bundle, what is given up last first."""
    yield (
        f"## Known of such programs: {archetype.name}\n\n"
        + archetype.sections["Pattern Signature"]
    )
    for at, name in enumerate(archetype.pitfalls):
        head = "### Pitfalls\n\n" if at == 0 else ""
        yield f"{head}- **{name}**: {_line(pack.pitfalls[name].sections['Error Pattern'])}"
    yield "### Parameter Strategy\n\n" + archetype.sections["Parameter Strategy"]
    if archetype.skeleton:
        yield f"### Skeleton\n\n{_fenced(archetype)}"


def _joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        text += ("\n" if part.startswith("- ") else "\n\n" if text else "") + part
    return _safe(f"{text}\n")


def _fenced(archetype: ArchetypeDocument) -> str:
    suffix = archetype.skeleton_file[archetype.skeleton_file.rfind(".") :]
    return f"```{_FENCES.get(suffix, '')}\n{archetype.skeleton.strip()}\n```"


def _pitfall(pitfall: PitfallDocument) -> str:
    told = "\n\n".join((pitfall.sections["Error Pattern"], pitfall.sections["Fix"]))
    return f"## Pitfall: {pitfall.name}\n\n{told}\n"


def _line(text: str) -> str:
    """Return the first sentence of a text on one line."""
    told = _paragraph(text)
    return told[: told.find(". ") + 1] or told


def _paragraph(text: str) -> str:
    return " ".join(text.split("\n\n", 1)[0].split())


def _safe(text: str) -> str:
    """Return a text without hidden characters and markers of turns: anybody may drop it in."""
    return guarded(printable(text))
