"""Searches choose operators by role and by what they offer: none of them is named."""

from __future__ import annotations

import ast
from pathlib import Path

import se_agent.engine.search
from se_agent import registry


def texts(path: Path) -> set[str]:
    """Return the texts in a module that are values, not docstrings."""
    tree = ast.parse(path.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {
        node.value
        for node in constants
        if isinstance(node.value, str) and id(node) not in alone
    }


def test_no_registered_operator_is_named_in_a_search() -> None:
    (folder,) = map(Path, se_agent.engine.search.__path__)
    names = {*registry.names("operator")}
    found = {path.name: texts(path) & names for path in sorted(folder.glob("*.py"))}
    assert {name: each for name, each in found.items() if each} == {}
    assert len(found) > 10
