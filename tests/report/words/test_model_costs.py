"""What models cost, in the words of a report."""

from __future__ import annotations

from se_agent.chat.events import Replied, Unanswered
from se_agent.chat.messages import Role, Usage
from se_agent.report.words import model_costs
from se_agent.stats.costs import Asked


def folded(*events: Replied | Unanswered) -> Asked:
    asked = Asked()
    for event in events:
        asked.add(event)
    return asked


def replied(role: Role, model: str = "main", *, money: float | None = 0.5) -> Replied:
    usage = Usage(prompt=100, cached=40, completion=20, reasoning=5)
    return Replied(role=role, model=model, text="", usage=usage, money=money)


def test_nobody_was_asked() -> None:
    assert list(model_costs.lines(Asked())) == []


def test_calls_are_added_up_by_role() -> None:
    asked = folded(
        replied(Role.MUTATE),
        replied(Role.MUTATE),
        replied(Role.EXTRACT),
        Unanswered(role=Role.EXTRACT, model="main", why="timeout"),
        Unanswered(role=Role.PLAN, model="main", why="no room", limit="calls"),
    )
    assert list(model_costs.lines(asked)) == [
        (
            "models: 3 calls and 1 without a reply, 300 tokens read (120 from a cache), "
            "60 written (15 thoughts), cost 1.5"
        ),
        (
            "by role: mutate 2 calls, 240 tokens, cost 1; "
            "extract 1 call and 1 without a reply, 120 tokens, cost 0.5; "
            "plan 0 calls, 0 tokens, cost 0"
        ),
    ]


def test_what_is_estimated_is_told_apart() -> None:
    lost = Usage(prompt=100, completion=3)
    failed = Unanswered(role=Role.PLAN, model="main", why="timeout", lost=lost, money=0.25)
    assert next(model_costs.lines(folded(replied(Role.PLAN), failed))) == (
        "models: 1 call and 1 without a reply, 200 tokens read (40 from a cache), 23 written "
        "(5 thoughts), 103 of these an estimate for attempts without a reply, cost 0.75"
    )


def test_models_are_told_apart_and_a_missing_price_is_not_a_zero() -> None:
    asked = folded(replied(Role.PLAN), replied(Role.PLAN, "other", money=None))
    total, _, by_model = model_costs.lines(asked)
    assert total.endswith("cost unknown")
    assert by_model == (
        "by model: main 1 call, 120 tokens, cost 0.5; other 1 call, 120 tokens, cost unknown"
    )


def test_a_step_tells_its_calls_by_role_and_model_and_what_they_come_to() -> None:
    one = (
        "1 call, 100 tokens read (40 from a cache), 20 written (5 thoughts), cost 0.5",
        "2 calls, 200 tokens read (80 from a cache), 40 written (10 thoughts), cost 1",
    )
    assert list(model_costs.of_step(folded(replied(Role.MUTATE)))) == [
        f"mutate by main: {one[0]}"
    ]
    both = folded(replied(Role.MUTATE), replied(Role.EXTRACT, "other"))
    assert list(model_costs.of_step(both)) == [
        f"mutate by main: {one[0]}",
        f"extract by other: {one[0]}",
        f"in all: {one[1]}",
    ]
    assert model_costs.in_short(both) == "2 calls, 240 tokens, cost 1"


def test_a_call_that_no_budget_had_room_for_is_none() -> None:
    refused = Unanswered(role=Role.PLAN, model="main", why="no room", limit="calls")
    assert list(model_costs.of_step(folded(refused))) == []
    assert model_costs.in_short(folded(refused)) == model_costs.in_short(Asked()) == ""
    both = folded(replied(Role.MUTATE, money=None), refused)
    (told,) = model_costs.of_step(both)
    assert told.endswith("cost unknown")
    assert model_costs.in_short(both) == "1 call, 120 tokens"
