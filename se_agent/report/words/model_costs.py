"""What models were asked, and what it cost: of a run in a few lines, and of each step. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from se_agent.stats.costs import Asked, Tally
from se_agent.wording import counted


def lines(asked: Asked) -> Iterator[str]:
    """Yield what all calls came to, by role, and by model where there are several.

    Money is in the currency of the run file's prices. Nothing where nobody was asked.
    """
    if not asked.tallies:
        return
    yield f"models: {_in_full(asked.in_all)}"
    yield f"by role: {_each(asked.by_role)}"
    if len(asked.by_model) > 1:
        yield f"by model: {_each(asked.by_model)}"


def of_step(asked: Asked) -> Iterator[str]:
    """Yield the calls of a step, for each role and model, and what they come to in all.

    Nothing where none was made: one that a budget had no room for is none.
    """
    made = {key: tally for key, tally in asked.tallies.items() if _made(tally)}
    for (role, model), tally in made.items():
        yield f"{role} by {model}: {_in_full(tally)}"
    if len(made) > 1:
        yield f"in all: {_in_full(asked.in_all)}"


def in_short(asked: Asked) -> str:
    """Return the calls of a step in a few words; the cost is left out where it is unknown."""
    tally = asked.in_all
    if not _made(tally):
        return ""
    return _brief(tally) + ("" if tally.money is None else f", {_money(tally)}")


def _made(tally: Tally) -> bool:
    return tally.calls + tally.failed > 0


def _each(tallies: Mapping[str, Tally]) -> str:
    told = (f"{name} {_brief(tally)}, {_money(tally)}" for name, tally in tallies.items())
    return "; ".join(told)


def _in_full(tally: Tally) -> str:
    usage = tally.usage
    read = f"{usage.prompt} tokens read" + _of_these(usage.cached, "from a cache")
    written = f"{usage.completion} written" + _of_these(usage.reasoning, "thoughts")
    guess = f", {tally.estimated} of these an estimate for attempts without a reply"
    guess = guess if tally.estimated else ""
    return f"{_calls(tally)}, {read}, {written}{guess}, {_money(tally)}"


def _brief(tally: Tally) -> str:
    return f"{_calls(tally)}, {tally.usage.total} tokens"


def _calls(tally: Tally) -> str:
    answered = counted(tally.calls, "call")
    return answered + (f" and {tally.failed} without a reply" if tally.failed else "")


def _of_these(tokens: int, what: str) -> str:
    return f" ({tokens} {what})" if tokens else ""


def _money(tally: Tally) -> str:
    return "cost unknown" if tally.money is None else f"cost {tally.money:.4g}"
