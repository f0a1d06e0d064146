"""`artifact`: what is kept whole is listed, shown, and kept for good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.memory import Workspace
from tests.cli.calls import call, two_lines
from tests.engine.talkative import PLACE, config_of, ran

TEXT = "".join(f"line {n}\n" for n in range(2000))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Workspace.open(tmp_path / ".se_agent") as workspace:
        store = workspace.artifacts()
        store.save_artifact(TEXT, title="the log", group_id="one", author="evaluator")
        store.save_artifact("\x1b[31mred", title="colours", group_id="two", tags=("mine",))
    return tmp_path


def rows(results: Path, *options: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(
        call("artifact", "ls", "--results", results, "--json", *options).out
    )
    return found


@pytest.mark.row("SQ-08")
def test_what_is_kept_is_listed(results: Path) -> None:
    told = call("artifact", "ls", "--results", results).out.splitlines()
    assert told[0].split() == ["name", "saved", "size", "run", "kept", "title"]
    assert told[1].endswith("the log")
    assert [row["title"] for row in rows(results)] == ["the log", "colours"]
    assert [row["title"] for row in rows(results, "--run", "two")] == ["colours"]
    assert [row["title"] for row in rows(results, "--tag", "mine")] == ["colours"]
    assert rows(results, "--since", "9999-01-01") == []


def test_nothing_kept_is_said_and_nothing_made(tmp_path: Path) -> None:
    told = call("artifact", "ls", "--results", tmp_path)
    assert told.code == 0
    assert "nothing is kept" in told.out
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--since", "foo"), "--since 'foo': no date"),
        (("--results", "nowhere"), "--results nowhere: no such folder"),
        (("--workspace", "nowhere"), "--workspace nowhere: no such folder"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: tuple[str, ...], why: str) -> None:
    assert two_lines(call("artifact", "ls", *options))[0] == why


@pytest.mark.tier("runs")
@pytest.mark.row("SQ-53")
def test_a_text_that_a_log_names_is_shown_out_of_the_journal(tmp_path: Path) -> None:
    ran(config_of(tmp_path), {"start": PLACE - 100})
    logs = [*(tmp_path / ".se_agent" / "groups").rglob("*.jsonl")]
    lines = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    named = [line for line in lines if "artifact" in line and "text" in line]
    assert any(line["kind"] == "asked" for line in named)
    for line in named:
        shown = call("artifact", "show", line["artifact"], "--results", tmp_path)
        assert shown.code == 0
        if line["kind"] == "asked":
            assert shown.out.startswith(line["text"][:200])


@pytest.mark.row("SQ-59")
def test_an_output_is_shown_in_slices_or_whole(results: Path) -> None:
    name = str(rows(results)[0]["digest"])[:12]
    told = call("artifact", "show", name, "--results", results).out
    assert told.startswith(TEXT[:8000].rstrip("\n"))
    assert f"artifact show {name} --start 8000" in told
    rest = call("artifact", "show", name, "--start", "8000", "--results", results).out
    assert rest.startswith(TEXT[8000:16000].rstrip("\n"))
    whole = call("artifact", "show", name, "--all", "--results", results).out
    assert whole.rstrip("\n") == TEXT.rstrip("\n")
    told = call("artifact", "show", "2", "--results", results, "--json").out
    assert json.loads(told)["text"] == "\x1b[31mred"


def test_what_a_program_wrote_moves_no_terminal(results: Path) -> None:
    assert "\x1b" not in call("artifact", "show", "2", "--results", results).out


@pytest.mark.row("SQ-35")
def test_an_output_is_kept_for_good_until_it_is_not(results: Path) -> None:
    assert call("artifact", "pin", "1", "--results", results).code == 0
    assert rows(results)[0]["tags"] == ["sys:ephemeral", "user:persistent"]
    assert call("artifact", "unpin", "1", "--results", results).code == 0
    assert rows(results)[0]["tags"] == ["sys:ephemeral"]


@pytest.mark.parametrize("command", ["show", "pin", "unpin"])
def test_what_is_not_there_is_two_lines(results: Path, command: str) -> None:
    called = call("artifact", command, "../../etc/passwd", "--results", results)
    assert called.code == 2
    error, hint = two_lines(called)
    assert "no artifact '../../etc/passwd'" in error
    assert "artifact ls" in hint


def test_no_workspace_is_two_lines_where_it_is_to_be_changed(tmp_path: Path) -> None:
    error, hint = two_lines(call("artifact", "pin", "1", "--results", tmp_path))
    assert "no workspace" in error
    assert "--workspace" in hint
