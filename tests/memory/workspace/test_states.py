"""What agents did last is kept as rows and as files."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from se_agent.errors import MemoryFileError
from se_agent.memory import Workspace
from se_agent.memory.workspace.states import FOLDER, AgentStateManager


@pytest.fixture
def states(tmp_path: Path) -> Iterator[AgentStateManager]:
    with Workspace.open(tmp_path / ".se_agent", secrets=("hunter2-and-more",)) as opened:
        yield opened.states()


@pytest.mark.row("AM-09", "AM-32")
class TestStates:
    def test_a_state_comes_back_with_its_time(self, states: AgentStateManager) -> None:
        path = states.save_agent_state("repair", {"task": "größe 数据"}, run="one")
        found = states.load_agent_state("repair")
        assert found is not None
        assert found["task"] == "größe 数据"
        assert found["timestamp"].endswith("+00:00")
        text = path.read_text()
        assert text == json.dumps(found, indent=2, ensure_ascii=False)
        assert (path.name, path.parent.name) == ("repair_state.json", FOLDER)
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700

    def test_each_stop_of_each_run_is_kept(self, states: AgentStateManager) -> None:
        for run, task in (("one", "a"), ("two", "b"), ("one", "c")):
            states.save_agent_state("plan", {"task": task}, run=run)
        found = [
            states.load_agent_state("plan", run="one", number=1),
            states.load_agent_state("plan", run="one"),
            states.load_agent_state("plan", run="two"),
            states.load_agent_state("plan"),
        ]
        assert [one and one["task"] for one in found] == ["a", "c", "b", "c"]
        assert states.load_agent_state("plan", run="three") is None
        assert states.load_agent_state("repair") is None

    def test_a_torn_file_is_never_seen(self, states: AgentStateManager) -> None:
        path = states.save_agent_state("plan", {"n": 0}, run="one")
        seen, done = list[int](), threading.Event()

        def read() -> None:
            while not done.is_set():
                seen.append(len(json.loads(path.read_text())["text"] or ""))

        states.save_agent_state("plan", {"text": "x" * 50_000}, run="one")
        reader = threading.Thread(target=read)
        reader.start()
        for _ in range(20):
            states.save_agent_state("plan", {"text": "x" * 50_000}, run="one")
        done.set()
        reader.join()
        assert set(seen) <= {50_000}

    def test_no_secret_is_in_it(self, states: AgentStateManager) -> None:
        path = states.save_agent_state("plan", {"task": "hunter2-and-more"}, run="one")
        assert "hunter2" not in path.read_text()
        assert "hunter2" not in json.dumps(states.load_agent_state("plan"))

    @pytest.mark.parametrize("name", ["../plan", "", "Plan", "a/b", "a\0"])
    def test_a_name_is_no_path(self, states: AgentStateManager, name: str) -> None:
        with pytest.raises(MemoryFileError, match="no agent is called"):
            states.save_agent_state(name, {}, run="one")
