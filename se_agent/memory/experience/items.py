"""The items of experience across runs, in `memory.db`: added, merged, replaced, never deleted.

Whatever changes an item leaves a version of it, with a reason. Every text is free of secrets
before it is written (law S12). Not here: which steps of a run become items (`harvest`), when
one replaces another (`promotion`), and how rows are written (`item_table`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from se_agent.chat.escaping import inline
from se_agent.memory.experience.item_rows import (
    ItemHit,
    ItemRow,
    ItemSource,
    ItemStatus,
    ItemVersion,
    item_id,
)
from se_agent.memory.experience.item_table import ItemTable
from se_agent.memory.local.bank import topic_words
from se_agent.memory.retrieval.fusion import ranked_hits
from se_agent.memory.retrieval.pool import ItemPool, Query
from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.redaction.patterns import free_of_secrets
from se_agent.store.database import Database
from se_agent.values.lesson import Outcome
from se_agent.wire.spelling import encodable

_TITLE, _DESCRIPTION, _CONTENT, _DIFF = 200, 500, 4000, 8000  # characters that are kept
_WORDS = 64  # of an item; more would make it match everything


class Items:
    """The items of a workspace."""

    def __init__(self, db: Database, *, secrets: Iterable[str] = ()) -> None:
        """Use an open `memory.db`.

        Args:
            db: A database of the kind `schema.KIND`.
            secrets: Known ones; nothing that is written holds any of them.
        """
        self.db = db
        self.table = ItemTable(db)
        self.secrets = tuple(secrets)

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
        new = _clean(item, self.secrets)
        with self.db.transaction():
            old = self.get(new.id)
            if old is not None:
                self._merge(old, new, source, at)
            else:
                if source is not None:
                    self.table.put_source(new.id, _clean_source(source, self.secrets))
                begin = new.valid_from or at
                first = replace(new, created_at=new.created_at or at, valid_from=begin)
                self.table.put(first, why="added", at=at)
        return new.id

    def merge_into(self, id_: str, item: ItemRow, source: ItemSource, *, at: str) -> bool:
        """Count a near-duplicate into an item that is there; say whether it was new to it.

        Raises:
            MemoryFileError: It cannot be written, or there is no such item.
        """
        with self.db.transaction():
            old = self.table.existing_row(id_)
            return self._merge(old, _clean(item, self.secrets), source, at)

    def get(self, id_: str) -> ItemRow | None:
        """Return an item; None: there is none.

        Raises:
            MemoryFileError: It cannot be read.
        """
        return self.table.get(id_)

    def rows(
        self,
        *,
        kinds: Collection[str] = (),
        statuses: Collection[str] = (),
        language: str = "",
    ) -> Iterator[ItemRow]:
        """Yield items in the order of their ids; an empty collection stands for all.

        Args:
            kinds: What they are.
            statuses: Where they stand.
            language: Items of this language, and those of any.

        Raises:
            MemoryFileError: They cannot be read.
        """
        for row in self.table.rows():
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
            language: Language of the program; empty: any.
            k: How many at most.

        Raises:
            MemoryFileError: They cannot be read.
        """
        rows = {row.id: row for row in self.rows(kinds=kinds, language=language)}
        pool = ItemPool(map(pool_item, rows.values()))
        found = ranked_hits(pool.matches(Query(words=tuple(query), kinds=(), most=k)))
        return [ItemHit(rows[hit.item.id], hit.score) for hit in found[:k]]

    def similar(
        self, item: ItemRow, at_least: float = 0.85, *, ended: bool = False
    ) -> list[ItemRow]:
        """Return valid items that say nearly the same: of one key, or of one title.

        These are of one kind, outcome and language, and have the direction key in common, or
        the operator and so large a share of the words of both titles.

        Args:
            item: It need not be kept.
            at_least: Share of the words, from 0 to 1.
            ended: Whether items that are not valid any more are among them, too.

        Raises:
            MemoryFileError: They cannot be read.
        """
        own = item.id or item_id(item)
        return [
            row
            for row in self.table.near(item)
            if row.id != own
            and (ended or ItemStatus(row.status).is_valid)
            and (row.outcome, row.language) == (item.outcome, item.language)
            and _is_near(row, item, at_least)
        ]

    def status(self, id_: str, new: ItemStatus, *, why: str, at: str) -> None:
        """Say where an item stands from now on; one that is valid again has no end any more.

        Raises:
            MemoryFileError: It cannot be written, or there is no such item.
        """
        with self.db.transaction():
            row = self.table.existing_row(id_)
            end = "" if new.is_valid else (row.valid_to or at)
            by = "" if new.is_valid else row.superseded_by
            changed = replace(row, status=new, valid_to=end, superseded_by=by)
            if changed != row:
                self.table.put(changed, why=_text(why, self.secrets), at=at)

    def supersede(self, old: str, new: str, *, why: str, at: str) -> None:
        """Let an item take the place of another, which stays with the time when it ended.

        Raises:
            MemoryFileError: It cannot be written, or one of them is not there.
        """
        with self.db.transaction():
            self.table.existing_row(new)
            row = self.table.existing_row(old)
            if row.superseded_by != new:
                status = ItemStatus.SUPERSEDED
                ended = replace(row, status=status, valid_to=at, superseded_by=new)
                self.table.put(ended, why=_text(why, self.secrets), at=at)

    def sources(self, id_: str) -> list[ItemSource]:
        """Return the steps that an item comes from, by run and solution.

        Raises:
            MemoryFileError: They cannot be read.
        """
        return self.table.sources(id_)

    def versions(self, id_: str) -> list[ItemVersion]:
        """Return what an item was, the oldest first.

        Raises:
            MemoryFileError: They cannot be read.
        """
        return self.table.versions(id_)

    def _merge(self, old: ItemRow, new: ItemRow, source: ItemSource | None, at: str) -> bool:
        why = "written again"
        if source is not None:
            if not self.table.put_source(old.id, _clean_source(source, self.secrets)):
                return False
            why = f"{source.solution} of {source.run} says so"
        self.table.put(merged_row(old, new), why=why, at=at)
        return True


def pool_item(row: ItemRow) -> PoolItem:
    """Return what a search knows of an item."""
    return PoolItem(
        id=row.id,
        kind=row.kind,
        title=row.title,
        triggers=" ".join((*row.words, *row.scope, row.operator)),
        body=f"{row.description}\n{row.content}",
        language=row.language,
        family=row.family,
        status=row.status,
        failed=row.outcome == Outcome.FAILED,
    )


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


def _clean(item: ItemRow, secrets: tuple[str, ...]) -> ItemRow:
    words = sorted({_text(word, secrets) for word in item.words} - {""})
    clean = replace(
        item,
        title=inline(_text(item.title, secrets))[:_TITLE],
        description=_text(item.description, secrets)[:_DESCRIPTION],
        content=_text(item.content, secrets)[:_CONTENT],
        words=tuple(words[:_WORDS]),
    )
    return replace(clean, id=item_id(clean))


def _clean_source(source: ItemSource, secrets: tuple[str, ...]) -> ItemSource:
    return source._replace(diff=_text(source.diff, secrets)[:_DIFF])


def _text(text: str, secrets: tuple[str, ...]) -> str:
    return free_of_secrets(encodable(text).replace("\0", " "), secrets).strip()
