"""A deep copy that a walk changes at one place becomes copies of what lies on the way."""

from __future__ import annotations

from copy import deepcopy
from typing import Any  # trees of dictionaries

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.needless_copy import NeedlessCopy
from tests.operators.rewrite.cases import answer, rewritten

SLOW = """\
import copy


def solve(tree, path, value):
    changed = copy.deepcopy(tree)
    node = changed
    *above, last = path
    for part in above:
        node = node[part]
    node[last] = value
    return changed
"""
BY_NAME = SLOW.replace(
    "        node = node[part]\n",
    "        below = node.get(part)\n        if below is None:\n            below = {}\n"
    "            node[part] = below\n        node = below\n",
)


def by_path(text: str) -> list[str]:
    """Return what copies what lies on the way."""
    return [new for new in rewritten(NeedlessCopy(), text) if "] = node = " in new]


def test_a_step_copies_as_it_goes() -> None:
    (new,) = by_path(SLOW)
    assert "    changed = tree.copy()\n" in new
    assert "        node[part] = node = node[part].copy()\n" in new


def test_a_step_by_another_name() -> None:
    (new,) = by_path(BY_NAME)
    assert "        node[part] = node = below.copy()\n" in new


leaves = st.integers(0, 9)
trees = st.recursive(
    st.dictionaries(st.sampled_from("abc"), leaves, min_size=1),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, min_size=1),
    max_leaves=8,
)


@given(trees, st.lists(st.sampled_from("abc"), min_size=1, max_size=3))
def test_the_same_tree_and_the_old_one_stays(tree: dict[str, Any], path: list[str]) -> None:
    before = deepcopy(tree)
    for text in (SLOW, BY_NAME):
        (new,) = by_path(text)
        try:
            right = answer(text, (tree, path, 7))
        except (AttributeError, KeyError, TypeError):
            continue  # a walk that meets a leaf ends with one error or another
        assert answer(new, (tree, path, 7)) == right
        assert tree == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "    return changed", "    changed['a']['b'] = 1\n    return changed", id="2"
        ),
        pytest.param("node[last] = value", "node[last]['x'] = value", id="below-the-end"),
        pytest.param("node[last] = value", "node[last].append(value)", id="a-list-at-the-end"),
        pytest.param("node[last] = value", "node[last] += value", id="in-place-at-the-end"),
        pytest.param("node[last] = value", "node[last] = node", id="a-circle"),
        pytest.param("    return", "    items = node[last]\n    return", id="another-name"),
        pytest.param(
            "    return", "    for row in node:\n        row()\n    return", id="rows"
        ),
        pytest.param("    node[last]", "    fill(node)\n    node[last]", id="handed-on"),
        pytest.param(
            "        node = ", "        above = node\n        node = ", id="the-one-above"
        ),
        pytest.param("node = node[part]", "node = other(node)", id="no-step"),
        pytest.param("for part in above", "if above", id="no-loop"),
        pytest.param("node = node[part]", "node = node[part]\n        seen(node)", id="more"),
        pytest.param("node = node[part]", "node = node[next(keys)]", id="a-key-that-moves"),
        pytest.param("node = node[part]", "node = node.get(part)", id="perhaps-none"),
        pytest.param("node[last] = value", "if node:\n        node[last] = value", id="asked"),
        pytest.param("node = changed", "node = changed['a']", id="it-begins-below"),
        pytest.param("node = changed", "node = changed\n    root = changed", id="two-names"),
    ],
)
def test_must_not_copy_a_path(old: str, new: str) -> None:
    assert old in SLOW
    assert by_path(SLOW.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "    node[last] = value", "    below.clear()\n    node[last] = value", id="c"
        ),
        pytest.param(
            "        node = below\n",
            "        node = below\n        below['x'] = 1\n",
            id="after",
        ),
        pytest.param(
            "        node = below\n",
            "        below['x'] = 1\n        node = below\n",
            id="before",
        ),
        pytest.param("node.get(part)", "node.pop(part)", id="it-is-taken-out"),
        pytest.param("below = {}", "below = node.get('other')", id="from-two-places"),
        pytest.param("            node[part] = below\n", "", id="a-level-that-is-not-put-in"),
        pytest.param(
            "        node = ", "        part = part * 2\n        node = ", id="the-key"
        ),
    ],
)
def test_must_not_copy_what_changes_by_the_other_name(old: str, new: str) -> None:
    assert old in BY_NAME
    assert by_path(BY_NAME.replace(old, new)) == []
