"""The body of an answer, read no further than an answer can reach.

An endpoint may send without end, and faster than any time limit helps. Not here: how long it
may take (`client`).
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from typing import Any

LONGEST = 32_000_000
"""Bytes; a piece of a stream takes some hundred for a word."""

_UNPACKED = 1000  # bytes that one of a compressed body may be


class EndlessError(ValueError):
    """An answer is longer than any that was asked for."""


def limit_response(response: Any) -> None:  # of httpx or httpx2, as the package has it
    """Have whoever reads the response fail with `EndlessError` behind the longest one.

    Raises:
        EndlessError: How long it is cannot be told.
    """
    library = sys.modules[type(response).__module__.partition(".")[0]]
    stream = response.stream
    encoding = response.headers.get("content-encoding", "identity")
    if "," in encoding:  # each unpacks the other's: no bound is one
        raise EndlessError(f"it packs what it sends more than once: {encoding[:40]}")
    packed = encoding != "identity"
    if packed and "text/event-stream" in response.headers.get("content-type", ""):
        # A piece of it is unpacked at once, and no time limit is looked at until it is read.
        raise EndlessError(f"it packs a stream, which it was asked not to: {encoding[:40]}")
    most = LONGEST // _UNPACKED if packed else LONGEST
    base: Any = library.AsyncByteStream  # whose, is seen only now

    class BoundedStream(base):  # type: ignore[misc]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = most
            async for piece in stream:
                left -= len(piece)
                if left < 0:
                    raise EndlessError(f"it sends more than {most / 1e6:g} MB")
                yield piece

        async def aclose(self) -> None:
            await stream.aclose()

    response.stream = BoundedStream()
