"""What the run's state knows of a slot when it is closed: memory learns from it."""

from __future__ import annotations

from typing import NamedTuple

from se_agent.values.lesson import GlobalStatus
from se_agent.values.step import Step


class ClosedStep(NamedTuple):
    """What a `Learned` event comes to: the event itself holds no programs, but ids.

    Attributes:
        step: The judged step; None: the slot has no candidate.
        status: Where the run stands after it.
    """

    step: Step | None
    status: GlobalStatus
