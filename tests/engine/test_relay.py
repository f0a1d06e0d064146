"""Whole runs in which another policy goes on: on record, repeated, taken up across a switch."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.run.chosen_policy import policy_of, used_of
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import ConfigError, SandboxError
from se_agent.events import Event, Learned, Relayed
from se_agent.report.story import Story
from se_agent.report.words.relay import switches
from se_agent.values.evaluation import ComparisonKind
from tests.engine import talking
from tests.engine.runs import CrashAt, events_of, factory
from tests.engine.talking import of, spoken
from tests.fakes import Endless, number_problem, number_run

PARTS = ["tests.engine.talking:Mutating", "sequential_refine"]
RELAY = {"policy": "relay", "relay": {"parts": PARTS, "plateau": 3}}
SHOWN = {"enabled": True, "prior": False, "context": {"history": "outcomes"}}
SAID = ("x = 5", "x = 3", "x = 2", "x = 4", "x = 1", "x = 8", "x = 6")


def test_after_a_plateau_another_policy_goes_on_with_a_fresh_history(tmp_path: Path) -> None:
    events = spoken(tmp_path, *SAID, memory=SHOWN, **RELAY)
    (switch,) = of(events, Relayed)
    assert (switch.slot, switch.steps, switch.why) == (4, 4, "plateau")
    assert (switch.before, switch.policy) == tuple(PARTS)
    assert switch.best == of(events, Learned)[0].child
    threads = [len(asked) for asked in talking.asked]
    assert threads == [2, 4, 6, 8, 2, 4, 6], "the fifth prompt shows nothing of the others"


def test_a_report_names_the_switch(tmp_path: Path) -> None:
    story = Story.of(spoken(tmp_path, *SAID, **RELAY))
    best = story.relays[0].best
    (told,) = switches(story.relays)
    assert told.startswith(f"step 4: sequential_refine goes on from {best}: ")
    assert told.endswith("Mutating found nothing better at the end of 4 steps")


def stuck(results: Path, name: str) -> Run:
    """Return a run that finds something better rarely: numbers that only grow by luck."""
    return number_run(
        results,
        name=name,
        operators=[Endless.name],
        policy="relay",
        relay={"parts": ["fixed", "random"], "plateau": 1},
        generation_size=3,
        budget={"evaluations": 12},
    )


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", ["relayed", "selected", "learned"])
def test_a_run_that_broke_off_around_a_switch_comes_to_the_same_end(
    tmp_path: Path, kind: str
) -> None:
    whole = finished(stuck(tmp_path, "whole"))
    assert of(whole, Relayed)
    with pytest.raises(SandboxError, match="gave up"):
        begun(stuck(tmp_path, "broken"), CrashAt(kind))
    result = resume(tmp_path / "broken", evaluators=factory(ComparisonKind.EXACT))
    again = [line.replace('"broken"', '"whole"') for line in canonical(events_of(result))]
    assert again == canonical(whole)
    assert replay(tmp_path / "broken").differences == ()


def finished(config: Run) -> list[Event]:
    return events_of(
        start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    )


def begun(config: Run, crash: CrashAt) -> None:
    evaluators = factory(ComparisonKind.EXACT)
    start(config, problem=number_problem(), listeners=[crash], evaluators=evaluators)


def test_a_relay_uses_what_any_of_its_parts_uses() -> None:
    parts = {"parts": ["best_of_n", "sequential_refine"], "plateau": 3}
    run = Run.model_validate({"problem": "x", "policy": "relay", "relay": parts})
    written = {"rewriting": "rewrite", "mutation": "refine", "plan": "plan"}
    assert used_of(run, written) == ["rewriting", "mutation"]


def test_a_relay_is_no_part_of_a_relay() -> None:
    parts = {"parts": ["fixed", "relay"]}
    run = Run.model_validate({"problem": "x", "policy": "relay", "relay": parts})
    with pytest.raises(
        ConfigError, match=r"^relay\.parts: 'relay' has parts of its own"
    ) as caught:
        policy_of(run, {})
    assert "portfolio" in caught.value.hint
