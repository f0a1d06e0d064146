"""How long the sentences of our pages are: `python -m experiments.docs.readability`.

Prose only: code, tables, headings and pictures are left out. Inline code counts as one word.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
GUIDES = (
    "README.md",
    "docs/index.md",
    "docs/prove.md",
    "docs/workload.md",
    "docs/experiments.md",
    "docs/report.md",
    "docs/notebooks.md",
    "docs/models.md",
    "docs/memory.md",
    "docs/objectives.md",
    "docs/measurement.md",
    "docs/isolation.md",
    "docs/security.md",
    "problems/README.md",
)
"""Pages for users, in the order of the site."""

WRITTEN = (
    *GUIDES,
    "docs/cli.md",
    "docs/design.md",
    "docs/tried.md",
    "docs/glossary.md",
    "docs/faults.md",
    "CONTRIBUTING.md",
    "experiments/README.md",
)
"""Pages that people write; of `docs/cli.md` what stands between the help texts."""

LIMIT = 40
"""Words that a sentence of these pages may have."""

_FENCED = re.compile(r"^```.*?^```$|<!--.*?-->", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4,}.*\n+)+")
_NO_PROSE = re.compile(r"^(?:#|\|).*$", re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_PATH = re.compile(r"\[[\w./-]+\.md\]\([^)]*\)")
_CODE = re.compile(r"(`+).+?\1", re.DOTALL)
_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)")
_ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
_END = re.compile(r"(?<=[.!?])[*_\")]*\s+(?=[*_\"(]*(?:[A-Z§]|se-agent))")
_WORD = re.compile(r"[^\W_][\w'.,%-]*")


class Row(NamedTuple):
    """The sentences of one page."""

    page: str
    words: int
    """Words of the whole file, as `wc -w` counts them."""
    prose: int
    sentences: int
    median: int
    ninth: int
    """Nine of ten sentences have at most that many words."""
    longest: int


def sentences(page: str) -> Iterator[str]:
    """Yield each sentence of a page on one line, with § for inline code and paths."""
    text = _NO_PROSE.sub("\n", _INDENTED.sub("\n", _FENCED.sub("\n", page)))
    text = _PATH.sub("§", _PICTURE.sub("", text))
    text = _CODE.sub("§", _LINK.sub(r"\1", text))
    for block in _BLOCK.split(text):
        line = " ".join(_ITEM.sub("", block).split())
        yield from (each for each in _END.split(line) if each)


def length(sentence: str) -> int:
    """Return the words of a sentence; inline code is one."""
    return len(_WORD.findall(sentence.replace("§", "code")))


def row(name: str, page: str) -> Row:
    """Return the figures of a page."""
    lengths = sorted(filter(None, map(length, sentences(page)))) or [0]
    count = len(lengths)
    median, ninth = lengths[count // 2], lengths[min(count - 1, count * 9 // 10)]
    return Row(name, len(page.split()), sum(lengths), count, median, ninth, lengths[-1])


def too_long(name: str, page: str) -> Iterator[str]:
    """Yield each sentence of a page that has more than `LIMIT` words, with its length."""
    for each in sentences(page):
        if (words := length(each)) > LIMIT:
            yield f"{name}: {words} words: {each}"


def table(pages: list[str]) -> str:
    """Return the figures of pages as a table in Markdown."""
    lines = ["| page | words | prose | sentences | median | 90 % | longest |"]
    lines.append("|---|" + "--:|" * 6)
    for name in pages:
        cells = row(name, (ROOT / name).read_text(encoding="utf-8"))
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, or the sentences that are too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", help="from the root of the project; else all")
    parser.add_argument("--long", action="store_true", help="print sentences that are too long")
    asked = parser.parse_args()
    others = [f"docs/{path.name}" for path in sorted(ROOT.glob("docs/*.md"))]
    pages = asked.pages or list(dict.fromkeys((*WRITTEN, *others)))
    if asked.long:
        for name in pages:
            for each in too_long(name, (ROOT / name).read_text(encoding="utf-8")):
                print(each)
    else:
        print(table(pages))


if __name__ == "__main__":
    main()
