"""Parameters that no input varies: what a change does to other values of them is not seen.

Pure. Not here: which inputs there are (`plan`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from se_agent import wire
from se_agent.user_function.function import UserFunction

_NAMED = 3  # parameters that a doubt names


def unvaried(target: UserFunction, inputs: Sequence[bytes]) -> Iterator[str]:
    """Yield a doubt, in a sentence, where parameters have one value in all inputs.

    Args:
        target: The function.
        inputs: Tuples of arguments in wire form; of a single one nothing is said.
    """
    distinct = list(dict.fromkeys(inputs))
    if len(distinct) < 2:
        return
    given = target.arguments
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    same, longest = _same(distinct)
    fixed = [name for place, name in enumerate(names) if place in same]
    never = [*names[longest:], *(one.arg for one in given.kwonlyargs)]
    told = []
    if fixed:
        told.append(f"{_listed(fixed)} {'has' if len(fixed) == 1 else 'have'} one value")
    if never:
        told.append(f"{_listed(never)} {'is' if len(never) == 1 else 'are'} left out")
    if told:
        yield f"In all inputs {', and '.join(told)}: how a change answers others is not seen."


def _same(inputs: Sequence[bytes]) -> tuple[set[int], int]:
    """Return the places of arguments that are equal in all inputs, and the most arguments."""
    first = [wire.dumps(value) for value in wire.loads(inputs[0])]
    same, longest = set(range(len(first))), len(first)
    for data in inputs[1:]:
        values = wire.loads(data)
        longest = max(longest, len(values))
        same = {n for n in same if n < len(values) and wire.dumps(values[n]) == first[n]}
    return same, longest


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:_NAMED])
    return f"{shown}, ..." if len(names) > _NAMED else shown
