"""What a model says of an outcome is read in its own words, or not at all."""

from __future__ import annotations

import pytest

from se_agent.memory.extraction.replies import SaidDirection
from se_agent.values.lesson import Outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("Success", Outcome.SUCCESS),
        (" successful", Outcome.SUCCESS),
        ("FAILED", Outcome.FAILED),
        ("neutral", Outcome.NEUTRAL),
        ("perhaps", None),
        (None, None),
    ],
)
def test_an_outcome_has_many_spellings(said: object, outcome: Outcome | None) -> None:
    read = SaidDirection.model_validate({"direction": "use a heap", "outcome": said})
    assert read.outcome == outcome
