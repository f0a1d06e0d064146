"""What models cost, in the words of a report."""

from __future__ import annotations

from se_agent.conversation import Role, Usage
from se_agent.costs import Costs
from se_agent.report import bill
from se_agent.talks import Replied, Unanswered


def folded(*events: Replied | Unanswered) -> Costs:
    costs = Costs()
    for event in events:
        costs.apply(event)
    return costs


def replied(role: Role, model: str = "main", *, money: float | None = 0.5) -> Replied:
    usage = Usage(prompt=100, cached=40, completion=20, reasoning=5)
    return Replied(role=role, model=model, text="", usage=usage, money=money)


def test_nobody_was_asked() -> None:
    assert list(bill.lines(Costs())) == []


def test_calls_are_added_up_by_role() -> None:
    costs = folded(
        replied(Role.MUTATE),
        replied(Role.MUTATE),
        replied(Role.EXTRACT),
        Unanswered(role=Role.EXTRACT, model="main", why="timeout"),
        Unanswered(role=Role.PLAN, model="main", why="no room", limit="calls"),
    )
    assert list(bill.lines(costs)) == [
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


def test_models_are_told_apart_and_a_missing_price_is_not_a_zero() -> None:
    costs = folded(replied(Role.PLAN), replied(Role.PLAN, "other", money=None))
    total, _, by_model = bill.lines(costs)
    assert total.endswith("cost unknown")
    assert by_model == (
        "by model: main 1 call, 120 tokens, cost 0.5; other 1 call, 120 tokens, cost unknown"
    )
