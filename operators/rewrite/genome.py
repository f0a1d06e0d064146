"""Genomes: the rules by name, and the replay of recorded edits on a text.

An edit whose node is gone is dropped and noted; what is left is still a program.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from operators.rewrite.rule import Rule
from se_agent.types import Edit

RULES = (
    "bisect_insertion",
    "counter",
    "deque_popleft",
    "heap_min",
    "join_dict",
    "memoize_recursion",
    "modular_power",
    "prefix_sums",
    "seen_set",
    "set_membership",
    "string_building",
    "trial_division_bound",
)
"""Registered names, each the name of its module too."""


@lru_cache(maxsize=64)
def rule(name: str) -> Rule | None:
    """Return the rule of this name, or None when there is none."""
    if name not in RULES:
        return None
    module = importlib.import_module(f"operators.rewrite.{name}")
    made = getattr(module, name.title().replace("_", ""))()
    assert isinstance(made, Rule)
    return made


class Replayed(NamedTuple):
    """A text after some edits, and the edits that found no place in it."""

    text: str
    dropped: tuple[Edit, ...]


def apply_edits(text: str, edits: Sequence[Edit], *, editable: str = "") -> Replayed:
    """Replay edits in order.

    Args:
        text: That the first edit is applied to.
        edits: Of rules of this package.
        editable: As for `Rule.candidates`.
    """
    dropped = []
    for edit in edits:
        made = _applied(text, edit, editable)
        if made is None:
            dropped.append(edit)
        else:
            text = made
    return Replayed(text, tuple(dropped))


def _applied(text: str, edit: Edit, editable: str) -> str | None:
    known = rule(edit.rule)
    candidates = known.candidates(text, editable=editable) if known else ()
    return next((c.text for c in candidates if c.edit == edit), None)
