"""An evaluator whose results are cleaned can still do all that the one inside can."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from se_agent.abilities import evaluator as abilities
from se_agent.engine.judging.redacting import redacting
from se_agent.redaction.redactor import Redactor

SEAMS = [
    seam
    for seam in vars(abilities).values()
    if isinstance(seam, type) and seam.__module__ == abilities.__name__
]


@pytest.mark.parametrize("seam", SEAMS, ids=lambda seam: seam.__name__)
def test_a_seam_that_the_evaluator_has_is_passed_on(seam: type) -> None:
    """The engine asks by `isinstance`: one that is not passed on is switched off in silence."""
    names = [name for name in vars(seam) if not name.startswith("_")]
    inner: Any = SimpleNamespace(kind="", close=int, **dict.fromkeys(names, int))
    cleaned = redacting(inner, Redactor(()))
    assert names
    assert isinstance(inner, seam)
    assert isinstance(cleaned, seam)
