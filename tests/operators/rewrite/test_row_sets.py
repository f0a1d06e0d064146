"""The set of each row is made once, not for each of its neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.row_sets import RowSets
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(graph):
    found = {}
    for u in graph:
        for v in graph[u]:
            if v in graph and u != v:
                both = set(graph[u]) & set(graph[v])  # of the two
                found[u, v] = len(both)
    return found
"""
AFTER = """
def solve(graph):
    found = {}
    graph_sets = {}
    for u in graph:
        for v in graph[u]:
            if v in graph and u != v:
                if u not in graph_sets:
                    graph_sets[u] = set(graph[u])
                if v not in graph_sets:
                    graph_sets[v] = set(graph[v])
                both = graph_sets[u] & graph_sets[v]  # of the two
                found[u, v] = len(both)
    return found
"""
ALL = """
def solve(graph):
    found = []
    for u, row in graph.items():
        found.append([v for v in row if v in graph and set(graph[v]) > set(row)])
    return found
"""


class TestContract(RuleContract):
    rule = RowSets
    slow = SLOW
    others = (ALL,)


def test_sets_are_made_as_their_keys_come_along() -> None:
    assert rewritten(RowSets(), SLOW) == [dedented(AFTER)]


def test_sets_of_all_keys_are_made_before() -> None:
    (text,) = rewritten(RowSets(), ALL)
    assert "    graph_sets = {key: set(row_2) for key, row_2 in graph.items()}\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("        for v in graph[u]:", "        if v := u:", id="one-loop"),
        pytest.param("found[u, v] =", "graph[u] =", id="rows-change"),
        pytest.param("len(both)", "both", id="a-set-is-kept"),
        pytest.param("len(both)", "both.pop()", id="a-set-is-changed"),
        pytest.param("set(graph[v])  #", "(v and set(graph[v]))  #", id="perhaps-not-asked"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    text = SLOW.replace("both = set(graph[u]) & ", "both = ").replace(old, new)
    assert rewritten(RowSets(), text) == []


@pytest.mark.parametrize("text", [SLOW, ALL], ids=["pairs", "all"])
@given(st.dictionaries(st.integers(0, 4), st.lists(st.integers(0, 4), max_size=4), max_size=4))
def test_same_answers(text: str, graph: dict[int, list[int]]) -> None:
    assert_equivalent(RowSets(), text, graph)
