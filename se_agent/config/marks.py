"""Marks of keys of the run file, which stand beside their types: `Annotated[int, CAN_CHANGE]`.

A mark of a table holds for all keys in it.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Mark(NamedTuple):
    """What a key has besides its type."""

    says: str


CAN_CHANGE: Final = Mark("it may change while a run goes on")
CAN_SHRINK: Final = Mark("names in it may be left out while a run goes on")
IS_FILE: Final = Mark("a path: a relative one starts at the run file that has it")
