"""Models behind an OpenAI-compatible chat endpoint, through the official package.

What fails is tried again here, within the time that the run file gives; the package is told not
to. Not here: budgets, and what is on record (`se_agent.engine`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.sections import Endpoint
from se_agent.environment.own import given
from se_agent.errors import ModelError, TooLongError
from se_agent.llm import failures
from se_agent.llm.address import (
    NO_KEY,
    key_of,
    public_address,
    secrets_around,
    secrets_in,
    url_of,
)
from se_agent.llm.answers import LONGEST
from se_agent.llm.background import Background
from se_agent.llm.client import Client
from se_agent.llm.failures import CallFailure
from se_agent.llm.reaching import silence
from se_agent.llm.request import body_of
from se_agent.redaction.keys import of_program, redacted_text

_GLANCE = 1.0  # seconds of a wait after which it is seen whether there is a use in it
_CHANCE = SystemRandom()  # of waits only: no result depends on it


class OpenAIModel:
    """A model at an endpoint of the run file.

    Calls by many threads share one client on one event loop, which starts with the first.
    Where the endpoint does not state the usage it is left at 0.

    Args:
        endpoint: Table of the run file.
        environ: Holds the key; by default what the process was given.

    Raises:
        ModelError: There is no key, or no address; fatal.
    """

    def __init__(self, endpoint: Endpoint, environ: Mapping[str, str] | None = None) -> None:
        environ = given() if environ is None else environ
        self._endpoint, self._environ = endpoint, environ
        self._url, self._key = url_of(endpoint, environ), key_of(endpoint, environ)
        self._secrets = [*secrets_in(self._url), *secrets_around(environ)]
        self._secrets += [self._key] if self._key != NO_KEY else []
        self._client = Client(endpoint, self._url, self._key)
        self._background = Background(f"model {endpoint.name}", self._client.close)

    def __repr__(self) -> str:
        return f"OpenAIModel({self._endpoint.name!r})"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Return the reply; it is empty where the model was asked and said nothing.

        Args:
            messages: The whole conversation.
            max_tokens: Most tokens that the reply may take, thoughts included.
            schema: In the strict form of `structured.schema_of`.
            again: See `Model`; asked on the loop, so that it must not wait.

        Raises:
            TooLongError: The endpoint takes no prompt of this length.
            ModelError: None can be had, or the model was closed.
        """
        import openai  # noqa: F401 (here, for on the loop it would keep all others waiting)

        lost: list[Reply] = []
        asked = self._replied(messages, max_tokens, schema, again, lost)
        reply = self._background.run(asked)
        if reply is None:
            raise ModelError(
                f"{self._endpoint.name}: broken off before it replied",
                hint="the run was stopped: resume it",
                fatal=True,
                lost=lost,
            )
        return reply

    def reach(self) -> None:
        """Connect, and say nothing; see `Reachable`.

        Raises:
            ModelError: Nobody listens there, or there is no such host; fatal.
        """
        why = silence(self._url, self._environ)
        if why:
            raise self._error(failures.of_silence(why, answered=False), 1, 0.0, ())

    def close(self) -> None:
        """Break off what is under way, for good."""
        self._background.close()

    async def _replied(
        self,
        messages: Sequence[Message],
        max_tokens: int,
        schema: Mapping[str, Any] | None,
        again: RetryCheck | None,
        lost: list[Reply],
    ) -> Reply:
        """Return the reply; attempts that may be billed are put into `lost` as they fail."""
        began, attempts = time.monotonic(), 0
        total = self._endpoint.total_seconds
        told: CallFailure | None = None
        while True:
            body = body_of(
                self._endpoint,
                messages,
                max_tokens=max_tokens,
                schema=schema,
                without=self._client.without,
            )
            known = self._client.without
            found = await self._client.answer(body, total - (time.monotonic() - began))
            seconds = time.monotonic() - began
            if isinstance(found, Reply):
                return replace(self._kept(found), seconds=seconds, lost=tuple(lost))
            lost += [self._kept(found.part)] if found.part else []
            if self._client.without != known:
                continue  # it may be content with less
            attempts += 1
            if told is None or not found.late:
                told = found  # the end of the total time says less than what came before
            wait = failures.wait_before(attempts, found.after, _CHANCE.random())
            if attempts >= found.tries or seconds + wait >= total:
                raise self._error(told, attempts, seconds, lost)
            if not await _waited(wait, again, lost):
                told = replace(told, what=f"no other attempt is allowed; {told.what}")
                raise self._error(told, attempts, seconds, lost)

    def _kept(self, reply: Reply) -> Reply:
        text, thoughts = (
            of_program(said, self._secrets)[:LONGEST] for said in (reply.text, reply.thoughts)
        )
        return replace(reply, text=text, thoughts=thoughts)

    def _error(
        self, failure: CallFailure, attempts: int, seconds: float, lost: Sequence[Reply]
    ) -> ModelError:
        times = f" ({attempts} attempts in {seconds:.0f} s)" if attempts > 1 else ""
        if failure.after:
            times += f"; it asks to wait {failure.after:.0f} s"
        where = redacted_text(
            f"{self._endpoint.name} at {public_address(self._url)}", self._secrets
        )
        text = f"{where}: {failures.excerpt(redacted_text(failure.what, self._secrets))}{times}"
        if failure.too_long:
            return TooLongError(text, hint=failure.hint, lost=lost)
        return ModelError(text, hint=failure.hint, fatal=failure.fatal, lost=lost)


async def _waited(seconds: float, again: RetryCheck | None, lost: Sequence[Reply]) -> bool:
    """Wait before another attempt, but no longer than one is allowed; return whether it is."""
    while True:
        await asyncio.sleep(min(seconds, _GLANCE))
        seconds -= _GLANCE
        if again is not None and not again(lost):
            return False
        if seconds <= 0:
            return True


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Model

    _: Callable[[Endpoint], Model] = OpenAIModel
