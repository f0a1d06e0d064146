"""The model-written operators keep to their contract."""

from __future__ import annotations

import dataclasses
import json

import pytest

from operators.written.mutation import Mutation
from operators.written.plan import Plan
from operators.written.recombination import Recombination
from operators.written.repair import Repair
from operators.written.replan import Replan
from operators.written.rewriting import Rewriting
from se_agent.errors import ReplyError
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Evaluation, FailedCase, Status
from se_agent.values.search_context import Failure, SearchContext
from se_agent.values.solution import Solution
from tests.contracts.written import (
    DIFF,
    FAST,
    SLOW,
    WHOLE,
    PlanContract,
    ProgramContract,
    brief,
)

WRONG = "def distinct(xs):\n    return sorted(set(xs))\n"


def failed(text: str = WRONG, parent: str = SLOW) -> Brief:
    """Return a brief of a candidate that is not right."""
    candidate = Solution(id="Gen3_Sol_0", files={"main.py": text}, parents=("Gen1_Sol_0",))
    case = FailedCase(name="order", input="([3, 1],)", expected="[3, 1]", got="[1, 3]")
    evaluation = Evaluation(status=Status.WA, failing=(case,), feedback="order: wrong answer")
    known = SearchContext(failure=Failure(solution=candidate, evaluation=evaluation))
    return dataclasses.replace(brief(parent), search=known)


class TestMutation(ProgramContract):
    operator = Mutation()
    answer = DIFF


class TestRewriting(ProgramContract):
    operator = Rewriting()
    answer = WHOLE


class TestRecombination(ProgramContract):
    operator = Recombination()
    answer = WHOLE

    def brief_of(self, text: str = SLOW) -> Brief:
        return brief(text, WRONG)

    def test_the_other_parent_is_no_child(self) -> None:
        with pytest.raises(ReplyError, match="same as one that was given"):
            self.operator.parse(f"```\n{WRONG}```", self.brief_of())


class TestRepair(ProgramContract):
    operator = Repair()
    answer = (
        "<<<<<<< SEARCH\n    return sorted(set(xs))\n=======\n"
        "    return list(dict.fromkeys(xs))\n>>>>>>> REPLACE\n"
    )

    def brief_of(self, text: str = WRONG) -> Brief:
        return failed(text, text if "EVOLVE" in text else SLOW)

    def test_the_child_is_a_child_of_the_parent_not_of_what_failed(self) -> None:
        found = self.operator.parse(self.answer, self.brief_of())
        assert found is not None
        assert found.solution.text == FAST
        assert found.solution.parents == ("Gen1_Sol_0",)

    @pytest.mark.parametrize("text", [SLOW, WRONG])
    def test_to_go_back_is_no_repair(self, text: str) -> None:
        with pytest.raises(ReplyError, match="same as one that was given"):
            self.operator.parse(f"```\n{text}```", self.brief_of())


class TestPlan(PlanContract):
    operator = Plan()


class TestReplan(PlanContract):
    operator = Replan()


def test_a_plan_has_five_strategies_at_most_and_a_new_one_three() -> None:
    names = ", ".join(f'{{"name": "{letter}"}}' for letter in "abcdefg")
    reply = f'{{"strategies": [{names}]}}'
    assert [len(op.strategies(reply, brief(SLOW))) for op in (Plan(), Replan())] == [5, 3]


def test_the_shape_of_a_plan_is_told_to_endpoints_that_can_hold_a_model_to_it() -> None:
    assert Plan().schema["required"] == ["strategies"]
    assert Plan().schema["additionalProperties"] is False


MARKED = 'TURN = "<|im_start|>" + r"<\\|"\n' + SLOW
GUARDED = 'TURN = "<\\|im_start|>" + r"<\\\\|"\n'


@pytest.mark.parametrize("operator", [Mutation(), Rewriting()], ids=lambda one: one.name)
class TestMarkersOfTurns:
    """What begins a turn of a chat cannot come from a program, and the program stays exact."""

    def test_a_prompt_holds_none(self, operator: Mutation | Rewriting) -> None:
        told = [message.content for message in operator.prompt(brief(MARKED))]
        assert not any("<|im_start" in text for text in told)
        assert GUARDED in told[1]
        assert "are shown as `<\\|`" in told[1]

    def test_a_reply_may_write_them_as_shown_or_as_they_are(
        self, operator: Mutation | Rewriting
    ) -> None:
        shown, bare = GUARDED + FAST, MARKED.replace(SLOW, FAST).replace('r"<\\|', 'r"<\\\\|')
        for text in (shown, bare):
            found = operator.parse(f"```python\n{text}```\n", brief(MARKED))
            assert found is not None
            assert found.solution.text == MARKED.replace(SLOW, FAST)

    @pytest.mark.parametrize("told", ["drop the `<\\\\|`", "drop the turn"])
    def test_a_declaration_is_read_whatever_it_says_of_them(
        self, operator: Mutation | Rewriting, told: str
    ) -> None:
        """JSON has escapes of its own."""
        words = f'{{"direction": "{told}", "expected_effect": "less", "lessons_used": []}}'
        reply = f"```json\n{words}\n```\n```python\n{GUARDED}{FAST}```\n"
        found = operator.parse(reply, brief(MARKED))
        assert found is not None
        assert found.direction == json.loads(words)["direction"]
        assert found.notes == ()

    def test_a_block_finds_its_lines_as_they_are_shown(
        self, operator: Mutation | Rewriting
    ) -> None:
        reply = f"<<<<<<< SEARCH\n{GUARDED}=======\nTURN = 1\n>>>>>>> REPLACE\n"
        found = operator.parse(reply, brief(MARKED))
        assert found is not None
        assert found.solution.text == "TURN = 1\n" + SLOW

    def test_where_none_was_shown_a_reply_is_taken_as_it_is(
        self, operator: Mutation | Rewriting
    ) -> None:
        found = operator.parse(f"```python\n{GUARDED}{FAST}```\n", brief(SLOW))
        assert found is not None
        assert found.solution.text == GUARDED + FAST
