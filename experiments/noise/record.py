"""The samples of the study, packed into the repository: they took hours to make.

A machine that has none of its own goes on from here. Samples of machines that are as unlike as
an idle and a busy one should not be mixed: remove the files to begin anew.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

from experiments.figures.rows import HOME

FOLDER = Path(__file__).parent / "rows"


def unpack(names: Iterable[str], *, packed: Path = FOLDER, home: Path = HOME) -> None:
    """Put the packed rows where rows are made, unless there are some already."""
    home.mkdir(parents=True, exist_ok=True)
    for name in names:
        file, rows = packed / f"{name}.jsonl.gz", home / f"{name}.jsonl"
        if file.is_file() and not rows.exists():
            rows.write_bytes(gzip.decompress(file.read_bytes()))


def pack(names: Iterable[str], *, packed: Path = FOLDER, home: Path = HOME) -> None:
    """Pack the rows that were made; same rows, same bytes."""
    packed.mkdir(exist_ok=True)
    for name in names:
        rows = home / f"{name}.jsonl"
        if rows.is_file():
            made = gzip.compress(rows.read_bytes(), mtime=0)
            (packed / f"{name}.jsonl.gz").write_bytes(made)
