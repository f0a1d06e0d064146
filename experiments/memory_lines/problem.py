"""A small problem that rules make faster, and some make wrong: runs of it take a minute."""

from __future__ import annotations

from pathlib import Path

_FILES = {
    "problem.toml": """kind = "function"
title = "Names that come again"
family = "lists"
entry_point = "repeated"

[inputs]
sizes = [10, 100, 400]
visible = 1
""",
    "initial.py": '''def repeated(names, banned):
    """Names that occur more than once and are not banned, and a line on each."""
    found = []
    for name in names:
        if name not in banned and name not in found and names.count(name) > 1:
            found.append(name)
    text = ""
    for name in sorted(found):
        text += "%s: %d\\n" % (name, names.count(name))
    return found, text
''',
    "generator.py": """def generate(rng, size):
    names = ["name-%d" % rng.randrange(size) for _ in range(size)]
    return names, ["name-%d" % rng.randrange(size) for _ in range(size // 4)]
""",
}


def write_problem(folder: Path) -> Path:
    """Write the problem into a folder that is made, and return that."""
    folder.mkdir(parents=True)
    for name, text in _FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
