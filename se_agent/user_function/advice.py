"""What small inputs can show, told before a search begins, and what to do about it. Pure.

Tests call a function to see that it is right, as a rule on small inputs. Not here: how noisy
this machine is, which the self-test of a run finds out (`stats`).
"""

from __future__ import annotations

from dataclasses import dataclass

from se_agent.problem.model import RUN_INPUTS
from se_agent.values.objective import seconds
from se_agent.wording import counted

_CALL = 1e-3
"""CPU seconds of a call below which inputs are called small."""

_CLOCK = 1e-6
"""CPU seconds of a call below which a look says nothing."""

_SCATTER = 1e-4
"""CPU seconds by which two runs differ for other reasons than the function, about."""

_SURE = 3.0
"""Times that scatter which a difference has to be, to be seen."""


@dataclass(frozen=True)
class InputSizes:
    """How long calls are.

    Attributes:
        call: CPU seconds of one, about.
        inputs: Distinct ones that are measured.
        wanted: CPU seconds that a run should take.
    """

    call: float
    inputs: int
    wanted: float

    @property
    def run(self) -> float:
        """CPU seconds of a run, which makes each call once."""
        return self.call * min(self.inputs, RUN_INPUTS)

    @property
    def least(self) -> float:
        """The smallest gain that can be told from noise, as a ratio, about."""
        return 1.0 + _SURE * _SCATTER / max(self.run, _SCATTER / 10)


def advice(sizes: InputSizes, *, tests: str) -> str:
    """Return what is to be known of small inputs before anything is searched; or nothing.

    Args:
        sizes: How long the calls are.
        tests: Path of the tests that made them.
    """
    if sizes.call >= _CALL:
        return ""
    small = f"the inputs of {tests} are small"
    unseen = "what a better algorithm gains on larger inputs is not seen"
    if sizes.call < _CLOCK:
        return f"{small}: a call is too short for the clock; {unseen}"
    calls = counted(min(sizes.inputs, RUN_INPUTS), "call")
    good = f", where {seconds(sizes.wanted)} would be good"
    short = "" if sizes.run >= sizes.wanted else good
    return (
        f"{small}: a call takes about {seconds(sizes.call)}, a run of {calls} "
        f"{seconds(sizes.run)}{short}. Gains below about {sizes.least:.2g}x are lost in the "
        f"noise, and {unseen}"
    )
