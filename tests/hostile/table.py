"""The table of `docs/attacks.md`: one row a program, written from what was seen. Text only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tests.hostile.attack import Attack
from tests.hostile.programs import ATTACKS, LEVELS, THEMES

DOCUMENT = Path(__file__).parents[2] / "docs" / "attacks.md"
_BEGIN, _END = "<!-- seen: begin -->\n", "<!-- seen: end -->\n"


def row(attack: Attack, endings: Sequence[str]) -> str:
    """Return the row of a program, with what was seen at each level."""
    cells = (attack.name, attack.tries, attack.place, *endings)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def rendered(seen: Callable[[Attack, str], str], machine: str) -> str:
    """Return the whole table.

    Args:
        seen: Says how a program ended at a level.
        machine: Where that was seen, in words.
    """
    lines = [f"{len(ATTACKS)} programs. Seen on {machine}."]
    for theme, attacks in THEMES.items():
        lines += ["", f"### {theme}", ""]
        lines.append("| program | it ... | where | " + " | ".join(LEVELS) + " |")
        lines.append("|---|---|---|" + "---|" * len(LEVELS))
        lines += [row(attack, [seen(attack, level) for level in LEVELS]) for attack in attacks]
    return "\n".join(lines) + "\n"


def written(document: str, table: str) -> str:
    """Return the document with the table in its place."""
    head, _, rest = document.partition(_BEGIN)
    _, _, tail = rest.partition(_END)
    return f"{head}{_BEGIN}{table}{_END}{tail}"
