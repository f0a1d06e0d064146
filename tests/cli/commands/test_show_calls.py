"""`show --calls`: what models were asked, and what they said."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.chat.events import Lost, Replied
from se_agent.chat.messages import Role
from se_agent.engine.journal.journal import Journal
from se_agent.errors import ModelError
from se_agent.store.blobs import digest_of
from tests.cli.calls import call, two_lines
from tests.engine import talkative
from tests.engine.talking import asked, spoken
from tests.finished import finished

NOBODY = "no model was asked for this program\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run whose model said nonsense, two numbers and a colour, to which nothing was said."""
    spoken(tmp_path, "nonsense", "x = 3", "x = 4", "no\x1b[31mthing")
    return tmp_path / "run"


def test_all_calls_of_a_run_a_call_two_lines(run: Path) -> None:
    *lines, last = call("show", run, "--calls").out.splitlines()
    heads, replies = lines[::2], [line.strip() for line in lines[1::2]]
    assert [head.partition(":")[0] for head in heads] == [
        "Gen1_Sol_0",
        "Gen1_Sol_0",
        "Gen2_Sol_0",
        "Gen3_Sol_0",
        "Gen3_Sol_0",
    ]
    assert ["once more" in head for head in heads] == [False, True, False, False, True]
    assert all("mutate by main: 1 call, " in head for head in heads[:4])
    assert "mutate: nobody was asked" in heads[4]
    assert replies[:4] == ["nonsense", "x = 3", "x = 4", r"no\x1b[31mthing"]
    assert last.endswith("Gen3_Sol_0 --calls")


def test_a_step_word_by_word_with_the_second_chance(run: Path) -> None:
    told = call("show", run, "g1s0", "--calls").out
    first, again = told.split("=== ")[1:]
    for message in asked[0]:
        assert f"--- {message.role}\n{message.content}\n" in first
    assert "--- reply\nnonsense\n" in first
    assert "--- cannot be used\n'nonsense' is no program" in first
    assert "--- cannot be used" not in again
    assert "--- assistant\nnonsense\n" in again
    assert "'nonsense' is no program" in again
    assert "--- reply\nx = 3\n" in again
    assert "x = 4" not in told


def test_a_step_that_brought_no_program_and_the_best(run: Path) -> None:
    assert r"no\x1b[31mthing" in call("show", run, "Gen3_Sol_0", "--calls").out
    best = call("show", run, "best", "--calls").out
    assert best.startswith("=== Gen2_Sol_0")
    assert "--- reply\nx = 4\n" in best
    assert call("show", run, "initial", "--calls").out == NOBODY


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("g9s9", "no step of this run has the id Gen9_Sol_9", id="absent"),
        pytest.param("zebra", "not a solution id: 'zebra'", id="no-id"),
    ],
)
def test_a_step_that_is_not_there(run: Path, name: str, said: str) -> None:
    error, hint = two_lines(call("show", run, name, "--calls"))
    assert said in error
    assert "lists" in hint


def test_a_call_without_a_reply_says_why(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="5 calls in a row failed"):
        spoken(tmp_path, "x = 3", budget={"evaluations": 9})
    told = call("show", tmp_path / "run", "g2s0", "--calls").out
    assert "--- no reply\nno reply left after 1" in told
    assert "Gen2_Sol_0: mutate by main: 0 calls and 1 without a reply" in told


@pytest.mark.tier("runs")
def test_nobody_was_asked(tmp_path: Path) -> None:
    folder = finished(tmp_path, timed=False)
    assert call("show", folder, "--calls").out == "no model was asked\n"
    told = call("show", folder, "g1s0", "--calls").out
    assert told == NOBODY


def test_code_is_printed_as_it_is(tmp_path: Path) -> None:
    spoken(tmp_path, "x = 3\nxs[a:x:2], {k:b:1}, [red]")
    told = call("show", tmp_path / "run", "g1s0", "--calls").out
    assert "x = 3\nxs[a:x:2], {k:b:1}, [red]\n" in told


@pytest.mark.tier("runs")
def test_a_lesson_of_a_step_that_has_no_id(tmp_path: Path) -> None:
    folder = finished(tmp_path, timed=False)
    lesson = Replied(slot=777, role=Role.EXTRACT, model="\x1b[31mred", text="what was learned")
    broken = Lost(slot=778, role=Role.MUTATE, model="main", why="wrong key")
    with Journal(folder / "run.db") as journal:
        journal.append(lesson, broken)
    told = call("show", folder, "--calls").out
    assert r"slot-777: extract by \x1b[31mred: 1 call" in told
    assert "what was learned" in call("show", folder, "slot-777", "--calls").out
    told = call("show", folder, "slot-778", "--calls").out
    assert "--- broken off\nwrong key: the run ended" in told


@pytest.mark.tier("runs")
def test_a_request_that_is_none(tmp_path: Path) -> None:
    folder = finished(tmp_path, timed=False)
    reply = Replied(slot=777, role=Role.MUTATE, model="main", request=digest_of("5"), text="x")
    with Journal(folder / "run.db") as journal:
        journal.append(reply, texts=["5"])
    assert "no list of messages" in two_lines(call("show", folder, "slot-777", "--calls"))[0]


def test_one_thing_at_a_time(run: Path) -> None:
    error, _ = two_lines(call("show", run, "--calls", "--search", "x"))
    assert (
        error == "--search, --directions, --session, --agents and --calls show one thing each"
    )


def test_a_step_whose_replies_could_not_be_used_says_where_they_are(tmp_path: Path) -> None:
    spoken(tmp_path, "bad", "worse", "x = 5")
    error, hint = two_lines(call("show", tmp_path / "run", "g1s0"))
    assert error.startswith("Gen1_Sol_0 brought no program of its own: unusable reply: 'worse'")
    assert hint.startswith("`se-agent show RUN Gen1_Sol_0 --calls` has what a model was asked")


def test_a_call_that_follows_what_was_read_says_so(tmp_path: Path) -> None:
    run = talkative.ran(talkative.config_of(tmp_path), {"start": 500_000}).run
    said = call("show", run, "--calls").out
    assert "once more after it read a part of an output" in said
    assert "unusable" not in said
