"""Rows of a figure: kept as they come, never made twice, and taken up after any end."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from experiments.figures.rows import Row, code, figures, fill, kept, made, refusal

WHOLE = '{"key": "a", "n": 1}\n'


def never() -> Row:
    raise AssertionError("this row is there")


def test_without_a_file_there_are_no_rows(tmp_path: Path) -> None:
    assert kept("x", home=tmp_path) == {}
    assert fill("x", {}, home=tmp_path / "new") == {}


def test_a_row_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    fill("x", {"a": lambda: {"n": 1}}, home=tmp_path)
    rows = fill("x", {"a": never, "b": lambda: {"n": 2}}, home=tmp_path)
    plain = {key: {k: v for k, v in row.items() if k != "made"} for key, row in rows.items()}
    assert plain == {"a": {"key": "a", "n": 1}, "b": {"key": "b", "n": 2}}
    assert kept("x", home=tmp_path) == rows
    assert kept("y", home=tmp_path) == {}


def test_of_a_row_that_is_made_anew_the_later_counts(tmp_path: Path) -> None:
    fill("x", {"a": lambda: {"n": 1}, "b": lambda: {"n": 2}}, home=tmp_path)
    rows = fill("x", {"a": lambda: {"n": 3}, "b": never}, anew=["a"], home=tmp_path)
    assert {key: row["n"] for key, row in rows.items()} == {"a": 3, "b": 2}


@pytest.mark.parametrize(
    "torn",
    [
        pytest.param(b'{"key": "b", "n', id="in-a-word"),
        pytest.param('{"key": "ä'.encode()[:-1], id="in-a-character"),
        pytest.param(b'{"key": "b", "n": 3}', id="before-its-end-of-line"),
    ],
)
def test_a_torn_last_line_is_made_anew(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(WHOLE.encode() + torn)
    assert list(kept("x", home=tmp_path)) == ["a"]
    rows = fill("x", {"a": never, "b": lambda: {"n": 2}}, home=tmp_path)
    assert {key: row["n"] for key, row in rows.items()} == {"a": 1, "b": 2}
    first, second = path.read_text().splitlines()
    assert first == WHOLE.strip()
    assert json.loads(second)["n"] == 2


def test_a_file_of_nothing_but_a_torn_line(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"ke')
    assert kept("x", home=tmp_path) == {}
    assert list(fill("x", {"a": lambda: {"n": 1}}, home=tmp_path)) == ["a"]


def test_two_rows_are_made_at_a_time(tmp_path: Path) -> None:
    meeting = threading.Barrier(2, timeout=60)

    def row() -> Row:
        return {"place": meeting.wait()}

    rows = fill("x", {"a": row, "b": row}, jobs=2, home=tmp_path)
    assert {row["place"] for row in rows.values()} == {0, 1}
    assert len((tmp_path / "x.jsonl").read_text().splitlines()) == 2


def test_what_one_row_raises_is_told_and_the_rows_before_it_stay(tmp_path: Path) -> None:
    def broken() -> Row:
        raise ValueError("no such problem")

    tasks = {"a": lambda: {"n": 1}, "b": broken, "c": lambda: {"n": 3}}
    with pytest.raises(ValueError, match="no such problem"):
        fill("x", tasks, jobs=1, home=tmp_path)
    left = kept("x", home=tmp_path)
    assert "a" in left
    assert "b" not in left
    rows = fill("x", {**tasks, "b": lambda: {"n": 2}}, home=tmp_path)
    assert {key: row["n"] for key, row in rows.items()} == {"a": 1, "b": 2, "c": 3}


def test_a_row_says_when_it_was_made_and_by_which_code(tmp_path: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    row = fill("x", {"a": lambda: {"n": 1}}, settings={"budget": 9}, home=tmp_path)["a"]
    at = datetime.fromisoformat(made(row)["at"])
    assert before <= at <= datetime.now(UTC)
    assert made(row) == {"at": made(row)["at"], "code": code(), "settings": {"budget": 9}}
    assert made({"key": "older"}) == {}


def test_a_row_of_other_settings_is_stale(tmp_path: Path) -> None:
    fill("x", {"a": lambda: {"n": 1}, "b": lambda: {"n": 2}}, home=tmp_path)
    again = {"a": lambda: {"n": 3}}
    assert fill("x", again, settings={"budget": 9}, home=tmp_path)["a"]["n"] == 3
    assert list(kept("x", settings={"budget": 9}, home=tmp_path)) == ["a"]
    assert list(kept("x", home=tmp_path)) == ["b"], "one that was made anew has taken its place"
    assert kept("x", settings={"budget": 8}, home=tmp_path) == {}


def test_of_a_run_figures_are_kept_and_how_it_ended(capsys: pytest.CaptureFixture[str]) -> None:
    told = {"run": "results/x", "gain": 2.0, "calls": 3, "money": None, "trusted": True}
    found = {**told, "status": "failed", "figures": {"cpu": [1, 2]}, "error": "def f(): x"}
    assert figures(found) == {
        "gain": 2.0,
        "calls": 3,
        "money": None,
        "trusted": True,
        "status": "failed",
    }
    assert "def f(): x" in capsys.readouterr().err


def test_of_a_refusal_all_is_kept_from_the_line_that_says_error() -> None:
    looked = "what was looked for\n" * 100
    told = f"error: f: a run would have nothing to try\n{looked}hint:  name a model\n"
    assert refusal(f"looking at the inputs ...\n{told}") == told
    assert refusal(told) == told


def test_of_a_failure_that_says_no_error_the_end_is_kept() -> None:
    assert refusal("x" * 1000 + "KeyError: 1") == "x" * 489 + "KeyError: 1"
