"""A note on how long a large journal takes, before it is read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from se_agent.cli.screen import say_note
from se_agent.wording import counted

WHOLE = 0.2
"""CPU seconds that a megabyte of a journal takes where all of it is told, as measured."""

RESULT = 0.025
"""The same where only the result is."""

_LONG = 20.0
"""Seconds from which on somebody waits long enough to be told."""


def tell_long_wait(
    places: Iterable[Path], seconds_per_mb: float = WHOLE, *, long: float = _LONG
) -> None:
    """Say how long the journals of some places take together; nothing of what is soon done.

    Args:
        places: Folders of runs, of runs' folders, or of such folders.
        seconds_per_mb: What a megabyte takes: `WHOLE` or `RESULT`.
        long: Seconds from which on it is told.
    """
    depths = ("run.db", "*/run.db", "*/*/run.db")
    found = (file for place in places for depth in depths for file in place.glob(depth))
    size = sum(file.stat().st_size for file in dict.fromkeys(found)) / 1e6
    seconds = size * seconds_per_mb
    if seconds < long:
        return
    minutes = round(seconds / 60)
    told = counted(minutes, "minute") if minutes else counted(round(seconds), "second")
    say_note(f"reading {size:,.0f} MB of journals: about {told}")
