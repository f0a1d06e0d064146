"""The three searches around a solver: into the largest holes, near the best, from anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.structure.wrapping import Wrapping

if TYPE_CHECKING:
    from se_agent.abilities.optional import Replaying
    from se_agent.protocols import Operator


class SearchRelocate(Wrapping):
    """Move one or two elements into the largest holes, now and then all of them a little."""

    name = "search_relocate"
    rounds = "move elements of the accepted answer into the largest holes, and solve again"
    relocate = 0.75


class SearchPerturb(Wrapping):
    """Move all elements of the accepted answer a little."""

    name = "search_perturb"
    rounds = "move all elements of the accepted answer a little, and solve again"


class SearchRestart(Wrapping):
    """Begin at random positions, each time."""

    name = "search_restart"
    rounds = "solve again from random positions"
    fresh = 1.0


if TYPE_CHECKING:
    _operators: tuple[Operator, ...] = (SearchRelocate(), SearchPerturb(), SearchRestart())
    _again: tuple[Replaying, ...] = (SearchRelocate(), SearchPerturb(), SearchRestart())
