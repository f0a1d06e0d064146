"""What all operators that make exact edits propose for the texts of tests and problems.

Run as a program (`python -m tests.operators.proposals`) it reads texts with their suffixes as
JSON, and prints a line a proposal, in their order. Two processes with other hash seeds have to
print the same.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from operators.editing.edits import Editing
from se_agent import registry

ROOT = Path(__file__).parents[2]


def texts() -> list[tuple[str, str]]:
    """Return suffix and text of each program, once, in the order of their digests."""
    found: dict[str, str] = {}
    for path in sorted(ROOT.glob("problems/*/**/*")):
        if path.suffix in (".py", ".cpp"):
            found[path.read_text(encoding="utf-8")] = path.suffix
    for path in sorted(ROOT.glob("tests/**/*.py")):
        for text in _strings(path):
            if (suffix := _suffix(text)) and text not in found:
                found[text] = suffix
    return sorted(
        ((suffix, text) for text, suffix in found.items()), key=lambda one: _digest(one[1])
    )


def editing() -> Iterator[Editing]:
    """Yield the operators that are registered and need nothing but a text."""
    for name in registry.names("operator"):
        made = registry.load("operator", name)()
        if isinstance(made, Editing):
            yield made


def proposals(given: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a line a proposal, for suffixes and texts."""
    known = list(editing())
    for suffix, text in given:
        for operator in known:
            if operator.language.suffix == suffix:
                for one in operator.candidates(text):
                    told = (operator.name, one.edit, one.direction, one.effect)
                    yield f"{_digest(text)} {told} {_digest(one.text)}"


def _strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield textwrap.dedent(node.value).strip("\n") + "\n"


def _suffix(text: str) -> str:
    """Return the suffix of a program's file; empty for a text that is none."""
    if "#include" in text:
        return ".cpp"
    if "\n" not in text.strip() or not ("def " in text or "for " in text):
        return ""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return ""
    return ".py"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


if __name__ == "__main__":
    for line in proposals(json.load(sys.stdin)):
        sys.stdout.write(f"{line!a}\n")
