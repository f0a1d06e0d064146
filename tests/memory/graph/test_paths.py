"""Ways through the graph, and how long they take."""

from __future__ import annotations

import random
import time

import pytest

from se_agent.memory.graph import paths
from se_agent.memory.graph.paths import MOST, affected_by, causes, fixes_of, neighbourhood
from se_agent.memory.graph.queries import create_entities, create_relations, delete_relations
from se_agent.memory.graph.shapes import Edge, Entity, Triple
from se_agent.memory.graph.writing import Graph, put_derived
from tests.memory.graph.graphs import HOSTILE, chain, empty_graph, later

ERROR, MENDS = "error:e", "solution:good"
SOLVE, TOTAL = "function:p:a.py:solve", "function:p:a.py:total"
STORY = (
    Edge("solution:bad", ERROR, "raises_error"),
    Edge("solution:bad", "rule:hasty", "written_by"),
    Edge("rule:hasty", ERROR, "raises_error"),
    Edge(ERROR, TOTAL, "locates"),
    Edge(SOLVE, TOTAL, "calls"),
    Edge("test:p:1", TOTAL, "tests_covers"),
    Edge("test:p:2", SOLVE, "tests_covers"),
    Edge(MENDS, ERROR, "fixes"),
    Edge(MENDS, "rule:mend", "written_by"),
)


def told(graph: Graph, relations: tuple[Edge, ...] = STORY) -> Graph:
    names = dict.fromkeys(name for one in relations for name in one[:2])
    create_entities(graph, [Entity(name, name.partition(":")[0]) for name in names])
    create_relations(graph, relations)
    return graph


@pytest.mark.row("AM-60")
class TestFromAnError:
    def test_it_leads_to_functions_and_from_there_to_tests(self) -> None:
        with empty_graph() as graph:
            told(graph)
            assert [one.name for one in affected_by(graph, ERROR)] == [TOTAL, SOLVE]
            covering = [[e.name for e in paths.tests_of(graph, f)] for f in (TOTAL, SOLVE)]
            assert covering == [["test:p:1", "test:p:2"], ["test:p:2"]]
            assert affected_by(graph, "error:unknown") == []

    def test_it_leads_to_who_raised_it_and_to_who_mended_it(self) -> None:
        with empty_graph() as graph:
            told(graph)
            assert causes(graph, ERROR) == [(STORY[2],), (STORY[0], STORY[1])]
            assert fixes_of(graph, ERROR) == [(STORY[7], STORY[8])]
            delete_relations(later(graph), [STORY[7]])
            assert fixes_of(graph, ERROR) == []


class TestNeighbourhood:
    def test_it_goes_both_ways_and_so_far(self) -> None:
        names = [f"n{at}" for at in range(7)]
        with empty_graph() as graph:
            line = chain(names)
            create_entities(graph, line.entities)
            create_relations(graph, line.relations)
            for depth in range(4):
                found = neighbourhood(graph, ["n3"], depth)
                assert [one.name for one in found.entities] == names[3 - depth : 4 + depth]
                assert len(found.relations) == 2 * depth

    def test_it_follows_the_kinds_that_are_asked_for(self) -> None:
        with empty_graph() as graph:
            told(graph)
            found = neighbourhood(graph, [ERROR], types=["locates", "tests_covers"])
            assert [one.name for one in found.entities] == [ERROR, TOTAL, "test:p:1"]

    @pytest.mark.parametrize("name", HOSTILE)
    def test_a_name_is_a_name(self, name: str) -> None:
        with empty_graph() as graph:
            told(graph)
            assert neighbourhood(graph, [name], types=[name]).entities == ()

    @pytest.mark.tier("runs")
    def test_in_100_000_relations_it_costs_what_it_costs_in_3_000(self) -> None:
        """20 ms of CPU time on the machine it was built on; a machine's pace is no law."""
        with empty_graph() as small, empty_graph() as large:
            few, many = filled(small, 3_000), filled(large, 100_000)
            spent = [
                (cpu_seconds_of(small, one), cpu_seconds_of(large, other))
                for one, other in 5 * list(zip(few, many, strict=True))
            ]
        least = [min(each) for each in zip(*spent, strict=True)]
        assert least[1] < 2 * least[0]

    def test_of_a_hub_the_nearest_are_shown(self) -> None:
        spokes = [f"n{at}" for at in range(3 * MOST)]
        with empty_graph() as graph:
            told(graph, tuple(Edge(one, "hub", "calls") for one in spokes))
            found = neighbourhood(graph, ["hub"], 1)
            assert len(found.entities) == MOST
            assert len(found.relations) == MOST - 1


def filled(graph: Graph, count: int) -> list[str]:
    """Draw relations between three tenths as many functions; return five that many lead to."""
    draw = random.Random(7)
    names = [f"function:p:a.py:f{number}" for number in range(count * 3 // 10)]
    ends = names[:5] * (len(names) // 15) + names
    relations = {
        Edge(draw.choice(names), draw.choice(ends), draw.choice(["calls", "fixes"]))
        for _ in range(count * 21 // 20)
    }
    triples = (Triple(one, ("function", "function"), "2026") for one in relations)
    put_derived(later(graph, run="one"), triples, ())
    return names[:5]


def cpu_seconds_of(graph: Graph, name: str) -> float:
    begun = time.process_time()
    neighbourhood(graph, [name])
    return time.process_time() - begun
