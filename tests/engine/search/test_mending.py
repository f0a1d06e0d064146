"""What is known mends a failure before a model is asked to, and nobody tries in vain twice."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from se_agent.engine.search.authoring import WrittenOperators
from se_agent.engine.search.repeated_errors import error_key
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.search_context import Failure
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import View
from tests.contracts.policy import view
from tests.contracts.writing_policy import WRITTEN

UNKNOWN_NAME = Evaluation(status=Status.RE, feedback="NameError: name 'heapq' is not defined")
WRONG = Evaluation(status=Status.WA)


def failure(id: str, seen: Evaluation = UNKNOWN_NAME, *, by: str = "rewriting") -> Failure:
    made = Solution(id=id, files={"main.py": id}, parents=("Gen1_Sol_0",), operator=by)
    return Failure(solution=made, evaluation=seen)


def shown(*failures: Failure, mendable: bool = True, given: tuple[Slot, ...] = ()) -> View:
    return dataclasses.replace(
        view(9), failures=failures, can_mend=lambda _: mendable, open_slots=given
    )


def authors(mending: str = "mend") -> WrittenOperators:
    return WrittenOperators(WRITTEN, mending=mending)


def asked(author: WrittenOperators, seen: View) -> tuple[str, str]:
    """Return whom the policy asks next, and to mend which failure."""
    slot = author.follow("", seen, np.random.default_rng(3))
    assert slot is not None
    return slot.operator, slot.subject


def step(by: str, subject: str, child: str, seen: Evaluation | None) -> Step:
    """Return a step that mended a failure; without an evaluation it made nothing."""
    parent = view(9).initial.solution
    slot = dataclasses.replace(view(9).fill(parent, operator=by, subject=subject), child=child)
    made = Solution(id=child, files={"main.py": child}, parents=(parent.id,), operator=by)
    proposal = Proposal(solution=made, direction="mend") if seen else None
    return Step(slot=slot, proposal=proposal, evaluation=seen)


@pytest.mark.row("LF-90")
def test_what_is_known_comes_before_a_models_repair() -> None:
    assert asked(authors(), shown(failure("F"))) == ("mend", "F")


def test_a_failure_that_nothing_known_mends_is_a_models() -> None:
    assert asked(authors(), shown(failure("F"), mendable=False)) == ("repair", "F")


def test_without_the_operator_all_is_as_it_was() -> None:
    assert asked(authors(""), shown(failure("F"))) == ("repair", "F")


def test_who_mended_in_vain_leaves_it_to_the_model() -> None:
    author = authors()
    author.tell(step("mend", "F", "", None))
    assert asked(author, shown(failure("F"))) == ("repair", "F")


def test_a_mended_program_stands_in_the_place_of_the_failed_one() -> None:
    author = authors()
    author.tell(step("mend", "F", "G", WRONG))
    first, again = failure("F"), failure("G", WRONG, by="mend")
    assert asked(author, shown(first, again, mendable=False)) == ("repair", "G")
    assert asked(author, shown(first, mendable=False))[0] not in ("mend", "repair")


def test_the_model_waits_until_what_is_known_was_tried() -> None:
    author, first = authors(), shown(failure("F"))
    slot = author.follow("", first, np.random.default_rng(3))
    assert slot is not None
    under_way = shown(failure("F"), given=(slot,))
    assert asked(author, under_way)[0] not in ("mend", "repair")


def test_an_error_that_came_back_twice_is_left_alone() -> None:
    """By its template: the third program names another module."""
    author = authors()
    author.tell(step("rewriting", "", "F", UNKNOWN_NAME))
    for number, by in enumerate(["mend", "repair"]):
        assert asked(author, shown(failure(f"new {number}")))[0] == "mend"
        author.tell(step(by, "F", f"G{number}", UNKNOWN_NAME))
    other = dataclasses.replace(
        UNKNOWN_NAME, feedback="NameError: name 'bisect' is not defined"
    )
    assert asked(author, shown(failure("H", other)))[0] not in ("mend", "repair")
    key = Evaluation(status=Status.RE, feedback="KeyError: 3")
    assert asked(author, shown(failure("H", key)))[0] == "mend", "of another error it may be"


def test_two_wrong_answers_need_not_be_one_error() -> None:
    assert error_key(dataclasses.replace(WRONG, feedback="it returns 3")) == ""
    author = authors()
    for number in range(4):
        author.tell(step("repair", f"W{number}", f"W{number + 1}", WRONG))
    assert asked(author, shown(failure("V", WRONG), mendable=False)) == ("repair", "V")
