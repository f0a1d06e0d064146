"""Break the code behind rows of the requirements, one by one: does a test of the row fail?

Usage: python -m experiments.breaks [--row ROW] [--jobs N] [--write]

The rows were drawn by chance; `breaks.toml` has a change for each. Each is made in a copy of
the project, in which the tests of this row alone are run. Exit code 0: some of them fail each
time; 1: not so.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from experiments.figures.rows import ROOT
from se_agent.cli.app import ended

CHANGES = Path(__file__).with_name("breaks.toml")
PAGE = ROOT / "docs" / "rows.md"
_PARTS = ("docs", "evaluators", "experiments", "operators", "problems", "se_agent", "tests")
_FAILED = 1  # exit code of pytest where tests ran, and some failed
_SECONDS = 1800.0
_HEAD = """# Rows of requirements whose code was broken

Made by `python -m experiments.breaks --write`; do not edit. Of the rows that
`make requirements` asks for, {rows} were drawn by chance. The code behind each was broken in
one place, and the tests of that row alone were run: they have to fail.
`experiments/breaks/breaks.toml` has the changes word by word.

| row | what is broken | tests of the row |
|---|---|---|
"""


@dataclass(frozen=True)
class Break:
    """A change of the code behind a row: in a file, a text that stands there once."""

    row: str
    file: str
    old: str
    new: str

    def apply(self, root: Path) -> None:
        """Break the code of a copy.

        Raises:
            ValueError: The old text is not in its file once.
        """
        path = root / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.row}: its old text is not in {self.file} once")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def breaks() -> list[Break]:
    """Return what is broken."""
    told = tomllib.loads(CHANGES.read_text(encoding="utf-8"))
    return [Break(**each) for each in told["break"]]


def is_noticed(one: Break | None, row: str) -> bool:
    """Say whether a test of a row fails where the code is broken so; None: not at all."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for part in _PARTS:
            shutil.copytree(ROOT / part, root / part, ignore=_ignored)
        shutil.copy(ROOT / "pyproject.toml", root)
        if one is not None:
            one.apply(root)
        done = subprocess.run(
            [*_PYTEST, f"--row={row}", *_tests_of(row)],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
    if done.returncode not in (0, _FAILED):
        raise ValueError(f"{row}: its tests cannot be run:\n{done.stdout[-2000:]}")
    return done.returncode == _FAILED


_PYTEST = (
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-x",
    "-p",
    "no:cacheprovider",
    "-p",
    "tests.rows",
)
_ignored = shutil.ignore_patterns("__pycache__", "results")


def _tests_of(row: str) -> list[str]:
    """Return the files that name a row."""
    found = (ROOT / "tests").rglob("test_*.py")
    named = (path for path in found if f'"{row}"' in path.read_text(encoding="utf-8"))
    return [str(path.relative_to(ROOT)) for path in named if path.name != "test_rows.py"]


def page(found: Sequence[tuple[Break, bool]]) -> str:
    """Return the page of the documents."""
    lines = (
        f"| {one.row} | `{one.file}` | {'fail' if noticed else 'pass: not noticed'} |\n"
        for one, noticed in found
    )
    return _HEAD.format(rows=len(found)) + "".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    """Break one row after the other, print what came of it, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.breaks", description=__doc__)
    parser.add_argument("--row", help="this one alone")
    parser.add_argument("--jobs", type=int, default=2, help="at a time; default: 2")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}, too")
    asked = parser.parse_args(words)
    chosen = [one for one in breaks() if asked.row in (None, one.row)]
    found = []
    with ThreadPoolExecutor(asked.jobs) as pool:
        for one, noticed in zip(chosen, pool.map(_told, chosen), strict=True):
            print(one.row, "fails" if noticed else "NOT NOTICED", one.file, flush=True)
            found.append((one, noticed))
    if asked.write:
        PAGE.write_text(page(found), encoding="utf-8")
    return 0 if all(noticed for _, noticed in found) else 1


def _told(one: Break) -> bool:
    return is_noticed(one, one.row)


if __name__ == "__main__":
    ended(main)
