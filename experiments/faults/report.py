"""What the study found, as tables: by room, and what is left. Pure.

Not here: the runs themselves (`meet`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from experiments.faults.choice import mirror
from experiments.faults.draw import Planted
from experiments.faults.meet import FAST, Row, latest

EQUAL, FREE, NEW, LEFT = "equal", "free", "new", "left"
"""What a look at a survivor said: no test can tell it apart; the number is anybody's choice, so
that no test should; a test was written that finds it; none does yet."""


@dataclass(frozen=True, kw_only=True)
class Fate:
    """What became of a fault.

    Attributes:
        fault: The fault.
        stage: Stage that found it; empty for a survivor.
        files: Test files that found it, or were written for it.
        verdict: What a look at a survivor said.
    """

    fault: Planted
    stage: str
    files: tuple[str, ...]
    verdict: str = ""


def fates(faults: Iterable[Planted], rows: Sequence[Row], looks: Sequence[Row]) -> list[Fate]:
    """Return what became of each fault: of two rows of a stage the later counts."""
    found: dict[int, list[Row]] = {}
    for row in latest(rows):
        if row["found"]:
            found.setdefault(row["number"], []).append(row)
    looked = {row["number"]: row for row in looks}
    made = []
    for fault in faults:
        mine = found.get(fault.number, [])
        files = sorted({test.partition("::")[0] for row in mine for test in row["tests"]})
        stage = min((row["stage"] for row in mine), key=lambda s: s != FAST, default="")
        look = looked.get(fault.number, {"verdict": LEFT})
        verdict = "" if stage else look["verdict"]
        files = [look["why"]] if verdict == NEW else files
        made.append(Fate(fault=fault, stage=stage, files=tuple(files), verdict=verdict))
    return made


def by_room(all_: Sequence[Fate]) -> list[str]:
    """Return a table in Markdown: a row for each room, and one for all of them."""
    rooms: dict[str, list[Fate]] = {}
    for fate in all_:
        rooms.setdefault(fate.fault.room, []).append(fate)
    head = ["room", "faults", "fast, mirror", "fast, elsewhere", "other tiers"]
    head += ["new test", "equal", "free", "left"]
    rows = [[room, *_counts(some)] for room, some in sorted(rooms.items())]
    rows.append(["all", *_counts(all_)])
    rule = ["---", *["--:"] * (len(head) - 1)]
    return [f"| {' | '.join(map(str, row))} |" for row in (head, rule, *rows)]


def _counts(some: Sequence[Fate]) -> list[int]:
    fast = [fate for fate in some if fate.stage == FAST]
    near = sum(map(_is_near, fast))
    found = sum(bool(fate.stage) for fate in some)
    looks = [sum(fate.verdict == one for fate in some) for one in (NEW, EQUAL, FREE, LEFT)]
    return [len(some), near, len(fast) - near, found - len(fast), *looks]


def _is_near(fate: Fate) -> bool:
    """Say whether a test in the mirror folder of its room found a fault."""
    return any(file.rpartition("/")[0] == mirror(fate.fault.file) for file in fate.files)


def survivors(all_: Iterable[Fate], looks: Iterable[Row]) -> list[str]:
    """Return a line for each fault that nothing finds: what it is, and what a look said."""
    why = {row["number"]: row["why"] for row in looks}
    return [
        f"- {fate.fault.number}: `{fate.fault.file}:{fate.fault.line}`, {fate.fault.kind}; "
        f"{fate.verdict}: {why.get(fate.fault.number, 'not looked at')}"
        for fate in all_
        if not fate.stage and fate.verdict != NEW
    ]
