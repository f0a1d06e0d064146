"""What looks like a secret is taken out of a text that leaves a run's journal (AM-48). Pure.

Known secrets go in all their spellings (`redactor`), and so do keys with a shape of their own.
Here are the others: what stands behind a name that tells of a secret. A program's own names are
left in: behind a weak name, such as `key`, only what looks drawn is taken for one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from se_agent.redaction.redactor import MARK, Redactor

_SURE = (
    r"passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|auth[_-]?token|access[_-]?token|refresh[_-]?token|client[_-]?secret|credential"
)
_WEAK = r"token|key|auth|cookie|session[_-]?id|signature|pass"
_IS = r"[\w-]{0,32}[\"']?[ \t]*(?:=>|:=|[:=])[ \t]*"
_DRAWN = r"(?=[^\s\"']{0,200}[0-9])(?=[^\s\"']{0,200}[A-Za-z])[^\s\"',;&)\]}>]{12,}"
_NO_KEY = r"(?![0-9a-f]{12}\")"  # of a direction, which a reply names with it
_FILLERS = r"(?!(?:none|null|true|false|\*{3,}|<[^>\n]*>|\$\{?\w+\}?)\b)"
_LINE = (  # of an environment file: NAME_TOKEN=anything
    r"^(?P<before>[ \t]*(?:export[ \t]+|set[ \t]+)?[A-Z][A-Z0-9_]*"
    r"(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PWD|AUTH|CREDENTIALS?|COOKIE|DSN)"
    r"(?:_[A-Z0-9]+)?=)(?:[^\s#]{4,}|\"[^\"\n]{4,}\"|'[^'\n]{4,}')"
)
_ANY_CASE = (
    rf"(?P<before>(?:{_SURE}){_IS}\"){_FILLERS}[^\"\n]{{4,}}",
    rf"(?P<before>(?:{_SURE}){_IS}'){_FILLERS}[^'\n]{{4,}}",
    rf"(?P<before>(?:{_SURE}){_IS}){_FILLERS}(?=[^\s\"']{{0,200}}\d)[^\s\"',;&()\[\]}}]{{6,}}",
    rf"(?P<before>(?<![a-z])(?:{_WEAK}){_IS}[\"']?){_NO_KEY}{_DRAWN}",
    rf"(?P<before>\bauthorization{_IS}[\"']?(?:[A-Za-z]+[ \t]+)?)[A-Za-z0-9._~+/=-]{{8,}}",
    r"(?P<before>\bbearer[ \t]+)(?=[^\s]{0,80}[0-9._-])[A-Za-z0-9._~+/-]{8,}=*",
    r"(?P<before>://[^/\s:@'\"]{0,64}:)[^/\s@'\"]{1,256}(?=@)",
    r"(?P<before>://)[A-Za-z0-9_-]{16,256}(?=@)",
    r"(?P<before>\b(?:password|account)[ \t]+)(?=\S{0,200}\d)\S{6,256}",
)
_BEHIND = (re.compile(_LINE), *(re.compile(one, re.IGNORECASE) for one in _ANY_CASE))
_WORDS = (
    *("pass", "pwd", "secret", "key", "token", "auth", "cookie", "credential", "session"),
    *("signature", "bearer", "dsn", "://", "account"),
)


def free_of_secrets(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text without secrets: known ones however they are spelled, then what looks so.

    Args:
        text: Anything that is to be kept beside a run.
        secrets: Known secrets.
    """
    return free_of_named(_redactor(tuple(dict.fromkeys(secrets)))(text))


def json_free_of_secrets(value: object, secrets: Iterable[str] = (), **how: Any) -> str:
    """Return a value as JSON without secrets; it is JSON still, for its texts are freed first.

    Args:
        value: What JSON can hold; anything else becomes a text.
        secrets: Known secrets.
        how: For `json.dumps`.
    """
    free: Callable[[str], str] = partial(free_of_secrets, secrets=tuple(secrets))
    whole = "\n".join(_texts(value))  # most values hold no secret: one look is enough then
    if not _tells(whole) and free(whole) == whole:
        free = str

    def freed(value: object, name: str = "") -> object:
        match value:
            case Mapping():
                return {free(str(key)): freed(one, str(key)) for key, one in value.items()}
            case list() | tuple():
                return [freed(one, name) for one in value]
            case None | bool() | int() | float():
                return value
        text = free(str(value))
        told = f"{name}={json.dumps(text)}"
        return MARK if _tells(name) and free_of_named(told) != told else text

    return json.dumps(freed(value), **how)


def _texts(value: object) -> Iterator[str]:
    """Yield all texts of a value, the names in it included."""
    match value:
        case Mapping():
            for key, one in value.items():
                yield str(key)
                yield from _texts(one)
        case list() | tuple():
            for one in value:
                yield from _texts(one)
        case None | bool() | int() | float():
            return
        case _:
            yield str(value)


def free_of_named(text: str) -> str:
    """Return a text without what stands behind a name that tells of a secret."""
    if not _tells(text):
        return text
    lines = text.splitlines(keepends=True)
    return "".join(_freed(line) if _tells(line) else line for line in lines)


def reply_free_of_named(reply: str) -> str:
    """Return a reply of a model without the same, but in its programs, which are exact.

    Programs are what stands in blocks, but for those of JSON, and in changes. A reply without
    any is a program, unless it is JSON.
    """
    marked = [line.startswith(_BLOCK) for line in reply.splitlines()]
    if not any(marked):
        return free_of_named(reply) if reply.lstrip().startswith("{") else reply
    lines, is_code, is_change = reply.splitlines(keepends=True), False, False
    for number, line in enumerate(lines):
        if line.startswith("```") and not is_change:
            is_code = not is_code and line.strip() != "```json"
        is_change = line.startswith("<<<<<<<") or (is_change and line[:7] != ">>>>>>>")
        if not (is_code or is_change):
            lines[number] = free_of_named(line)
    return "".join(lines)


_BLOCK = ("```", "<<<<<<<")
_redactor = lru_cache(maxsize=8)(Redactor)


def _tells(text: str) -> bool:
    return any(map(text.lower().__contains__, _WORDS))


def _freed(line: str) -> str:
    for pattern in _BEHIND:
        line = pattern.sub(rf"\g<before>{MARK}", line)
    return line
