"""What a tool answers: JSON free of secrets, in pages of at most 20,000 characters.

Pure. Not here: what is in it (`tools`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from se_agent.redaction.patterns import free_of_secrets

MOST = 20_000
"""Characters of an answer."""

_ROW = 6_000  # characters of a row
_TEXT = 1_500  # characters of a text in a row that is too long
_FRAME = 1_000  # characters that are kept free for what stands around the rows


def answer(
    rows: Mapping[str, Sequence[Any]],
    page: int = 0,
    *,
    secrets: Iterable[str] = (),
    about: Mapping[str, object] | None = None,
) -> str:
    """Return lists of rows as one page of JSON.

    Where all of it fits on one page, nothing is said of pages.

    Args:
        rows: Lists by name; what they hold can be JSON.
        page: Number of the page, from 0.
        secrets: Known ones.
        about: What stands on each page beside the rows; short.
    """
    spelled = [
        (name, _spelled(row, tuple(secrets))) for name, listed in rows.items() for row in listed
    ]
    pages = _pages(spelled)
    found: dict[str, list[str]] = {name: [] for name in rows}
    for name, text in pages[page] if page < len(pages) else ():
        found[name].append(text)
    parts = [f"{json.dumps(name)}: [{', '.join(texts)}]" for name, texts in found.items()]
    parts += [f"{json.dumps(name)}: {_spelled(v, ())}" for name, v in (about or {}).items()]
    if len(pages) > 1 or page:
        parts.append(f'"page": {page}, "pages": {len(pages)}')
    return f"{{{', '.join(parts)}}}"


def _pages(spelled: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    pages, room = [list[tuple[str, str]]()], MOST - _FRAME
    for name, text in spelled:
        if len(text) + 2 > room and pages[-1]:
            pages.append([])
            room = MOST - _FRAME
        pages[-1].append((name, text))
        room -= len(text) + 2
    return pages


def _spelled(row: object, secrets: tuple[str, ...]) -> str:
    """Return a row as JSON; one that is too long is cut, text by text and list by list."""
    clean = _clean(row, secrets)
    text = json.dumps(clean)
    texts, items = _TEXT, 16
    while len(text) > _ROW:
        text = json.dumps(_cut(clean, texts, items))
        texts, items = texts // 2, max(items // 2, 1)
    return text


def _clean(value: object, secrets: tuple[str, ...]) -> object:
    if isinstance(value, str):
        return free_of_secrets(value, secrets)
    if isinstance(value, Mapping):
        return {str(name): _clean(part, secrets) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(part, secrets) for part in value]
    return value


def _cut(value: object, texts: int, items: int) -> object:
    if isinstance(value, str):
        return value if len(value) <= texts else f"{value[:texts]}... (cut)"
    if isinstance(value, dict):
        return {name: _cut(part, texts, items) for name, part in value.items()}
    if isinstance(value, list):
        kept = [_cut(part, texts, items) for part in value[:items]]
        rest = len(value) - len(kept)
        return [*kept, f"... and {rest} more"] if rest else kept
    return value
