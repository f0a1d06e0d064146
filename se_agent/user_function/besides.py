"""What two functions do besides answering: not compared, so it is told.

Not here: how that is read off (`program.side_effects`).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.program.side_effects import listed_effects, side_effects
from se_agent.user_function.function import UserFunction


def besides(old: UserFunction, new: UserFunction) -> Iterator[str]:
    """Yield a doubt where a function does more than to answer, or one of them no longer."""
    before, after = (side_effects(one.module.text, one.function) for one in (old, new))
    if gone := [effect for effect in before if effect not in after]:
        told = listed_effects(gone)
        yield f"The old function {told}, and the new one does not: not compared."
    if added := [effect for effect in after if effect not in before]:
        told = listed_effects(added)
        yield f"The new function {told}, and the old one does not: not compared."
    if both := [effect for effect in before if effect in after]:
        yield f"Each function {listed_effects(both)}: what comes of that is not compared."
