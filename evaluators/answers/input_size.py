"""Whether inputs take as long as measuring is made for: the doubts, in words.

Not here: inputs that cannot be measured at all (`evaluators.kinds.preflight` refuses them).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.problem.model import Terms
from se_agent.values.objective import seconds as in_words

GOOD = "20 to 200 ms an input is good"
"""CPU time that measuring is made for."""

_LONG = 0.2  # CPU seconds of an input that needs no more


def unfit(terms: Terms, seconds: float, inputs: int, enough: float) -> Iterator[str]:
    """Tell where inputs take much less or more CPU time than they should.

    Args:
        terms: What the inputs are called, and what to do about them.
        seconds: CPU seconds for one input.
        inputs: Number of inputs that a run may have.
        enough: CPU seconds that a run shall take.
    """
    if seconds > _LONG and not terms.chosen:
        yield (
            f"A {terms.final} input takes {in_words(seconds)} of CPU time, which makes each "
            f"comparison slow. Make the {terms.final} inputs smaller: {GOOD}."
        )
    total = seconds * inputs
    if total < enough / 2:
        yield (
            f"A run takes {in_words(total)} of CPU time for as many inputs as it may have "
            f"({inputs}): small gains drown below {in_words(enough)}. "
            f"{terms.larger[0].upper()}{terms.larger[1:]}: {GOOD}."
        )
