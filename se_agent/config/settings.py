"""Settings: one key each, as it was written, and tables of them. Pure.

Not here: where settings come from (`sources`), nor which keys there are (`run_file`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Setting(NamedTuple):
    """One key as it was written.

    Attributes:
        path: The key and the tables above it.
        value: Whatever TOML can say.
        source: File or option, for messages.
        folder: Where a relative path in it starts.
        old_path: The key as it was written, if it has another name now.
    """

    path: tuple[str, ...]
    value: Any
    source: str
    folder: Path = Path()
    old_path: tuple[str, ...] = ()


def flat(
    table: Mapping[str, Any], source: str, folder: Path = Path(), *above: str
) -> Iterator[Setting]:
    """Yield the settings of a table, those of the tables in it one by one."""
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from flat(value, source, folder, *above, key)
        else:
            yield Setting((*above, key), value, source, folder)


def nested_table(settings: Iterable[Setting]) -> dict[str, Any]:
    """Return the settings as one table; of two that set the same key the later wins."""
    root: dict[str, Any] = {}
    for setting in settings:
        *above, key = setting.path
        table = root
        for name in above:
            if not isinstance(table.get(name), dict):
                table[name] = {}
            table = table[name]
        empty = setting.value == {} and isinstance(table.get(key), dict)
        if not empty:  # an empty table takes nothing away
            table[key] = setting.value
    return root


def source_of(path: tuple[str, ...], settings: Iterable[Setting], default: str) -> str:
    """Return the source of the last setting at, above or below a path."""
    for setting in settings:
        if all(a == b for a, b in zip(setting.path, path, strict=False)):
            default = setting.source
    return default
