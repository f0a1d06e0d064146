"""What a run would ask its models, and about what that takes: worked out, nobody is asked.

Pure but for the names it loads. What is not known before a run (a failed program, a second
parent, a step to learn from) is stood in for by the initial program. Not here: how it is shown
(`se_agent.cli`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from se_agent.chat.messages import LEARNING, Message, Role, Usage, family_of
from se_agent.config.run_file import Run
from se_agent.config.sections import Endpoint
from se_agent.engine.judging.judge import judge
from se_agent.engine.models.calls import charge_of, longest_reply, tokens_of
from se_agent.engine.models.one_file import one_file_of
from se_agent.engine.models.pricing import money
from se_agent.engine.models.prompt_room import SHORTEST
from se_agent.engine.models.spend_limiter import CallCost
from se_agent.engine.run.chosen_policy import used_of
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.search.choice import weights
from se_agent.errors import ConfigError
from se_agent.memory.extraction import lesson_prompts
from se_agent.protocols import ModelWritten
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.search_context import Failure, SearchContext
from se_agent.values.step import Proposal, Slot, Step

_CROWDED = 8
"""Steps after which a bank outgrows its room, about."""

_NOTES = 400
"""Tokens of a reply besides the program that it holds, about; of one without it, all."""


@dataclass(frozen=True, kw_only=True)
class FirstRequests:
    """The first prompt of an operator, or for lessons.

    Attributes:
        role: What the calls are for.
        source: What makes the prompt, for people.
        messages: The prompt.
        tokens: Tokens that it takes, as this machine counts.
        models: Models that may be asked, with their shares of the calls.
    """

    role: str
    source: str
    messages: tuple[Message, ...]
    tokens: int
    models: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """About what the calls of a run come to; None: nothing bounds it, or it has no price.

    Attributes:
        calls: In all roles.
        tokens: In both directions.
        money: In the currency of the prices.
        ends: The counted limits that would end the run before.
    """

    calls: int | None
    tokens: int | None
    money: float | None
    ends: tuple[str, ...] = ()


def first_requests(resolved: ResolvedRun) -> list[FirstRequests]:
    """Return the first prompt of each operator of models, and those for lessons, by role.

    Raises:
        ConfigError: It would ask none, or not enough is named for a role.
    """
    config, roles, written = resolved.config, resolved.roles, resolved.written
    if not roles:
        asks = "this run would ask no model" if config.models else "the run file names no model"
        raise ConfigError(
            f"--dry-run: {asks}",
            hint="name one: --model NAME, or [models.NAME] in a run file",
        )
    used = used_of(config, {name: each.role for name, each in written.items()})
    prompts = [
        (written[n].role, f"operator {n!r}", written[n].prompt(_brief(resolved, written[n])))
        for n in sorted(used, key=lambda n: (_place(written[n].role), n))
    ]
    prompts += [(r, roles[r], made) for r, made in _lessons(resolved) if r in roles]
    return [
        FirstRequests(
            role=role,
            source=source,
            messages=messages,
            tokens=tokens_of(resolved.counter, messages),
            models=_shares(config, role),
        )
        for role, source, messages in prompts
    ]


def _place(role: str) -> tuple[int, str]:
    """Return where a role comes in a list: those that are known first."""
    return [*Role, role].index(role), role


def check_context(config: Run, requests: Iterable[FirstRequests]) -> None:
    """Make sure that models have room for the first prompts, and a reply worth its money.

    Raises:
        ConfigError: One of the models that a role may ask has not.
    """
    for one in requests:
        for name in one.models:
            endpoint = config.models[name]
            if not _has_room(endpoint, one.tokens):
                raise ConfigError(
                    f"models.{name}.context: {endpoint.context} tokens have no room for the "
                    f"first prompt of {one.source}, {one.tokens}, and a reply",
                    hint=f"another model; or models.{name}.weights.{one.role} = 0",
                )


def check_budget(config: Run, requests: Iterable[FirstRequests]) -> None:
    """Make sure that the limits have room for asking a model for a program at all.

    A call is made only if it fits at its dearest. Where no first prompt does, nobody would be
    asked, and the run would end where it first wants to ask.

    Raises:
        ConfigError: A limit has room for none.
    """
    asking = [one for one in requests if one.role not in LEARNING]
    calls = [(_dearest(config, one, name), one, name) for one in asking for name in one.models]
    if not calls:
        return
    for limit in ("tokens", "money"):
        most = getattr(config.budget, limit)
        dearest, one, name = min(calls, key=lambda call: getattr(call[0], limit))
        if most is not None and getattr(dearest, limit) > most:
            raise ConfigError(
                f"budget.{limit}: {most:g} has no room for one call: the first prompt of "
                f"{one.source} and the longest reply are {getattr(dearest, limit):.4g}",
                hint=f"raise it, or lower models.{name}.max_tokens "
                f"({config.models[name].max_tokens})",
            )


def _dearest(config: Run, one: FirstRequests, name: str) -> CallCost:
    endpoint = config.models[name]
    longest = max(0, longest_reply(endpoint, one.tokens))
    return charge_of(Usage(prompt=one.tokens, completion=longest), endpoint)


def context_doubts(resolved: ResolvedRun, requests: Iterable[FirstRequests]) -> tuple[str, ...]:
    """Return a doubt for each model without room for its longest prompt as memory grows.

    That is all that is known of later prompts: how long programs become, and what is shown
    beside them, is not.
    """
    config, grown = resolved.config, _grown(resolved)
    rising = sorted(requests, key=lambda one: one.tokens)
    longest = {name: one for one in rising for name in one.models}
    return tuple(
        f"models.{name}.context: {config.models[name].context} tokens have no room for the "
        f"first prompt of {one.source}, {one.tokens}, with {grown} of memory "
        "(memory.local.token_limit) and a reply: later steps may have no candidate"
        for name, one in longest.items()
        if not _has_room(config.models[name], one.tokens + grown)
    )


def estimate(resolved: ResolvedRun, requests: Sequence[FirstRequests]) -> Estimate:
    """Return about what the calls of a run come to, within its limits.

    Prompts are taken as long as the first of their operator, with memory grown to its limit; a
    reply that holds a program is as long as the initial one.

    Args:
        resolved: The run.
        requests: The first prompts.
    """
    config, counts = resolved.config, _counts(resolved, requests)
    if counts is None:
        budget = config.budget
        return Estimate(calls=budget.calls, tokens=budget.tokens, money=budget.money)
    alike = Counter(family_of(one.role) for one in requests)
    calls, tokens, prices = 0.0, 0.0, list[float | None]()
    for one in requests:
        family = family_of(one.role)
        times, usage = counts[family] / alike[family], _usual(resolved, one)
        calls, tokens = calls + times, tokens + times * usage.total
        prices.append(_price(config, one, times, usage))
    known = [price for price in prices if price is not None]
    return _within(config, calls, tokens, sum(known) if len(known) == len(prices) else None)


def _within(config: Run, calls: float, tokens: float, price: float | None) -> Estimate:
    budget = config.budget
    spent = {"calls": calls, "tokens": tokens, "money": price}
    shares = {
        name: limit / value
        for name, value in spent.items()
        if (limit := getattr(budget, name)) is not None and value is not None and limit < value
    }
    part = min(shares.values(), default=1.0)
    return Estimate(
        calls=int(round(calls * part, 6)),
        tokens=int(round(tokens * part, 6)),
        money=None if price is None else price * part,
        ends=tuple(f"budget.{name}" for name in sorted(shares, key=lambda name: shares[name])),
    )


def _counts(
    resolved: ResolvedRun, requests: Sequence[FirstRequests]
) -> Mapping[str, int] | None:
    """Return about how many calls there are of each family; None: nothing limits the steps."""
    config = resolved.config
    budget, size = config.budget, config.generation_size
    generations = budget.generations and budget.generations * size
    limits = [one for one in (budget.evaluations, budget.proposals, generations) if one]
    if not limits:
        return None
    steps, matrix = min(limits), resolved.matrix
    families = dict.fromkeys(family_of(one.role) for one in requests)
    asked = math.ceil(steps * (config.asking.share if resolved.rules else 1.0))
    plans = 1 + int(asked * matrix[Role.REPLAN].share) if Role.PLAN in families else 0
    writing = [family for family in families if matrix[family].writes]
    counts = {family: -(-(asked - plans) // len(writing)) for family in writing}
    lessons = steps if config.memory.extraction == "each" else -(-steps // size)
    counts |= {Role.PLAN: plans, Role.EXTRACT: lessons, Role.COMPRESS: steps // _CROWDED}
    return {family: int(asked * matrix[family].share) for family in families} | counts


def _usual(resolved: ResolvedRun, one: FirstRequests) -> Usage:
    count = resolved.counter.count
    longest_file = max(map(count, resolved.initial.files.values()))
    program = longest_file if resolved.matrix[one.role].writes else 0
    longest = min(resolved.config.models[name].max_tokens for name in one.models)
    reply, context = _NOTES + program, resolved.config.memory.context
    earlier = 0 if context.history == "none" else context.history_token_limit
    return Usage(prompt=one.tokens + _grown(resolved) + earlier, completion=min(reply, longest))


def _grown(resolved: ResolvedRun) -> int:
    """Return the tokens that memory may come to add to a prompt."""
    return resolved.memory.token_limit if resolved.memory else 0


def _has_room(endpoint: Endpoint, prompt: int) -> bool:
    return prompt + min(endpoint.max_tokens, SHORTEST) <= endpoint.context


def _price(config: Run, one: FirstRequests, times: float, usage: Usage) -> float | None:
    prices = [(share, money(usage, config.models[name])) for name, share in one.models.items()]
    known = [share * price for share, price in prices if price is not None]
    return times * sum(known) if len(known) == len(prices) else None


def _shares(config: Run, role: str) -> dict[str, float]:
    given = weights(config.models, role)
    return {name: weight / sum(given.values()) for name, weight in given.items()}


def _brief(resolved: ResolvedRun, operator: ModelWritten) -> Brief:
    mends = resolved.matrix[operator.role].mends
    failure = Failure(solution=resolved.initial, evaluation=_WRONG) if mends else None
    brief = replace(
        resolved.first_brief,
        slot=_slot(resolved, operator.name, operator.arity),
        search=SearchContext(failure=failure),
        room=resolved.config.prompt.room,
    )
    return one_file_of(brief)


def _slot(resolved: ResolvedRun, operator: str, arity: int = 1) -> Slot:
    slot = resolved.first_brief.slot
    return replace(slot, operator=operator, parents=slot.parents * arity)


_WRONG = Evaluation(status=Status.WA, feedback="what the tests find stands here")


def _lessons(resolved: ResolvedRun) -> Iterator[tuple[str, tuple[Message, ...]]]:
    config, initial = resolved.config, resolved.initial
    step = Step(
        slot=_slot(resolved, "mutation"),
        proposal=Proposal(solution=initial, direction="what was declared stands here"),
        evaluation=_WRONG,
        verdict=judge(_WRONG, None),
    )
    return lesson_prompts(
        resolved.problem.statement, step, config.memory, siblings=config.generation_size
    )
