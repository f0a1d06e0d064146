"""A foreign memory server is written to and searched, and can do no harm."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from se_agent.errors import GraphError
from se_agent.mcp_server.bridge import MemoryBridge
from se_agent.memory.graph.shapes import Edge, Entity, GraphOut, Observations
from tests.cli.calls import call
from tests.mcp_server.sessions import SECRET, http_server

ANNA, FIRM = Entity("Anna", "person", ("speaks Czech",)), Entity("Firm", "company")
WORKS = Edge("Anna", "Firm", "works_at")
FOREIGN = Path(__file__).with_name("foreign.py")


def foreign(how: str, seconds: float = 60.0) -> MemoryBridge:
    return MemoryBridge(server=f"{sys.executable} {FOREIGN} {how}", seconds=seconds)


@pytest.mark.row("AM-68", "AM-71", "AM-74")
def test_a_server_of_the_same_shapes_is_written_to_and_searched(tmp_path: Path) -> None:
    with http_server(tmp_path, "--write") as address:
        bridge = MemoryBridge(server=address, token=SECRET, seconds=60)
        assert bridge.create_entities([ANNA, FIRM]) == [ANNA, FIRM]
        assert bridge.create_entities([ANNA, FIRM]) == []
        assert bridge.create_relations([WORKS]) == [WORKS]
        added = [Observations("Anna", ("rides",))]
        assert bridge.add_observations(added) == added
        assert bridge.search_nodes("Firm") == GraphOut((FIRM,), (WORKS,))
        with pytest.raises(GraphError, match="no answer"):
            MemoryBridge(server=address, token="wrong", seconds=60).search_nodes("Firm")


def test_a_plain_server_over_stdio_is_searched() -> None:
    assert foreign("well").search_nodes("Anna") == GraphOut((Entity("Anna", "x"),))


@pytest.mark.row("AM-76")
@pytest.mark.parametrize(
    ("how", "told", "seconds"),
    [
        pytest.param("floods", "no answer", 8, id="floods"),  # until then it is read, in vain
        pytest.param("lies", "not what a memory server answers", 60, id="lies"),
        pytest.param("ends", "no answer", 60, id="ends"),
        pytest.param("noise", "no answer", 60, id="noise"),
    ],
)
def test_a_server_that_misbehaves_is_two_lines(how: str, told: str, seconds: float) -> None:
    with pytest.raises(GraphError, match=told) as caught:
        foreign(how, seconds).search_nodes("Anna")
    assert caught.value.hint


def test_a_server_that_hangs_is_ended_with_all_that_it_started() -> None:
    with pytest.raises(GraphError, match="no answer"):
        foreign("hangs", seconds=6).search_nodes("Anna")
    running = [path for path in Path("/proc").glob("[0-9]*/cmdline") if _is_hanging(path)]
    assert running == []


def _is_hanging(path: Path) -> bool:
    try:
        return str(FOREIGN).encode() in path.read_bytes() and b"hangs" in path.read_bytes()
    except OSError:
        return False


def test_the_graph_can_be_sent_to_another_server(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    from se_agent.memory import Workspace, graph

    with Workspace.open(here / ".se_agent", results=here) as opened:
        graph.create_entities(opened.graph(), [ANNA, FIRM])
        graph.create_relations(opened.graph(), [WORKS])
    command = f"{sys.executable} -m se_agent serve --write --results {there}"
    for told in ("2 entities, 1 relation", "0 entities, 0 relations"):
        said = call("memory", "graph", "--results", here, "--send-to", command)
        assert said.code == 0, said
        assert told in said.out
    with Workspace.open(there / ".se_agent", write=False, results=there) as opened:
        assert graph.read_graph(opened.graph()) == GraphOut((ANNA, FIRM), (WORKS,))
