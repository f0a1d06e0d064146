"""The rows of items in `memory.db`, with sources and versions: read, and written as given.

Not here: which change an item may undergo (`items`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from se_agent.chat.escaping import inline
from se_agent.errors import MemoryFileError
from se_agent.memory.experience.item_rows import (
    COLUMNS,
    FLAGS,
    LISTS,
    ItemRow,
    ItemSource,
    ItemStatus,
    ItemVersion,
)
from se_agent.store.database import Database
from se_agent.wire.spelling import encodable

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM items"  # noqa: S608 - names of ours
_PUT = (
    f"INSERT OR REPLACE INTO items ({', '.join(COLUMNS)})"  # noqa: S608 - names of ours
    f" VALUES (?{', ?' * (len(COLUMNS) - 1)})"
)
_NEAR = f"{_SELECT} WHERE kind = ? AND (operator = ? OR direction_key = ?) ORDER BY id"
_PUT_SOURCE = "INSERT OR IGNORE INTO item_sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_HAS_SOURCE = "SELECT 1 FROM item_sources WHERE item = ? AND run = ? AND solution = ?"
_SOURCES = f"""SELECT {", ".join(ItemSource._fields)} FROM item_sources
    WHERE item = ? ORDER BY run, solution"""  # noqa: S608 - names of ours
_PUT_VERSION = """INSERT INTO item_versions SELECT ?, 1 + COALESCE(MAX(version), 0), ?, ?, ?
    FROM item_versions WHERE item = ?"""
_VERSIONS = "SELECT version, body, why, at FROM item_versions WHERE item = ? ORDER BY version"
_TOUCH = "UPDATE items SET last_used_at = MAX(COALESCE(last_used_at, ''), ?) WHERE id = ?"
_INFINITE = (math.inf, -math.inf)
_WHERE = "its items"


class ItemTable:
    """The tables of items; errors of reading and writing are those of the database."""

    def __init__(self, db: Database) -> None:
        """Use an open `memory.db`."""
        self.db = db

    def get(self, id_: str) -> ItemRow | None:
        """Return an item; None: there is none."""
        return next(self._read(f"{_SELECT} WHERE id = ?", encodable(id_)), None)

    def existing_row(self, id_: str) -> ItemRow:
        """Return an item.

        Raises:
            MemoryFileError: There is none.
        """
        row = self.get(id_)
        if row is None:
            told = f"{self.db.path}: there is no item {inline(id_)[:40]!r}"
            raise MemoryFileError(told, hint="`se-agent memory list` lists the items")
        return row

    def rows(self) -> Iterator[ItemRow]:
        """Yield all items in the order of their ids."""
        return self._read(f"{_SELECT} ORDER BY id")

    def near(self, item: ItemRow) -> Iterator[ItemRow]:
        """Yield items of its kind that have its operator or its direction key."""
        return self._read(_NEAR, item.kind, item.operator, item.direction_key)

    def put(self, row: ItemRow, *, why: str, at: str) -> None:
        """Write an item, with a version that says why."""
        self.db.execute(_PUT, tuple(_values(row)))
        self.db.execute(_PUT_VERSION, (row.id, _body(row), why, at, row.id))

    def put_source(self, id_: str, source: ItemSource) -> bool:
        """Write where an item comes from; say whether that was new."""
        key = (id_, source.run, source.solution)
        if any(self.db.rows(_HAS_SOURCE, key, where="its sources")):
            return False
        self.db.execute(_PUT_SOURCE, (id_, *source))
        return True

    def touch(self, ids: Iterable[str], *, at: str) -> None:
        """Note that a run recalled items."""
        self.db.execute_each(_TOUCH, ((at, id_) for id_ in ids))

    def sources(self, id_: str) -> list[ItemSource]:
        """Return the steps that an item comes from, by run and solution."""
        return [ItemSource(*row) for row in self.db.rows(_SOURCES, (id_,), where=_WHERE)]

    def versions(self, id_: str) -> list[ItemVersion]:
        """Return what an item was, the oldest first."""
        return [ItemVersion(*row) for row in self.db.rows(_VERSIONS, (id_,), where=_WHERE)]

    def _read(self, query: str, *values: str) -> Iterator[ItemRow]:
        return self.db.records(query, values, make=_row, where=_WHERE)


def _values(row: ItemRow) -> Iterator[object]:
    for name in COLUMNS:
        value = getattr(row, name)
        yield json.dumps(value) if name in LISTS else value


def _body(row: ItemRow) -> str:
    """Return an item as JSON, which knows no infinite numbers."""
    plain = {name: str(v) if v in _INFINITE else v for name, v in asdict(row).items()}
    return json.dumps(plain)


def _row(values: tuple[Any, ...]) -> ItemRow:
    found: dict[str, Any] = dict(zip(COLUMNS, values, strict=True))
    for name, value in found.items():
        if name in LISTS:
            listed = json.loads(value or "[]")
            found[name] = tuple(map(str, listed)) if isinstance(listed, list) else ()
        elif name in FLAGS:
            found[name] = bool(value)
        elif name in ("effect", "low", "high"):
            found[name] = float(value or 0.0)
        elif name == "merged":
            found[name] = int(value or 0)
        else:
            found[name] = str(value or "")
    ItemStatus(found["status"])
    return ItemRow(**found)
