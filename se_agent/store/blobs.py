"""Texts that a database keeps once, under their digests, in a table beside what names them."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from functools import lru_cache

from se_agent.files.run_files import LARGEST
from se_agent.store.database import Database
from se_agent.wire.spelling import encodable

_TABLE = "CREATE TABLE IF NOT EXISTS contents (digest TEXT PRIMARY KEY, text BLOB NOT NULL)"
"""Made with the first text: journals of before schema 7 have none."""

_SHOWN = 12  # hex digits of a digest that people see


def digest_of(text: str) -> str:
    """Return the name under which a text is kept."""
    return hashlib.sha256(_encoded(text)).hexdigest()


def keep_texts(db: Database, texts: Iterable[str]) -> None:
    """Write the texts that are not there yet.

    Raises:
        SeAgentError: They cannot be written.
    """
    packed = {digest_of(text): _compressed(text) for text in texts}
    if packed:
        db.execute(_TABLE)
        db.execute_each("INSERT OR IGNORE INTO contents VALUES (?, ?)", packed.items())


def text_of(db: Database, digest: str) -> str:
    """Return the text that is kept under a digest.

    Raises:
        SeAgentError: There is none, or it is damaged.
    """
    query, where = "SELECT CAST(text AS BLOB) FROM contents WHERE digest = ?", _where(digest)
    (packed,) = next(db.rows(query, (digest,), where=where), (b"",))
    try:
        text = _unpacked(packed or b"").decode()
    except (zlib.error, ValueError) as err:
        raise db.damage_error(where, err) from err
    if digest_of(text) != digest:
        raise db.damage_error(where, "it is another one")
    return text


def digest_from(db: Database, start: str) -> str:
    """Return the digest of the only text whose digest begins so; empty: there is none.

    Raises:
        SeAgentError: They cannot be read, or no text was ever kept.
    """
    query = "SELECT digest FROM contents WHERE digest BETWEEN ? AND ? || 'g' LIMIT 2"
    found = [str(one) for (one,) in db.rows(query, (start, start), where="its texts")]
    return found[0] if len(found) == 1 else ""


def _where(digest: str) -> str:
    return f"text {digest[:_SHOWN]}"


def _encoded(text: str) -> bytes:
    return encodable(text).encode()


@lru_cache(64)  # instructions come again with every call
def _compressed(text: str) -> bytes:
    return zlib.compress(_encoded(text))


def _unpacked(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, LARGEST)
    if not unpacking.eof:
        told = f"it has more than {LARGEST >> 20} MB, or is cut off"
        raise ValueError(told)
    return text
