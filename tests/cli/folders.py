"""Problem folders, written in a moment and small enough to be run in one."""

from __future__ import annotations

from pathlib import Path

PROBLEM = """
kind = "function"
entry_point = "pairs"

[inputs]
sizes = [5, 200]
visible = 2
"""
INITIAL = """
def pairs(numbers, total):
    found = 0
    for one in numbers:
        for other in numbers:
            if one + other == total:
                found += 1
    return found
"""
GENERATOR = """
def generate(rng, size):
    return [rng.randrange(size) for _ in range(size)], rng.randrange(2 * size)
"""


def problem_folder(
    home: Path, *, problem: str = "", initial: str = "", generator: str = "", cases: str = ""
) -> Path:
    """Write a problem that counts pairs, with some of its files replaced."""
    folder = home / "pairs"
    folder.mkdir()
    texts = {
        "problem.toml": problem or PROBLEM,
        "initial.py": initial or INITIAL,
        "generator.py": generator or GENERATOR,
        "cases.toml": cases,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
