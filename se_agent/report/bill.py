"""What a run's models were asked, and what it cost, in a few lines. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from se_agent.costs import Costs, Tally


def lines(costs: Costs) -> Iterator[str]:
    """Yield what all calls came to, by role, and by model where there are several.

    Money is in the currency of the run file's prices. Nothing where nobody was asked.
    """
    if not costs.asked:
        return
    total, usage = costs.asked_in_all, costs.asked_in_all.usage
    read = f"{usage.prompt} tokens read" + _of_these(usage.cached, "from a cache")
    written = f"{usage.completion} written" + _of_these(usage.reasoning, "thoughts")
    yield f"models: {_calls(total)}, {read}, {written}, {_money(total)}"
    yield f"by role: {_each(costs.asked_by_role)}"
    if len(costs.asked_by_model) > 1:
        yield f"by model: {_each(costs.asked_by_model)}"


def _each(tallies: Mapping[str, Tally]) -> str:
    told = (
        f"{name} {_calls(tally)}, {tally.usage.total} tokens, {_money(tally)}"
        for name, tally in tallies.items()
    )
    return "; ".join(told)


def _calls(tally: Tally) -> str:
    answered = f"{tally.calls} call{'' if tally.calls == 1 else 's'}"
    return answered + (f" and {tally.failed} without a reply" if tally.failed else "")


def _of_these(tokens: int, what: str) -> str:
    return f" ({tokens} {what})" if tokens else ""


def _money(tally: Tally) -> str:
    return "cost unknown" if tally.money is None else f"cost {tally.money:.4g}"
