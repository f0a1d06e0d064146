"""Problem folders for tests: the smallest one, and ways to spoil it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.problem.loading import load_problem

TOML = 'kind = "function"\nentry_point = "solve"\n\n[inputs]\nsizes = [10, 100]\n'
SCORED = TOML.replace("function", "score") + '\n[score]\ndirection = "maximize"\n'
STDIO = 'kind = "stdio"\n\n[inputs]\nsizes = [10]\n'
INITIAL = "def solve(xs):\n    return sorted(xs)\n"
GENERATOR = "def generate(rng, size):\n    return ([rng.random()] * size,)\n"
SMALLEST = {"problem.toml": TOML, "initial.py": INITIAL, "generator.py": GENERATOR}


def folder(path: Path, files: Mapping[str, str | None]) -> Path:
    """Write the smallest problem with some files changed, added, or (None) left out."""
    for name, text in {**SMALLEST, **files}.items():
        if text is not None:
            (path / name).write_text(text, encoding="utf-8")
    return path


def told(path: Path, files: Mapping[str, str | None]) -> tuple[str, str]:
    """Return the error and the hint of a spoilt folder; the error names the folder."""
    spoilt = folder(path, files)
    with pytest.raises(ProblemError, match=re.escape(str(path))) as caught:
        load_problem(spoilt)
    return str(caught.value), caught.value.hint
