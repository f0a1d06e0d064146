"""Text and tables that fit their screen, without a word that is cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from se_agent.report.terminal.columns import Columns
from se_agent.report.terminal.wrapping import TIED, longest_word, styled, wrapped

WORDS = st.text("ab日-/.", min_size=1, max_size=30)
TEXTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
WIDTHS = st.integers(1, 90)


@given(TEXTS, WIDTHS, st.integers(0, 9))
def test_all_words_stay_whole_and_in_order(text: str, width: int, hang: int) -> None:
    assert " ".join(wrapped(text, width, hang=hang)).split() == text.split()


@given(TEXTS, st.integers(20, 90), st.integers(0, 4))
def test_only_a_line_of_one_long_word_is_wider_than_the_screen(
    text: str, width: int, hang: int
) -> None:
    for line in wrapped(text, width, hang=hang):
        assert cell_len(line) <= width or len(line.split()) == 1


def test_a_command_between_backticks_is_one_word() -> None:
    told = wrapped("go on with `se-agent resume results/one` when there is time", 24)
    assert told == [
        "go on with",
        "`se-agent resume results/one`",
        "when there is time",
    ]


def test_the_indent_of_a_line_stays_and_the_rest_hangs() -> None:
    assert wrapped("  one two three four five", 16, hang=2) == ["  one two three", "four five"]
    assert wrapped("  one two three four five", 22, hang=2) == [
        "  one two three four",
        "    five",
    ]


@given(TEXTS, WIDTHS)
def test_colours_change_no_letter(text: str, width: int) -> None:
    lines = styled(Text(text, style="bold"), width)
    assert [line.plain for line in lines] == wrapped(text, width)


def test_words_that_are_tied_stay_on_one_line() -> None:
    lines = styled(Text(f"better than all - new{TIED}best"), 20)
    assert [line.plain for line in lines] == ["better than all -", "new best"]


ROW = st.tuples(TEXTS, TEXTS, TEXTS)


@pytest.mark.tier("runs")
@given(st.lists(ROW, min_size=1, max_size=5), st.integers(30, 130))
def test_a_table_loses_no_word_at_any_width(
    rows: list[tuple[str, str, str]], width: int
) -> None:
    table = Columns(("one", "two", "three"))
    for row in rows:
        table.add(*row)
    shown = " ".join(line.plain for line in table.lines(width)).split()
    expected = " ".join(cell for row in rows for cell in row).split()
    head = ["one", "two", "three"] if shown[:3] == ["one", "two", "three"] else []
    assert sorted(shown) == sorted([*head, *expected])


@pytest.mark.tier("runs")
@given(st.lists(ROW, min_size=1, max_size=5), st.integers(30, 130))
def test_a_table_is_no_wider_than_its_screen(
    rows: list[tuple[str, str, str]], width: int
) -> None:
    """Only a word that is longer than a third of a screen sticks out."""
    table = Columns(("one", "two", "three"))
    for row in rows:
        table.add(*row)
    longest = max(longest_word(cell) for row in rows for cell in row)
    for line in table.lines(width):
        assert cell_len(line.plain) <= width or longest > 24


def test_where_nobody_looks_a_row_is_one_line() -> None:
    table = Columns(("one", "two"))
    table.add("a " * 200 + "a", "b")
    assert len(table.lines(0)) == 2


def test_what_is_spare_is_left_out_where_room_is_short() -> None:
    table = Columns(("name", "size", "date"), spare=(1,))
    table.add("some-run", "200 kB", "2026-11-22")
    assert [line.plain for line in table.lines(20)] == [
        "name      date",
        "some-run  2026-11-22",
    ]
    assert "200 kB" in table.lines(40)[1].plain


def test_figures_end_below_each_other() -> None:
    table = Columns(("name", "count"), right=(1,))
    table.add("one", "7")
    table.add("two", "1200")
    assert [line.plain for line in table.lines(80)] == [
        "name  count",
        "one       7",
        "two    1200",
    ]


@pytest.mark.parametrize("width", [20, 60, 80])
def test_a_long_path_sticks_out_and_leaves_the_other_rows_alone(width: int) -> None:
    path = "/somewhere/" + "deep/" * 30
    table = Columns()
    table.add("run", path)
    table.add("spent", "some seconds")
    told = "\n".join(line.plain for line in table.lines(width))
    assert path in told
    assert re.search(r"spent\s+some\s+seconds", told)
