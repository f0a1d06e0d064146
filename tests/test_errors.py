"""Hints of errors: a name that is suggested is one that may have been meant."""

from __future__ import annotations

import pytest

from se_agent.errors import defined_hint, did_you_mean

KNOWN = ("seed", "local_mean", "evaluations", "total", "initial")


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        pytest.param("sede", "seed", id="swapped"),
        pytest.param("evaluation", "evaluations", id="one-missing"),
        pytest.param("Initial", "initial", id="case"),
    ],
)
def test_a_mistyped_name_is_known_again(asked: str, near: str) -> None:
    assert did_you_mean(asked, KNOWN) == f"did you mean {near!r}?"


@pytest.mark.parametrize("asked", ["need_a_lot", "local", "value", "detail", "x"])
def test_a_name_that_shares_hardly_anything_is_not_suggested(asked: str) -> None:
    assert did_you_mean(asked, KNOWN) == ""


def test_what_is_defined_is_told_up_to_eight_names_and_how_many_more() -> None:
    names = [f"n{number}" for number in range(10)]
    assert defined_hint("other", names[:8]) == f"it defines {', '.join(names[:8])}"
    assert defined_hint("other", names) == f"it defines {', '.join(names[:8])}, and 2 more"
    assert defined_hint("other", [], "the file") == "the file defines nothing"
    assert defined_hint("totla", ["total", "other"]) == "did you mean 'total'?"
