"""What runs derive can be written again, in any order, and the graph is the same."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.graph.queries import (
    create_entities,
    create_relations,
    delete_relations,
    read_graph,
)
from se_agent.memory.graph.shapes import Edge, Entity, Fact, Triple
from se_agent.memory.graph.writing import put_derived
from tests.memory.graph.graphs import FACTS, TRIPLES, all_rows, empty_graph, later

RUNS = st.lists(
    st.tuples(
        st.sampled_from(["one", "two", "three"]),
        st.lists(TRIPLES, max_size=6),
        st.lists(FACTS, max_size=4),
    ),
    max_size=4,
)
Run = tuple[str, list[Triple], list[Fact]]
CALLS = Edge("function:p:a.py:f0", "function:p:a.py:f1", "calls")
TYPES = ("function", "function")


def rows_after(runs: list[Run]) -> list[tuple[object, ...]]:
    with empty_graph() as graph:
        for run, triples, facts in runs:
            put_derived(later(graph, run=run), triples, facts)
        return all_rows(graph)


@pytest.mark.tier("runs")
@pytest.mark.row("AM-58", "AM-79")
@given(RUNS, st.randoms(use_true_random=False))
def test_order_and_repetition_do_not_matter(runs: list[Run], random: Random) -> None:
    mixed = [*runs, *runs]
    random.shuffle(mixed)
    assert rows_after(mixed) == rows_after(runs)


def test_of_runs_that_say_the_same_the_earliest_is_named() -> None:
    early, late = (Triple(CALLS, TYPES, f"2026-01-01T00:0{at}:00+00:00") for at in (1, 2))
    rows = rows_after([("b", [late], []), ("a", [early], []), ("c", [late], [])])
    assert {row[3] for row in rows if "calls" in row} == {"a"}


def test_of_runs_that_say_the_same_at_once_none_wins_by_being_written_last() -> None:
    said = [Triple(CALLS, TYPES, "2026-01-01T00:00:00+00:00", commit) for commit in ("", "abc")]
    assert rows_after([("a", said, [])]) == rows_after([("a", said[::-1], [])])


def test_what_a_person_took_back_comes_back_when_it_is_seen_again_later() -> None:
    old = Triple(CALLS, TYPES, "2026-01-01T00:01:00+00:00")
    new = Triple(CALLS, TYPES, "2026-01-05T00:01:00+00:00")
    with empty_graph() as graph:
        put_derived(later(graph, run="a"), [old], [])
        delete_relations(later(graph), [CALLS])
        put_derived(later(graph, run="a"), [old], [])  # harvested once more
        assert read_graph(graph).relations == ()
        put_derived(later(graph, run="b"), [new], [])
        assert read_graph(graph).relations == (CALLS,)


def test_a_run_takes_over_what_a_person_said_and_a_person_takes_nothing_over() -> None:
    derived = Triple(CALLS, TYPES, "2026-02-01T00:01:00+00:00")
    with empty_graph() as graph:
        create_entities(graph, [Entity(name, "function") for name in CALLS[:2]])
        create_relations(graph, [CALLS])
        put_derived(later(graph, run="a"), [derived], [])
        before = all_rows(graph)
        assert {row[3] for row in before if "calls" in row} == {"a"}
        assert create_relations(later(graph), [CALLS]) == []
        assert all_rows(graph) == before
