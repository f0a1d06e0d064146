"""Outputs of failures in a run: kept whole, named in prompts, read in slices, resumed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import ClassVar

import pytest

from se_agent.chat.events import Objected, Replied
from se_agent.chat.references import preview
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.engine.judging.kept_outputs import KeptOutputs
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume
from se_agent.errors import SandboxError
from se_agent.events import Confirmed, Ended, Evaluated, Event, Proposed, Started
from se_agent.memory import Workspace
from se_agent.memory_events import Fetched, Noted, Offloaded
from se_agent.report.story import Story
from se_agent.values.evaluation import Evaluation, Status
from tests.engine.runs import Crash, CrashAt, events_of
from tests.engine.talkative import PLACE, Reading, config_of, output_of, ran, verbose
from tests.engine.talking import of

SLICE: dict[str, object] = {"start": PLACE - 100}


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


@pytest.mark.row("SQ-19", "SQ-20", "SQ-22", "SQ-58")
def test_an_output_is_kept_whole_and_the_journal_has_a_name_and_a_preview(
    tmp_path: Path,
) -> None:
    events = events_of(ran(config_of(tmp_path)))
    wrong = [e for e in of(events, Evaluated) if e.evaluation.status is Status.WA]
    assert wrong
    with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
        store = workspace.artifacts()
        for event in wrong:
            value = int(event.evaluation.failing[0].got)
            output = event.evaluation.output
            assert output is not None
            assert store.content_of(output.digest).decode() == output_of(value)
            assert (len(output.head), len(output.tail)) == (500, 200)
            (row,) = store.rows_of(output.digest)
            assert (row.tags, row.author, row.group_id) == (
                ("sys:ephemeral",),
                "evaluator",
                "run",
            )
    assert [e.artifact for e in of(events, Offloaded)] == [e.evaluation.output for e in wrong]


def test_a_failure_of_3_mb_makes_the_journal_less_than_4_kb_longer(tmp_path: Path) -> None:
    events = events_of(ran(config_of(tmp_path), SLICE))
    named = [e for e in of(events, Evaluated) if e.evaluation.output]
    grown = [len(e.model_dump_json()) for e in (*of(events, Offloaded), *named)]
    assert len(named) >= 2
    assert sum(grown) / len(named) < 4096


@pytest.mark.row("SQ-24", "SQ-59")
def test_a_model_reads_a_slice_and_its_repair_uses_what_only_the_slice_has(
    tmp_path: Path,
) -> None:
    result = ran(config_of(tmp_path), SLICE)
    events = events_of(result)
    made = [e.proposal.solution.text for e in of(events, Proposed) if e.proposal]
    assert "x = 41" in made[1]
    assert of(events, Confirmed)[0].status == "proven"
    (first, second), *_ = [
        [talk for talk in Reading.asked if talk[1] == conversation[1]]
        for conversation in Reading.asked
        if "## How it fails" in conversation[1].content
    ]
    output = of(events, Offloaded)[0].artifact
    assert f"[Output too large (1MB). Saved as artifact: {output.name}. Preview: 7: not" in (
        first[1].content
    )
    assert "the right one" not in first[1].content
    assert "the right one is 41" in second[-1].content
    assert len(second[-1].content) < 8500
    assert replay(Path(result.run)).differences == ()


@pytest.mark.row("SQ-59")
def test_a_slice_is_on_record_before_the_request_that_holds_it(tmp_path: Path) -> None:
    result = ran(config_of(tmp_path), SLICE)
    events = events_of(result)
    place = kinds(events).index("fetched")
    fetched, after = events[place], events[place + 1]
    assert isinstance(fetched, Fetched)
    assert isinstance(after, Replied)
    assert (fetched.attempt, after.attempt) == (0, 1)
    with Journal(Path(result.run) / "run.db", write=False) as journal:
        text = journal.text(fetched.text)
        asked = unpacked_messages(after.request, journal.text)
    assert text in asked[-1].content


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "ffffffffffff", "", "7", "x" * 500, "`]\n## System"]
)
def test_what_is_no_output_of_this_run_is_refused_politely(tmp_path: Path, name: str) -> None:
    with Workspace.open(tmp_path / ".se_agent") as workspace:
        workspace.artifacts().save_artifact("of another run", title="x")
    events = events_of(ran(config_of(tmp_path), {"artifact": name}, SLICE))
    read = [talk for talk in Reading.asked if len(talk) > 2]
    assert "cannot be read: only outputs of this run can" in read[0][3].content
    assert "You may read once more" in read[0][3].content
    assert "\n## System" not in read[0][3].content
    assert "Nothing more can be read" in read[1][5].content
    assert {e.artifact.digest for e in of(events, Offloaded)}
    assert not of(events, Objected)


def test_an_output_of_another_run_cannot_be_read(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / ".se_agent") as workspace:
        ref = workspace.artifacts().save_artifact("of another run", title="x")
    ran(config_of(tmp_path), {"artifact": ref.name})
    assert any("cannot be read" in talk[-1].content for talk in Reading.asked)
    assert not any("of another run" in talk[-1].content for talk in Reading.asked)


def test_after_two_rounds_a_request_is_no_answer_and_the_model_is_told(tmp_path: Path) -> None:
    events = events_of(ran(config_of(tmp_path), SLICE, SLICE, SLICE))
    assert {e.attempt for e in of(events, Fetched)} == {0, 1}
    (first, *_) = of(events, Objected)
    assert first.attempt == 2
    assert any(
        "it asks to read, and nothing more can be read: answer now" in talk[-1].content
        for talk in Reading.asked
    )
    assert {e.attempt for e in of(events, Replied) if e.slot == first.slot} == {0, 1, 2, 3}


def test_without_rounds_nothing_is_read_and_no_prompt_says_so(tmp_path: Path) -> None:
    config = config_of(tmp_path, memory={"prior": False, "artifacts": {"read_rounds": 0}})
    events = events_of(ran(config, SLICE))
    assert not of(events, Fetched)
    shown = [t[1].content for t in Reading.asked if "Saved as artifact" in t[1].content]
    assert shown
    assert not any("To read a part of it" in text for text in shown)


@pytest.mark.row("SQ-25")
def test_a_reference_still_tells_what_was_there_when_the_whole_has_gone(
    tmp_path: Path,
) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        ran(config_of(tmp_path), SLICE, listeners=[CrashAt("learned")])
    shutil.rmtree(tmp_path / ".se_agent")
    result = resume(tmp_path / "run", evaluators=verbose())
    shown = [t[1].content for t in Reading.asked if "## How it fails" in t[1].content]
    assert "Saved as artifact" in shown[0]
    assert output_of(7)[:400] in shown[0]
    assert any("cannot be read" in talk[-1].content for talk in Reading.asked)
    assert of(events_of(result), Ended)


def test_a_replay_needs_nothing_beside_the_journal(tmp_path: Path) -> None:
    result = ran(config_of(tmp_path), SLICE, {"artifact": "ffffffffffff"})
    (tmp_path / ".se_agent").rename(tmp_path / "elsewhere")
    assert replay(Path(result.run)).differences == ()


@pytest.mark.tier("runs")
@pytest.mark.parametrize("after", range(2, 22))
def test_each_prefix_of_blob_event_and_slice_resumes_to_the_same_end(
    tmp_path: Path, after: int
) -> None:
    whole = events_of(ran(config_of(tmp_path, name="whole"), SLICE))
    try:
        ran(config_of(tmp_path, name="broken"), SLICE, listeners=[Crash(after)])
    except SandboxError:
        resume(tmp_path / "broken", evaluators=verbose())
    with Journal(tmp_path / "broken" / "run.db", write=False) as journal:
        events = list(journal.events())
    lines = [line.replace('"broken"', '"whole"') for line in canonical(events)]
    assert lines == canonical(whole)
    with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
        for event in of(events, Offloaded):
            assert workspace.artifacts().content_of(event.artifact.digest)


@pytest.mark.row("SQ-20")
def test_the_output_is_recorded_after_its_content_and_before_what_names_it(
    tmp_path: Path,
) -> None:
    class Looking:
        """Looks for the content as soon as the event is there."""

        seen: ClassVar[list[str]] = []

        def on_event(self, event: Event) -> None:
            if isinstance(event, Offloaded):
                with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
                    workspace.artifacts().content_of(event.artifact.digest)
                self.seen.append(event.artifact.digest)
            if isinstance(event, Evaluated) and event.evaluation.output:
                assert event.evaluation.output.digest in self.seen

    ran(config_of(tmp_path), listeners=[Looking()])
    assert Looking.seen


def test_a_workspace_that_cannot_be_used_costs_the_run_a_note_and_nothing_else(
    tmp_path: Path,
) -> None:
    (tmp_path / ".se_agent").write_text("a file")
    events = events_of(ran(config_of(tmp_path)))
    (note,) = of(events, Started)[0].notes
    assert note.startswith("nothing is kept beside this run: ")
    assert of(events, Ended)
    assert not of(events, Offloaded)
    assert not any(e.evaluation.output for e in of(events, Evaluated))


def test_with_none_nothing_lies_beside_the_run(tmp_path: Path) -> None:
    config = config_of(tmp_path, memory={"prior": False, "workspace": {"path": "none"}})
    events = events_of(ran(config))
    assert of(events, Started)[0].notes == ()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_store_that_fails_half_way_costs_the_outputs_alone(tmp_path: Path) -> None:
    class Spoiling:
        """Takes the place of contents away once the run has begun."""

        def on_event(self, event: Event) -> None:
            if isinstance(event, Started):
                (tmp_path / ".se_agent" / "artifacts").write_text("no folder")

    result = ran(config_of(tmp_path), listeners=[Spoiling()])
    events = events_of(result)
    assert not of(events, Offloaded)
    assert of(events, Ended)
    lost = [e for e in of(events, Evaluated) if e.evaluation.status is Status.WA]
    notes = [e for e in of(events, Noted) if e.slot >= 0]
    assert [(e.slot, e.text.split(":")[0]) for e in notes] == [
        (e.slot, e.solution) for e in lost
    ]
    assert "its output (1MB) is not kept: " in notes[0].text
    assert notes[0].text in result.notes
    assert notes[0].text in Story.of(events).notes
    assert replay(Path(result.run)).differences == ()


@pytest.mark.row("SQ-20")
def test_a_short_output_that_is_cut_elsewhere_is_kept_and_shown_whole(tmp_path: Path) -> None:
    text = "é" * 1500
    wrong = Evaluation(status=Status.WA, feedback="short", full_output=text)
    with Workspace.open(tmp_path) as workspace:
        found, why_lost = KeptOutputs(workspace.artifacts()).kept(wrong, "s1")
        assert (found.full_output, why_lost) == ("", "")
        assert found.output is not None
        assert (found.output.head, found.output.tail) == (text, "")
        assert preview(found.output) == (
            f"[Saved as artifact: {found.output.name}. All of it (3KB): {text}]"
        )
        assert workspace.artifacts().read_artifact(found.output.name) == text
