"""Profiles of a workload, taken in the jail on a few inputs of each size.

Not here: what they say (`ranking`).
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from se_agent import wire
from se_agent.problem.model import Expr
from se_agent.user_function.advisor import profiler
from se_agent.user_function.advisor.costs import Costs, read_costs, summed
from se_agent.user_function.context import program
from se_agent.user_function.jail_calls import ENTRY
from se_agent.user_function.survey import Survey, sized

SIZES = 5
"""Sizes that growth is told from: the largest ones that a call answers in time."""

_SEEDS = 2  # inputs of each size
_LISTED = 40  # inputs of a list that are watched
_SEEDED = 8  # inputs of a generator without sizes

PATIENCE = 30.0
"""CPU seconds of a process; watching makes calls slower."""

_WATCHED = f"""

def _watched(*arguments):
    watch = Profiler()
    watch.call({ENTRY}, arguments)
    return watch.rows()
"""


def workload_profiles(
    survey: Survey, patience: float = PATIENCE
) -> list[tuple[int | None, Costs]]:
    """Return what functions cost, by size of the input; None where inputs have no sizes.

    Sizes that are not answered in time are left out.

    Args:
        survey: The workload and its inputs.
        patience: CPU seconds that it may take.

    Raises:
        ProblemError: Inputs cannot be made, or the workload answers none of them in time.
    """
    sizes = _sizes(survey)
    exprs = [[sized(size, seed=seed) for seed in range(1, 1 + _SEEDS)] for size in sizes]
    inputs = survey.made([one for each in exprs or [_unsized(survey)] for one in each])
    costs = _profiles(survey, inputs, patience)
    if not sizes:
        return [(None, summed(costs))]
    each = [costs[at : at + _SEEDS] for at in range(0, len(costs), _SEEDS)]
    return [(size, summed(some)) for size, some in zip(sizes, each, strict=False)]


def profile_of(survey: Survey, inputs: Sequence[bytes]) -> Costs:
    """Return what functions cost on inputs in wire form, all together.

    Raises:
        ProblemError: The workload answers none of them in time.
    """
    return summed(_profiles(survey, inputs))


def _sizes(survey: Survey) -> list[int]:
    if not survey.source.generator or survey.kind()[0] != "sized":
        return []
    if survey.source.sizes:  # the user's own: nobody has to look for sizes that fit
        return [*survey.source.sizes][-SIZES:]
    return [rung.size for rung in survey.rungs() if not rung.failure][-SIZES:]


def _unsized(survey: Survey) -> list[Expr]:
    examples = [Expr(code=code) for code, _ in survey.source.examples]
    if not survey.source.generator:
        return examples
    kind, count = survey.kind()
    if kind == "listed":
        listed = [Expr(code=f"_listed({index})") for index in range(min(count, _LISTED))]
        return [*examples, *listed]
    return [*examples, *(Expr(code="_tuple(_made(rng))", seed=seed) for seed in range(_SEEDED))]


def _profiles(
    survey: Survey, inputs: Sequence[bytes], patience: float = PATIENCE
) -> list[Costs]:
    """Return a profile of each input; the first is answered before: what it loads stays."""
    text = inspect.getsource(profiler) + program(survey.caller.target, ENTRY) + _WATCHED
    asked = [inputs[0], *inputs]
    done = survey.caller.jail.call(text, "_watched", asked, cpu_seconds=patience)
    answers = done.answers[1:]
    if done.failure and not answers:
        raise survey.caller.unanswered(done.failure)
    if answers and all(answer.error for answer in answers):
        raise survey.caller.unanswered(f"it raises {answers[0].error} on every input")
    return [read_costs(wire.loads(each.data)) if each.data else {} for each in answers]
