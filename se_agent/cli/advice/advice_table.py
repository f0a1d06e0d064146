"""What `advise` prints: the functions worth the work, and the command to type next.

Not here: how they are found (`commands.advise`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from se_agent.files.kept_back import PACKAGES
from se_agent.wording import command

if TYPE_CHECKING:
    from se_agent.cli.screen import Screen
    from se_agent.user_function.advisor.ranking import Hotspot

_MODEL = "a model"
_FELT = 0.05  # share of the CPU time
_RULES = 3  # names of rules in the table; the JSON has all


@dataclass(frozen=True, kw_only=True)
class AdvisedFunction:
    """A function that is worth the work.

    Attributes:
        hotspot: What it costs.
        rules: Names of the rules that have a change to propose.
        optimize: Words of the command that makes it faster; none: it needs a workload first.
    """

    hotspot: Hotspot
    rules: tuple[str, ...]
    optimize: tuple[str, ...]

    @property
    def is_felt(self) -> bool:
        """Whether anybody would notice that it is faster, with all that it calls."""
        return self.hotspot.whole >= _FELT


def show_advice(screen: Screen, found: Sequence[AdvisedFunction]) -> None:
    """Print the table, then what to type."""
    from se_agent.report.terminal.columns import Columns

    names = ("", "function", "own", "with calls", "growth", "calls", "code", "to try", "where")
    table = Columns(names, right=(0, 2, 3, 4, 5), spare=(6, 5))
    for number, one in enumerate(found, 1):
        spot = one.hotspot
        table.add(
            str(number),
            spot.name,
            f"{spot.own:.0%}",
            f"{spot.whole:.0%}",
            "" if spot.growth is None else f"n^{spot.growth:.1f}",
            f"{spot.calls:,}",
            spot.owner,
            _to_try(one.rules),
            f"{_short(spot.file)}:{spot.line}",
        )
    screen.show([table])
    ruled = next((one for one in found if one.rules and one.is_felt), None)
    first = ruled or found[0]
    if first.optimize:
        model = () if ruled else ("--model", "MODEL")
        why = "next" if ruled else "no rule has a change of it to propose; with a model"
        screen.offer(why, command(*first.optimize, *model))
    else:
        place = f"{path_here(first.hotspot.file)}:{first.hotspot.name}"
        line = command("optimize", place, "--workload", "FILE.py:FUNCTION")
        screen.offer("next: write a function that uses it as this does, and", line)


def json_advice(found: Sequence[AdvisedFunction]) -> list[dict[str, Any]]:
    """Return the functions as `--json` prints them."""
    return [
        {
            "function": one.hotspot.name,
            "file": one.hotspot.file,
            "line": one.hotspot.line,
            "code": str(one.hotspot.owner),
            "own": round(one.hotspot.own, 4),
            "whole": round(one.hotspot.whole, 4),
            "growth": None if one.hotspot.growth is None else round(one.hotspot.growth, 2),
            "calls": one.hotspot.calls,
            "rules": list(one.rules),
            "optimize": command(*one.optimize) if one.optimize else None,
        }
        for one in found
    ]


def path_here(file: str) -> str:
    """Return a path as one would type it in this folder."""
    below = os.path.relpath(file)
    return file if below.startswith("..") else below


def _short(file: str) -> str:
    """Return a path for the table: of an installed package the part below its folder."""
    for folder in PACKAGES:
        if f"/{folder}/" in file:
            return file.rpartition(f"/{folder}/")[2]
    return path_here(file)


def _to_try(rules: Sequence[str]) -> str:
    if not rules:
        return _MODEL
    more = f", {len(rules) - _RULES} more" if len(rules) > _RULES else ""
    return f"{', '.join(rules[:_RULES])}{more}"
