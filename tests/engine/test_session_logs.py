"""Session logs of a run: derived from its journal, and the same after a kill."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from se_agent.chat.events import Planned, Replied
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.log_lines import LogFold
from se_agent.engine.journal.session_logs import (
    LogPast,
    SessionLogger,
    session_logs,
    sessions_folder,
)
from se_agent.engine.run.snapshot import Snapshots
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import Ended, Event
from se_agent.memory import Workspace, group_of
from se_agent.memory_events import Noted
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.search_context import Strategy
from tests.cli.calls import call
from tests.engine.runs import Crash, CrashAt, events_of, factory, new_state
from tests.engine.talkative import Reading, config_of, ran, verbose
from tests.fakes import number_problem, number_run

SLICE: dict[str, object] = {"start": 499_900}


def logs_of(results: Path, run: str = "run") -> dict[str, bytes]:
    """Return the files of a run's logs by `agent/name`."""
    place = sessions_folder(results / ".se_agent", run)
    return {f"{p.parent.name}/{p.name}": p.read_bytes() for p in place.rglob("*.*")}


def rows(results: Path, agent: str, run: str = "run") -> list[dict[str, object]]:
    """Return all rows of an agent, whichever time the run was open."""
    place = sessions_folder(results / ".se_agent", run) / agent
    files = sorted(place.glob("*.jsonl"), key=lambda path: int(path.stem))
    return [json.loads(line) for path in files for line in path.read_text().splitlines()]


def without_time(found: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{name: value for name, value in row.items() if name != "at"} for row in found]


def rebuilt(run: Path) -> dict[str, bytes]:
    with Journal(run / "run.db", write=False) as journal:
        made = session_logs(journal.events(), journal.text)
    jsonl = {f"{name}.jsonl": pair.rows.encode() for name, pair in made.items()}
    return jsonl | {f"{name}.md": pair.markdown.encode() for name, pair in made.items()}


@pytest.mark.row("SQ-06", "SQ-13", "SQ-53", "SQ-60")
def test_a_run_writes_a_pair_of_files_for_each_role(tmp_path: Path) -> None:
    ran(config_of(tmp_path), SLICE)
    names = {"mutate", "refine", "repair", "evaluator", "rules"}
    agents = {name.partition("/")[0] for name in logs_of(tmp_path)}
    assert {"repair", "evaluator"} <= agents <= names
    folder = tmp_path / ".se_agent" / "groups" / "run" / "sessions" / "repair"
    assert sorted(path.name for path in folder.iterdir()) == ["1.jsonl", "1.md"]
    kinds = [row["kind"] for row in rows(tmp_path, "repair")][:6]
    assert kinds == ["asked", "asked", "replied", "fetched", "asked", "replied"]
    numbers = [row["n"] for row in rows(tmp_path, "repair")]
    assert numbers == list(range(1, len(numbers) + 1))
    for row in rows(tmp_path, "repair"):
        assert {"n", "at", "slot", "agent", "kind"} <= set(row)


@pytest.mark.row("SQ-06")
def test_each_call_of_a_model_is_in_the_log_of_its_role(tmp_path: Path) -> None:
    events = events_of(ran(config_of(tmp_path), SLICE))
    for event in events:
        if isinstance(event, Replied):
            said = [r for r in rows(tmp_path, event.role) if r["kind"] == "replied"]
            assert any(row["text"] == event.text for row in said)


def test_a_text_of_more_than_2000_characters_is_kept_by_reference(tmp_path: Path) -> None:
    ran(config_of(tmp_path), SLICE)
    long = [row for row in rows(tmp_path, "repair") if "artifact" in row]
    assert long
    for row in rows(tmp_path, "repair"):
        assert len(str(row.get("text", ""))) <= 2000
    for row in long:
        assert re.fullmatch("[0-9a-f]{12}", str(row["artifact"]))


def test_long_texts_stand_in_it_whole_where_that_is_asked_for(tmp_path: Path) -> None:
    found = ran(config_of(tmp_path), SLICE)
    with Journal(Path(found.run) / "run.db", write=False) as journal:
        fold = LogFold(is_whole=True)
        told = [
            line.row for event in journal.events() for line in fold.lines(event, journal.text)
        ]
    assert max(map(len, told)) > 2000
    assert not any('"artifact"' in row and "[...]" in row for row in told)


@pytest.mark.row("SQ-63")
def test_a_run_that_has_ended_has_a_summary_for_each_role(tmp_path: Path) -> None:
    ran(config_of(tmp_path), SLICE)
    for name, text in logs_of(tmp_path).items():
        if name.endswith(".md"):
            assert text.decode().count("## Summary") == 1
            assert "- the run ended: proven" in text.decode()
    (last,) = [r for r in rows(tmp_path, "repair") if r["kind"] == "summary"]
    calls = sum("## How it fails" in talk[1].content for talk in Reading.asked)
    assert f"- {calls} replies of models" in str(last["text"])


@pytest.mark.row("SQ-53")
def test_the_journal_gives_the_same_bytes(tmp_path: Path) -> None:
    result = ran(config_of(tmp_path), SLICE)
    assert rebuilt(Path(result.run)) == logs_of(tmp_path)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("after", [2, 4, 6, 8, 9, 10, 13, 20])
def test_a_run_that_was_broken_off_has_the_log_of_one_that_was_not(
    tmp_path: Path, after: int
) -> None:
    ran(config_of(tmp_path, name="whole"), SLICE)
    with pytest.raises(SandboxError, match="gave up"):
        ran(config_of(tmp_path, name="broken"), SLICE, listeners=[Crash(after)])
    torn(tmp_path)
    resume(tmp_path / "broken", evaluators=verbose())
    agents = {name.partition("/")[0] for name in logs_of(tmp_path, "whole")}
    for agent in agents:
        whole, broken = (without_time(rows(tmp_path, agent, n)) for n in ("whole", "broken"))
        assert named(broken) == named(whole)
    assert rebuilt(tmp_path / "broken") == logs_of(tmp_path, "broken")


def torn(results: Path) -> None:
    """Leave half a line at the end of each file, as a kill may."""
    for path in sessions_folder(results / ".se_agent", "broken").rglob("*.jsonl"):
        with path.open("a") as file:
            file.write('{"n": 99, "at"')


def named(found: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{k: v for k, v in row.items() if k != "artifact"} for row in found]


@pytest.mark.tier("runs")
def test_a_run_that_goes_on_from_a_snapshot_writes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = broken(tmp_path, keeps_logs=True)
    resume(run, evaluators=factory(ComparisonKind.EXACT))
    assert rebuilt(run) == logs_of(tmp_path, "broken")


@pytest.mark.tier("runs")
@pytest.mark.parametrize("keeps_logs", [True, False])
def test_logs_that_are_gone_are_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keeps_logs: bool
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = broken(tmp_path, keeps_logs=keeps_logs)
    for path in sessions_folder(tmp_path / ".se_agent", "broken").rglob("*.md"):
        path.unlink()
    resume(run, evaluators=factory(ComparisonKind.EXACT))
    assert rebuilt(run) == logs_of(tmp_path, "broken")


def broken(results: Path, *, keeps_logs: bool) -> Path:
    """Break a run off, and keep a snapshot of it, with what its logger knew or without."""
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(results, name="broken"),
            problem=number_problem(),
            listeners=[Crash(60)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    run = results / "broken"
    logs = sessions_folder(results / ".se_agent", "broken")
    with Journal(run / "run.db") as journal:
        state = new_state(number_run(results, name="broken"))
        logger = SessionLogger(logs, journal.text, print)
        for event in journal.events():
            state.apply(event)
            logger.on_event(event)
        Snapshots(journal).save(state, [logger] if keeps_logs else [])
        logger.close()
    return run


def test_files_are_for_their_owner_only(tmp_path: Path) -> None:
    ran(config_of(tmp_path))
    for path in (tmp_path / ".se_agent" / "groups").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_costs_the_run_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "sessions").write_text("a file")
    events = events_of(ran(config_of(tmp_path, name="other")))
    logger = SessionLogger(tmp_path / "sessions", lambda _: "", told.append)
    for event in events:
        logger.on_event(event)
    (words,) = told
    assert words.startswith("session logs are not written any more: ")


def test_logs_that_cannot_be_looked_at_end_no_run(tmp_path: Path) -> None:
    logger = SessionLogger(tmp_path / ("x" * 300), lambda _: "", lambda _: None)
    logger.restore(LogPast(LogFold(), {"repair/1.md": 5}))
    assert logger.snapshot().sizes == {"repair/1.md": 5}


def test_logs_that_break_before_anything_is_recorded_are_told_of(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="gave up"):
        ran(config_of(tmp_path), listeners=[CrashAt("learned")])
    shutil.rmtree(tmp_path / ".se_agent" / "groups")
    (tmp_path / ".se_agent" / "groups").write_text("a file")
    resume(tmp_path / "run", evaluators=verbose())
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        noted = [event.text for event in journal.events() if isinstance(event, Noted)]
    told = [words for words in noted if words.startswith("session logs are not")]
    assert len(told) == 1


@pytest.mark.tier("runs")
def test_two_runs_of_one_name_share_a_workspace_and_no_file(tmp_path: Path) -> None:
    memory = {"prior": False, "workspace": {"path": str(tmp_path / "shared")}}
    for arm in ("one", "two"):
        ran(config_of(tmp_path / arm, memory=memory))
    groups = [group_of(tmp_path / arm / "run", tmp_path / "shared") for arm in ("one", "two")]
    assert all(re.fullmatch("run-[0-9a-f]{8}", group) for group in groups)
    found = sorted((tmp_path / "shared" / "groups").iterdir())
    assert [path.name for path in found] == sorted(groups)
    with Workspace.open(tmp_path / "shared", write=False) as workspace:
        assert {row.group_id for row in workspace.artifacts().find()} == {*groups}
    made = rebuilt(tmp_path / "one" / "run")
    assert call("log", str(tmp_path / "one" / "run"), "--rebuild").code == 0
    place = sessions_folder(tmp_path / "shared", groups[0])
    kept = {f"{p.parent.name}/{p.name}": p.read_bytes() for p in place.rglob("*.*")}
    assert kept == made
    assert len([*(tmp_path / "shared" / "groups").iterdir()]) == 2


def test_logs_are_switched_off_by_their_key(tmp_path: Path) -> None:
    config = config_of(tmp_path, memory={"prior": False, "workspace": {"logs": False}})
    ran(config)
    assert not (tmp_path / ".se_agent" / "groups").exists()


def test_a_role_with_the_name_of_a_path_has_no_file_of_its_own() -> None:
    events: list[Event] = [
        Replied(role="../../x", model="m", text="a"),
        Ended(status="proven", cpu_seconds=0, wall_seconds=0),
    ]
    assert {*session_logs(events, lambda _: "")} == {"other/1"}


def test_no_secret_is_in_a_log() -> None:
    secret = "sk-abcdefgh1234567890abcdefgh"
    event = Replied(role="repair", model="m", text=f"API_KEY={secret}" + os.linesep)
    (pair,) = session_logs([event], lambda _: "").values()
    assert secret not in pair.rows + pair.markdown


def test_a_plan_is_a_line_that_names_its_strategies() -> None:
    ways = tuple(Strategy(name=name, idea="", complexity="") for name in ("Heap", "Two ends"))
    (line,) = LogFold().lines(Planned(slot=3, strategies=ways), str)
    row = json.loads(line.row)
    assert (line.agent, row["kind"], row["slot"]) == ("rules", "planned", 3)
    assert "Heap, Two ends" in line.row
