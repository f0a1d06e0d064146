"""A guard that leaves edge inputs to the old body: small numbers, short lists.

Not here: which calls disagree (`matching`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any  # arguments are plain data of any type

from operators.known_functions.sources import held

_LEAST = (0, 1, 2, 3)


def edge_guard(good: Sequence[tuple[Any, ...]], bad: Sequence[tuple[Any, ...]]) -> str | None:
    """Return the guard that no bad row and the most good ones satisfy; None if there is none.

    Args:
        good: Arguments of the calls that agree.
        bad: Arguments of those that do not.
    """
    single = list(_guards([*good, *bad]))
    for some in (single, [" and ".join(two) for two in combinations(single, 2)]):
        fine = [guard for guard in some if not any(held(guard, row) for row in bad)]
        if fine:
            return max(fine, key=lambda guard: sum(held(guard, row) for row in good))
    return None


def _guards(rows: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    for i in range(len(rows[0])):
        kinds = {type(row[i]) for row in rows}
        if kinds == {int}:
            yield from (f"a{i} >= {least}" for least in _LEAST)
        elif kinds <= {list, tuple, str, dict, set}:
            yield from (f"len(a{i}) >= {least}" for least in _LEAST[1:])
