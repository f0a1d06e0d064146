"""What a workspace has learned for sure, as a page that coding agents load: SKILL.md.

Verified lessons, fixes that helped, and what people ask for; nothing that is only believed.
Pure. Every text is one line: what a lesson says can forge no heading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from se_agent.chat.escaping import inline
from se_agent.memory.experience.item_rows import ItemKind, ItemRow, ItemStatus
from se_agent.memory.experience.long_term import FixRow

MOST = 40
"""Lines of a section: a page that is longer is not read."""

_HEAD = """---
name: {name}
description: What runs of se-agent in this workspace have proven about making its programs
  faster. Read it before you change one; `se-agent memory explain ID` explains a line.
---

# What was learned here
"""


def skill_page(
    items: Iterable[ItemRow], fixes: Iterable[FixRow], *, name: str = "learned-by-se-agent"
) -> str:
    """Return the page.

    Args:
        items: Lessons and policies, of any status.
        fixes: What mended errors.
        name: Name of the skill.
    """
    rows = list(items)
    lessons = sorted(filter(_is_verified, rows), key=lambda row: (-row.effect, row.id))
    sections = {
        "Keep to this": map(_policy, filter(_is_policy, rows)),
        "This made programs faster": map(_lesson, lessons),
        "This mended errors": map(_fix, (fix for fix in fixes if fix.verified)),
    }
    return "\n".join([_HEAD.format(name=name), *_written(sections)])


def _written(sections: Mapping[str, Iterator[str]]) -> Iterator[str]:
    is_empty = True
    for title, lines in sections.items():
        told = [line for _, line in zip(range(MOST), lines, strict=False)]
        if told:
            is_empty = False
            yield "\n".join([f"## {title}", "", *told, ""])
    if is_empty:
        yield "Nothing is proven yet.\n"


def _is_policy(row: ItemRow) -> bool:
    return row.kind == ItemKind.POLICY and ItemStatus(row.status).is_valid


def _is_verified(row: ItemRow) -> bool:
    """Say whether a lesson was part of a confirmed champion, and still holds."""
    valid = ItemStatus(row.status).is_valid
    return row.kind == ItemKind.LESSON and row.verified and valid


def _policy(row: ItemRow) -> str:
    return f"- {inline(row.content or row.title)} ({row.id})"


def _lesson(row: ItemRow) -> str:
    where = f" [{', '.join(map(inline, row.scope))}]" if row.scope else ""
    told = ": ".join(inline(text) for text in (row.title, row.description) if text)
    return f"- {told}{where} ({row.id})"


def _fix(fix: FixRow) -> str:
    times = "once" if fix.frequency == 1 else f"{fix.frequency} times"
    return f"- `{inline(fix.error_pattern)}`: {inline(fix.solution)} ({times})"
