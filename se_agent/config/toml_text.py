"""A run file as TOML text: each key with its help text, each table below the one it is in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any  # any value of a key

from se_agent.config.section import Section, fields_of
from se_agent.config.tables import is_table, tables

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def table_text(section: Section) -> str:
    """Return a table and all tables in it; "none" is no limit."""
    lines: list[str] = []
    for path, table in tables(section):
        lines += ["", f"[{key_text(path)}]"] if path else []
        lines += _lines(table)
    return "\n".join(lines)


def key_text(path: Sequence[str]) -> str:
    """Return a dotted key."""
    return ".".join(part if _BARE.fullmatch(part) else _string(part) for part in path)


def value_text(value: Any) -> str:
    """Return a value; a table stands in one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{key_text((k,))} = {value_text(v)}" for k, v in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    return _string("none" if value is None else value)


def _lines(table: Section) -> Iterator[str]:
    for key, field in fields_of(type(table)).items():
        value = getattr(table, key)
        if not is_table(type(table), key) or value == {}:
            yield f"{f'{key} = {value_text(value)}':<32}  # {field.description}"


def _string(value: Any) -> str:
    """Return JSON as TOML: one character that JSON allows is none in TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
