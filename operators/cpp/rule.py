"""What every rule for C++ shares: from the spans that it replaces to a candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from operators.editing.edits import Candidate, Editing
from se_agent.program.clike.functions import function_at
from se_agent.program.clike.tokens import SourceText, source
from se_agent.program.features import evolve_lines, node_hash
from se_agent.program.language import Language
from se_agent.values.solution import Edit


@dataclass(frozen=True, kw_only=True)
class TokenChange:
    """What a rule wants to do at one site.

    Attributes:
        anchor: First and last place in the text of the code that identifies the site.
        spans: First place, last place, and what shall stand there; none overlaps another.
        direction: In high-level words, without the place.
        effect: What is expected of it.
        parameters: One of several ways to make the change; part of the edit.
    """

    anchor: tuple[int, int]
    spans: tuple[tuple[int, int, str], ...]
    direction: str
    effect: str
    parameters: tuple[tuple[str, str], ...] = ()


class TextRule(Editing):
    """Base of the rules: an operator that makes one edit at one site of a C++ program."""

    language = Language.CPP

    def changes(self, source: SourceText) -> Iterator[TokenChange]:
        """Yield what this rule could do, in the order of the sites. Pure."""
        raise NotImplementedError

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return all that this rule makes of a text; none where only a function may change."""
        return () if editable else _candidates(self, text)


@lru_cache(maxsize=256)
def _candidates(rule: TextRule, text: str) -> tuple[Candidate, ...]:
    parsed = source(text)
    if parsed is None:
        return ()
    seen: Counter[Edit] = Counter()
    found = []
    for change in rule.changes(parsed):
        start, end = change.anchor
        edit = Edit(
            rule=rule.name,
            function=function_at(parsed, start),
            node=node_hash(text[start:end]),
            parameters=change.parameters,
        )
        occurrence = seen[edit]
        seen[edit] += 1
        new = changed(text, change)
        if new == text or _outside(new) != _outside(text):
            continue
        where = f" in `{edit.function}`" if edit.function else ""
        found.append(
            Candidate(
                text=new,
                edit=replace(edit, occurrence=occurrence),
                direction=change.direction + where,
                effect=change.effect,
            )
        )
    return tuple(found)


def changed(text: str, change: TokenChange) -> str:
    """Return the text after a change; all else stays byte for byte."""
    for start, end, new in sorted(change.spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _outside(text: str) -> list[str]:
    """Return the lines that may not change; none in a text without marks."""
    inside = evolve_lines(text)
    if inside is None:
        return []
    return [line for number, line in enumerate(text.splitlines(), 1) if number not in inside]


def with_include(source: SourceText, header: str) -> tuple[tuple[int, int, str], ...]:
    """Return the span that includes a header, or none where it is included already."""
    lines = ["".join(directive.text.split()) for directive in source.directives]
    if {"#include<bits/stdc++.h>", f"#include<{header}>"} & set(lines):
        return ()
    includes = [
        d for d, line in zip(source.directives, lines, strict=True) if "include" in line
    ]
    place = includes[-1].end if includes else 0
    new = f"\n#include <{header}>" if includes else f"#include <{header}>\n"
    return ((place, place, new),)
