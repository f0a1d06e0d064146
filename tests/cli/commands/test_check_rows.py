"""`check` of a problem set, and of one of its rows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.commands.test_problem_set import ROW

WEAK = [{"args": "([], 2)", "expected": "0"}]


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    inputs = [{"expr": "generate(rng, 60)", "seed": n, "level": 1} for n in range(2)]
    listed = [
        ROW | {"id": "tested", "perf_inputs": inputs},
        ROW | {"id": "untested", "perf_inputs": inputs, "tests": WEAK},
        ROW | {"id": "no-inputs", "perf_inputs": [], "input_generator": ""},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in listed), encoding="utf-8")
    return path


@pytest.mark.tier("runs")
def test_each_row_is_a_line_and_json_has_the_survivors(rows: Path) -> None:
    called = call("check", rows.name, "--mutants", 6, "--json")
    assert called.code == 0, called.err
    answer = json.loads(called.out)
    assert answer["problem_set"] == "rows.jsonl"
    tested, untested, without = answer["rows"]
    assert tested["mutants"]["caught"] > untested["mutants"]["caught"]
    assert untested["mutants"]["missed"] == len(
        [each for each in untested["mutants"]["survivors"] if each["fate"] == "missed"]
    )
    assert untested["mutants"]["missed"] > 0
    assert (without["id"], "mutants" in without) == ("no-inputs", False)
    assert "not measurable" in without["reason"]
    lines = called.err.splitlines()
    assert lines[2].split() == ["row", "mutants", "caught", "missed", "alike", "notes"]
    assert re.search(r"^untested +6 +\d +\d +\d +\d$", called.err, re.MULTILINE)
    assert re.search(r"^no-inputs +cannot start: .*not measurable", called.err, re.MULTILINE)
    assert "3 rows, 1 of them cannot start" in lines
    assert re.fullmatch(r"\d+ of \d+ \(\d+%\) caught by the tests; --row ID .*", lines[-1])


@pytest.mark.tier("runs")
def test_a_row_is_told_in_full(rows: Path) -> None:
    called = call("check", rows.name, "--row", "untested", "--mutants", 6)
    assert called.code == 0
    assert "...\nverdict      a run can start\n" in called.out
    assert re.search(r"^mutants +6 of \d+ places tried$", called.out, re.MULTILINE)
    assert re.search(r"^missed +\w.* in pairs$", called.out, re.MULTILINE)


def test_static_runs_nothing(rows: Path) -> None:
    called = call("check", rows.name, "--static")
    assert re.search(r"^tested +- +- +- +- +-$", called.out, re.MULTILINE)
    assert called.out.splitlines()[-1] == "3 rows, 1 of them cannot start"


@pytest.mark.tier("runs")
def test_how_many_notes_a_row_has(rows: Path) -> None:
    tested = json.loads(rows.read_text(encoding="utf-8").splitlines()[0])
    wrong = tested | {"id": "wrong", "tests": [{"args": "[1, 2, 3]", "expected": "0"}]}
    rows.write_text(f"{json.dumps(tested)}\n{json.dumps(wrong)}\n", encoding="utf-8")
    called = call("check", rows.name, "--mutants", 0, "--json")
    without, noted = (row["notes"] for row in json.loads(called.out)["rows"])
    (stated,) = (note for note in noted if note not in without and "The row states" in note)
    assert "its program raises TypeError: pairs() takes 2 positional" in stated
    assert re.search(rf"^wrong +- +- +- +- +{len(noted)}$", called.err, re.MULTILINE)
    assert re.search(r"^notes on \d rows?; --row ID shows them$", called.err, re.MULTILINE)


def test_a_row_that_is_not_there(rows: Path) -> None:
    error, hint = two_lines(call("check", rows.name, "--row", "testd"))
    assert (error, hint) == ("rows.jsonl: no row 'testd'", "did you mean 'tested'?")
    error, hint = two_lines(call("check", "order_report", "--row", "tested"))
    assert error == "--row tested: order_report has no rows"
    assert hint == "give a FILE.jsonl"


@pytest.mark.tier("runs")
def test_rows_whose_inputs_say_little_are_named(rows: Path) -> None:
    never = "def generate(rng, size):\n    return [rng.randrange(9) for _ in range(size)], 99\n"
    tested = json.loads(rows.read_text(encoding="utf-8").splitlines()[0])
    hopeless = tested | {"id": "hopeless", "tests": WEAK, "input_generator": never}
    rows.write_text(f"{json.dumps(tested)}\n{json.dumps(hopeless)}\n", encoding="utf-8")
    called = call("check", rows.name, "--json")
    assert [bool(row["mutants"]["doubt"]) for row in json.loads(called.out)["rows"]] == [
        False,
        True,
    ]
    assert "2 rows; inputs tell too few mutants apart in 1: hopeless" in called.err


def test_it_says_that_no_row_learns_from_another(rows: Path) -> None:
    called = call("check", rows.name, "--static")
    prior, why, *_ = called.out.splitlines()
    assert prior == "prior        read: results/rows/memory.db, 0 earlier runs"
    assert why.strip() == "no row learns from another, so their order changes nothing"
    told = call("check", rows.name, "--static", "--set", "memory.prior=true")
    assert told.out.startswith("prior        read and added to: results/rows/memory.db")
