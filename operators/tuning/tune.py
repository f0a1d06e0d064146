"""Random search over marked constants, one at a time: the baseline of all tuners.

Half of the draws are even over the range (on a log scale if it says so), half are small steps
from the present value. Not here: tuners that learn from what was tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from operators.tuning.constants import Constant
from operators.tuning.tuner import Tuner, ValueTried, nearby

if TYPE_CHECKING:
    from numpy.random import Generator

    from se_agent.abilities.optional import Replaying
    from se_agent.protocols import Operator


class Tune(Tuner):
    """Change one constant that is marked `# tune: LOW..HIGH`."""

    name = "tune"

    def drawn(
        self, constants: Sequence[Constant], seen: Sequence[ValueTried], rng: Generator
    ) -> Sequence[float]:
        """Return the present point with one place changed, whatever was seen."""
        return nearby(constants, rng)


if TYPE_CHECKING:
    _: Operator = Tune()
    _again: Replaying = Tune()
