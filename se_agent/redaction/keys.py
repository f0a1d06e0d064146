"""Keys are taken out of what an endpoint says before anybody else may see it.

Not here: where a key comes from (`llm.address`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from se_agent.redaction.redactor import MARK, Redactor

_SHORTEST = 4  # characters; of a shorter "key" too much would be taken out
_NAME = 16  # characters from which on a secret is taken for none of a program's names
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

    They are found as they are, and those of eight characters or more as `Redactor` finds them.

    Args:
        text: What an endpoint said.
        secrets: Known secrets; those of less than four characters are left in.
    """
    known = tuple(one for one in dict.fromkeys(secrets) if len(one) >= _SHORTEST)
    for secret in sorted(known, key=len, reverse=True):
        text = text.replace(secret, MARK)
    return _redactor(known)(text)


_redactor = lru_cache(maxsize=8)(Redactor)


def redacted_text(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the text without the secrets, and without what looks like one.

    Args:
        text: Such as the message of an endpoint, which may repeat a part of the key.
        secrets: Known secrets; those of less than four characters are left in.
    """
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    text = without(text, secrets)
    for pattern in _PATTERNS:
        text = pattern.sub(lambda match: f"{match.groupdict().get('between', '')}{MARK}", text)
    return text
