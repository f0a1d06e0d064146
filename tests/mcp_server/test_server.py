"""One contract for tools over standard input and output and over HTTP, by the SDK's client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

import anyio
import httpx2

from se_agent.memory import Workspace
from se_agent.memory.graph.shapes import Edge, Entity
from tests.mcp_server.sessions import (
    SECRET,
    http_client,
    http_server,
    over_http,
    over_stdio,
    said,
)
from tests.memory.experience.journals import finished

if TYPE_CHECKING:
    from mcp import Client

ANNA = {"name": "Anna", "entityType": "person", "observations": ["speaks Czech"]}
FIRM = {"name": "Firm", "entityType": "company", "observations": []}
WORKS = {"from": "Anna", "to": "Firm", "relationType": "works_at"}
NINE = {
    *("create_entities", "create_relations", "add_observations", "delete_entities"),
    *("delete_observations", "delete_relations", "read_graph", "search_nodes", "open_nodes"),
}
READING = {
    *("read_graph", "search_nodes", "open_nodes", "related", "search_memories"),
    *("get_error_solutions", "get_similar_executions", "explain", "read_artifact"),
    *("run_status", "prove"),
}


async def the_nine(client: Client) -> None:
    """Hold the nine tools to the shapes of the reference server."""
    assert {tool.name for tool in (await client.list_tools()).tools} == NINE | READING | {
        *("optimize", "record_execution")
    }
    assert await said(client, "create_entities", entities=[ANNA, FIRM, ANNA]) == {
        "entities": [ANNA, FIRM]
    }
    assert await said(client, "create_relations", relations=[WORKS]) == {"relations": [WORKS]}
    more = [{"entityName": "Anna", "contents": ["rides", "speaks Czech"]}]
    assert await said(client, "add_observations", observations=more) == {
        "results": [{"entityName": "Anna", "addedObservations": ["rides"]}]
    }
    whole = await said(client, "read_graph")
    assert [one["name"] for one in whole["entities"]] == ["Anna", "Firm"]
    assert whole["relations"] == [WORKS]
    for found in (
        await said(client, "search_nodes", query="czech"),
        await said(client, "open_nodes", names=["Anna", "nobody"]),
    ):
        assert [one["name"] for one in found["entities"]] == ["Anna"]
        assert found["relations"] == [WORKS]
    around = await said(client, "related", names=["Firm"])
    assert {one["name"] for one in around["entities"]} == {"Anna", "Firm"}
    gone = [{"entityName": "Anna", "observations": ["rides"]}]
    assert await said(client, "delete_observations", deletions=gone) == {
        "missingEntities": [],
        "deletedCount": 1,
    }
    assert await said(client, "delete_relations", relations=[WORKS]) == {"deletedCount": 1}
    assert await said(client, "delete_entities", entityNames=["Firm", "x"]) == {
        "deleted": ["Firm"],
        "notFound": ["x"],
    }
    assert (await said(client, "read_graph"))["entities"] == [ANNA]


async def refusals(client: Client) -> None:
    """Give tools what they cannot take."""
    nobody = [{"from": "Anna", "to": "nobody", "relationType": "knows"}]
    told = await said(client, "create_relations", relations=nobody)
    assert "there is no entity" in told
    assert "hint: " in told
    for wrong in (
        {"entities": [{**ANNA, "name": "x" * 1001}]},
        {"entities": [{**ANNA, "extra": 1}]},
        {"entities": [ANNA] * 101},
        {"entities": "Anna"},
    ):
        assert isinstance(await said(client, "create_entities", **wrong), str)
    assert "there is no item" in await said(client, "explain", id="L0")
    assert "there is no run" in await said(client, "run_status", run="nothing")
    assert isinstance(await said(client, "run_status", run="../x"), str)
    for place in ("/etc/passwd.py:f", "../x.py:f", "--json.py:f", "x.py:f;g"):
        assert isinstance(await said(client, "prove", old=place, new=place), str)


@pytest.fixture(params=["stdio", "http"])
def speak(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Give a function that leads a dialogue with a server that may write."""
    if request.param == "stdio":
        yield lambda dialogue: over_stdio(tmp_path, dialogue, "--write")
        return
    with http_server(tmp_path, "--write") as address:
        yield lambda dialogue: over_http(address, dialogue)


@pytest.mark.row("AM-67", "AM-69", "AM-70", "AM-71", "AM-73")
def test_the_nine_tools_have_names_and_shapes_of_the_reference_server(speak: Any) -> None:
    speak(the_nine)


@pytest.mark.row("AM-76")
def test_what_a_tool_cannot_take_is_an_answer_for_the_agent(speak: Any) -> None:
    speak(refusals)


class TestRights:
    def test_a_client_without_rights_changes_nothing(self, tmp_path: Path) -> None:
        with Workspace.open(tmp_path / ".se_agent", results=tmp_path) as opened:
            opened.graph()
        before = (tmp_path / "memory.db").read_bytes()

        async def look(client: Client) -> None:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == READING
            told = await client.call_tool("create_entities", {"entities": [ANNA]})
            assert told.is_error
            await said(client, "read_graph")

        over_stdio(tmp_path, look)
        assert (tmp_path / "memory.db").read_bytes() == before

    @pytest.mark.row("AM-49", "AM-68")
    def test_without_the_token_the_answer_is_401(self, tmp_path: Path) -> None:
        with http_server(tmp_path, "--write") as address:
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": SECRET}):
                answer = httpx2.post(address, json={}, headers=headers, timeout=30)
                assert answer.status_code == 401
                assert SECRET not in answer.text
            over_http(address, the_nine)


class TestHostile:
    def test_ten_megabytes_are_refused_and_the_server_goes_on(self, speak: Any) -> None:
        async def dialogue(client: Client) -> None:
            try:
                told = await said(client, "search_nodes", query="x" * 10_000_000)
            except Exception as err:  # noqa: BLE001 - over HTTP the SDK raises what it likes
                told = str(err)
            assert isinstance(told, str)

        speak(dialogue)

        async def after(client: Client) -> None:
            assert await said(client, "search_nodes", query="x") == {
                "entities": [],
                "relations": [],
            }

        speak(after)

    def test_a_large_graph_comes_in_pages_that_hold_it_all_once(self, tmp_path: Path) -> None:
        names = [f"{'long name ' * 20}{number}" for number in range(300)]
        with Workspace.open(tmp_path / ".se_agent", results=tmp_path) as opened:
            from se_agent.memory import graph

            known = opened.graph()
            large = [Entity(name, "x", ("y" * 9000,)) for name in names[:9]]
            graph.create_entities(known, large)
            graph.create_entities(known, [Entity(name, "x") for name in names[9:]])
            graph.create_relations(known, [Edge(names[0], name, "r") for name in names[1:]])

        async def dialogue(client: Client) -> None:
            first = await said(client, "read_graph")
            rest = range(1, first["pages"])
            pages = [first, *[await said(client, "read_graph", page=at) for at in rest]]
            found = [one["name"] for page in pages for one in page["entities"]]
            assert found == sorted(names)
            assert sum(len(page["relations"]) for page in pages) == 299
            beyond = await said(client, "read_graph", page=first["pages"])
            assert beyond["entities"] == []

        over_stdio(tmp_path, dialogue)


@pytest.mark.row("AM-79")
def test_two_servers_on_one_workspace_lose_nothing(tmp_path: Path) -> None:
    async def write(client: Client, who: str) -> None:
        for number in range(15):
            entity = {"name": f"{who} {number}", "entityType": "x", "observations": [who]}
            shared = {"name": f"both {number}", "entityType": "x", "observations": []}
            await said(client, "create_entities", entities=[entity, shared])
            fact = [{"entityName": f"both {number}", "contents": [who]}]
            await said(client, "add_observations", observations=fact)

    async def both(one: str, other: str) -> None:
        async with (
            http_client(one) as first,
            http_client(other) as second,
            anyio.create_task_group() as group,
        ):
            group.start_soon(write, first, "first")
            group.start_soon(write, second, "second")

    with http_server(tmp_path, "--write") as one, http_server(tmp_path, "--write") as other:
        anyio.run(both, one, other)
    with Workspace.open(tmp_path / ".se_agent", results=tmp_path) as opened:
        from se_agent.memory import graph

        found = graph.read_graph(opened.graph()).entities
    assert len(found) == 45
    shared = [one for one in found if one.name.startswith("both")]
    assert all(sorted(one.observations) == ["first", "second"] for one in shared)


def test_a_run_is_told_of_and_its_errors_lead_to_code(tmp_path: Path) -> None:
    folder = Path(finished(tmp_path).run)
    found: dict[str, Any] = {}

    async def dialogue(client: Client) -> None:
        found["status"] = await said(client, "run_status")
        found["steps"] = await said(client, "get_similar_executions", query="add 1 to x")
        found["errors"] = await said(client, "get_error_solutions", error="a multiple of seven")
        found["memories"] = await said(client, "search_memories", query="add")

    over_stdio(tmp_path, dialogue)
    (status,) = found["status"]["runs"]
    assert status["run"] == folder.name
    assert status["status"] in ("proven", "not_proven")
    assert found["steps"]["executions"]
    assert found["errors"]["error"].startswith("error:")


@pytest.mark.timeout(400)
def test_two_functions_are_proven(tmp_path: Path) -> None:
    slow = "def total(n: int) -> int:\n    return sum(i for i in range(n))\n"
    (tmp_path / "old.py").write_text(slow)
    (tmp_path / "bad.py").write_text("def total(n: int) -> int:\n    return 7\n")

    async def dialogue(client: Client) -> None:
        calls = ["total(100000)", "total(200000)"]
        wrong = {"old": "old.py:total", "new": "bad.py:total", "examples": calls}
        told = await said(client, "prove", **wrong, seconds=300)
        assert told["exitCode"] == 4, told  # different results
        short = await said(client, "prove", old="old.py:total", new="none.py:total")
        assert "there is no such file" in short

    over_stdio(tmp_path, dialogue, cwd=tmp_path)
