"""Choose the model to ask: by weights of the run file, and by what each brought for its cost.

Pure. Thompson sampling: of each model's share of steps with a proven gain one value is drawn
from its posterior, and divided by what a step of it costs. Not here: who asks (`models.calls`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from se_agent.chat.events import Replied
from se_agent.chat.messages import family_of
from se_agent.config.roles import RoleMatrix
from se_agent.config.sections import Endpoint
from se_agent.values.recall import ModelReturns

_EARLIER = 2.0  # steps that what a model brought in earlier runs weighs at most

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True, kw_only=True)
class Returns:
    """What a model has brought in closed steps that it wrote.

    Attributes:
        steps: Number of steps that it wrote.
        gains: How many of them were proven better than their parent.
        tokens: Tokens of all calls for these steps.
        money: For all of them; None: a call had no price.
        before: Gains, and steps without one, that earlier runs let it begin with.
    """

    steps: int = 0
    gains: int = 0
    tokens: int = 0
    money: float | None = 0.0
    before: tuple[float, float] = (0.0, 0.0)


def counted(
    past: Mapping[str, Returns], replies: Iterable[Replied], roles: RoleMatrix, *, gain: bool
) -> Mapping[str, Returns]:
    """Return the fold with a closed step, which counts for the model that replied last.

    Only replies that are programs count: a gain says how good their model is.
    """
    wrote = [reply for reply in replies if roles[reply.role].writes]
    if not wrote:
        return past
    name = wrote[-1].model
    known, prices = past.get(name, Returns()), [reply.money for reply in wrote]
    return {
        **past,
        name: replace(
            known,
            steps=known.steps + 1,
            gains=known.gains + gain,
            tokens=known.tokens + sum(reply.paid.total for reply in wrote),
            money=_sum([known.money, *prices]),
        ),
    }


def begun(earlier: Iterable[ModelReturns]) -> Mapping[str, Returns]:
    """Return the fold before the first step: earlier runs weigh two steps at most (AM-66)."""
    found = {}
    for one in (each for each in earlier if each.steps):
        weight = min(_EARLIER, one.steps) / one.steps
        gains = weight * one.gains
        found[one.model] = Returns(before=(gains, weight * one.steps - gains))
    return found


def weights(models: Mapping[str, Endpoint], role: str) -> dict[str, float]:
    """Return the models that may be asked in a role, with their weights, by name.

    Where a model has no weight for a role, that for the role's family holds.
    """
    named = {name: _weight(models[name].weights, role) for name in sorted(models)}
    return {name: weight for name, weight in named.items() if weight > 0}


def chosen(given: Mapping[str, float], past: Mapping[str, Returns], rng: Generator) -> str:
    """Return the model that is asked.

    Args:
        given: Weights above 0, of one model at least.
        past: What models have brought; empty: the weights alone decide.
        rng: At the address of the call.
    """
    names = list(given)
    if len(names) == 1:
        return names[0]
    shifted = [given[name] for name in names]
    if past:
        costs = _costs({name: past.get(name, Returns()) for name in names})
        worth = [_drawn(past.get(name, Returns()), rng) / costs[name] for name in names]
        shifted = [weight * each for weight, each in zip(shifted, worth, strict=True)]
    scaled = [each / max(shifted) for each in shifted]  # the sum of huge ones is infinite
    shares = [each / sum(scaled) for each in scaled]
    return names[int(rng.choice(len(names), p=shares))]


def _weight(given: Mapping[str, float], role: str) -> float:
    return given.get(role, given.get(family_of(role), 1.0))


def _drawn(known: Returns, rng: Generator) -> float:
    gains, others = known.before
    return float(rng.beta(1 + gains + known.gains, 1 + others + known.steps - known.gains))


def _costs(past: Mapping[str, Returns]) -> dict[str, float]:
    """Return what a step costs, in money where all have prices, else in tokens.

    A model that was never asked is taken to cost what the others do.
    """
    tried = {name: known for name, known in past.items() if known.steps}
    spent = {name: known.money for name, known in tried.items() if known.money}
    if len(spent) < len(tried):
        spent = {name: float(known.tokens) for name, known in tried.items() if known.tokens}
    each = {name: cost / past[name].steps for name, cost in spent.items()}
    mean = sum(each.values()) / len(each) if each else 1.0
    return {name: each.get(name, mean) for name in past}


def _sum(parts: Iterable[float | None]) -> float | None:
    total = 0.0
    for part in parts:
        if part is None:
            return None
        total += part
    return total
