"""What a program says of its functions."""

from __future__ import annotations

from operators.rewrite.program import program

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


def test_functions_of_one_name_are_told_together() -> None:
    parsed = program(TEXT)
    assert parsed is not None
    assert {name: len(found) for name, found in parsed.functions.items()} == {
        "walk": 2,
        "inner": 1,
    }
