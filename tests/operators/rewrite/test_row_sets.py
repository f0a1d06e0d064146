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

AGAIN = """
def solve(graph):
    found = 0
    for node in graph:
        for u in graph[node]:
            for w in graph[node]:
                both = len(set(graph[u]) & set(graph[w]))
                if w in graph[u] and u not in graph[w]:
                    found += both
                found += len(graph[u]) - graph[w].count(u)
            u = node
            found += u in graph[u]
    return found
"""


class TestContract(RuleContract):
    rule = RowSets
    slow = SLOW
    others = (ALL, AGAIN)


def test_sets_are_made_as_their_keys_come_along() -> None:
    assert rewritten(RowSets(), SLOW) == [dedented(AFTER)]


def test_sets_of_all_keys_are_made_before() -> None:
    (text,) = rewritten(RowSets(), ALL)
    assert "    graph_sets = {key: set(row_2) for key, row_2 in graph.items()}\n" in text


def test_what_is_asked_of_a_row_later_is_asked_of_its_set() -> None:
    sets, text, kept = rewritten(RowSets(), AGAIN)
    assert "if w in graph[u] and u not in graph[w]:\n" in sets
    assert "if w in graph_sets[u] and u not in graph_sets[w]:\n" in text
    assert "found += len(graph[u]) - graph[w].count(u)\n" in text
    assert "found += u in graph[u]\n" in text
    assert "graph_kept[u] = graph[u]\n" in kept
    assert "graph_sets[u] = set(graph_kept[u])\n" in kept
    assert "found += len(graph_kept[u]) - graph_kept[w].count(u)\n" in kept
    assert "found += u in graph[u]\n" in kept


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("w in graph[u] and", "w in graph[u] == [1] and", id="chained"),
        pytest.param("w in graph[u] and", "'ab' in graph[u] and", id="a-text"),
        pytest.param("w in graph[u] and", "(lambda: w in graph[u])() and", id="later"),
    ],
)
def test_other_questions_are_asked_of_the_row(old: str, new: str) -> None:
    for text in rewritten(RowSets(), AGAIN.replace(old, new)):
        assert new in text or "graph_kept[u]" in text


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


@pytest.mark.parametrize("text", [SLOW, ALL, AGAIN], ids=["pairs", "all", "again"])
@given(st.dictionaries(st.integers(0, 4), st.lists(st.integers(0, 4), max_size=4), max_size=4))
def test_same_answers(text: str, graph: dict[int, list[int]]) -> None:
    if text is AGAIN:
        graph = {key: [n for n in row if n in graph] for key, row in graph.items()}
    assert_equivalent(RowSets(), text, graph)
