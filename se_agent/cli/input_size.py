"""Whether inputs take long enough to be measured well: the doubt, in words.

Not here: inputs that cannot be measured at all (the evaluators refuse them).
"""

from __future__ import annotations

from collections.abc import Iterator

GOOD = "20 to 200 ms an input is good"
"""CPU time that measuring is made for."""

_FINEST = 1e-4  # seconds below which a single reading says no more


def too_short(
    seconds: float, inputs: int, enough: float, what: str = "inputs"
) -> Iterator[str]:
    """Tell where a run takes much less CPU time than it shall.

    Args:
        seconds: Of CPU, for one input.
        inputs: That a run may have.
        enough: CPU seconds that a run shall take.
        what: Which inputs are to be larger.
    """
    from se_agent.report import words

    total = seconds * inputs
    if total < enough / 2:
        took = (
            f"less than {words.seconds(_FINEST)}" if total < _FINEST else words.seconds(total)
        )
        yield (
            f"A run takes {took} of CPU time for as many inputs as "
            f"it may have ({inputs}): small gains drown below {words.seconds(enough)}. "
            f"Make the {what} larger: {GOOD}."
        )
