"""The long run: broken off at its last mark, and taken up by another process."""

from __future__ import annotations

from experiments.figures.long_run import measured, table


def test_a_short_one_is_measured_and_taken_up() -> None:
    row = measured(40)
    (found,) = row["marks"].values()
    assert list(row["marks"]) == ["40"]
    assert min(found.values()) > 0
    assert min(row["resume"].values()) > 0
    assert "| 40 |" in table({"40": row})
