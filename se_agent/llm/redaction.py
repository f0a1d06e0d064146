"""Keys are taken out of what an endpoint says before anybody else may see it.

Not here: where a key comes from (`address`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARK = "***"
_SHORTEST = 4  # characters; of a shorter "key" too much would be taken out
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


def without(text: str, secrets: Iterable[str]) -> str:
    """Return the text without the secrets, and otherwise as it was: it may be a program."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _MARK)
    return text


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the text without the secrets, and without what looks like one.

    Args:
        text: Such as the message of an endpoint, which may repeat a part of the key.
        secrets: That are known; those of less than four characters are left in.
    """
    text = without(text, secrets)
    for pattern in _PATTERNS:
        text = pattern.sub(lambda match: f"{match.groupdict().get('between', '')}{_MARK}", text)
    return text
