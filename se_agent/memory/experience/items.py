"""The items of experience across runs, in `memory.db`: added, merged, replaced, never deleted.

Whatever changes an item leaves a version of it, with a reason. Every text is free of secrets
before it is written (law S12). Not here: which steps of a run become items (`harvest`), and
when one replaces another (`promotion`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from typing import Any

from se_agent.chat.escaping import inline
from se_agent.errors import MemoryFileError
from se_agent.memory.experience.item_rows import (
    COLUMNS,
    FLAGS,
    LISTS,
    ItemHit,
    ItemRow,
    ItemSource,
    ItemStatus,
    ItemVersion,
    item_id,
)
from se_agent.memory.experience.word_index import WordIndex
from se_agent.memory.local.bank import topic_words
from se_agent.redaction.patterns import free_of_secrets
from se_agent.store.database import Database
from se_agent.wire.spelling import encodable

_TITLE, _DESCRIPTION, _CONTENT, _DIFF = 200, 500, 4000, 8000  # characters that are kept
_INFINITE = (math.inf, -math.inf)
_WORDS = 64  # of an item; more would make it match everything

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM items"  # noqa: S608 - names of ours
_PUT = (
    f"INSERT OR REPLACE INTO items ({', '.join(COLUMNS)})"  # noqa: S608 - names of ours
    f" VALUES (?{', ?' * (len(COLUMNS) - 1)})"
)
_SOURCE = "INSERT OR IGNORE INTO item_sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_VERSION = """INSERT INTO item_versions SELECT ?, 1 + COALESCE(MAX(version), 0), ?, ?, ?
    FROM item_versions WHERE item = ?"""
_WHERE = "its items"


class Items:
    """The items of a workspace."""

    def __init__(self, db: Database, *, secrets: Iterable[str] = ()) -> None:
        """Use an open `memory.db`.

        Args:
            db: Of the kind `schema.KIND`.
            secrets: Known ones; nothing that is written holds any of them.
        """
        self.db = db
        self._secrets = tuple(secrets)

    def transaction(self) -> AbstractContextManager[None]:
        """Write all that is done within, or none of it."""
        return self.db.transaction()

    def add(self, item: ItemRow, source: ItemSource | None = None, *, at: str) -> str:
        """Keep an item, or add to the one that says the same; return its id.

        A source that is known already changes nothing, however often it is written.

        Args:
            item: What was learned.
            source: The step that says so; None: a person does.
            at: The time, UTC.

        Raises:
            MemoryFileError: It cannot be written.
        """
        new = self._clean(item)
        with self.transaction():
            if source is not None and not self._add_source(new.id, source):
                return new.id
            old = self.get(new.id)
            if old is None:
                first = replace(
                    new, created_at=new.created_at or at, valid_from=new.valid_from or at
                )
                self._put(first, "added", at)
            else:
                self._put(merged_row(old, new), _said_by(source), at)
        return new.id

    def merge_into(self, id_: str, item: ItemRow, source: ItemSource, *, at: str) -> bool:
        """Count a near-duplicate into an item that is there; say whether it was new to it.

        Raises:
            MemoryFileError: It cannot be written, or there is no such item.
        """
        with self.transaction():
            if not self._add_source(id_, source):
                return False
            self._put(merged_row(self._known(id_), self._clean(item)), _said_by(source), at)
        return True

    def get(self, id_: str) -> ItemRow | None:
        """Return an item; None: there is none.

        Raises:
            MemoryFileError: It cannot be read.
        """
        found = self.db.rows(f"{_SELECT} WHERE id = ?", (id_,), where=_WHERE)
        return next((self._row(values) for values in found), None)

    def rows(
        self, *, kinds: Collection[str] = (), statuses: Collection[str] = (), language: str = ""
    ) -> Iterator[ItemRow]:
        """Yield items in the order of their ids; an empty collection stands for all.

        Args:
            kinds: What they are.
            statuses: Where they stand.
            language: Items of this language, and those of any.

        Raises:
            MemoryFileError: They cannot be read.
        """
        for values in self.db.rows(f"{_SELECT} ORDER BY id", where=_WHERE):
            row = self._row(values)
            if kinds and row.kind not in kinds:
                continue
            if statuses and row.status not in statuses:
                continue
            if not language or row.language in ("", language):
                yield row

    def search(
        self,
        query: Iterable[str],
        *,
        kinds: Collection[str] = (),
        language: str = "",
        k: int = 10,
    ) -> list[ItemHit]:
        """Return the valid items that hold words of a query, the best first.

        Args:
            query: Words or texts.
            kinds: What they may be; empty: anything.
            language: Of the program; empty: any.
            k: How many at most.

        Raises:
            MemoryFileError: They cannot be read.
        """
        valid = [one for one in ItemStatus if one.is_valid]
        pool = {
            row.id: row for row in self.rows(kinds=kinds, statuses=valid, language=language)
        }
        texts = ((id_, *item_texts(row)) for id_, row in pool.items())
        with WordIndex(texts) as index:
            return [ItemHit(pool[id_], score) for id_, score in index.search(query, k)]

    def similar(self, item: ItemRow, at_least: float = 0.85) -> list[ItemRow]:
        """Return valid items that say nearly the same: of one key, or of one title.

        These are of one kind, outcome and language, and have the direction key in common, or
        the operator and so large a share of the words of both titles.

        Args:
            item: It need not be kept.
            at_least: That share.

        Raises:
            MemoryFileError: They cannot be read.
        """
        query = f"{_SELECT} WHERE kind = ? AND (operator = ? OR direction_key = ?) ORDER BY id"
        values, own = (item.kind, item.operator, item.direction_key), item.id or item_id(item)
        rows = (self._row(found) for found in self.db.rows(query, values, where=_WHERE))
        return [
            row
            for row in rows
            if row.id != own
            and ItemStatus(row.status).is_valid
            and (row.outcome, row.language) == (item.outcome, item.language)
            and _is_near(row, item, at_least)
        ]

    def status(self, id_: str, new: ItemStatus, *, why: str, at: str) -> None:
        """Say where an item stands from now on; one that is valid again has no end any more.

        Raises:
            MemoryFileError: It cannot be written, or there is no such item.
        """
        with self.transaction():
            row = self._known(id_)
            end = "" if new.is_valid else (row.valid_to or at)
            by = "" if new.is_valid else row.superseded_by
            changed = replace(row, status=new, valid_to=end, superseded_by=by)
            if changed != row:
                self._put(changed, why, at)

    def supersede(self, old: str, new: str, *, why: str, at: str) -> None:
        """Let an item take the place of another, which stays with the time when it ended.

        Raises:
            MemoryFileError: It cannot be written, or one of them is not there.
        """
        with self.transaction():
            self._known(new)
            row = self._known(old)
            if row.superseded_by != new:
                ended = replace(
                    row, status=ItemStatus.SUPERSEDED, valid_to=at, superseded_by=new
                )
                self._put(ended, why, at)

    def touch(self, ids: Iterable[str], *, at: str) -> None:
        """Note that a run recalled items.

        Raises:
            MemoryFileError: It cannot be written.
        """
        self.db.execute_each(
            "UPDATE items SET last_used_at = ? WHERE id = ?", ((at, id_) for id_ in ids)
        )

    def sources(self, id_: str) -> list[ItemSource]:
        """Return the steps that an item comes from, by run and solution.

        Raises:
            MemoryFileError: They cannot be read.
        """
        query = f"""SELECT {", ".join(ItemSource._fields)} FROM item_sources
            WHERE item = ? ORDER BY run, solution"""  # noqa: S608 - names of ours
        return [ItemSource(*row) for row in self.db.rows(query, (id_,), where="its sources")]

    def versions(self, id_: str) -> list[ItemVersion]:
        """Return what an item was, the oldest first.

        Raises:
            MemoryFileError: They cannot be read.
        """
        query = """SELECT version, body, why, at FROM item_versions
            WHERE item = ? ORDER BY version"""
        return [ItemVersion(*row) for row in self.db.rows(query, (id_,), where="its versions")]

    def _add_source(self, id_: str, source: ItemSource) -> bool:
        query = "SELECT 1 FROM item_sources WHERE item = ? AND run = ? AND solution = ?"
        key = (id_, source.run, source.solution)
        if any(self.db.rows(query, key, where="its sources")):
            return False
        diff = self._text(source.diff)[:_DIFF]
        self.db.execute(_SOURCE, (id_, *source._replace(diff=diff)))
        return True

    def _known(self, id_: str) -> ItemRow:
        row = self.get(id_)
        if row is None:
            told = f"{self.db.path}: there is no item {inline(id_)[:40]!r}"
            raise MemoryFileError(told, hint="`se-agent memory list` lists the items")
        return row

    def _put(self, row: ItemRow, why: str, at: str) -> None:
        self.db.execute(_PUT, tuple(_values(row)))
        self.db.execute(_VERSION, (row.id, _body(row), self._text(why), at, row.id))

    def _row(self, values: tuple[Any, ...]) -> ItemRow:
        try:
            return _row(values)
        except (ValueError, TypeError) as err:
            raise self.db.damage_error(_WHERE, err) from err

    def _clean(self, item: ItemRow) -> ItemRow:
        words = sorted({self._text(word) for word in item.words} - {""})
        clean = replace(
            item,
            title=inline(self._text(item.title))[:_TITLE],
            description=self._text(item.description)[:_DESCRIPTION],
            content=self._text(item.content)[:_CONTENT],
            words=tuple(words[:_WORDS]),
        )
        return replace(clean, id=item_id(clean))

    def _text(self, text: str) -> str:
        return free_of_secrets(encodable(text).replace("\0", " "), self._secrets).strip()


def item_texts(row: ItemRow) -> tuple[str, str, str]:
    """Return the texts by which an item is found: title, words, body."""
    words = " ".join((*row.words, *row.scope, row.operator))
    return row.title, words, f"{row.description}\n{row.content}"


def merged_row(old: ItemRow, new: ItemRow) -> ItemRow:
    """Return an item after another step said the same: the proven and larger one words it.

    What both programs have in common is its scope, and the words of both find it.
    """
    better = max(new, old, key=lambda row: (row.significant, abs(row.effect)))
    return replace(
        better,
        id=old.id,
        direction_key=old.direction_key,
        words=tuple(sorted({*old.words, *new.words}))[:_WORDS],
        family=old.family if old.family == new.family else "",
        scope=tuple(one for one in old.scope if one in new.scope),
        significant=old.significant or new.significant,
        verified=old.verified or new.verified,
        merged=old.merged + new.merged,
        status=old.status,
        valid_from=old.valid_from,
        valid_to=old.valid_to,
        superseded_by=old.superseded_by,
        created_at=old.created_at,
        last_used_at=old.last_used_at,
    )


def _is_near(one: ItemRow, other: ItemRow, at_least: float) -> bool:
    if one.direction_key and one.direction_key == other.direction_key:
        return True
    first, second = topic_words(one.title), topic_words(other.title)
    alike = len(first & second) >= at_least * len(first | second)
    return bool(first) and alike and one.operator == other.operator


def _said_by(source: ItemSource | None) -> str:
    return f"{source.solution} of {source.run} says so" if source else "written again"


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
