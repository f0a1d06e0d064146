"""How a project has its code formatted: what its `pyproject.toml` tells ruff or black.

Not here: how a file is laid out where nobody says so, and how new lines are laid out
(`se_agent.program.style`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from se_agent.files import plain
from se_agent.program.style.layout import FormatterSettings

_SETTINGS = "pyproject.toml"
_QUOTES = {"single": "'", "double": '"'}
_LONGEST = 400  # columns: more is no line length
_MOST = 1 << 20  # bytes of settings


def formatter_of(path: Path) -> FormatterSettings:
    """Return the settings for a file: those of the nearest project above it that has some.

    What cannot be read, or is no setting, is as if it were not there.

    Args:
        path: The file.
    """
    folders = path.absolute().parents
    found = (
        _settings(folder / _SETTINGS) for folder in folders if (folder / _SETTINGS).exists()
    )
    return next((one for one in found if one is not None), FormatterSettings())


def _settings(path: Path) -> FormatterSettings | None:
    try:
        tools = _table(tomllib.loads(plain.text(path, most=_MOST)), "tool")
    except (OSError, ValueError):
        return None
    ruff, black = _table(tools, "ruff"), _table(tools, "black")
    if not (ruff or black):
        return None
    length = _length(ruff.get("line-length")) or _length(black.get("line-length"))
    style = _table(ruff, "format").get("quote-style")
    quote = _QUOTES.get(style, "") if isinstance(style, str) else ""
    if not ruff and black.get("skip-string-normalization") is not True:
        length, quote = length or _USUAL, '"'
    return FormatterSettings(line_length=length, quote=quote)


_USUAL = 88  # columns of a line for black, unless it is told otherwise


def _table(tables: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = tables.get(name)
    return found if isinstance(found, dict) else {}


def _length(value: object) -> int:
    return value if type(value) is int and 0 < value <= _LONGEST else 0
