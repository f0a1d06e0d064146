"""The commands of docs/memory.md, and each tool of `se-agent serve`, on what the runs left."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from experiments.memory_lines.__main__ import Place

_ENTITY = {"name": "Anna", "entityType": "person", "observations": ["speaks Czech"]}
_OTHER = {"name": "Firm", "entityType": "company", "observations": []}
_WORKS = {"from": "Anna", "to": "Firm", "relationType": "works_at"}
_HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "memory-lines", "version": "1"},
}


def commands(place: Place) -> None:
    """Call each command, and each tool of the server."""
    lessons = _listed(place, "memory", "list", "--kind", "lesson")
    outputs = _listed(place, "artifact", "ls")
    lesson = str(lessons[0]["id"]) if lessons else "L0"
    output = str(outputs[0]["digest"])[:12] if outputs else "0" * 12
    for words in _commands(place, lesson, output):
        run_folder = words[0] in ("show", "log")
        given = () if run_folder else ("--results", str(place.results))
        place.call("commands", *words, *given)
    _serve(place, lesson, output)


def told_while_it_stands_still(place: Place, run: str) -> None:
    """Call the commands for a run that goes on later: a version of before, and a word."""
    place.call("commands", "rollback", run, "1")
    place.call("commands", "rollback", run, "--session", "1")
    place.call("commands", "tell", run, "--constraint", "Keep the order of names.")


def _listed(place: Place, *words: str) -> list[dict[str, Any]]:
    told = place.call("commands", *words, "--json", "--results", str(place.results))
    found: list[dict[str, Any]] = json.loads(told)
    return found


def _commands(place: Place, lesson: str, output: str) -> Iterator[Sequence[str]]:
    run, program = str(place.results / "asked"), str(place.results / "plain" / "best.py")
    yield "show", run, "--session"
    yield "show", run, "--session", "--json"
    yield "show", run, "--agents"
    yield "show", run, "--search", "set"
    yield "log", run, "--rebuild"
    yield "memory", "rules"
    yield "memory", "list"
    for kind in ("solution", "fix", "execution", "test_run", "archetype", "policy", "run"):
        yield "memory", "list", "--kind", kind
    yield "memory", "show", lesson
    yield "memory", "explain", lesson
    yield "memory", "search", "NameError", "set"
    yield "memory", "search", "--program", program
    yield "memory", "stats"
    yield "memory", "add", "--policy", "Keep sums exact.", "--words", "sum"
    wish = ("--agent", "refine", "--family", "lists")
    yield "memory", "add", "--preference", "Change one loop only.", *wish
    yield "memory", "retire", lesson, "--why", "tried"
    yield "memory", "promote", lesson
    for number, form in enumerate(("json", "csv", "skill")):
        yield "memory", "export", str(place.folder / f"export{number}"), "--format", form
    for form in ("cypher", "ntriples", "mermaid", "json"):
        yield "memory", "graph", "--format", form
    yield "memory", "graph", f"lesson:{lesson}", "--depth", "2"
    yield "memory", "knowledge", "code_opt"
    yield "memory", "knowledge", "code_opt", "dp_table"
    yield "memory", "knowledge", "code_opt", "complexity_trap"
    yield "artifact", "show", output
    yield "artifact", "pin", output
    yield "artifact", "unpin", output
    yield "artifact", "ls", "--tag", "sys:ephemeral"
    backup = str(place.folder / "backup")
    yield "memory", "backup", "--to", backup
    yield "memory", "gc", "--days", "0.000001"
    yield "memory", "restore", backup
    yield "memory", "maintain"
    yield "memory", "doctor"
    yield "memory", "doctor", "--rebuild"


def _serve(place: Place, lesson: str, output: str) -> None:
    """Call each tool of a server over standard input and output."""
    words = ("serve", "--write", "--results", str(place.results))
    server = place.start("commands", *words, stdin=subprocess.PIPE)
    asked = [_request(0, "initialize", _HANDSHAKE), _request(None, "notifications/initialized")]
    for number, (name, arguments) in enumerate(_tools(lesson, output), start=1):
        called = {"name": name, "arguments": arguments}
        asked.append(_request(number, "tools/call", called))
    assert server.stdin is not None
    assert server.stdout is not None
    for one in asked:
        server.stdin.write(f"{json.dumps(one)}\n")
        server.stdin.flush()
        if "id" in one:
            told = next(line for line in server.stdout if line.startswith("{"))
            print(told[:100].rstrip(), flush=True)
    server.stdin.close()
    server.wait(60)


def _request(number: int | None, method: str, given: object = None) -> dict[str, Any]:
    told = {"jsonrpc": "2.0", "method": method}
    return told | ({} if number is None else {"id": number, "params": given})


def _tools(lesson: str, output: str) -> Iterator[tuple[str, dict[str, Any]]]:
    observed = {"entityName": "Anna", "contents": ["rides"]}
    yield "create_entities", {"entities": [_ENTITY, _OTHER]}
    yield "create_relations", {"relations": [_WORKS]}
    yield "add_observations", {"observations": [observed]}
    yield "read_graph", {}
    yield "search_nodes", {"query": "czech"}
    yield "open_nodes", {"names": ["Anna"]}
    yield "related", {"names": ["Firm"]}
    yield (
        "delete_observations",
        {"deletions": [{"entityName": "Anna", "observations": ["rides"]}]},
    )
    yield "delete_relations", {"relations": [_WORKS]}
    yield "delete_entities", {"entityNames": ["Firm"]}
    yield "search_memories", {"query": "set"}
    yield "get_error_solutions", {"error": "NameError: name 'x' is not defined"}
    done = {"agent": "editor", "task": "Cache it", "result": "faster", "success": True}
    yield "record_execution", done
    yield "get_similar_executions", {"query": "set_membership"}
    yield "explain", {"id": lesson}
    yield "read_artifact", {"ref": output}
    yield "run_status", {"run": "plain"}
