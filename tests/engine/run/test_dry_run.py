"""What a run would ask its models, and about what that takes."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from se_agent.chat.messages import Role
from se_agent.config import run_file
from se_agent.config.run_file import Run
from se_agent.engine.run.dry_run import (
    Estimate,
    FirstRequests,
    check_budget,
    context_doubts,
    estimate,
    first_requests,
)
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.errors import ConfigError
from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem


@cache
def problem() -> Problem:
    return load_problem("order_report")


PRICES = ("models.main.prompt_price=1.0", "models.main.completion_price=4.0")


_BOTH = "mutation,rewriting"


def run(*settings: str) -> Run:
    return run_file.parse("order_report", ["models.main.name=gpt", *settings])


def resolved(chosen: Run) -> ResolvedRun:
    return ResolvedRun.of(chosen, problem())


def requests(chosen: Run) -> list[FirstRequests]:
    return first_requests(resolved(chosen))


def about(*settings: str) -> Estimate:
    found = resolved(run(*settings))
    return estimate(found, first_requests(found))


class TestOpenings:
    @pytest.mark.parametrize(
        ("settings", "roles"),
        [
            pytest.param((), "plan replan rewrite refine cross_over repair", id="default"),
            pytest.param(("policy=best_of_n",), "rewrite", id="a-single-operator"),
            pytest.param(("operators=mutation",), "refine", id="named"),
            pytest.param(
                ("operators=mutation", "memory.extraction=each"), "refine extract", id="lessons"
            ),
            pytest.param(
                ("operators=mutation", "memory.local.compression=model"),
                "refine compress",
                id="compression",
            ),
        ],
    )
    def test_each_operator_that_is_used_has_one(
        self, settings: tuple[str, ...], roles: str
    ) -> None:
        opened = requests(run(*settings))
        assert [one.role for one in opened] == roles.split()
        assert len({one.source for one in opened}) == len(opened)

    def test_a_prompt_holds_program_and_problem(self) -> None:
        for one in requests(run("memory.extraction=batch")):
            text = "\n".join(message.content for message in one.messages)
            assert "Order report" in text, one.role
            assert ("def order_report" in text) == (one.role != Role.EXTRACT)
            assert len(text) / 8 < one.tokens < len(text)

    def test_models_share_the_calls_by_weight(self) -> None:
        weights = ("models.other.name=small", "models.other.weights.mutate=3.0")
        (one,) = requests(run("operators=mutation", *weights))
        assert one.models == {"main": 0.25, "other": 0.75}

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            pytest.param(["operators=early_exit"], "names no model", id="no-model"),
            pytest.param(
                ["operators=early_exit", "models.main.name=gpt"],
                "would ask no model",
                id="nothing-to-ask",
            ),
        ],
    )
    def test_a_run_that_asks_nobody_says_so(self, settings: list[str], message: str) -> None:
        with pytest.raises(ConfigError, match=message):
            requests(run_file.parse("order_report", settings))


class TestBudget:
    """A limit that has no room for any call is told before anything is spent."""

    @pytest.mark.parametrize(("spare", "enough"), [(0, True), (-1, False)])
    def test_tokens_for_one_call_are_enough(self, spare: int, enough: bool) -> None:
        settings = (
            "operators=mutation",
            "memory.extraction=each",
            "models.main.max_tokens=2000",
        )
        opened = requests(run(*settings))
        (one,) = (each for each in opened if each.role == Role.REFINE)
        limit = one.tokens + 2000 + spare
        chosen = run(*settings, f"budget.tokens={limit}")
        if enough:
            check_budget(chosen, opened)
            return
        with pytest.raises(ConfigError, match=f"budget.tokens: {limit} has no room") as raised:
            check_budget(chosen, opened)
        assert raised.value.hint == "raise it, or lower models.main.max_tokens (2000)"

    def test_the_cheapest_of_several_models_counts(self) -> None:
        prices = ("models.main.prompt_price=1", "models.main.completion_price=100")
        other = (
            "models.cheap.name=small",
            "models.cheap.prompt_price=0.01",
            "models.cheap.completion_price=0.01",
        )
        settings = ("operators=mutation", "budget.money=0.01", *prices)
        opened = requests(run(*settings))
        with pytest.raises(ConfigError, match=r"budget\.money: 0\.01 has no room"):
            check_budget(run(*settings), opened)
        both = run(*settings, *other)
        check_budget(both, requests(both))

    def test_without_limits_there_is_room(self) -> None:
        check_budget(run(), requests(run()))


class TestRoom:
    """For the prompts that follow, once memory has grown."""

    @pytest.mark.parametrize(
        ("memory", "spare", "told"),
        [
            pytest.param("memory.local.token_limit=1500", 1500 + 1024, False, id="room"),
            pytest.param(
                "memory.local.token_limit=1500", 1499 + 1024, True, id="a-token-short"
            ),
            pytest.param("memory.enabled=false", 1024, False, id="no-memory"),
        ],
    )
    def test_a_context_that_cannot_hold_them_is_told(
        self, memory: str, spare: int, told: bool
    ) -> None:
        settings = ("operators=mutation", memory)
        (one,) = requests(run(*settings))
        chosen = run(*settings, f"models.main.context={one.tokens + spare}")
        notes = context_doubts(resolved(chosen), requests(chosen))
        assert len(notes) == told
        for note in notes:
            assert note.startswith(f"models.main.context: {one.tokens + spare} tokens have no")
            assert len(note) < 300

    def test_of_a_model_the_longest_prompt_counts(self) -> None:
        chosen = run("models.main.context=4000")
        opened = requests(chosen)
        (note,) = context_doubts(resolved(chosen), opened)
        assert f", {max(one.tokens for one in opened)}, " in note


class TestEstimate:
    def test_operators_of_a_role_share_its_calls(self) -> None:
        settings = ("budget.evaluations=33", "memory.extraction=declared")
        one, both = (about(f"operators={names}", *settings) for names in ("mutation", _BOTH))
        assert one.calls == both.calls == 33

    def test_calls_follow_the_evaluations(self) -> None:
        few, many = (about("operators=mutation", f"budget.evaluations={n}") for n in (10, 40))
        assert (few.calls, many.calls) == (10, 40)
        assert few.tokens is not None
        assert many.tokens == 4 * few.tokens

    @pytest.mark.parametrize(
        ("extraction", "calls"),
        [
            pytest.param("declared", 32, id="declared"),
            pytest.param("batch", 36, id="one-a-generation"),
            pytest.param("each", 64, id="one-a-step"),
        ],
    )
    def test_lessons_are_calls_as_well(self, extraction: str, calls: int) -> None:
        settings = ("operators=mutation", "budget.evaluations=32")
        assert about(*settings, f"memory.extraction={extraction}").calls == calls

    def test_without_prices_money_is_unknown(self) -> None:
        assert about().money is None
        assert about("models.main.prompt_price=1.0").money is None

    def test_money_is_that_of_prompts_and_replies(self) -> None:
        cheap, dear = about(*PRICES), about(PRICES[0], "models.main.completion_price=8.0")
        assert cheap.money is not None
        assert dear.money is not None
        assert cheap.tokens is not None
        assert 1e-6 * cheap.tokens < cheap.money < dear.money < 8e-6 * cheap.tokens

    @pytest.mark.parametrize(
        ("name", "limit"), [("calls", 7), ("tokens", 20_000), ("money", 0.01)]
    )
    def test_a_limit_ends_it(self, name: str, limit: Any) -> None:
        free, bound = about(*PRICES), about(*PRICES, f"budget.{name}={limit}")
        assert bound.ends == (f"budget.{name}",)
        assert getattr(bound, name) == pytest.approx(limit, rel=0.01)
        assert bound.calls is not None
        assert free.calls is not None
        assert bound.calls < free.calls

    def test_nothing_bounds_it(self) -> None:
        assert about("budget.evaluations=none") == Estimate(calls=None, tokens=None, money=None)
