"""What the gates of the house read: its files, their syntax trees, a fresh interpreter."""

from __future__ import annotations

import ast
import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("se_agent", "operators", "evaluators")
CODE = (*PACKAGES, "tests", "experiments")


@cache
def tracked() -> tuple[Path, ...]:
    """All files of the project: what git knows, or everything in an unpacked source archive."""
    if not (ROOT / ".git").exists():
        return tuple(path for path in ROOT.rglob("*.*") if ".venv" not in path.parts)
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    paths = [ROOT / name for name in listed.split("\0") if name]
    return tuple(path for path in paths if path.is_file())


def modules(*folders: str) -> Iterator[tuple[str, str]]:
    """Yield relative path and text of each Python file below the folders."""
    for path in tracked():
        where = path.relative_to(ROOT)
        if where.suffix == ".py" and where.parts[0] in folders:
            yield str(where), source_of(path)


@cache
def source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@contextmanager
def unwatched() -> Iterator[None]:
    """Keep the garbage collector away from trees, now and later: they stay to the end.

    Two thirds of the time of parsing were its own.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@cache
def tree(text: str) -> ast.Module:
    """Parse a module; all gates share its tree, and none may change it."""
    with unwatched():
        return ast.parse(text)


@cache
def parts(text: str) -> tuple[ast.AST, ...]:
    """Return the nodes of a module's tree, in the order of `ast.walk`."""
    whole = tree(text)
    with unwatched():
        return tuple(ast.walk(whole))


def nodes(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    for where, text in modules(*folders):
        for node in parts(text):
            yield where, node


def described(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and value of each text of a module that stands as a statement of its own."""
    for node in parts(text):
        match node:
            case ast.Expr(value=ast.Constant(value=str(words)), lineno=line):
                yield line, words


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def python(script: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)
