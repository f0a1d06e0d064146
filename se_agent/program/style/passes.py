"""The passes that rewrite a champion for people, each a pure function of two texts.

A pass gets a program as its author wrote it and as edits left it, and returns the latter in
plainer words. Not here: which of them are kept (`se_agent.engine.step.restyle`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Protocol

from se_agent.program.style.comments import with_true_comments
from se_agent.program.style.guards import without_bounds, without_guards
from se_agent.program.style.imports import with_sorted_imports
from se_agent.program.style.inlined import with_helpers_inlined
from se_agent.program.style.layout import UNTOLD, FormatterSettings, layout_of
from se_agent.program.style.names import with_fitting_names
from se_agent.program.style.parentheses import without_needless_parentheses
from se_agent.program.style.shorter import shortened_code
from se_agent.program.style.wrapping import laid_out


class Pass(Protocol):
    """One way to make a text plainer."""

    def __call__(self, old: str, new: str) -> str:
        """Return a text in plainer words: the same program, or `new` as it is."""
        ...


def _in_layout(old: str, new: str, told: FormatterSettings = UNTOLD) -> str:
    return laid_out(old, new, layout_of(old, told))


GUARDS = ("bounds", "guards")
"""The passes that need to know more than the texts: which types and values there are."""

PASSES: Mapping[str, Pass] = MappingProxyType(
    {
        "bounds": without_bounds,
        "guards": without_guards,
        "inlined": with_helpers_inlined,
        "shorter": shortened_code,
        "imports": with_sorted_imports,
        "comments": with_true_comments,
        "names": with_fitting_names,
        "parentheses": without_needless_parentheses,
        "layout": _in_layout,
    }
)
"""All passes by name, in the order in which they are made."""


def restyled_files(
    old: Mapping[str, str],
    new: Mapping[str, str],
    names: tuple[str, ...] = tuple(PASSES),
    told: FormatterSettings = UNTOLD,
) -> Mapping[str, str]:
    """Return a program in plainer words; files that are not Python stay as they are.

    Args:
        old: The program as its author wrote it: complete text by relative path.
        new: The program as edits left it.
        names: Passes to make.
        told: What the project tells its formatter.
    """
    passes = {**PASSES, "layout": partial(_in_layout, told=told)}
    made = [passes[name] for name in names]
    return {
        path: _restyled(old[path], text, made) if path.endswith(".py") and path in old else text
        for path, text in new.items()
    }


def _restyled(old: str, text: str, passes: Sequence[Pass]) -> str:
    for made in passes:
        if old != text:
            text = made(old, text)
    return text
