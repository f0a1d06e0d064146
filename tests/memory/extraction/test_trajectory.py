"""The summary of a step: what was tried, and what it came to, in the words of a prompt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from se_agent.memory.extraction.trajectory import Trajectory, trajectory
from se_agent.values.evaluation import Branch, ComparisonKind, FailedCase, Status
from se_agent.values.step import Step
from tests.memory.examples import CHILD, PARENT, comparison, failed, judged, proposal

FASTER = judged(comparison(0.150, 0.120))
SLOWER = judged(comparison(0.100, 0.112))
NOISE = judged(comparison(0.150, 0.148, spread=0.05))
EQUAL = judged(comparison(0.1, 0.1))
SCORE = judged(comparison(2.0, 2.5, kind=ComparisonKind.EXACT))
CLAIM = judged(comparison(2.0, 2.5, kind=ComparisonKind.EXACT, trusted=False))
WRONG = failed(Status.WA, case=FailedCase(name="case 3", input="[1, 1]", expected="1", got="2"))


def told(step: Step) -> Trajectory:
    return trajectory(PARENT, step)


@pytest.mark.lm("LM-35", "LM-38", "LM-40", "X-03", "X-13")
@pytest.mark.parametrize(
    ("step", "old", "new", "difference", "judgement"),
    [
        pytest.param(FASTER, "150 ms", "120 ms", "Improved by 20%", "significant", id="seed"),
        pytest.param(SLOWER, "100 ms", "112 ms", "Worse by 12%", "significant", id="slower"),
        pytest.param(
            NOISE, "150 ms", "148 ms", "Improved by 1.33%", "within noise", id="noise"
        ),
        pytest.param(EQUAL, "100 ms", "100 ms", "No change", "within noise", id="equal"),
        pytest.param(SCORE, "2", "2.5", "Improved by 25%", "significant", id="score"),
    ],
)
def test_figures_and_their_doubt(
    step: Step, old: str, new: str, difference: str, judgement: str
) -> None:
    found = told(step)
    assert (found.old, found.new, found.difference) == (old, new, difference)
    assert found.judgement == judgement


@pytest.mark.lm("LM-41", "LM-42", "LM-62")
@pytest.mark.parametrize(
    ("step", "branch"),
    [(FASTER, Branch.SUCCESS), (SLOWER, Branch.FAILURE), (WRONG, Branch.FAILURE)],
)
def test_the_branch_is_the_one_that_python_chose(step: Step, branch: Branch) -> None:
    assert told(step).branch is branch


def test_a_program_that_is_not_right_has_no_figure() -> None:
    found = told(WRONG)
    assert (found.old, found.difference, found.effect) == ("", "", "")
    assert found.new == "WA, wrong answer"
    assert found.failing == ("case 3: input `[1, 1]`, expected `1`, got `2`",)
    assert found.judgement == "not right"


def test_a_score_that_a_program_may_have_made_up_says_so() -> None:
    assert (told(SCORE).quantity, told(CLAIM).quantity) == ("Score", "Untrusted Score")


def test_the_interval_is_told_where_there_is_noise() -> None:
    assert told(FASTER).effect == "1.25x, 99 % interval 1.24x to 1.26x"
    assert told(SCORE).effect == "exact, without noise"


@pytest.mark.lm("LM-37")
def test_what_was_declared_and_what_changed() -> None:
    declared = replace(proposal(), lessons_used=("Hash\nlookups",))
    found = told(judged(comparison(2.0, 1.0), declared))
    assert found.direction == "Ask a set, not a list, whether a value is in it"
    assert (found.expected, found.used) == ("less time for long lists", ("Hash lookups",))
    assert found.change == "+2 -5 in `solve`"
    assert found.diff.startswith("--- a/program.py\n+++ b/program.py\n@@")
    assert "+    s = set(b)\n" in found.diff
    assert (found.child, found.parent) == (CHILD.id, PARENT.id)
