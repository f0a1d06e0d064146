"""The rows that come with the repository: compressed, and merged with those made here.

They took hours to make. A machine goes on where they end, and what it makes is packed again, to
be committed. Of two rows of a key the one that was made later counts; one without a date is the
oldest. To begin a figure anew, remove both of its files. Not here: how rows are made (`rows`).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from experiments.figures.rows import HOME, ROOT, Row, cut, lines, made

FOLDER = ROOT / "experiments" / "rows"

LARGEST = 1_000_000
"""Bytes of a packed file: each version of it stays in the repository for ever."""

LONGEST = 300
"""Characters of a text in a row: names and short words only, never a program or a prompt."""

_ENDING = ".jsonl.gz"


@contextmanager
def unpacked(*, folder: Path = FOLDER, home: Path = HOME) -> Iterator[None]:
    """Take the packed rows up, and pack all rows at the end, however it ends.

    Raises:
        ValueError: Rows may not be packed; see `pack`.
    """
    unpack(folder=folder, home=home)
    try:
        yield
    finally:
        pack(folder=folder, home=home)


def unpack(*, folder: Path = FOLDER, home: Path = HOME) -> None:
    """Add the packed rows to those of this machine, but for keys that have a later one here."""
    home.mkdir(parents=True, exist_ok=True)
    for file in sorted(folder.glob(f"*{_ENDING}")):
        path = home / f"{file.name.removesuffix(_ENDING)}.jsonl"
        own = _latest(lines(path))
        cut(path)
        with path.open("a", encoding="utf-8") as out:
            for key, line in _latest(_read(file)).items():
                if key not in own or _at(line) > _at(own[key]):
                    out.write(line + "\n")


def pack(*, folder: Path = FOLDER, home: Path = HOME) -> None:
    """Pack the rows of this machine; a file that would hold the same ones stays as it is.

    Raises:
        ValueError: A row holds a text that is none of a row's, or there is too much of them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(home.glob("*.jsonl")):
        file, found = folder / f"{path.stem}{_ENDING}", _latest(lines(path))
        if not found or (file.is_file() and _latest(_read(file)) == found):
            continue
        for line in found.values():
            _check(path.stem, json.loads(line))
        text = "".join(f"{line}\n" for line in found.values())
        packed = gzip.compress(text.encode(), mtime=0)
        if len(packed) > LARGEST:
            raise ValueError(
                f"{path.name}: {len(packed)} bytes packed, and {LARGEST} are allowed\n"
                "keep fewer digits or fewer values in a row"
            )
        torn = file.with_suffix(".torn")
        torn.write_bytes(packed)
        torn.replace(file)


def _read(file: Path) -> list[str]:
    return gzip.decompress(file.read_bytes()).decode().splitlines()


def _latest(found: list[str]) -> dict[str, str]:
    """Return the line of each key that counts."""
    return {json.loads(line)["key"]: line for line in found}


def _at(line: str) -> str:
    return str(made(json.loads(line)).get("at", ""))


def _check(name: str, row: Row) -> None:
    for text in _texts(row):
        if len(text) > LONGEST or "\n" in text:
            raise ValueError(
                f"{name}, {row['key']}: a text of {len(text)} characters: {text[:40]!r}\n"
                "rows hold names and figures, no content: leave it out where the row is made"
            )


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
