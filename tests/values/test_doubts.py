"""Doubts: their words, which are those of `prove`, and which of them keep a file as it is."""

from __future__ import annotations

import pytest

from se_agent.values.doubts import BRANCHES, SERIOUS, of_answers, of_branches, of_search
from se_agent.values.evaluation import Evaluation, Hunt, Measurement, Status
from se_agent.values.observation import Untaken


@pytest.mark.parametrize(
    ("hunt", "told"),
    [
        pytest.param(Hunt(tried=90), [], id="enough-compared"),
        pytest.param(Hunt(), [], id="not-asked-for"),
        pytest.param(Hunt(put_off=True), [], id="put-off"),
        pytest.param(
            Hunt(tried=90, outside="(-1,): expected 0, got 1"),
            [("outside", "It differs outside the inputs seen: (-1,): expected 0, got 1.")],
            id="outside",
        ),
        pytest.param(
            Hunt(tried=3, note="it is slow"),
            [
                (
                    "unsearched",
                    "Few inputs made up to find a difference were compared: it is slow.",
                )
            ],
            id="few",
        ),
        pytest.param(
            Hunt(cost_seconds=1.0),
            [("unsearched", "No input made up to find a difference was compared.")],
            id="in-vain",
        ),
    ],
)
def test_a_search_leaves_open(hunt: Hunt, told: list[tuple[str, str]]) -> None:
    assert [tuple(doubt) for doubt in of_search(hunt)] == told


def test_only_right_answers_leave_something_open() -> None:
    right = Evaluation(
        status=Status.AC, measurement=Measurement(cpu_seconds=0.1), feedback="A copy."
    )
    assert [doubt.words for doubt in of_answers(right)] == ["A copy."]
    assert not [*of_answers(Evaluation(status=Status.WA, feedback="wrong"))]


def test_branches_are_named_with_their_lines_and_what_they_never_were() -> None:
    ways = ("true", "false", "entered", "taken", "left")
    found = [Untaken(function="f", line=n, text=f"x{n}", way=w) for n, w in enumerate(ways, 1)]
    (doubt,) = of_branches(found)
    assert doubt.words == (
        "No watched input makes `x1` (line 1) true, or makes `x2` (line 2) false, or enters "
        "`x3` (line 3) or takes one of 2 more: how a change answers there is not seen."
    )
    assert BRANCHES not in SERIOUS
    (guessed,) = of_branches(found[:1], guessed=True)
    assert guessed.name in SERIOUS
    assert guessed.words == (
        "No watched input makes `x1` (line 1) true: what a known function does there is not "
        "seen."
    )
    (one,) = of_branches(found[4:])
    assert one.words.startswith("No watched input leaves `x5`")
    assert not [*of_branches(())]
