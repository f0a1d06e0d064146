"""Every call of a model, in any role, goes through here, and is made once.

    ask = on record?  ->  which model  ->  does it fit?  ->  call  ->  record  ->  answer

An answer is durable before anybody reads it, and what is on record is never asked for again:
what was paid for is used. A prompt is counted before its call gets a place among those under
way, so that the next call begins as soon as one ends. Not here: prompts and what replies mean
(operators, memory), nor the wire (`se_agent.llm`).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from se_agent.chat.events import Lost, Replied, Unanswered
from se_agent.chat.messages import LEARNING, Message, Reply, Usage, family_of, number_of
from se_agent.chat.reading_requests import ReadingRequest
from se_agent.chat.retry import AskModel
from se_agent.config.run_file import Run
from se_agent.config.sections import Endpoint
from se_agent.engine.journal.transcript import packed_messages
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.judging.kept_outputs import KeptOutputs
from se_agent.engine.models.circuit_breaker import Breaker
from se_agent.engine.models.pricing import money
from se_agent.engine.models.prompt_room import (
    CONVERSATION,
    MESSAGE,
    SHORTEST,
    PromptRoom,
)
from se_agent.engine.models.reading import OutputReader
from se_agent.engine.models.spend_limiter import CallCost, Reservation, SpendLimiter
from se_agent.engine.search.choice import chosen, weights
from se_agent.engine.state.meter import Meter
from se_agent.errors import ModelError, TooLongError
from se_agent.memory import TokenCounter
from se_agent.protocols import Model
from se_agent.redaction.patterns import reply_free_of_named
from se_agent.redaction.redactor import Redactor
from se_agent.store.blobs import digest_of
from se_agent.values.randomness import Purpose, rng_at
from se_agent.wire.spelling import encodable

_NoReply = TypeVar("_NoReply", Unanswered, Lost)


def tokens_of(counter: TokenCounter, messages: Sequence[Message]) -> int:
    """Return the tokens of a prompt, as `counter` counts."""
    counts = (counter.count(message.content) + MESSAGE for message in messages)
    return sum(counts) + CONVERSATION


class Calling(Protocol):
    """Whoever answers for the models: they themselves, or the record of a run."""

    @property
    def ask(self) -> AskModel:
        """The way to whoever answers."""
        ...

    def fetch(self, reply: Replied, requests: Sequence[ReadingRequest]) -> Sequence[str]:
        """Return what a model is told of the slices that its reply asks for.

        Raises:
            JournalError: It cannot be recorded, or the record of it is damaged.
        """
        ...

    def finish(self) -> None:
        """Begin nothing more, and wait for replies under way that can be expected to come."""
        ...

    def close(self) -> None:
        """Break off what is under way, for good; may be called twice, by another thread."""
        ...


@dataclass(frozen=True)
class _Call:
    """One call: its address and who is asked."""

    slot: int
    role: str
    attempt: int
    model: str

    def unanswered(self, why: str, *, limit: str = "", seconds: float = 0.0) -> Unanswered:
        return Unanswered(
            slot=self.slot,
            role=self.role,
            attempt=self.attempt,
            model=self.model,
            why=why,
            limit=limit,
            seconds=seconds,
        )

    def lost(self, why: str, usage: Usage, price: float | None, seconds: float) -> Lost:
        return Lost(
            slot=self.slot,
            role=self.role,
            attempt=self.attempt,
            model=self.model,
            why=why,
            lost=usage,
            money=price,
            seconds=seconds,
        )


class ModelCalls:
    """Asks the models of a run, within its budget; used by many threads at a time.

    Args:
        models: By name in the run file.
        config: The run file.
        record: Makes answers durable; its state says what was paid until now.
        counter: Counts prompts.
        meter: Reads what was spent of time: where the search has none left, what failed is not
            tried again. None: it always has.
        redact: Takes secrets out of whatever is sent, and of replies before they are on record.
        outputs: What models may read; None: nothing.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        config: Run,
        record: Recorder,
        counter: TokenCounter,
        meter: Meter | None = None,
        redact: Redactor | None = None,
        outputs: KeptOutputs | None = None,
    ) -> None:
        self._models = models
        self._redact = redact or Redactor()
        self._without = partial(self._redact, words=False)
        self._config = config
        self._record = record
        self.fetch = OutputReader(record, outputs or KeptOutputs()).fetch
        self._counter, self._meter = counter, meter
        self._room = PromptRoom(config, record.state, counter)
        paid = record.state.costs.asked.in_all
        self._purse = SpendLimiter(
            config.budget,
            CallCost(calls=paid.calls, tokens=paid.usage.total, money=paid.money or 0.0),
        )
        self._breaker = Breaker()
        self._in_flight = threading.BoundedSemaphore(config.asking.in_flight)

    def ask(
        self,
        slot: int,
        role: str,
        messages: Sequence[Message],
        *,
        attempt: int = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> Replied | Unanswered:
        """Return the answer of a slot's call in a role; see `AskModel`."""
        stages = self._record.state.open.of(slot)
        known = stages.answers.get((family_of(role), attempt))
        if known is not None:
            return known
        call = _Call(slot, role, attempt, self._model(slot, role, attempt))
        messages = [replace(m, content=self._without(m.content)) for m in messages]
        return self._fitting(call, self._room.fitting(slot, call.model, messages), schema)

    def finish(self) -> None:
        """Wait for the calls of models that are well: what is paid is used; see `Calling`."""
        self._breaker.open()
        for name in self._breaker.failing:
            self._models[name].close()
        self._purse.wait()

    def close(self) -> None:
        """Break off all calls; see `Calling`."""
        self._breaker.open()
        with ExitStack() as closing:
            for model in self._models.values():
                closing.callback(model.close)

    def _model(self, slot: int, role: str, attempt: int) -> str:
        """Return who is asked; it depends on the address, and on what the slot may know."""
        stages = self._record.state.open.of(slot)
        past = stages.returns if self._record.state.roles[role].writes else {}
        address = (slot % 2**32, Purpose.MODEL, number_of(role), attempt)
        rng = rng_at(self._config.seed, *address)
        return chosen(weights(self._config.models, role), past, rng)

    def _fitting(
        self, call: _Call, messages: Sequence[Message], schema: Mapping[str, Any] | None
    ) -> Replied | Unanswered:
        """Ask, if context and budget have room for the prompt and the longest reply."""
        endpoint, prompt = self._config.models[call.model], tokens_of(self._counter, messages)
        longest = longest_reply(endpoint, prompt)
        if longest < min(endpoint.max_tokens, SHORTEST):
            return self._noted(
                call.unanswered(
                    f"the prompt takes {prompt} tokens, "
                    f"models.{call.model}.context has {endpoint.context} for it and the reply"
                ),
                messages if call.attempt else (),
            )
        # Lessons, one at a time, have a place of their own.
        with nullcontext() if call.role in LEARNING else self._in_flight:
            limit = self._purse.reserve(call, lambda: self._claim(call.model, prompt, longest))
            if limit:
                dearest = self._claim(call.model, prompt, longest).dearest
                most = round(getattr(dearest, limit), 6)
                size = {"calls": "another call", "tokens": f"a call of up to {most} tokens"}
                room = size.get(limit, f"a call of up to {most}")
                why = f"budget.{limit} has no room for {room}"
                # What was wrong with a reply stands in the second prompt, and nowhere else.
                asked = messages if call.attempt else ()
                return self._noted(call.unanswered(why, limit=limit), asked)
            return self._made(call, messages, schema, longest, prompt)

    @property
    def _late(self) -> bool:
        """Whether the time of the search is over."""
        state = self._record.state
        if self._meter is None or state.started is None:
            return False
        reading = self._meter.glance(state.costs.child_seconds)
        return state.limits(self._config).left(reading) <= 0

    def _claim(self, model: str, prompt: int, longest: int) -> Reservation:
        """Return what a call may take.

        An endpoint that counts more of a prompt than we do, or writes more than it was allowed
        to, is taken at its word for later calls. Until it has replied, it may
        fill its context.
        """
        costs, endpoint = self._record.state.costs, self._config.models[model]
        charged = math.ceil(prompt * costs.surcharge_of(model))
        known = costs.longest.get(model)
        beyond = known is not None and known > endpoint.max_tokens
        dearest = Usage(prompt=charged, completion=known if known and beyond else longest)
        whole = Usage(prompt=charged, completion=endpoint.context - prompt)
        aside = whole if known is None else dearest
        return Reservation(
            dearest=charge_of(dearest, endpoint), aside=charge_of(aside, endpoint)
        )

    def _made(
        self,
        call: _Call,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        longest: int,
        prompt: int,
    ) -> Replied | Unanswered:
        cost, began, endpoint = CallCost(), time.monotonic(), self._config.models[call.model]
        sent = False

        def again(lost: Sequence[Reply]) -> bool:
            if self._breaker.opened or self._late:
                return False
            spent = replace(charge_of(self._usage(prompt, *lost), endpoint), calls=0)
            dearest = self._claim(call.model, prompt, longest).dearest
            return self._purse.extend(call, spent + dearest)

        try:
            self._breaker.check()
            sent = True
            reply = self._models[call.model].complete(
                messages, max_tokens=longest, schema=schema, again=again
            )
            self._breaker.replied(call.model)
            usage, lost = self._usage(prompt, reply), self._usage(prompt, *reply.lost)
            cost = charge_of(usage + lost, endpoint)
            # On record before its room is given back: who gets that counts as this reply says.
            replied = self._replied(call, messages, replace(reply, usage=usage), lost, prompt)
        except ModelError as err:
            lost, why = self._usage(prompt, *err.lost), str(err)
            seconds = time.monotonic() - began
            price = money(lost, endpoint) if err.lost else 0.0
            cost = replace(charge_of(lost, endpoint), calls=0)
            if isinstance(err, TooLongError):  # it would fail again: no sign of trouble
                short = f"models.{call.model} takes no prompt of {prompt} tokens"
                why = f"{short}, see its `context`: {why}"
            elif (self._breaker.opened or not self._late) and (
                ending := self._breaker.failed(call.model, err)
            ):  # where the time is over it says nothing of the model, and the run goes on
                # Not on record as unanswered: it is made again when the run is taken up.
                if sent:
                    self._noted(call.lost(why, lost, price, seconds), messages)
                raise ending from ending.__cause__
            failed = call.unanswered(why, seconds=seconds)
            failed = failed.model_copy(update={"lost": lost, "money": price})
            return self._noted(failed, messages)
        finally:
            self._purse.settle(call, cost)
        return replied

    def _replied(
        self,
        call: _Call,
        messages: Sequence[Message],
        reply: Reply,
        lost: Usage,
        prompt: int,
    ) -> Replied:
        """Record a reply."""
        request, thoughts = packed_messages(messages), encodable(self._without(reply.thoughts))
        replied = Replied(
            slot=call.slot,
            role=call.role,
            attempt=call.attempt,
            model=call.model,
            request=request.digest,
            text=encodable(reply_free_of_named(self._without(reply.text))),
            usage=reply.usage,
            lost=lost,
            counted=prompt,
            money=money(reply.usage + lost, self._config.models[call.model]),
            seconds=reply.seconds,
            complete=reply.complete,
            thoughts=digest_of(thoughts) if thoughts else "",
        )
        kept = (replied.text if self._room.keeps_replies else "", thoughts)
        self._record(replied, (*request.texts, *filter(None, kept)))
        return replied

    def _noted(self, event: _NoReply, asked: Sequence[Message] = ()) -> _NoReply:
        """Record that there is no reply, and what was asked, or would have been."""
        event = event.model_copy(update={"why": self._redact(event.why)})
        if asked:
            request = packed_messages(asked)
            event = event.model_copy(update={"request": request.digest})
            self._record(event, request.texts)
        else:
            self._record(event)
        return event

    def _usage(self, prompt: int, *replies: Reply) -> Usage:
        """Return what is charged: as the endpoint counts, or as counted here if it does not.

        Of attempts without a reply it is an estimate: what an endpoint made of one and did not
        send is nowhere to be counted.
        """
        count = self._counter.count
        used = (
            replace(
                reply.usage,
                prompt=reply.usage.prompt or prompt,
                completion=reply.usage.completion or count(reply.text),
            )
            for reply in replies
        )
        return sum(used, Usage())


def longest_reply(endpoint: Endpoint, prompt: int) -> int:
    """Return the tokens that a reply may take behind a prompt of so many."""
    return min(endpoint.max_tokens, endpoint.context - prompt)


def charge_of(usage: Usage, endpoint: Endpoint) -> CallCost:
    """Return what a call comes to; money is 0 where there are no prices."""
    return CallCost(calls=1, tokens=usage.total, money=money(usage, endpoint) or 0.0)


if TYPE_CHECKING:
    _: type[Calling] = ModelCalls
