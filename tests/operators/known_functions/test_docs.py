"""The page of known functions has a row for each."""

from __future__ import annotations

from experiments.docs.archetypes import page
from operators.known_functions.library import library


def test_each_known_function_has_a_row_and_no_other_has() -> None:
    rows = [line.split("`")[1] for line in page().splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(library())
