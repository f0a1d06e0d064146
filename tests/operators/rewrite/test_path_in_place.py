"""A recursion shares one path, which is as long as before after each inner call."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.path_in_place import PathInPlace
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def walk(tree, path, found):
    if not tree:
        found.append("/".join(path))
    for name, below in enumerate(tree):
        walk(below, path + [str(name)], found)  # deeper

def solve(tree):
    found = []
    walk(tree, [], found)
    return found
"""
AFTER = """
def walk(tree, path, found):
    if not tree:
        found.append("/".join(path))
    for name, below in enumerate(tree):
        path.append(str(name))
        walk(below, path, found)  # deeper
        path.pop()

def solve(tree):
    found = []
    walk(tree, [], found)
    return found
"""
KEPT = """
class Walk:
    def paths(self, tree, path):
        found = [path] if len(tree) < 2 else []
        for name, below in enumerate(tree):
            if len(path) < 6:
                found += self.paths(below, path + [name, -1])
            else:
                self.paths(below, path)
        return found + [path]

def solve(tree):
    return Walk().paths(tree, [7])
"""


class TestContract(RuleContract):
    rule = PathInPlace
    slow = SLOW
    others = (KEPT,)


def test_the_path_grows_and_shrinks() -> None:
    assert rewritten(PathInPlace(), SLOW) == [dedented(AFTER)]


def test_what_is_kept_is_a_copy() -> None:
    (text,) = rewritten(PathInPlace(), KEPT)
    assert "found = [path.copy()] if len(tree) < 2 else []\n" in text
    assert "return found + [path.copy()]\n" in text
    assert text.count("path.pop()\n") == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("(tree, path, found):", "(tree, path=[], found=None):", id="a-default"),
        pytest.param(
            "    if not tree:", "    path = path or []\n    if not tree:", id="set-anew"
        ),
        pytest.param("    if not tree:", "    old = path\n    if not tree:", id="another-name"),
        pytest.param("walk(below, path +", "x = not walk(below, path +", id="in-an-expression"),
        pytest.param("[str(name)], found)", "[tree.pop()], found)", id="not-pure"),
        pytest.param("[str(name)], found)", "[str(name)], path)", id="handed-on-twice"),
        pytest.param("[str(name)], found)", "[*name], found)", id="unpacked"),
        pytest.param("[str(name)], found)", "[path], found)", id="itself"),
        pytest.param("(below, path + [str(name)]", "(tree.pop(), path + [name]", id="order"),
        pytest.param("def walk", "@kept\ndef walk", id="decorated"),
        pytest.param('"/".join(path)', "max(path, tree)", id="perhaps-kept"),
        pytest.param('"/".join(path)', "tree.get(0, path)", id="kept-if-there-is-no-other"),
        pytest.param("in enumerate(tree):", "in zip(path, tree):", id="walked-over"),
        pytest.param('"/".join(path)', "lambda: path", id="asked-for-later"),
        pytest.param('"/".join(path)', "(p for p in path)", id="walked-over-later"),
        pytest.param("        found.append", "        yield path; found.append", id="waits"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(PathInPlace(), SLOW.replace(old, new, 1)) == []


def test_an_error_that_is_handled_would_leave_the_path_longer() -> None:
    text = SLOW.replace("        walk(", "        try:\n            walk(").replace(
        "# deeper", "\n        except KeyError:\n            pass"
    )
    assert rewritten(PathInPlace(), text) == []


leaf: st.SearchStrategy[Any] = st.just([])
trees = st.recursive(leaf, lambda below: st.lists(below, max_size=3), max_leaves=12)


@pytest.mark.parametrize("text", [SLOW, KEPT], ids=["read", "kept"])
@given(trees)
def test_same_answers(text: str, tree: list[Any]) -> None:
    assert_equivalent(PathInPlace(), text, tree)
