"""A memory server of somebody else costs a run a note at most."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from se_agent.engine.run.replay import replay
from se_agent.memory_events import Noted, Recalled
from tests.engine.runs import events_of
from tests.memory.experience.journals import finished

pytestmark = [
    pytest.mark.tier("runs"),
    # Looked for, not imported: it takes two seconds, which each worker would spend.
    pytest.mark.skipif(not find_spec("mcp"), reason="the extra `mcp` is not installed"),
]
FOREIGN = Path(__file__).parents[2] / "mcp_server" / "foreign.py"


def server(how: str) -> str:
    return f"{sys.executable} {FOREIGN} {how}"


@pytest.mark.row("AM-71", "AM-73")
def test_what_it_says_is_on_record_and_a_replay_asks_nobody(tmp_path: Path) -> None:
    result = finished(tmp_path, graph={"server": server("well"), "seconds": 60.0})
    (found,) = (event for event in events_of(result) if isinstance(event, Recalled))
    assert found.facts == ("numbers (x)",)
    assert replay(Path(result.run)).differences == ()


@pytest.mark.parametrize("how", ["hangs", "floods", "lies"])
def test_one_that_misbehaves_costs_a_note(tmp_path: Path, how: str) -> None:
    section = {"server": server(how), "seconds": 6.0, "send": True}
    result = finished(tmp_path, graph=section)
    notes = [event.text for event in events_of(result) if isinstance(event, Noted)]
    assert result.status == "proven"
    assert any("the memory server gives nothing to this run" in text for text in notes)
    assert any("the memory server was not told of this run" in text for text in notes)
