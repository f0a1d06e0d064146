"""How many tokens a text has, counted offline.

Not a tokeniser of our own, and never a download: a vocabulary is used only where it lies on
this machine and has the right SHA-256. Counts of `rs-bpe` and `tiktoken` are equal; the
estimator rather counts too many. Which one counts is written into the journal (`name`), and
a resumed run asks for it by that name, for the memory's limits depend on it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, Protocol

from se_agent.errors import ConfigError, reason
from se_agent.files import plain
from se_agent.memory.context.estimate import estimate
from se_agent.wire.spelling import encodable

VOCABULARIES = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""SHA-256 of the vocabulary files that are accepted, the preferred one first."""

ESTIMATOR = "estimator"
_RS_BPE = "rs-bpe:o200k_base"
_SIZES = range(1_000_000, 8_000_000)  # bytes; other files are not worth hashing
_CACHED = 4096  # fragments of a rendering, a line each
_LONG, _CACHED_LONG = 4000, 64  # characters of a part of a prompt; these fill the memory


class TokenCounter(Hashable, Protocol):
    """Counts tokens. Same text, same count, whatever was counted before."""

    @property
    def name(self) -> str:
        """What counts, such as `rs-bpe:o200k_base`."""
        ...

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`; 0 for the empty text."""
        ...

    def __hash__(self) -> int:
        """Return what tells it from other counters: texts are kept by it."""
        ...


class CachedCounter:
    """A counter by any function; it remembers a few thousand short texts, and few long ones."""

    def __init__(self, name: str, count: Callable[[str], int]) -> None:
        self.name = name
        self._short = lru_cache(_CACHED)(count)
        self._long = lru_cache(_CACHED_LONG)(count)

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`; 0 for the empty text."""
        return self._short(text) if len(text) < _LONG else self._long(text)


ESTIMATE: TokenCounter = CachedCounter(ESTIMATOR, estimate)
"""Counts without a vocabulary; for whoever is given no counter."""


def counter(vocabulary: str = "", *, name: str = "") -> TokenCounter:
    """Return the best counter of this machine, or the one of that name.

    In this order: the configured vocabulary file, `rs-bpe`, a vocabulary file in a cache
    folder, the estimator.

    Args:
        vocabulary: Path of a vocabulary file, or empty.
        name: As an earlier counter of the same run gave it; empty: choose.

    Raises:
        ConfigError: The vocabulary file is missing or not one that is known, or the named
            counter cannot be had on this machine.
    """
    if name:
        return _named(name, vocabulary)
    if vocabulary:
        return _from_file(Path(vocabulary))
    return _rs_bpe() or _from_caches() or CachedCounter(ESTIMATOR, estimate)


def _named(name: str, configured: str) -> TokenCounter:
    if name == ESTIMATOR:
        return CachedCounter(ESTIMATOR, estimate)
    offers: list[Callable[[], TokenCounter | None]] = [_rs_bpe, _from_caches]
    if configured:
        offers.insert(0, lambda: _from_file(Path(configured)))
    wanted = name.partition(":")[2]  # whose counts are equal, whatever counts
    for offer in offers:
        found = offer()
        if found is not None and found.name.partition(":")[2] == wanted:
            return found
    raise ConfigError(
        f"this run counted tokens with {name!r}, which is not on this machine",
        hint="install the extra `tokens`, or set memory.vocabulary to the vocabulary file",
    )


def _rs_bpe() -> TokenCounter | None:
    if find_spec("rs_bpe") is None:
        return None
    from rs_bpe.bpe import openai  # its tables, 66 MB, are loaded with the first text

    def count(text: str) -> int:
        found: int = openai.o200k_base().count(encodable(text))
        return found

    return CachedCounter(_RS_BPE, count)


def _from_file(path: Path) -> TokenCounter:
    try:
        data = plain.content(path, most=_SIZES.stop)
    except OSError as err:
        raise ConfigError(
            f"memory.vocabulary: {path}: {reason(err)}", hint="leave it empty to choose one"
        ) from err
    name = _recognised(data)
    if name is None:
        raise ConfigError(
            f"memory.vocabulary: {path} has another SHA-256 than any vocabulary that is known",
            hint=f"give the file of one of {', '.join(VOCABULARIES)}, or leave it empty",
        )
    return _tiktoken(name, data)


def _from_caches() -> TokenCounter | None:
    found = {_recognised(data): data for folder in _folders() for data in _files(folder)}
    name = next((name for name in VOCABULARIES if name in found), None)
    return _tiktoken(name, found[name]) if name else None


def _folders() -> Iterator[Path]:
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    yield Path(tempfile.gettempdir()) / "data-gym-cache"


def _files(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(OSError):
            data = plain.content(path, most=_SIZES.stop)
            if len(data) in _SIZES:
                yield data


def _recognised(data: bytes) -> str | None:
    digest = hashlib.sha256(data).hexdigest()
    return next((name for name, known in VOCABULARIES.items() if known == digest), None)


def _tiktoken(name: str, data: bytes) -> TokenCounter:
    from tiktoken import Encoding

    encoding = Encoding(**definition(name, ranks(data)))
    return CachedCounter(
        f"tiktoken:{name}", lambda text: len(encoding.encode_ordinary(encodable(text)))
    )


def ranks(vocabulary: bytes) -> dict[bytes, int]:
    """Return rank by token of a vocabulary file: lines of base64, a space and the rank."""
    from base64 import b64decode

    pairs = (line.split() for line in vocabulary.splitlines() if line)
    return {b64decode(token): int(rank) for token, rank in pairs}


def definition(name: str, table: Mapping[bytes, int]) -> dict[str, Any]:
    """Return the arguments of tiktoken's `Encoding` of that name, over the given table.

    The definition is tiktoken's own, run with another loader: its loader downloads the
    table, and deletes a file that it finds damaged.
    """
    openai_public = import_module("tiktoken_ext.openai_public")
    own = getattr(openai_public, name)
    names = {**vars(openai_public), "load_tiktoken_bpe": lambda *_, **__: dict(table)}
    made: dict[str, Any] = FunctionType(own.__code__, names)()
    return made
