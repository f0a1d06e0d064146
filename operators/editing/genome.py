"""Genomes: the replay of recorded edits on other files, each by the operator that made it.

An edit whose operator is unknown here or replays none, and one whose place is gone, is dropped
and noted; what is left is still a program. Not here: which edits to unite (`crossover`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from se_agent import registry
from se_agent.abilities.optional import Replaying
from se_agent.errors import ConfigError, UnknownPluginError
from se_agent.values.solution import Edit


class Replayed(NamedTuple):
    """Files after some edits, and the edits that found no place in them."""

    files: Mapping[str, str]
    dropped: tuple[Edit, ...]


def replayed(
    files: Mapping[str, str], edits: Sequence[Edit], *, editable: str = ""
) -> Replayed:
    """Replay edits in order.

    Args:
        files: Texts by relative path, before the first edit.
        edits: Edits of operators that the registry knows.
        editable: Qualified name of the only function that may change; empty: all.
    """
    dropped = []
    for edit in edits:
        operator = _replaying(edit.rule)
        made = operator.replay(files, edit, editable=editable) if operator else None
        if made is None:
            dropped.append(edit)
        else:
            files = made
    return Replayed(files, tuple(dropped))


@lru_cache(maxsize=64)
def _replaying(name: str) -> Replaying | None:
    """Return the operator of this name, or None when there is none that replays."""
    try:
        made = registry.load("operator", name)()
    except (UnknownPluginError, ConfigError):
        return None  # a genome may be older than what is installed
    return made if isinstance(made, Replaying) else None
