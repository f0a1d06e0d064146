"""A line of `doctor`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One finding: `cost` says what is lost where `ok` is false."""

    name: str
    ok: bool
    detail: str
    cost: str = ""
