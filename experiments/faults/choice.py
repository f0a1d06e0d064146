"""Chooses the tests that may notice a fault in a module: place, imports, words. Pure.

The mirror of a module is `tests/<room>/test_<module>.py` and `test_<module>_*.py`; if there is
none, the files of the mirror folder that import the module. Near it are the rest of that
folder, and all files elsewhere that import the module, or one of its names from the face of its
folder.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

MOST, FILES = 60, 10
"""Tests that come by a fault and are run with it, and their files beside the mirror."""

_GATES = re.compile(r"tests/test_(house|unordered)\w*\.py")
"""Tests that read source texts find a fault by its looks, which says nothing."""


class Choice:
    """The test files of a repository, and what they import."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def some(self, file: str, come: Iterable[str]) -> list[str]:
        """Return some of the tests that come by a module, those of its mirror first.

        Of the others, the nearest files give a test each before a second of any. Where none
        comes by, it is the mirror, or what is near: what runs in a jail notes nothing.
        """
        mirror = self.mirror(file)
        files: dict[str, list[str]] = {}
        for test in come:
            files.setdefault(test.partition("::")[0], []).append(test)
        first = [test for name in mirror for test in files.pop(name, [])] or mirror
        near = dict.fromkeys([*self.near(file), *files])
        others = [files[name] for name in near if name in files and name in self._texts]
        rows = zip_longest(*others[:FILES])
        rest = [test for row in rows for test in row if test]
        if not (first or rest):
            return self.near(file)[:FILES]
        return [*first[: MOST // 2], *rest][:MOST]

    def mirror(self, file: str) -> list[str]:
        """Return the test files that are named after a module."""
        folder = mirror(file)
        stem = re.escape(Path(file).stem)
        named = re.compile(rf"test_{stem}(_\w+)?\.py")
        here = [test for test in self._texts if str(Path(test).parent) == folder]
        first = [test for test in here if named.fullmatch(Path(test).name)]
        return first or sorted({*here} & {*self._importing(file)})

    def near(self, file: str) -> list[str]:
        """Return the test files that may know a module, the nearest first."""
        folder = mirror(file)
        here = [test for test in self._texts if str(Path(test).parent) == folder]
        importing = self._importing(file)
        near = [*self.mirror(file), *sorted(here, key=lambda test: test not in importing)]
        return list(dict.fromkeys([*near, *importing]))

    def _importing(self, file: str) -> list[str]:
        """Return the tests that import a module, or one of its names from the face above it."""
        module = file.removesuffix(".py").replace("/", ".")
        parent, _, name = module.rpartition(".")
        names = "|".join([name, *_public((self._root / file).read_text(encoding="utf-8"))])
        told = re.compile(
            rf"\b{re.escape(module)}\b"
            rf"|from {re.escape(parent)} import (?:\([^)]*|[^\n(]*)\b(?:{names})\b"
        )
        near = [test for test, text in self._texts.items() if parent in text]  # quick
        return [test for test in near if told.search(self._texts[test])]

    @cached_property
    def _texts(self) -> dict[str, str]:
        paths = sorted((self._root / "tests").rglob("test_*.py"))
        names = {str(path.relative_to(self._root)): path for path in paths}
        return {
            name: path.read_text(encoding="utf-8")
            for name, path in names.items()
            if not _GATES.fullmatch(name)
        }


def mirror(file: str) -> str:
    """Return the folder of the tests of a module."""
    parts = Path(file).parent.parts
    return "/".join(("tests", *(parts[1:] if parts[0] == "se_agent" else parts)))


def _public(text: str) -> list[str]:
    """Return the classes and functions of a module that others may use."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    defined = [node.name for node in ast.parse(text).body if isinstance(node, kinds)]
    return [name for name in defined if not name.startswith("_")]
