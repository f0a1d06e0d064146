"""What was seen of a program, as lines for a prompt: where time and memory go, how it scales.

Not here: how a program is watched, which is an evaluator's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from se_agent.chat.fencing import guarded
from se_agent.values.observation import Allocation, HotLine, Scaling

_LEAST = 0.05  # share of a line that is worth telling: below, no change of it would be seen
_LINES = 8


def dear_lines(found: Sequence[HotLine | Allocation]) -> str:
    """Return share, number and code of the lines that cost most; empty: none is known.

    The code is `guarded`, as it is in the program that is shown.
    """
    told = [each for each in found if each.share >= _LEAST]
    return "\n".join(
        f"{each.share:4.0%}  line {each.line:<4} {guarded(each.text)}" for each in told[:_LINES]
    )


def new_lines(old: str, new: str) -> list[int]:
    """Return the numbers, from 1, of the lines of `new` that are not in `old`."""
    matcher = SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
    codes = matcher.get_opcodes()
    return [
        n + 1 for tag, _, _, first, last in codes if tag != "equal" for n in range(first, last)
    ]


def growth(scaling: Scaling | None) -> str:
    """Return the measured growth in words, such as `time ~ n^1.97, for n from 50 to 400`."""
    if scaling is None:
        return ""
    first, last = scaling.sizes[0], scaling.sizes[-1]
    return f"time ~ n^{scaling.exponent:.2f}, for n from {first} to {last}"
