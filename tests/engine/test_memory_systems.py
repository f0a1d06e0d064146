"""The memory systems in whole runs: what each is told, and that they confirm one another."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Message, Reply, RetryCheck, Usage
from se_agent.config.sections import Endpoint
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.run.run_workspace import run_workspace
from se_agent.engine.run.start import start
from se_agent.engine.state.histories import HistoriesFold
from se_agent.events import Ended, Evaluated, Event, Proposed, Started
from se_agent.memory import MEMORY_FILE, MemoryStack, Workspace, read_memory
from se_agent.memory_events import Fetched, Offloaded, Surveyed
from se_agent.values.evaluation import ComparisonKind, Status
from se_agent.values.session import KnownFix
from tests.cli.calls import call
from tests.engine.runs import ROOT, events_of, factory
from tests.engine.step.test_session_updates import Talkative, talked
from tests.engine.talkative import PLACE, Reading, config_of, ran
from tests.engine.talking import PlanFirst, asked, models, of, run_file, say, spoken
from tests.engine.test_session_logs import rebuilt, rows
from tests.fakes import number_problem

HERE = "tests.engine.test_memory_systems"
SLICE: dict[str, object] = {"start": PLACE - 100}
SECRET = "sk-abcdefgh1234567890abcdefgh"
SHOWN = {"enabled": True, "prior": False, "session": {"shown": True}}


class Pondering:
    """Says what it thought before it answered."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Take any endpoint."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        number = int(re.findall(r"x = (-?\d+)", messages[-1].content)[0])
        thoughts = f"after {number} comes {number + 1}; the key is {SECRET}"
        return Reply(
            text=f"x = {number + 1}", usage=Usage(prompt=9, completion=4), thoughts=thoughts
        )

    def close(self) -> None:
        """Nothing is under way."""


def restored(run: Path, after: Sequence[Event]) -> tuple[list[str], dict[str, Any]]:
    """Return what models were asked, and the programs, out of the journal alone."""
    from se_agent.engine.journal.transcript import unpacked_messages

    with Journal(run / "run.db", write=False) as journal:
        asked = [
            message.content
            for reply in of(after, Replied)
            for message in unpacked_messages(reply.request, journal.text)
        ]
    made = (event.proposal for event in of(after, Proposed))
    return asked, {one.solution.id: one.solution.text for one in made if one}


@pytest.mark.row("SQ-01")
def test_every_interaction_thought_and_execution_can_be_had_again(tmp_path: Path) -> None:
    say()
    config = run_file(tmp_path, models=models("Pondering", module=HERE), generation_size=1)
    result = start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    events, run = events_of(result), Path(result.run)
    replies = of(events, Replied)
    prompts, programs = restored(run, events)
    assert len(prompts) == 2 * len(replies)
    with Journal(run / "run.db", write=False) as journal:
        thoughts = [journal.text(reply.thoughts) for reply in replies]
    for reply, thought in zip(replies, thoughts, strict=True):
        number = int(reply.text.removeprefix("x = "))
        assert thought == f"after {number - 1} comes {number}; the key is ***"
    assert {reply.text for reply in replies} == {*programs.values()}
    judged = {event.solution for event in of(events, Evaluated)}
    assert judged
    assert judged <= programs.keys()
    told = call("show", str(run), "Gen1_Sol_0", "--calls").out
    assert f"--- thoughts\n{thoughts[0]}\n--- reply\n{replies[0].text}" in told
    kept = [row["text"] for row in rows(tmp_path, "mutate") if row["kind"] == "thought"]
    assert kept == thoughts
    assert replay(run).differences == ()


@pytest.mark.tier("runs")
@pytest.mark.row("SQ-02", "LF-103")
def test_what_is_used_often_is_at_hand_and_what_is_not_is_fetched_when_it_is_wanted(
    tmp_path: Path,
) -> None:
    """Hot: the prompt. Warm: outputs, a request away. Cold: what other runs learned."""
    memory = {"prior": True}
    events = events_of(ran(config_of(tmp_path, name="first", memory=memory), SLICE))
    (first, second), *_ = [
        [talk for talk in Reading.asked if talk[1] == conversation[1]]
        for conversation in Reading.asked
        if "## How it fails" in conversation[1].content
    ]
    assert "Saved as artifact" in first[1].content
    assert "the right one" not in first[1].content
    assert "the right one is 41" in second[-1].content
    assert len(of(events, Fetched)) == 2
    assert of(events, Started)[0].prior == {}
    assert read_memory(tmp_path / MEMORY_FILE).runs == 1
    later = events_of(ran(config_of(tmp_path, name="second", memory=memory), SLICE))
    assert of(later, Started)[0].prior.keys() == {"mutation", "repair"}


@pytest.mark.row("SQ-52", "AM-38")
def test_a_run_opens_its_memory_systems_and_makes_their_folders(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    result = ran(config, SLICE)
    folder = tmp_path / ".se_agent"
    found = {
        path.name for path in folder.iterdir() if path.suffix not in {".db-wal", ".db-shm"}
    }
    assert found >= {"artifacts.db", "state.db", "artifacts", "groups", ".gc_state", ".gc.lock"}
    (blob, *_) = (p for p in (folder / "artifacts" / "blobs").rglob("*") if p.is_file())
    place = blob.relative_to(folder).as_posix()
    assert re.fullmatch(r"artifacts/blobs/\d{4}/\d\d/\d\d/([0-9a-f]{2}/){2}[0-9a-f]{64}", place)
    log = folder / "groups" / "run" / "sessions" / "repair" / "1"
    assert log.with_suffix(".jsonl").is_file()
    assert log.with_suffix(".md").is_file()
    with (
        Journal(Path(result.run) / "run.db", write=False) as journal,
        run_workspace(Path(result.run), config, journal) as made,
        Workspace.open(folder, write=False) as workspace,
    ):
        assert made.notes == ()
        assert made.logger is not None
        (*_, kept) = of(events_of(result), Offloaded)
        assert workspace.artifacts().rows_of(kept.artifact.digest)
        assert made.outputs.read(kept.artifact, 0, 4) == kept.artifact.head[:4]
    stack = ResolvedRun.of(config, number_problem()).new_state().memory
    assert isinstance(stack, MemoryStack)
    assert [tier.name for tier in stack.tiers] == ["local", "session", "messages"]


@pytest.mark.tier("runs")
@pytest.mark.row("AM-02")
def test_records_conversations_and_logs_for_people_confirm_one_another(tmp_path: Path) -> None:
    result = ran(config_of(tmp_path), SLICE)
    events, run = events_of(result), Path(result.run)
    logged = rows(tmp_path, "evaluator")
    for event in of(events, Evaluated):
        (row,) = [
            r
            for r in logged
            if r["kind"] == "evaluated" and str(r["text"]).startswith(event.solution)
        ]
        assert row["outcome"] == event.evaluation.status
        output = event.evaluation.output
        assert row.get("artifact") == (output.name if output else None)
        shown = call("show", str(run), event.solution).out
        assert ("failed" in shown) == (event.evaluation.status is not Status.AC)
    said = [row["text"] for row in rows(tmp_path, "repair") if row["kind"] == "replied"]
    assert said == [e.text for e in of(events, Replied) if e.role == "repair"]
    made = rebuilt(run)
    folder = tmp_path / ".se_agent" / "groups" / "run" / "sessions"
    for row in rows(tmp_path, "repair"):
        assert (
            f"### {row['n']}. slot {row['slot']}: {row['kind']}"
            in ((folder / "repair" / "1.md").read_text() or str(made))
            or row["kind"] == "summary"
        )
    with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
        kept = {row.digest for row in workspace.artifacts().find()}
    assert kept == {event.artifact.digest for event in of(events, Offloaded)}
    assert replay(run).differences == ()


def rooms_of(path: Path) -> set[str]:
    """Return the rooms of memory that a module imports by name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    return {name for name in named if name.startswith("se_agent.memory.")}


@pytest.mark.tier("runs")
@pytest.mark.row("AM-03")
def test_the_engine_knows_the_memory_systems_by_their_door_and_they_know_no_engine() -> None:
    for floor in ("engine", "cli", "report", "analysis", "grid"):
        for path in (ROOT / "se_agent" / floor).rglob("*.py"):
            doors = {"se_agent.memory.extraction", "se_agent.memory.graph"}
            assert rooms_of(path) <= doors, path
    for path in (ROOT / "se_agent" / "memory").rglob("*.py"):
        if "data" not in path.parts:
            assert not re.search(
                r"^(from|import) se_agent\.(engine|cli)", path.read_text(), re.M
            )


class AnalyseFirst(PlanFirst):
    """Has the program analysed in slot 0, then changes it."""

    _operators = ("analyse", Talkative.name)


@pytest.mark.row("LF-88")
def test_an_analysis_reads_what_is_known_writes_what_is_agreed_and_gives_back(
    tmp_path: Path,
) -> None:
    """In iteration 0: archetypes are read, three things are written, the policy goes on."""
    reply = (
        '<archetype type="array_scan" phases="read, scan" />'
        "<api_constraint>keep the order</api_constraint>"
    )
    kit: dict[str, object] = {
        "operators": ["analyse", Talkative.name],
        "policy": f"{HERE}:AnalyseFirst",
        "memory": SHOWN | {"context": {"history": "outcomes"}},
    }
    events = spoken(tmp_path, reply, "x = 3", **kit)
    analysis, change = asked[:2]
    assert "- **array_scan**: " in analysis[0].content
    assert "- **numeric_kernel**: " in analysis[0].content
    assert "keep the order" not in analysis[0].content
    assert "keep the order" in change[0].content
    state = ResolvedRun.of(run_file(tmp_path, **kit), number_problem()).new_state()
    for event in events:
        state.apply(event)
    assert state.memory is not None
    agreed = state.memory.session
    assert [c.constraint for c in agreed.api_constraints if c.source == "analyse"] == [
        "keep the order"
    ]
    assert agreed.archetype is not None
    assert (agreed.archetype.type, agreed.archetype.source) == ("array_scan", "analyse")
    (first, second) = of(events, Proposed)[:2]
    assert first.proposal is None
    assert second.proposal is not None
    said = [reply for reply in of(events, Replied) if reply.role == "analyse"]
    assert len(said) == 1


@pytest.mark.row("LF-94")
def test_the_state_of_a_run_has_what_the_seed_lists(tmp_path: Path) -> None:
    """Benchmark and trial, messages, agreement, programs, failures, control, and tokens."""
    replies = ("x = 7", "x = 9", "<decision>count</decision>\nx = 12")
    events = talked(tmp_path, *replies)
    state = ResolvedRun.of(run_file(tmp_path), number_problem()).new_state()
    seen = []
    for event in events:
        state.apply(event)
        seen.append((state.generation, state.ended))
    begun = state.begun
    assert (begun.name, begun.config["seed"]) == (number_problem().name, 0)  # benchmark, trial
    histories = state.folds["histories"]
    assert isinstance(histories, HistoriesFold)
    assert {role for role, _ in histories.value.turns} == {"mutate", "repair"}
    assert state.memory is not None
    assert [d.decision for d in state.memory.session.decisions][-1] == "count"
    population = state.populated
    assert population.best.solution.text == "x = 12"  # fuzz_target_source
    failed = [e for e in of(events, Evaluated) if e.evaluation.status is not Status.AC]
    assert [e.evaluation.status for e in failed] == [Status.WA]  # compile_success, crashes
    fixes = [f for f in state.memory.session.known_fixes if isinstance(f, KnownFix)]
    assert any(fix.verified for fix in fixes)  # build_errors
    assert state.generation is not None
    assert state.generation.generation == 3  # current_iteration
    assert state.ended is not None  # next_action "END"
    assert state.costs.asked.in_all.calls == 3
    assert state.costs.asked.in_all.usage.total > 0
    assert seen[0] == (None, None)


def test_a_replayed_survey_comes_before_all_else(tmp_path: Path) -> None:
    kinds = [type(event) for event in events_of(ran(config_of(tmp_path)))]
    assert kinds.index(Surveyed) < kinds.index(Replied) < kinds.index(Ended)
