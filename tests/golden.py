"""Texts that are kept as files, and compared whole: prompts.

After a change that is meant, write them anew and read the difference before it is committed:

    python -m tests.golden tests.operators.written.prompts

A module that is named there has a mapping `TEXTS` from a file's path to the text it shall hold.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def kept(path: Path) -> str:
    """Return the text that is kept; empty where there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def write(module: str) -> None:
    """Write the texts of a module."""
    for path, text in import_module(module).TEXTS.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for named in sys.argv[1:]:
        write(named)
