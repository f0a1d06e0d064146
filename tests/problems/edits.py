"""The edits of `edits.toml`: gains and traps of the shipped functions."""

from __future__ import annotations

import enum
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Fate(enum.StrEnum):
    """What becomes of a program that is edited so."""

    RIGHT = "right"
    WRONG = "wrong"
    SLOWER = "slower"


class Change(NamedTuple):
    """One edit: replacements of texts that stand exactly once in the program."""

    name: str
    fate: Fate
    swaps: tuple[tuple[str, str], ...]

    def applied(self, text: str) -> str:
        """Return the edited program."""
        for old, new in self.swaps:
            assert text.count(old) == 1, (self.name, old, text.count(old))
            text = text.replace(old, new)
        return text


def _read() -> Mapping[str, tuple[Change, ...]]:
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        problem: tuple(_change(row) for row in changes) for problem, changes in rows.items()
    }


def _change(row: Mapping[str, object]) -> Change:
    name, fate, swaps = row["name"], row["fate"], row["swaps"]
    assert isinstance(name, str)
    assert isinstance(fate, str)
    assert isinstance(swaps, list)
    return Change(name, Fate(fate), tuple((old, new) for old, new in swaps))


CHANGES = _read()
