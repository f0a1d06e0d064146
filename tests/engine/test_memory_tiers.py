"""A package of its own adds a tier to the memory of a run; nothing in the engine knows it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import counter_of
from se_agent.engine.run.start import resume, start
from se_agent.errors import FoldError, SandboxError, UnknownPluginError
from se_agent.events import Ended, Event, Selected
from se_agent.memory import MemoryStack, TokenCounter
from se_agent.problem.model import Problem
from se_agent.protocols import Evaluator
from se_agent.values.closed_step import ClosedStep
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.memory_context import Advice
from se_agent.values.step import Slot
from se_agent.values.view import View
from tests.cli.calls import call
from tests.contracts.memory_tier import MemoryTierContract
from tests.engine.runs import ROOT, Crash, events_of, factory, new_state
from tests.engine.talking import Mutating, asked, run_file
from tests.engine.talking import ran as spoken
from tests.fakes import Step1, number_problem, number_run

TIER = f"{__name__}:Notes"
SEEN: list[tuple[int, Advice]] = []
"""What slots were advised."""
SAID: list[tuple[int, str]] = []
"""Slots and roles for which the tier was asked what a prompt shows."""


@dataclass(frozen=True)
class Notes:
    """Counts the steps that were closed, and those that were a gain."""

    counter: TokenCounter
    closed: int = 0
    gains: int = 0

    name = "notes"
    token_limit = 40

    @property
    def empty(self) -> bool:
        return not self.closed

    def apply(self, event: Event, closed: ClosedStep | None = None) -> Notes:
        if closed is None:
            return self
        gain = closed.step is not None and closed.step.gain > 0
        return replace(self, closed=self.closed + 1, gains=self.gains + gain)

    def context(self, slot: Slot, role: str) -> str:
        SAID.append((slot.number, role))
        told = f"- {self.gains} gains in {self.closed} steps; asked to {role}\n"
        return f"## Notes\n{told}" if self.closed else ""

    def advice(self) -> Advice:
        return Advice(
            directions={"notes@f": 1 + self.gains / 10},
            prior={Step1.name: (min(self.gains, 4), 0.0)},
        )


class Heeding(Mutating):
    """Keeps what each slot is advised."""

    def ask(self, view: View) -> Slot | None:
        SEEN.append((view.slot, view.advice))
        return super().ask(view)


MEMORY = {"prior": False, "tiers": [TIER]}
PROMPT = {"schedule": "steady", "lag": 2, "generation_size": 1}
"""Steps see all but the last two."""


class TestNotes(MemoryTierContract):
    @pytest.fixture
    def tier(self) -> Notes:
        config = number_run(Path(), memory=MEMORY)
        memory = MemoryStack.of(config.memory, counter=counter_of(config))
        (made,) = memory.further
        assert isinstance(made, Notes)
        return made


def test_its_section_stands_in_prompts_and_a_replay_asks_the_same(tmp_path: Path) -> None:
    asked.clear()
    spoken(run_file(tmp_path, memory=MEMORY, **PROMPT))  # which replays it
    prompts = [messages[0].content for messages in asked]
    noted = [text for text in prompts if "\n\n## Notes\n- " in text]
    assert any("in 4 steps; asked to mutate\n" in text for text in noted)
    assert all(text.startswith("## Memory of this run\n") for text in noted)


def test_what_a_prompt_shows_is_chosen_once_for_the_record_and_for_the_model(
    tmp_path: Path,
) -> None:
    SAID.clear()
    config = run_file(tmp_path, memory=MEMORY, **PROMPT)
    result = start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    selected = [event for event in events_of(result) if isinstance(event, Selected)]
    informed = [event.slot for event in selected if event.informed]
    assert [slot for slot, _ in SAID] == informed
    assert informed


def test_a_prompt_without_tiers_is_what_it_was(tmp_path: Path) -> None:
    asked.clear()
    spoken(run_file(tmp_path, **PROMPT))
    assert all("## Notes" not in messages[0].content for messages in asked)
    assert any("## Memory of this run\n" in messages[0].content for messages in asked)


def test_one_that_is_not_there_is_told_before_the_problem_is_checked(tmp_path: Path) -> None:
    made: list[Problem] = []

    def checked(problem: Problem, config: Run) -> Evaluator:
        made.append(problem)
        return factory(ComparisonKind.EXACT)(problem, config)

    config = number_run(tmp_path, memory={"tiers": ["nots"]})
    with pytest.raises(UnknownPluginError, match="unknown tier 'nots'"):
        start(config, problem=number_problem(), evaluators=checked)
    assert made == []


class Tired(Notes):
    """Fails for good at its third step, when it is asked for its section."""

    def context(self, slot: Slot, role: str) -> str:
        if self.closed > 2:
            raise KeyError(role)
        return ""

    def advice(self) -> Advice:
        return Advice()


@pytest.mark.tier("runs")
def test_one_that_fails_for_good_is_left_out_and_the_run_goes_on(tmp_path: Path) -> None:
    tired = f"{__name__}:Tired"
    keys = {"name": "run", "memory": {"prior": False, "tiers": [tired]}, **PROMPT}
    with pytest.raises(FoldError, match="memory tier 'notes' failed: KeyError"):
        spoken(run_file(tmp_path, **keys))
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        (failed,) = journal.events(kinds=["failed"])
    assert "memory tier 'notes' failed" in str(failed)
    run, left = tmp_path / "run", ["memory.tiers="]
    resumed = resume(run, evaluators=factory(ComparisonKind.EXACT), overrides=left)
    assert any(isinstance(event, Ended) for event in events_of(resumed))
    again = replay(run)
    assert again.differences == ()
    assert again.without == (f"memory tier {tired!r}",)
    told = call("replay", run)
    assert told.code == 0, told
    assert f"memory tier {tired!r} was left out later" in told.out


def test_its_advice_reaches_the_search(tmp_path: Path) -> None:
    SEEN.clear()
    config = run_file(tmp_path, memory=MEMORY, policy=f"{__name__}:Heeding", **PROMPT)
    start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    told = [advice for _, advice in SEEN if advice.directions.get("notes@f", 1.0) > 1]
    assert told
    assert all(advice.prior[Step1.name][0] > 0 for advice in told)
    assert SEEN[0][1].directions == {}


@pytest.mark.tier("runs")
@pytest.mark.parametrize("after", [9, 20, 33])
@pytest.mark.parametrize("schedule", ["steady", "generation"])
def test_a_run_that_was_broken_off_goes_on_with_it(
    tmp_path: Path, schedule: str, after: int
) -> None:
    def told(events: list[Event]) -> list[object]:
        config = number_run(tmp_path, **keys)
        state, found = new_state(config), list[object]()
        for event in events:
            state.apply(event)
            if isinstance(event, Selected):
                past = state.open[event.slot].past
                assert past is not None
                slot = state.open[event.slot].slot
                assert slot is not None
                found.append(past.memory.context(slot, "") if past.memory else None)
        return found

    keys = {"memory": MEMORY, "schedule": schedule}
    exact = factory(ComparisonKind.EXACT)
    whole = start(number_run(tmp_path, **keys), problem=number_problem(), evaluators=exact)
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, **keys, name="broken"),
            problem=number_problem(),
            listeners=[Crash(after)],
            evaluators=exact,
        )
    resumed = resume(tmp_path / "broken", evaluators=exact)
    assert told(events_of(resumed)) == told(events_of(whole))
    assert replay(Path(resumed.run)).differences == ()


PACKAGE = '''
"""A tier of memory from another package."""
from dataclasses import dataclass, replace
from se_agent.values.memory_context import Advice

@dataclass(frozen=True)
class Steps:
    counter: object
    closed: int = 0
    name = "steps"
    token_limit = 20
    empty = property(lambda self: not self.closed)

    def apply(self, event, closed=None):
        return replace(self, closed=self.closed + 1) if event.kind == "learned" else self

    def context(self, slot, role):
        return f"{self.closed} steps are closed" if self.closed else ""

    def advice(self):
        return Advice()
'''
SCRIPT = """
import json, sys
from pathlib import Path
from se_agent import registry
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from tests.engine.talking import asked, ran, run_file
memory = {"prior": False, "tiers": ["steps"]}
config = run_file(Path(sys.argv[1]), memory=memory, schedule="steady", lag=2, generation_size=1)
ran(config)  # and replay it
print(json.dumps([registry.names("tier"), [one[0].content for one in asked]]))
"""


@pytest.mark.tier("runs")
def test_a_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    (tmp_path / "closed_steps.py").write_text(PACKAGE, encoding="utf-8")
    record = tmp_path / "closed_steps-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: closed-steps\nVersion: 1.0\n"
    )
    (record / "entry_points.txt").write_text(
        "[se_agent.memory_tiers]\nsteps = closed_steps:Steps\n"
    )
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "results")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names, prompts = json.loads(done.stdout)
    assert names == ["steps"]
    assert any(text.endswith("steps are closed\n") for text in prompts)
