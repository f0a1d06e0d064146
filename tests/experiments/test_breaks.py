"""Breaks of the code behind rows: what is drawn, what is changed, and what notices it."""

from __future__ import annotations

import pytest

from experiments.breaks.__main__ import Break, breaks, is_noticed, page
from experiments.figures.rows import ROOT
from tests.rows import ASKED

ROW = "LF-42"


def test_each_row_that_was_drawn_has_one_change_of_a_text_that_is_there_once() -> None:
    found = breaks()
    rows = {one.row for one in found}
    assert len(rows) == len(found) == 60
    assert rows <= ASKED
    for one in found:
        assert (ROOT / one.file).read_text(encoding="utf-8").count(one.old) == 1, one.row
        assert one.new != one.old


@pytest.mark.timeout(600)
def test_a_break_is_noticed_and_none_is_where_nothing_is_broken() -> None:
    (one,) = [one for one in breaks() if one.row == ROW]
    assert is_noticed(one, ROW)
    assert not is_noticed(None, ROW)


def test_a_text_that_is_not_there_once_is_told() -> None:
    missing = Break(ROW, "pyproject.toml", "a text that is not there", "another")
    with pytest.raises(ValueError, match=r"LF-42: its old text is not in pyproject\.toml once"):
        missing.apply(ROOT)


def test_the_page_says_what_was_not_noticed() -> None:
    one = Break(ROW, "a.py", "x", "y")
    assert page([(one, False)]).endswith("| LF-42 | `a.py` | pass: not noticed |\n")
    assert page([(one, True)]).endswith("| fail |\n")
