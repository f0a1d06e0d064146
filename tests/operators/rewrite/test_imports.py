"""What imported names stand for."""

from __future__ import annotations

from operators.rewrite.imports import Import, imports
from operators.rewrite.program import program

TEXT = """
import os.path
import collections.abc as shapes
from functools import lru_cache as cache, reduce
from .near import one
from math import *


def walk():
    import json
"""


def test_imports_are_told_with_what_their_names_stand_for() -> None:
    parsed = program(TEXT)
    assert parsed is not None
    assert imports(parsed) == (
        Import("os", "os.path"),
        Import("shapes", "collections.abc"),
        Import("cache", "functools", "lru_cache"),
        Import("reduce", "functools", "reduce"),
        Import("one", ".near", "one"),
        Import("json", "json", at_top=False),
    )
    assert [each.stands_for for each in imports(parsed)] == [
        "os",
        "collections.abc",
        "functools.lru_cache",
        "functools.reduce",
        ".near.one",
        "json",
    ]
