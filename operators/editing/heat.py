"""How hot the place of an edit is: what share of a program's cost is spent there.

Pure. Not here: where the shares come from, which is what the engine saw of the program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher

from se_agent.values.observation import Observation


def heat(observed: Observation, old: str, new: str, function: str) -> float | None:
    """Return how hot the place of an edit is, 0 to 1; None where nothing was seen.

    It is the mean of two shares: of the lines that the edit replaces, and of the function.
    Where an edit makes a far line cheaper, as another container does, the function alone tells.
    Lines are known by their text, so that they are found in descendants of the program that was
    watched.

    Args:
        observed: Observation of the program, or of its nearest ancestor that was watched.
        old: The program.
        new: What the edit makes of it.
        function: Qualified name of the function that it changes; empty at module level.
    """
    if not observed.hot:
        return None
    shares: dict[str, float] = defaultdict(float)
    for line in observed.hot:
        if _within(line.function, function):
            shares[line.text] += line.share
    # In the order of the text: sums of floats depend on it, and sets have none.
    replaced = sum(shares[text] for text in dict.fromkeys(_replaced(old, new)))
    return (observed.functions.get(function, 0.0) + min(1.0, replaced)) / 2


def _within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(f"{outer}.")


def _replaced(old: str, new: str) -> Iterator[str]:
    """Yield the lines of a text that are not in another, as the report has them."""
    before, after = old.splitlines(), new.splitlines()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for what, start, end, *_ in matcher.get_opcodes():
        if what in ("replace", "delete"):
            yield from (line.strip()[:100] for line in before[start:end])
