"""What a program says of its functions and imports."""

from __future__ import annotations

from operators.rewrite.program import Import, program

TEXT = """
import os.path
import collections.abc as shapes
from functools import lru_cache as cache, reduce
from .near import one
from math import *


class Tree:
    def walk(self):
        import json


def walk(tree):
    def inner():
        return reduce
    return inner
"""


def test_imports_are_told_with_what_their_names_stand_for() -> None:
    parsed = program(TEXT)
    assert parsed is not None
    assert parsed.imports == (
        Import("os", "os.path"),
        Import("shapes", "collections.abc"),
        Import("cache", "functools", "lru_cache"),
        Import("reduce", "functools", "reduce"),
        Import("one", ".near", "one"),
        Import("json", "json", at_top=False),
    )
    assert [each.stands_for for each in parsed.imports] == [
        "os",
        "collections.abc",
        "functools.lru_cache",
        "functools.reduce",
        ".near.one",
        "json",
    ]


def test_functions_of_one_name_are_told_together() -> None:
    parsed = program(TEXT)
    assert parsed is not None
    assert {name: len(found) for name, found in parsed.functions.items()} == {
        "walk": 2,
        "inner": 1,
    }
