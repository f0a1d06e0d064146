"""The nine functions of the reference server, on a real database."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import GraphError
from se_agent.memory.graph.queries import (
    add_observations,
    create_entities,
    create_relations,
    delete_entities,
    delete_observations,
    delete_relations,
    open_nodes,
    read_graph,
    search_nodes,
)
from se_agent.memory.graph.shapes import (
    Deleted,
    Edge,
    Entity,
    Forgotten,
    GraphOut,
    Observations,
)
from se_agent.memory.graph.writing import Graph
from tests.memory.graph.graphs import HOSTILE, all_rows, empty_graph, later

ANNA = Entity("Anna", "person", ("speaks Czech",))
FIRM = Entity("Firm", "company")
WORKS = Edge("Anna", "Firm", "works_at")


def filled(graph: Graph) -> Graph:
    create_entities(graph, [ANNA, FIRM])
    create_relations(graph, [WORKS])
    return graph


@pytest.mark.row("AM-69", "AM-70", "AM-79")
class TestTheNine:
    def test_what_is_there_is_skipped_and_only_new_ones_are_returned(self) -> None:
        with empty_graph() as graph:
            other = Entity("Anna", "cat", ("purrs",))
            assert create_entities(graph, [ANNA, other, FIRM]) == [ANNA, FIRM]
            assert create_entities(graph, [other]) == []
            assert create_relations(graph, [WORKS, WORKS]) == [WORKS]
            assert create_relations(graph, [WORKS]) == []
            said = Observations("Anna", ("speaks Czech", "rides", "rides"))
            assert add_observations(graph, [said]) == [Observations("Anna", ("rides",))]
            assert add_observations(graph, [said]) == [Observations("Anna", ())]
            found = Entity("Anna", "person", ("rides", "speaks Czech"))
            (anna, firm) = read_graph(graph).entities
            assert (anna._replace(observations=tuple(sorted(anna.observations))), firm) == (
                found,
                FIRM,
            )

    @pytest.mark.parametrize(
        "relation",
        [Edge("Anna", "nobody", "knows"), Edge("nobody", "Anna", "knows")],
    )
    def test_nothing_is_said_of_what_is_not_there(self, relation: Edge) -> None:
        with empty_graph() as graph:
            before = all_rows(filled(graph))
            with pytest.raises(GraphError, match="there is no entity 'nobody'"):
                create_relations(graph, [WORKS, Edge("Firm", "Anna", "pays"), relation])
            with pytest.raises(GraphError, match="nobody"):
                add_observations(
                    graph, [Observations("Anna", ("x",)), Observations("nobody", ())]
                )
            assert all_rows(graph) == before

    def test_a_search_finds_names_types_and_facts_and_all_relations_of_what_it_finds(
        self,
    ) -> None:
        with empty_graph() as graph:
            filled(graph)
            for query in ("ANN", "person", "czech"):
                assert search_nodes(graph, query) == GraphOut((ANNA,), (WORKS,))
            assert search_nodes(graph, "%") == GraphOut()
            assert search_nodes(graph, "").entities == (ANNA, FIRM)
            assert open_nodes(graph, ["Firm", "nobody"]) == GraphOut((FIRM,), (WORKS,))

    def test_what_is_deleted_says_what_there_was(self) -> None:
        with empty_graph() as graph:
            filled(graph)
            wrong = Edge("Anna", "Firm", "left")
            assert delete_relations(graph, [wrong, WORKS, WORKS]) == 1
            assert delete_observations(
                graph, [Observations("Anna", ("speaks Czech", "sings")), Observations("x", ())]
            ) == Forgotten(1, ("x",))
            assert delete_entities(graph, ["Firm", "x", "Firm"]) == Deleted(("Firm",), ("x",))
            assert read_graph(graph) == GraphOut((Entity("Anna", "person"),))

    @pytest.mark.row("AM-80")
    def test_what_is_deleted_stays_with_the_time_when_it_ended_and_can_come_back(self) -> None:
        with empty_graph() as graph:
            before = all_rows(filled(graph))
            end = later(graph)
            delete_entities(end, ["Anna"])
            gone = [row for row in all_rows(graph) if row not in before]
            assert [row[-1] for row in gone] == [end.at] * 3  # with its fact and its relation
            assert len(all_rows(graph)) == len(before)
            again = later(graph, end.at)  # even in the same second
            create_entities(again, [Entity("Anna", "person")])
            assert read_graph(graph) == GraphOut((Entity("Anna", "person"), FIRM))
            assert create_relations(again, [WORKS]) == [WORKS]
            assert read_graph(graph).relations == (WORKS,)


@pytest.mark.tier("runs")
@pytest.mark.row("AM-76")
@given(st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=2, unique=True))
def test_any_text_is_a_name_a_type_a_fact_and_nothing_else(texts: list[str]) -> None:
    one, other = (text.replace("\ud800", "?") for text in texts)
    with empty_graph() as graph:
        entities = [Entity(one, other, (other,)), Entity(other, one)]
        assert create_entities(graph, entities) == entities
        relation = Edge(one, other, other)
        assert create_relations(graph, [relation]) == [relation]
        assert read_graph(graph) == GraphOut(tuple(sorted(entities)), (relation,))
        assert entities[0] in search_nodes(graph, one).entities
        assert open_nodes(graph, [one]) == GraphOut((entities[0],), (relation,))
        assert delete_relations(graph, [relation]) == 1
        assert delete_entities(graph, [one, other]).deleted == (one, other)
        assert read_graph(graph) == GraphOut()


def test_a_secret_is_not_written() -> None:
    with empty_graph() as graph:
        known = Graph(db=graph.db, at=graph.at, secrets=("hunter2-and-more",))
        create_entities(
            known, [Entity("a", "b", ("it is hunter2-and-more", "password=1234abcd"))]
        )
        assert "hunter2" not in repr(all_rows(graph))
        assert "1234abcd" not in repr(all_rows(graph))
