"""`memory graph`: the graph in the languages of other tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory import Workspace
from se_agent.memory.graph.shapes import Edge, Entity, GraphOut, Triple
from se_agent.memory.graph.writing import Graph, put_derived
from tests.cli.calls import call, two_lines

ERROR, FUNCTION, OTHER = "error:e", "function:p:a.py:f", "function:p:a.py:\x1b[2Jg"
LOCATES, CALLS = (
    Edge(ERROR, FUNCTION, "locates"),
    Edge(OTHER, FUNCTION, "calls"),
)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Workspace.open(tmp_path / ".se_agent", results=tmp_path) as opened:
        graph = opened.graph()
        told = [
            Triple(LOCATES, ("error", "function"), graph.at),
            Triple(CALLS, ("function", "function"), graph.at),
        ]
        put_derived(Graph(db=graph.db, run="one"), told, ())
    return tmp_path


@pytest.mark.row("AM-55")
def test_json_is_the_whole_graph(results: Path) -> None:
    told = call("memory", "graph", "--results", results).out
    assert GraphOut.from_json(json.loads(told)) == GraphOut(
        (Entity(ERROR, "error"), Entity(OTHER, "function"), Entity(FUNCTION, "function")),
        (LOCATES, CALLS),
    )


@pytest.mark.parametrize("form", ["cypher", "ntriples", "mermaid"])
def test_other_formats_hold_it_and_cannot_draw_on_the_screen(results: Path, form: str) -> None:
    told = call("memory", "graph", "--format", form, "--results", results).out
    assert "locates" in told
    assert "\x1b" not in told


def test_what_lies_around_an_entity_is_printed_alone(results: Path) -> None:
    words = ("memory", "graph", ERROR, "--depth", "1", "--results", results)
    names = [one["name"] for one in json.loads(call(*words).out)["entities"]]
    assert names == [ERROR, FUNCTION]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--format", "cyper"), "there is no format 'cyper'"),
        (("error:x",), "there is no entity 'error:x'"),
    ],
)
def test_what_is_not_there_is_told_in_two_lines(
    results: Path, words: tuple[str, ...], told: str
) -> None:
    assert told in two_lines(call("memory", "graph", *words, "--results", results))[0]


def test_a_workspace_that_is_not_there_has_an_empty_graph(tmp_path: Path) -> None:
    told = json.loads(call("memory", "graph", "--results", tmp_path).out)
    assert told == {"entities": [], "relations": []}
