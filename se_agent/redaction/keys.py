"""Keys are taken out of what an endpoint says before anybody else may see it.

Not here: where a key comes from (`address`).
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from urllib.parse import quote, quote_plus

_MARK = "***"
_SHORTEST = 4  # characters; of a shorter "key" too much would be taken out
_NAME = 16  # characters from which on a secret is taken for none of a program's names
_URL_SAFE = str.maketrans("+/", "-_")
_ENCODED = 8  # characters from which on a secret is looked for in other forms, too
_PIECE = 10  # characters of a secret that are no coincidence
# Any letter may be written so in JSON.
_ESCAPED = re.compile(r"\\u00([2-7][0-9a-fA-F])")
_PATTERNS = (
    re.compile(r"(?<=://)[^/@\s]+@"),
    re.compile(r"(?<=bearer )\S+", re.IGNORECASE),
    re.compile(r"(?<![A-Za-z0-9])sk-[\w*.-]{4,}"),
    re.compile(
        r"(?<=authorization)(?P<between>[\"']?\s*[:=]\s*[\"']?)(?!bearer)(?:basic\s+)?"
        r"[^\s\"',}]+",
        re.I,
    ),
    re.compile(r"(?<=key)(?P<between>=)[^\s&\"']+", re.I),
)


def of_program(text: str, secrets: Iterable[str]) -> str:
    """Return a text that may hold a program without the secrets; see `without`.

    What a server on one's own machine is given for a key, such as `test`, may be a name in
    the program, or a part of one: a short one that could be is left in.
    """
    return without(text, (s for s in secrets if len(s) >= _NAME or not s.isidentifier()))


def without(text: str, secrets: Iterable[str]) -> str:
    """Return the text without the secrets, and otherwise as it was.

    They are found as they are, in hexadecimal digits, in base64, and as URLs or JSON have them.

    Args:
        text: What an endpoint said.
        secrets: That are known; those of less than four characters are left in.
    """
    known = {form for one in secrets if len(one) >= _SHORTEST for form in _forms(one)}
    for form in sorted(known, key=lambda one: (-len(one), one)):
        text = text.replace(form, _MARK)
    return text


@lru_cache(maxsize=256)
def _forms(secret: str) -> frozenset[str]:
    """Return a secret in the forms in which a server may repeat it."""
    if len(secret) < _ENCODED:
        return frozenset({secret})
    data = secret.encode("utf-8", "surrogateescape")  # as the environment has what is no text
    quoted, in_json = quote(data, safe=""), json.dumps(secret)[1:-1]
    urls = {quoted, quote_plus(data), re.sub("%..", lambda found: found[0].lower(), quoted)}
    return frozenset(
        {secret, *urls, in_json, in_json.replace("/", "\\/"), data.hex(), data.hex().upper()}
        | {_in_base64(data, before) for before in range(3)}
        | {_in_base64(data, before).translate(_URL_SAFE) for before in range(3)}
    )


def _in_base64(data: bytes, before: int) -> str:
    """Return what of it stands in base64 behind so many other bytes, whatever they are."""
    text = b64encode(b"\0" * before + data).decode().rstrip("=")
    whole = (before + len(data)) % 3 == 0
    return text[-(-8 * before // 6) : None if whole else -1]


def _without_pieces(text: str, secrets: Iterable[str]) -> str:
    """Return the text without long pieces of secrets: servers cut the keys that they repeat."""
    hidden = bytearray(len(text))
    for secret in dict.fromkeys(one for one in secrets if len(one) > _PIECE):
        for start in range(len(secret) - _PIECE + 1):
            piece = secret[start : start + _PIECE]
            place = text.find(piece)
            while place >= 0:
                hidden[place : place + _PIECE] = b"\1" * _PIECE
                place = text.find(piece, place + 1)
    if not any(hidden):
        return text
    runs = groupby(zip(text, hidden, strict=True), key=lambda pair: pair[1])
    return "".join(_MARK if hide else "".join(c for c, _ in run) for hide, run in runs)


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the text without the secrets, and without what looks like one.

    Args:
        text: Such as the message of an endpoint, which may repeat a part of the key.
        secrets: That are known; those of less than four characters are left in.
    """
    known = [*secrets]
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    text = _without_pieces(without(text, known), known)
    for pattern in _PATTERNS:
        text = pattern.sub(lambda match: f"{match.groupdict().get('between', '')}{_MARK}", text)
    return text
