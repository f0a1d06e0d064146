"""For whom a proven gain is none, or less, in words. Pure."""

from __future__ import annotations

from se_agent.values.objective import seconds

_MANY_CALLS = "the gain comes with many calls"


def reservations(
    alone: tuple[float, float] | None,
    on_the_wall: str,
    *,
    waits: bool = False,
    pays_after: int | None = None,
) -> list[str]:
    """Return for whom a gain is none, or less, a clause each.

    Args:
        alone: What a process takes that calls once; see `summary.costly_start`.
        on_the_wall: The ratio there in words, where it is less; see `summary.less_on_the_wall`.
        waits: Whether it is known that others did not make it late.
        pays_after: From which call on it pays; see `summary.FirstCall`.
    """
    told = []
    if alone is not None:
        old, new = map(seconds, alone)
        taken = f"takes {new} instead of {old}"
        when = f"it pays from call {pays_after:,} on" if pays_after else _MANY_CALLS
        told.append(f"a process that calls it once {taken}: {when}")
    if on_the_wall:
        why = (
            "it waits for a part of its time" if waits else "it waits, or others used its core"
        )
        told.append(f"on the wall it is {on_the_wall}: {why}")
    return told
