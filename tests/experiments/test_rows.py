"""Rows of a figure: kept as they come, never made twice, and taken up after any end."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from experiments.figures.rows import Row, fill, kept

WHOLE = '{"key": "a", "n": 1}\n'


def never() -> Row:
    raise AssertionError("this row is there")


def test_without_a_file_there_are_no_rows(tmp_path: Path) -> None:
    assert kept("x", home=tmp_path) == {}
    assert fill("x", {}, home=tmp_path / "new") == {}


def test_a_row_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    fill("x", {"a": lambda: {"n": 1}}, home=tmp_path)
    rows = fill("x", {"a": never, "b": lambda: {"n": 2}}, home=tmp_path)
    assert rows == {"a": {"key": "a", "n": 1}, "b": {"key": "b", "n": 2}}
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
    assert path.read_text() == WHOLE + '{"key": "b", "n": 2}\n'


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
