"""Vectors of texts from an OpenAI-compatible endpoint, through the same client as replies.

What fails is tried again within the time that the run file gives. Not here: what vectors are
for (`se_agent.memory`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import TYPE_CHECKING, TypeGuard

from se_agent.config.sections import Endpoint
from se_agent.environment.own import given
from se_agent.errors import EmbedderError
from se_agent.llm import failures
from se_agent.llm.address import (
    NO_KEY,
    key_of,
    public_address,
    secrets_around,
    secrets_in,
    url_of,
)
from se_agent.llm.answers import at
from se_agent.llm.background import Background
from se_agent.llm.client import Client
from se_agent.llm.failures import CallFailure
from se_agent.redaction.keys import redacted_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHANCE = SystemRandom()  # of waits only: no result depends on it
_NO_DIRECTION = "it sends a vector that has no direction"
_OTHER = "name a model that the endpoint embeds texts with, or search without an embedder"
_MOST = 100_000  # numbers of one vector


class EndpointEmbedder:
    """Turns texts into vectors at `/embeddings` of an endpoint; see `Embedder` of the memory.

    Args:
        endpoint: Table of the run file.
        environ: Holds the key; by default what the process was given.

    Raises:
        ModelError: There is no key, or no address; fatal.
    """

    def __init__(self, endpoint: Endpoint, environ: Mapping[str, str] | None = None) -> None:
        environ = given() if environ is None else environ
        self._endpoint = endpoint
        self._url, key = url_of(endpoint, environ), key_of(endpoint, environ)
        self._secrets = [*secrets_in(self._url), *secrets_around(environ)]
        self._secrets += [key] if key != NO_KEY else []
        self._client = Client(endpoint, self._url, key)
        self._background = Background(f"embedder {endpoint.name}", self._client.close)
        self._dimensions = 0

    @property
    def name(self) -> str:
        """Address and model: vectors of two names are never compared."""
        return f"{public_address(self._url)} {self._endpoint.name}"

    @property
    def dimensions(self) -> int:
        """Numbers in each vector; the endpoint is asked once.

        Raises:
            EmbedderError: It gives none.
        """
        if not self._dimensions:
            self.embed(["dimensions"])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float16]:
        """Return one row of length 1 for each text.

        Raises:
            EmbedderError: They cannot be had.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self._dimensions), dtype=np.float16)
        rows = self._background.run(self._asked_for(texts))
        if rows is None:
            raise EmbedderError(
                f"{self.name}: broken off before it answered", hint="the command was stopped"
            )
        self._dimensions = len(rows[0])
        vectors = np.asarray(rows, dtype=np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._error(_NO_DIRECTION)
        return np.asarray(vectors / lengths, dtype=np.float16)

    def close(self) -> None:
        """Break off what is under way, for good."""
        self._background.close()

    async def _asked_for(self, texts: Sequence[str]) -> list[list[float]]:
        import asyncio

        began, attempts = time.monotonic(), 0
        while True:
            left = self._endpoint.total_seconds - (time.monotonic() - began)
            found = await self._client.vectors(texts, left)
            if not isinstance(found, CallFailure):
                rows = _rows(found, len(texts))
                if rows is None:
                    raise self._error(f"it answers without vectors: {found}")
                return rows
            attempts += 1
            wait = failures.wait_before(attempts, found.after, _CHANCE.random())
            if attempts >= found.tries or time.monotonic() - began + wait >= (
                self._endpoint.total_seconds
            ):
                raise self._error(found.what, found.hint)
            await asyncio.sleep(wait)

    def _error(self, what: str, hint: str = "") -> EmbedderError:
        told = failures.excerpt(redacted_text(what, self._secrets))
        where = redacted_text(self.name, self._secrets)
        return EmbedderError(f"{where}: {told}", hint=hint or _OTHER)


def _rows(text: str, wanted: int) -> list[list[float]] | None:
    """Return the vectors of an answer in the order of the texts; None: it has others."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found: dict[int, list[float]] = {}
    data = at(answer, "data")
    for place, one in enumerate(data if isinstance(data, list) else []):
        index, numbers = at(one, "index"), at(one, "embedding")
        if _is_vector(numbers):
            found[index if isinstance(index, int) else place] = [float(n) for n in numbers]
    rows = [found[place] for place in range(wanted) if place in found]
    return rows if len(rows) == wanted and len({len(row) for row in rows}) == 1 else None


def _is_vector(numbers: object) -> TypeGuard[list[float]]:
    if not isinstance(numbers, list) or not 0 < len(numbers) <= _MOST:
        return False
    return all(map(_is_number, numbers))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e30
