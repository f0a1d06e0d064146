"""Gates on names: each has one meaning, and what texts name exists."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable

from tests.house import PACKAGES, modules

LIBRARY = "operators/known_functions/library/"
"""Texts that are inserted into users' programs; their names are not the house's."""


class TestClasses:
    def test_no_public_class_name_is_defined_in_two_modules(self) -> None:
        ours = ((where, text) for where, text in modules(*PACKAGES) if LIBRARY not in where)
        assert classes_of_one_name(ours) == []

    def test_a_name_that_two_modules_define_is_found_even_inside_a_function(self) -> None:
        texts = [("one.py", "class Plan: ..."), ("two.py", "def f():\n    class Plan: ...")]
        assert classes_of_one_name(texts) == ["Plan: one.py, two.py"]

    def test_private_classes_may_share_their_name(self) -> None:
        texts = [("one.py", "class _Plan: ..."), ("two.py", "class _Plan: ...")]
        assert classes_of_one_name(texts) == []


def classes_of_one_name(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return each public class name that two modules define, with these modules."""
    places: dict[str, set[str]] = defaultdict(set)
    for where, text in texts:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(where)
    return [f"{name}: {', '.join(sorted(at))}" for name, at in places.items() if len(at) > 1]
