r"""Characters that no encoding has, or that nobody sees, spelled out as Python writes them.

A file, a journal and a request need a text that can be encoded (`encodable`); a terminal and a
prompt need one whose characters are all seen (`visible`). Both spell with a backslash, such as
`\ud800` and `\x1b`. Not here: what a line or a block may hold besides (`chat.escaping`,
`chat.fencing`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from base64 import b64decode, b64encode
from collections.abc import Callable

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of what nobody sees: control, format, surrogate, private, unassigned, line end."""

_UNUSUAL = re.compile(r"[^ -~]+")  # most characters of most texts are not
_PACKED = "base64:"


class _Spelled(dict[int, str]):
    """A table for `str.translate` that learns each character when it first meets it."""

    def __init__(self, kept: str, spell: Callable[[str], str]) -> None:
        super().__init__((ord(character), character) for character in kept)
        self._spell = spell

    def __missing__(self, code: int) -> str:
        character = chr(code)
        spelled = self._spell(character) if is_hidden(character) else character
        return self.setdefault(code, spelled)


def is_hidden(character: str) -> bool:
    """Say whether nobody sees a character, which may change how others are shown."""
    return unicodedata.category(character) in HIDDEN


def visible(text: str) -> str:
    """Return a text with what nobody sees spelled out, but for line feeds and tabs."""
    return _translated(text, _SEEN)


def blanked_text(text: str) -> str:
    """Return a text with a space for each character that nobody sees."""
    return _translated(text, _BLANK)


def encodable(text: str) -> str:
    """Return a text with halves of surrogate pairs joined, and single ones spelled out.

    A program or a reply may hold them, and they have no UTF-8 form.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return joined.encode("utf-8", "backslashreplace").decode()
    return text


def encodable_parts(value: object) -> object:
    """Return a value made of dicts, lists, tuples and texts with every text `encodable`."""
    if type(value) is str:
        return encodable(value)
    if isinstance(value, dict):
        both = value.items()
        return {encodable_parts(key): encodable_parts(each) for key, each in both}
    if isinstance(value, list | tuple):
        return [encodable_parts(each) for each in value]
    return value


def json_line(value: object, *, only_ascii: bool = False) -> str:
    """Return a value as one line of JSON that no terminal obeys.

    What nobody sees is escaped as JSON does it, so that whoever reads it gets the same text.

    Args:
        value: Anything that `json.dumps` takes.
        only_ascii: Whether all other letters are escaped, too.
    """
    return _translated(json.dumps(value, ensure_ascii=only_ascii), _IN_JSON)


def as_text(data: bytes) -> str:
    """Return bytes as a text that can be recorded; `as_bytes` gives them back."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _packed(data)
    return _packed(data) if text.startswith(_PACKED) else text


def as_bytes(text: str) -> bytes:
    """Return the bytes of which `as_text` made a text."""
    if text.startswith(_PACKED):
        return b64decode(text.removeprefix(_PACKED))
    return text.encode()


def _packed(data: bytes) -> str:
    return _PACKED + b64encode(data).decode("ascii")


def _translated(text: str, table: _Spelled) -> str:
    if text.isprintable():
        return text
    return _UNUSUAL.sub(lambda found: found[0].translate(table), text)


def _as_python(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _as_json(character: str) -> str:
    return json.dumps(character)[1:-1]


_SEEN = _Spelled("\n\t", _as_python)
_BLANK = _Spelled("", lambda _: " ")
_IN_JSON = _Spelled("", _as_json)
