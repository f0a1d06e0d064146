"""`show --agents`: who is at what by the journal, and at an earlier stop by the workspace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory import Workspace, agents_of, group_of
from tests.cli.calls import call
from tests.finished import finished, recorded


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended, beside a workspace that knows of a further stop."""
    results = tmp_path_factory.mktemp("results")
    place = results / ".se_agent"
    folder = finished(results, timed=False)
    with Workspace.open(place) as opened:
        states, name = opened.states(), group_of(folder, place)
        told = {"agent": "evaluator", "status": "failed", "task": "judge x", "output": ""}
        later = {**told, "slot": 3, "waits_for": ["plan"]}
        states.save_agent_state("evaluator", later, run=name)
    return folder


@pytest.mark.tier("runs")
def test_the_journal_says_who_is_at_what(run: Path) -> None:
    known = agents_of(recorded(run), {}).known
    lines = call("show", run, "--agents").out.splitlines()
    for one in known.contexts.values():
        assert any(line.startswith(f"{one.agent}: {one.status}, step ") for line in lines)
    told = json.loads(call("show", run, "--agents", "--json").out)
    assert [one["agent"] for one in told["agents"]] == [*known.contexts]


@pytest.mark.tier("runs")
@pytest.mark.row("AM-32")
def test_each_stop_is_as_the_workspace_has_it(run: Path) -> None:
    known = agents_of(recorded(run), {}).known.contexts
    first, second = json.loads(call("show", run, "--agents", "--json").out)["stops"]
    assert {name: row["task"] for name, row in first.items()} == {
        name: context.task for name, context in known.items()
    }
    assert [(name, row["task"]) for name, row in second.items()] == [("evaluator", "judge x")]
    last = call("show", run, "--agents").out.splitlines()[-1]
    assert last == "2 stops; --json has what each agent was at then"
