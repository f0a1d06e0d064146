"""Constants that a change may add at the top of a module: what is no work to make."""

from __future__ import annotations

import ast

import pytest

from se_agent.program.added_constants import without_added_constants

OLD = "import re\nXS = [1, 2]\nROWS = [[1], [2]]\n\ndef f(a):\n    return a\n"


def is_added(value: str) -> bool:
    old = ast.parse(OLD)
    body = ast.parse(f"{OLD}TABLE = {value}\n").body
    return len(without_added_constants(body, old)) == len(old.body)


@pytest.mark.parametrize(
    "value",
    ["[re.compile(x) for x in XS]", "[x for row in ROWS for x in row]",
     "{x: [each for each in x] for x in ROWS}", "frozenset(XS)"],
)  # fmt: skip
def test_one_walk_over_what_is_there(value: str) -> None:
    assert is_added(value)


@pytest.mark.parametrize(
    "value",
    ["{(a, b): re for a in XS for b in XS}", "[[(a, b) for a in XS] for b in XS]",
     "{a: frozenset(b for b in XS) for a in XS}", "[x for a in [ROWS, ROWS] for x in a]",
     "[c for a in ROWS for b in a for c in a]"],
)  # fmt: skip
def test_a_table_of_all_pairs_is_work(value: str) -> None:
    assert not is_added(value)
