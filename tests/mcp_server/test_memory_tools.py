"""What the tools say that read the memory, called without a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.mcp_server.context import ServerContext
from se_agent.mcp_server.memory_tools import MemoryTools
from se_agent.memory import Workspace, graph
from se_agent.values.evaluation import Evaluation, Status

ERROR = "NameError: name 'heapq' is not defined"
SOLVE, CALLER = "function:p:a.py:solve", "function:p:a.py:main"


@pytest.mark.row("AM-60")
def test_an_error_leads_to_code_and_to_the_tests_of_it_each_once(tmp_path: Path) -> None:
    place = tmp_path / ".se_agent"
    error, _ = graph.error_entity(Evaluation(status=Status.RE, feedback=ERROR))
    edges = [
        graph.Edge(error, SOLVE, "locates"),
        graph.Edge(CALLER, SOLVE, "calls"),
        graph.Edge("test:p:1", SOLVE, "tests_covers"),
        graph.Edge("test:p:2", CALLER, "tests_covers"),
    ]
    names = dict.fromkeys(name for one in edges for name in one[:2])
    with Workspace.open(place, results=tmp_path) as opened:
        known = opened.graph()
        graph.create_entities(known, [graph.Entity(n, n.partition(":")[0]) for n in names])
        graph.create_relations(known, edges)
    tools = MemoryTools(ServerContext(folder=place, results=tmp_path, root=tmp_path))
    told = json.loads(tools.get_error_solutions(ERROR))
    assert [one["name"] for one in told["functions"]] == [SOLVE, CALLER]
    assert [one["name"] for one in told["tests"]] == ["test:p:1", "test:p:2"]


@pytest.mark.row("AM-18")
def test_what_another_agent_did_is_found_again_without_its_secrets(tmp_path: Path) -> None:
    context = ServerContext(
        folder=tmp_path / ".se_agent",
        results=tmp_path,
        root=tmp_path,
        write=True,
        secrets=("hunter2-and-more",),
    )
    tools = MemoryTools(context)
    tools.record_execution("editor", "Cache the parser", "slower, hunter2-and-more", False, 2.5)
    (one,) = json.loads(tools.get_similar_executions("parser", "editor"))["executions"]
    assert (one["task_description"], one["success"]) == ("Cache the parser", False)
    assert one["duration"] == 2.5
    assert one["execution_result"].startswith("slower, ")
    assert "hunter2" not in json.dumps(one)
    assert not json.loads(tools.get_similar_executions("parser", "", True))["executions"]
