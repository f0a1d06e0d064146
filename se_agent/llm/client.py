"""One attempt to have a chat endpoint answer, by the official package: a reply or a failure.

Not here: further attempts, and the waits between them (`openai`).
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urljoin

from se_agent.chat.messages import Reply
from se_agent.config.sections import Endpoint
from se_agent.environment.own import show_secrets
from se_agent.llm import failures
from se_agent.llm.address import base_of, without_query
from se_agent.llm.answers import Pieces, at
from se_agent.llm.bounded import EndlessError, limit_response
from se_agent.llm.failures import CallFailure
from se_agent.llm.request import Body, refused_part

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI, OpenAIError

_Answer = TypeVar("_Answer")

_EVENTS = "text/event-stream"
_AFTERWARDS = 5.0  # seconds that the usage may come after the end of a streamed reply


class Client:
    """Speaks to one endpoint; belongs to the thread of one event loop.

    Args:
        endpoint: Table of the run file.
        url: Base URL.
        key: Key that is sent.

    Attributes:
        without: What the endpoint has refused so far, see `request.refused`.
    """

    def __init__(self, endpoint: Endpoint, url: str, key: str) -> None:
        self.without: frozenset[str] = frozenset()
        self._endpoint, self._url, self._key = endpoint, url, key
        self._client: AsyncOpenAI | None = None
        self._answered = False

    async def answer(self, body: Body, left: float) -> Reply | CallFailure:
        """Return what an endpoint makes of a request.

        Args:
            body: The request.
            left: Seconds that the answer may take at most; a stream that goes on may take
                longer than `timeout_seconds`.
        """
        pieces = Pieces()

        async def ask(client: AsyncOpenAI) -> Reply | CallFailure:
            if body.get("stream"):
                return await self._in_pieces(client, body, pieces)
            async with asyncio.timeout(self._endpoint.timeout_seconds):
                raw = await client.chat.completions.with_raw_response.create(**body)
            return self._whole(raw.text, pieces)

        found = await self._attempt(ask, left)
        if pieces.has_ended:
            found = pieces.reply()  # complete: what came after it, or did not, changes nothing
        if isinstance(found, Reply):
            self._answered = True
            return found
        self.without |= refused_part(found.refuses, body)
        return replace(found, part=pieces.part or found.part)

    async def vectors(self, texts: Sequence[str], left: float) -> str | CallFailure:
        """Return what an endpoint says of the vectors of texts, as it says it.

        Args:
            texts: A vector is asked for each.
            left: Seconds that the answer may take at most.
        """

        async def ask(client: AsyncOpenAI) -> str:
            async with asyncio.timeout(self._endpoint.timeout_seconds):
                raw = await client.embeddings.with_raw_response.create(
                    model=self._endpoint.name, input=list(texts), encoding_format="float"
                )
            return raw.text

        found = await self._attempt(ask, left)
        self._answered |= isinstance(found, str)
        return found

    async def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.close()

    async def _attempt(
        self, ask: Callable[[AsyncOpenAI], Awaitable[_Answer]], left: float
    ) -> _Answer | CallFailure:
        """Return what asking comes to, or why it comes to nothing."""
        client = self._opened()
        from openai import OpenAIError

        limit, whole = self._endpoint.timeout_seconds, asyncio.timeout(left)
        try:
            async with whole:
                return await ask(client)
        except TimeoutError:
            if whole.expired():
                return failures.of_end(self._endpoint.total_seconds)
            return failures.of_delay(limit)
        except OpenAIError as err:
            return self._failure(err, limit)
        except _transport_errors() as err:
            return self._broken_off(err)
        except EndlessError as err:
            return failures.of_trouble(str(err), tries=1)
        except (ValueError, RecursionError) as err:  # a piece that is no JSON, or no text
            return failures.of_trouble(f"it sends a broken piece: {err}", tries=failures.FEW)

    def _whole(self, text: str, pieces: Pieces) -> Reply | CallFailure:
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            return failures.of_page(text, answered=self._answered)
        error = at(answer, "error")
        if error:
            return self._refusal(error)
        pieces.add(answer)
        if pieces.choice:
            return pieces.reply()
        what = f"it answers without a choice: {text}"
        return failures.of_trouble(what, tries=failures.FEW)

    async def _in_pieces(
        self, client: AsyncOpenAI, body: Body, pieces: Pieces
    ) -> Reply | CallFailure:
        gap = self._endpoint.timeout_seconds
        async with asyncio.timeout(gap):
            raw = await client.chat.completions.with_raw_response.create(**body)
        if not _streams(raw):
            found = self._whole(raw.text, pieces)
            if isinstance(found, Reply):
                self.without |= {"stream", "stream_options"}
            return found
        stream: Any = raw.parse()  # typed for requests that do not stream
        try:
            while True:
                rest = min(gap, _AFTERWARDS) if pieces.has_ended else gap
                async with asyncio.timeout(rest):
                    pieces.add(await anext(stream))
        except StopAsyncIteration:
            return failures.of_trouble("its stream broke off", tries=failures.FEW)
        finally:
            await stream.close()

    def _failure(self, err: OpenAIError, limit: float) -> CallFailure:
        import openai

        if isinstance(err, openai.APIStatusError):
            if err.response.is_redirect:
                return failures.of_redirect(err.status_code, _moved(err))
            return failures.of_status(
                err.status_code,
                _message(err.body) or err.response.text,
                key=self._endpoint.key,
                code=err.code or "",
                headers=err.response.headers,
            )
        if isinstance(err, openai.APITimeoutError):
            return failures.of_delay(limit)
        if isinstance(err, openai.APIConnectionError):
            cause = err.__cause__ or err
            if isinstance(cause, EndlessError):
                return failures.of_trouble(str(cause), tries=1)
            if type(cause).__name__.startswith("Connect"):
                return failures.of_silence(str(cause), answered=self._answered)
            return self._broken_off(cause)
        return self._refusal(err.body if isinstance(err, openai.APIError) else str(err))

    def _broken_off(self, err: BaseException) -> CallFailure:
        tries = failures.ALWAYS if self._answered else failures.FEW
        return failures.of_trouble(f"the connection broke off: {err}", tries=tries)

    def _refusal(self, error: Any) -> CallFailure:  # whatever an endpoint may send
        """Read an error that came under the status 200, as gateways do."""
        code = at(error, "code")
        status = code if isinstance(code, int) and 400 <= code < 600 else 500
        message = _message(error) or json.dumps(error, default=str)
        return failures.of_status(status, message, key=self._endpoint.key, code=str(code))

    def _opened(self) -> AsyncOpenAI:
        if self._client is None:
            with show_secrets():  # headers and a proxy's password are read from the environment
                self._client = self._made()
        return self._client

    def _made(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        url, query = without_query(self._url)
        return AsyncOpenAI(
            api_key=self._key,
            base_url=url,
            default_query=query,
            default_headers={"Accept-Encoding": "identity"},  # see `bounded`
            max_retries=0,
            timeout=None,  # asyncio sees to it: for an attempt, or for a piece
            http_client=DefaultAsyncHttpxClient(
                follow_redirects=False,  # prompts go to who was named, and to nobody else
                event_hooks={"response": [_loaded]},
            ),
        )


def _moved(err: APIStatusError) -> str:
    """Return the base URL that a redirect names; empty: it names none."""
    location = err.response.headers.get("location", "")
    try:
        return base_of(urljoin(str(err.request.url), location)) if location else ""
    except ValueError:
        return ""


def _transport_errors() -> tuple[type[Exception], ...]:
    """Return what breaks a stream off: before its version 3 the package lets it through."""
    libraries = (sys.modules.get(name) for name in ("httpx", "httpx2"))
    return tuple(library.RequestError for library in libraries if library is not None)


async def _loaded(response: Any) -> None:  # of httpx or httpx2, as the package has it
    """Read what is no stream within the request, where what goes wrong has its names.

    JSON is in UTF-8, whatever its header says: there are codecs that make no text.
    """
    response.encoding = "utf-8"
    limit_response(response)
    if not _streams(response):
        await response.aread()


def _streams(response: Any) -> bool:  # whatever has headers
    return _EVENTS in response.headers.get("content-type", "")


def _message(body: Any) -> str:  # whatever an endpoint may send
    if isinstance(body, str):
        return body
    said = at(body, "message") or at(body, "detail") or at(body, "error")
    return said if isinstance(said, str) else ""
