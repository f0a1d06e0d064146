"""What comes of a `command` problem is called untrusted, wherever it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from se_agent.cli.run_path import run_folder
from se_agent.engine.journal.journal import Journal
from se_agent.events import Event, Started
from tests.cli.calls import Called, call
from tests.finished import finished

PROBLEM = """
kind = "command"

[command]
run = ["python3", "{program}"]

[score]
direction = "maximize"
"""
PROGRAM = "SIZE = 1  # tune: int 1..9\nprint(SIZE)\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a problem whose programs print their own score, and a trusted run."""
    home = tmp_path_factory.mktemp("untrusted")
    folder = home / "boast"
    folder.mkdir()
    (folder / "problem.toml").write_text(PROBLEM, encoding="utf-8")
    (folder / "initial.py").write_text(PROGRAM, encoding="utf-8")
    finished(home / "trusted", timed=False, name="scored")
    return home


@pytest.fixture(scope="module")
def ran(home: Path) -> Called:
    """What was said while the problem was run once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        limits = ("budget.evaluations=4", "generation_size=4", "name=boast")
        settings = [part for each in limits for part in ("--set", each)]
        return call("run", "./boast", "--json", *settings)


@pytest.fixture(autouse=True)
def _inside(home: Path, ran: Called, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)


@pytest.mark.tier("runs")
def test_the_run_says_so_from_its_first_line_to_its_last(ran: Called) -> None:
    assert ran.code == 0, ran
    lines = ran.err.splitlines()
    assert re.search(r"is right, score 1 \(maximize\) \(untrusted\)$", lines[1])
    assert re.search(r"best: .* \(untrusted\) so far; ", ran.err)
    assert re.search(
        r"^untrusted: proven: score 1 -> \d \(maximize\); a program that", ran.err, re.M
    )
    steps = re.findall(r"^.*  [+-]\d.*$", ran.err, re.MULTILINE)
    assert steps
    assert all("(untrusted)" in step for step in steps)
    assert re.search(r"^result +.*best.py \(untrusted\)$", ran.err, re.MULTILINE)


@pytest.mark.tier("runs")
def test_so_does_json(ran: Called) -> None:
    row = json.loads(ran.out)
    assert (row["trusted"], row["status"], row["score_initial"]) == (False, "proven", 1.0)
    (listed,) = json.loads(call("ls", "--json").out)
    assert listed["trusted"] is False


@pytest.mark.tier("runs")
def test_so_do_ls_and_show() -> None:
    assert re.search(r"1 -> \d \(maximize\) \(untrusted\)", call("ls").out)
    shown = call("show", "boast").out
    assert re.search(r"^untrusted +a program that set out to could print any", shown, re.M)
    assert re.search(
        r"^score \d \(untrusted\) in the search|  score \d \(untrusted\)", shown, re.M
    )
    assert re.search(r"^untrusted +a program", call("show", "boast", "best").out, re.MULTILINE)
    assert shown.count("(untrusted)") > 2


def test_so_do_lessons_and_the_memory_that_a_model_is_shown(ran: Called) -> None:
    shown = call("show", "boast", "--all").out
    assert re.search(r"^Generation \d+, best \S+: \d \(untrusted\), by", shown, re.MULTILINE)
    for said in (shown, ran.err):
        assert re.search(r"untrusted score \d -> \d", said)
        assert not re.search(r"(?<!untrusted )(?<!proven: )score \d -> \d", said)


def test_what_was_learned_is_for_no_other_run(home: Path, ran: Called) -> None:
    assert "nothing was kept: what untrusted scores taught is for no other run" in ran.err
    assert not (home / "results" / "memory.db").exists()


@pytest.mark.tier("runs")
def test_so_does_check() -> None:
    called = call("check", "./boast", "--json", "--mutants", 2)
    assert re.search(r"^score +1 \(untrusted\)$", called.err, re.MULTILINE), called
    assert json.loads(called.out)["trusted"] is False


def test_what_is_trusted_is_not_called_untrusted() -> None:
    for words in (("ls", "--results", "trusted"), ("show", "trusted/scored")):
        assert "untrusted" not in call(*words).out
    (row,) = json.loads(call("ls", "--results", "trusted", "--json").out)
    assert "trusted" not in row


def test_a_journal_of_before_is_trusted() -> None:
    def started(events: list[Event]) -> Started:
        return next(event for event in events if isinstance(event, Started))

    with Journal(run_folder("boast") / "run.db", write=False) as journal:
        found = started(list(journal.events()))
    assert not found.trusted
    before = found.model_dump(mode="json")
    del before["trusted"]
    assert Started.model_validate(before).trusted
