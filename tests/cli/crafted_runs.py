"""Results folders as a stranger could make them: what is done to a finished run. Data only."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

Craft = Callable[[Path, Path], None]
"""Changes a run folder; the second path is a file outside of it."""

_ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
_BOMB = b'{"kind":"told","slot":1,"at":' + b"[" * 100_000
_FILES = ("run.db", "run.lock", "problem.json", "run.toml", "best.py", "told.jsonl")


def sql(script: str) -> Craft:
    """Return what changes the journal by statements."""

    def craft(folder: Path, _: Path) -> None:
        with closing(sqlite3.connect(folder / "run.db")) as db:
            db.executescript(f"DROP TRIGGER no_update; DROP TRIGGER no_delete; {script}")

    return craft


def event(body: bytes | str | int | None, kind: str = "told") -> Craft:
    """Return what appends an event."""

    def craft(folder: Path, _: Path) -> None:
        with closing(sqlite3.connect(folder / "run.db")) as db, db:
            held = body if body is not None else b""
            row = (0, kind, held)
            db.execute("INSERT INTO events (slot, kind, body) VALUES (?, ?, ?)", row)

    return craft


def linked(name: str) -> Craft:
    """Return what puts a link out of the folder in the place of a file."""

    def craft(folder: Path, outside: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside)

    return craft


def hard(name: str) -> Craft:
    """Return what gives a file outside a second name in the folder."""

    def craft(folder: Path, outside: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).hardlink_to(outside)

    return craft


def device(name: str, path: str) -> Craft:
    """Return what puts a link to a device in the place of a file."""
    return lambda folder, _: linked(name)(folder, Path(path))


def pipe(name: str) -> Craft:
    """Return what puts a pipe in the place of a file."""

    def craft(folder: Path, _: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)

    return craft


def file(name: str, data: bytes) -> Craft:
    """Return what writes a file."""

    def craft(folder: Path, _: Path) -> None:
        (folder / name).write_bytes(data)

    return craft


def huge(name: str) -> Craft:
    """Return what makes a file of a terabyte, nearly all of it nothing."""

    def craft(folder: Path, _: Path) -> None:
        (folder / name).touch()
        os.truncate(folder / name, 1 << 40)

    return craft


def _cut(folder: Path, _: Path) -> None:
    path = folder / "run.db"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _spoiled(folder: Path, _: Path) -> None:
    path = folder / "run.db"
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 2] = b"\xff" * (len(data) // 2 - len(data) // 3)
    path.write_bytes(data)


def _view(table: str, columns: str) -> Craft:
    return sql(f"DROP TABLE {table}; CREATE VIEW {table} AS {_ENDLESS} SELECT {columns} FROM n")


_EVENTS = "id, 0 AS slot, 'told' AS kind, '{}' AS body"
_INSERTED = "INSERT INTO events (slot, kind, body)"

CRAFTED: dict[str, Craft] = {
    **{f"link-{name}": linked(name) for name in _FILES},
    **{f"pipe-{name}": pipe(name) for name in _FILES},
    **{f"zeros-{name}": device(name, "/dev/zero") for name in _FILES[1:5]},
    **{f"hard-link-{name}": hard(name) for name in ("run.lock", "best.py")},
    **{f"link-run.db{end}": linked(f"run.db{end}") for end in ("-wal", "-shm", "-journal")},
    **{f"pipe-run.db{end}": pipe(f"run.db{end}") for end in ("-wal", "-shm", "-journal")},
    **{f"terabyte-{name}": huge(name) for name in ("problem.json", "run.lock")},
    "endless-view-of-events": _view("events", _EVENTS),
    "endless-view-of-meta": _view("meta", "'schema' AS key, id AS value"),
    "endless-view-of-contents": sql(
        f"DROP TABLE IF EXISTS contents; CREATE VIEW contents AS {_ENDLESS} "
        "SELECT hex(id) AS digest, id AS text FROM n"
    ),
    "another-view": sql(f"CREATE VIEW more AS {_ENDLESS} SELECT * FROM n"),
    "trigger": sql("CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM events; END"),
    "trigger-of-a-known-name": sql(
        "CREATE TRIGGER no_update AFTER INSERT ON events BEGIN DELETE FROM events; END"
    ),
    "virtual-table": sql("CREATE VIRTUAL TABLE more USING fts5(text)"),
    "a-column-that-is-computed": sql("ALTER TABLE events ADD more AS (zeroblob(1 << 29))"),
    "other-columns": sql("DROP TABLE events; CREATE TABLE events (x)"),
    "no-events": sql("DELETE FROM events"),
    "first-event-gone": sql("DELETE FROM events WHERE id = 1"),
    "events-in-reverse": sql("UPDATE events SET id = -id"),
    "every-second-event": sql("DELETE FROM events WHERE id > 1 AND id % 2"),
    "events-twice": sql(f"{_INSERTED} SELECT slot, kind, body FROM events ORDER BY id"),
    "no-closed-steps": sql("DELETE FROM events WHERE kind = 'learned'"),
    "no-programs": sql("DELETE FROM events WHERE kind = 'proposed'"),
    "other-slots": sql(
        "UPDATE events SET body = replace(body, '\"slot\":3,', '\"slot\":99999999,')"
    ),
    "huge-version": sql(f"UPDATE meta SET value = '{'9' * 5000}'"),
    "strange-version": sql("UPDATE meta SET value = '\u0663'"),
    "numbers-in-place-of-texts": sql("UPDATE events SET body = 7 WHERE id = 9"),
    "half-a-gigabyte": sql("UPDATE events SET body = zeroblob(500000000) WHERE id = 9"),
    "cut-off": _cut,
    "spoiled": _spoiled,
    "no-database": file("run.db", b"text " * 1000),
    "empty-database": file("run.db", b""),
    "broken-event": event('{"kind": "told"'),
    "deep-event": event(_BOMB),
    "huge-integer": event('{"kind":"told","slot":' + "9" * 5000 + "}"),
    "infinite-slot": event('{"kind":"told","slot":1e999,"direction":"x","memory_version":1}'),
    "unknown-event": event("{}", "\x1b[2Jx\nerror: forged"),
    "event-that-is-no-utf-8": event(b'{"kind": "\xff\xfe"}'),
    "event-with-half-a-letter": event('{"kind":"told","slot":1,"direction":"\\ud800"}'),
    "event-that-is-empty": event(b""),
    "long-reply": event(
        '{"kind":"replied","slot":1,"role":"mutate","model":"m","text":"",'
        '"digest":"' + "0" * 64 + '"}',
        "replied",
    ),
    "broken-problem": file("problem.json", b"{" * 100_000),
    "problem-with-escapes": file("problem.json", b'{"name": "\\u001b[2J"}'),
    "lock-with-escapes": file("run.lock", b"\x1b[2J" * 1000),
    "told-nonsense": file("told.jsonl", b'{"direction": "\\ud800"}\n' + b"[" * 100_000 + b"\n"),
}
"""By name: what is done to the folder of a finished run."""
