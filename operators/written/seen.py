"""What was seen of a program, as lines for a prompt: where time and memory go, how it scales.

Not here: how a program is watched, which is an evaluator's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from se_agent.observation import Allocation, HotLine, Scaling
from se_agent.types import Observation

_LEAST = 0.01  # share of a line that is worth telling
_LINES = 8


def hot_lines(observed: Observation, text: str) -> str:
    """Return the hot lines that stand in the program, a line each; empty: none is known."""
    return "\n".join(_rows(observed.hot, text))


def allocations(observed: Observation, text: str) -> str:
    """Return the lines that take memory and stand in the program, a line each."""
    return "\n".join(_rows(observed.allocations, text))


def _rows(found: Sequence[HotLine | Allocation], text: str) -> Iterator[str]:
    """Yield share, number and code.

    What was watched may be an ancestor: a line that is gone is left out, and one that moved has
    no number.
    """
    lines = [line.strip() for line in text.split("\n")]
    told = [each for each in found if each.share >= _LEAST and _stands(each.text, lines)]
    for each in told[:_LINES]:
        here = lines[each.line - 1 : each.line]
        place = f"line {each.line}" if here and here[0].startswith(each.text) else ""
        yield f"{each.share:4.0%}  {place:<9} {each.text}"


def _stands(code: str, lines: Sequence[str]) -> bool:
    return bool(code) and any(line.startswith(code) for line in lines)


def growth(scaling: Scaling | None) -> str:
    """Return the measured growth in words, such as `time ~ n^1.97, for n from 50 to 400`."""
    if scaling is None:
        return ""
    first, last = scaling.sizes[0], scaling.sizes[-1]
    return f"time ~ n^{scaling.exponent:.2f}, for n from {first} to {last}"
