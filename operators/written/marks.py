"""EVOLVE-BLOCK marks: of a program that has them only what is between them may change.

Pure. The marks are comments, such as `# EVOLVE-BLOCK-START` and `// EVOLVE-BLOCK-END`; they are
part of what stays. Not here: what else may not change (`reading`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from operators.written.cited import cited
from se_agent.errors import ReplyError
from se_agent.program.features import EVOLVE_MARK


@dataclass(frozen=True)
class Regions:
    """The lines of a text: `outside` stays, and has one part more than `inside`."""

    outside: tuple[tuple[str, ...], ...]
    inside: tuple[tuple[str, ...], ...]


def regions(text: str) -> Regions:
    """Return the regions of a text; one without marks is all outside."""
    outside: list[list[str]] = [[]]
    inside: list[list[str]] = []
    within = False
    for line in text.split("\n"):
        mark = EVOLVE_MARK.search(line)
        if mark and within:
            outside.append([])
        (inside[-1] if within and not mark else outside[-1]).append(line)
        if mark:
            within = mark[1] == "START"
        if mark and within:
            inside.append([])
    if within:
        outside.append([])
    return Regions(tuple(map(tuple, outside)), tuple(map(tuple, inside)))


def marked(text: str) -> bool:
    """Say whether a text has marks."""
    return bool(EVOLVE_MARK.search(text))


def within_marks(old: str, new: str) -> str:
    """Return `new` with all that is outside the marks as it is in `old`.

    Where `old` has no marks, `new` may differ anywhere. A reply may leave out what is outside,
    all of it between two blocks, or repeat it: only a changed line is refused.

    Raises:
        ReplyError: `new` has other marks, or changes a line outside of them.
    """
    if not marked(old):
        return new
    kept, given = regions(old), regions(new)
    if len(kept.inside) != len(given.inside):
        raise ReplyError(
            f"the program has {len(kept.inside)} EVOLVE-BLOCK-START marks, the answer "
            f"{len(given.inside)}: repeat both marks of each block, and change only what is "
            "between them"
        )
    for before, after in zip(kept.outside, given.outside, strict=True):
        _compare(before, after)
    parts: list[str] = list(kept.outside[0])
    for within, behind in zip(given.inside, kept.outside[1:], strict=True):
        parts += [*within, *behind]
    return "\n".join(parts)


def _compare(before: Sequence[str], after: Sequence[str]) -> None:
    old, new = _bare(before), _bare(after)
    if not any(not EVOLVE_MARK.search(line) for line in new):
        return
    for first, second in zip_longest(old, new):
        if first != second:
            made = "a line is missing" if second is None else f"stands\n{cited([second])}"
            was = "" if first is None else f"\nwhere the program has\n{cited([first])}"
            raise ReplyError(
                f"code outside the EVOLVE-BLOCK marks may not change; in the answer {made}{was}"
            )


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip() for line in lines if line.strip()]
