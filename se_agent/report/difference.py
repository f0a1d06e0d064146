"""Two programs side by side, as a unified diff that `patch` accepts."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from se_agent.report.words.phrases import clean
from se_agent.values.solution import Solution
from se_agent.wording import counted

if TYPE_CHECKING:
    from rich.text import Text

_STYLES = (("+++", "bold"), ("---", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red"))


def unified(old: Solution, new: Solution) -> list[str]:
    """Return the lines of a unified diff, without their ends; empty for equal texts."""
    lines: list[str] = []
    for path in sorted({*old.files, *new.files}):
        lines += _file(old.files, new.files, path, (old.id, new.id))
    return lines


def _file(
    old: Mapping[str, str], new: Mapping[str, str], path: str, names: tuple[str, str]
) -> Iterator[str]:
    before, after = (texts.get(path, "").splitlines(keepends=True) for texts in (old, new))
    first, second = (f"{name}/{path}" for name in names)
    for line in difflib.unified_diff(before, after, first, second):
        yield line.rstrip("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def coloured(lines: Sequence[str], *, limit: int = 0) -> Text:
    """Return diff lines in colour, cut after `limit` of them (0: none is cut)."""
    from rich.text import Text

    shown = lines[:limit] if limit else lines
    text = Text("\n").join(Text(clean(line), style=_style(line)) for line in shown)
    text.no_wrap = True  # a patch is copied as it stands
    if len(shown) < len(lines):
        text.append(f"\n... {counted(len(lines) - len(shown), 'more line')}", style="dim")
    return text


def _style(line: str) -> str:
    return next((style for mark, style in _STYLES if line.startswith(mark)), "")
