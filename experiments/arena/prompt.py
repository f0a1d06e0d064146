"""What a reader who knows nothing but the prompt finds in it.

Fences, headings, the words of headings: nothing here knows who wrote the prompt. Not here: what
is answered (`draw`, `answer`).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from experiments.arena.corpus import Lot

_FENCE = re.compile(r"^ {0,3}(`{3,})\s*(\w*)\s*$")
_HEADING = re.compile(r"^(#{1,6})\s+(.+)$")

_BASE = re.compile(r"current program|program (that is right|to (change|improve|repair))", re.I)
_BESIDE = re.compile(
    r"another|unlike|inspir|top[- ]|previous|prior|diverse|attempt|archive", re.I
)
_WANTED = re.compile(
    r"strategy to follow|follow(s)? th(e|is) strategy|suggested by a person", re.I
)
_FAILED = re.compile(r"tabu|fail|\bworse|slower|avoid|refuted|did not help|regress", re.I)
_WORKED = re.compile(r"recommended|what worked|success", re.I)
_AFAR = re.compile(
    r"(different|another|new) (algorithm|approach|way|strateg)|otherwise than", re.I
)


class Form(enum.Enum):
    """What is asked for."""

    PLAN = "strategies, in JSON"
    LESSON = "directions and an item for the memory, in JSON"
    DIGEST = "fewer lessons, in JSON"
    DIFF = "SEARCH/REPLACE blocks"
    WHOLE = "a whole program"


@dataclass(frozen=True)
class Part:
    """Text below a heading.

    Attributes:
        heading: The headings above it, from the outermost.
        lines: Outside of fences.
        blocks: Inside of fences.
    """

    heading: str
    lines: tuple[str, ...]
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """What a prompt asks for.

    Attributes:
        form: Form of the answer.
        text: The whole prompt.
        lot: The problem, if the corpus has it.
        parent: The program that shall be changed; empty: none is shown.
        shown: Other programs in the prompt.
        wanted: Words on the strategy that shall be followed.
        failed: Lines on what failed.
        worked: Lines on what worked.
        afar: Whether something unlike the parent is wanted.
    """

    form: Form
    text: str
    lot: Lot | None = None
    parent: str = ""
    shown: tuple[str, ...] = ()
    wanted: str = ""
    failed: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()
    afar: bool = False


def read(text: str, lots: Sequence[Lot]) -> Asked:
    """Return what a prompt asks for; the messages are joined by blank lines."""
    found = parts(text)
    lot = _lot(text, lots)
    entry = lot.problem.entry_point if lot else ""
    programs = _programs(found, entry) if lot else []
    parent = max(programs, key=lambda program: program[0], default=(0, ""))
    return Asked(
        form=_form(text),
        text=text,
        lot=lot,
        parent=parent[1],
        shown=tuple(program for _, program in programs if program != parent[1]),
        wanted=" ".join(_told(found, _WANTED)),
        failed=tuple(_told(found, _FAILED)),
        worked=tuple(_told(found, _WORKED)),
        afar=bool(_AFAR.search(" ".join(line for part in found for line in part.lines))),
    )


def parts(text: str) -> list[Part]:
    """Split a prompt at its headings; what stands between fences is no heading."""
    above: list[tuple[int, str]] = []
    found: list[tuple[str, list[str], list[list[str]]]] = [("", [], [])]
    fence = ""
    for line in text.split("\n"):
        if fence:
            if line.strip() == fence:
                fence = ""
            else:
                found[-1][2][-1].append(line)
        elif opening := _FENCE.match(line):
            fence = opening[1]
            found[-1][2].append([])
        elif heading := _HEADING.match(line):
            level = len(heading[1])
            above = [(n, words) for n, words in above if n < level] + [(level, heading[2])]
            found.append((" / ".join(words for _, words in above), [], []))
        else:
            found[-1][1].append(line)
    return [
        Part(heading, tuple(lines), tuple("\n".join(b) + "\n" for b in blocks))
        for heading, lines, blocks in found
    ]


def _form(text: str) -> Form:
    if '"updated_directions"' in text:
        return Form.LESSON
    if '"strategies"' in text:
        return Form.PLAN
    if '"items"' in text:
        return Form.DIGEST
    return Form.DIFF if re.search(r"<{5,} SEARCH", text) else Form.WHOLE


def _lot(text: str, lots: Sequence[Lot]) -> Lot | None:
    """Return the problem whose entry point or title the prompt names most often."""

    def named(lot: Lot) -> int:
        title = lot.problem.statement.partition("\n")[0].lstrip("# ")
        return len(re.findall(rf"\b{lot.problem.entry_point}\(", text)) + text.count(title)

    best = max(lots, key=named, default=None)
    return best if best and named(best) else None


def _programs(found: Sequence[Part], entry: str) -> list[tuple[int, str]]:
    """Return each program of a prompt once, with how likely it is the one to change."""
    programs: dict[str, int] = {}
    for part in found:
        likely = 1
        if _BASE.search(part.heading):
            likely = 3
        elif _BESIDE.search(part.heading):
            likely = 0
        for block in part.blocks:
            if re.search(rf"^def {entry}\(", block, re.M):
                programs[block] = max(likely, programs.get(block, 0))
    return [(likely, program) for program, likely in programs.items()]


def _told(found: Sequence[Part], sign: re.Pattern[str]) -> Iterator[str]:
    """Yield the lines below headings that bear a sign."""
    for part in found:
        if sign.search(part.heading):
            yield from (line.strip() for line in part.lines if line.strip())
