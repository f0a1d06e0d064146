"""Diffs are found in replies, whatever stands around them and inside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.written.diffs import diff_in, marks_for
from operators.written.replacing import Replacement, replaced
from se_agent.errors import ReplyError
from se_agent.program.features import unified_diff

TEXT = "a = 1\nb = 2\nc = 3\nd = 4\n"
BLOCK = "<<<<<<< SEARCH\nb = 2\n=======\nb = 5\n>>>>>>> REPLACE"
HUNK = "@@ -1,3 +1,3 @@\n a = 1\n-b = 2\n+b = 5\n c = 3"


def made(reply: str, text: str = TEXT) -> str | None:
    diff = diff_in(reply, text)
    return None if diff is None else replaced(text, diff.replacements)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(BLOCK, id="bare"),
        pytest.param(f"I change b:\n```python\n{BLOCK}\n```\nDone.", id="fenced"),
        pytest.param(
            BLOCK.replace("<<<<<<<", "<<<<<").replace("=======", "====="), id="short-marks"
        ),
        pytest.param(BLOCK.replace("SEARCH", "SEARCH:  "), id="colon"),
        pytest.param(f"```diff\n--- a/main.py\n+++ b/main.py\n{HUNK}\n```", id="unified"),
        pytest.param(f"```diff\n{HUNK}\n```", id="no-file-names"),
        pytest.param(f"```\n{HUNK}\n```", id="no-label"),
        pytest.param(f"Like this:\n\n--- a\n+++ b\n{HUNK}\n", id="no-fence"),
        pytest.param("```diff\n a = 1\n-b = 2\n+b = 5\n c = 3\n```", id="no-header"),
        pytest.param(
            f"```patch\n{HUNK.replace('1,3 +1,3', '7,9 +8,2')}\n\n```", id="miscounted"
        ),
        pytest.param("```diff\n@@ ... @@\n-b = 2\n+b = 5\n```", id="header-without-numbers"),
        pytest.param(
            f"```diff\n@@ -{'9' * 5000},1 +1,1 @@\n-b = 2\n+b = 5\n```",
            id="a-number-without-end",
        ),
        pytest.param(
            "```diff\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"
            f"{HUNK}\n\\ No newline at end of file\n```",
            id="git",
        ),
    ],
)
def test_one_change_in_many_forms(reply: str) -> None:
    assert made(reply) == TEXT.replace("b = 2", "b = 5")


def test_several_hunks_each_with_its_file() -> None:
    files = "--- a/x\n+++ b/x\n"
    reply = f"```diff\n{files}@@ -1 +1 @@\n-a = 1\n+a = 0\n{files}@@ -4 +4 @@\n-d = 4\n```"
    assert made(reply) == "a = 0\nb = 2\nc = 3\n"


def test_blocks_are_counted_in_the_order_of_the_reply() -> None:
    with pytest.raises(ReplyError, match="block 2: its lines do not stand"):
        made("```diff\n-a = 1\n+a = 0\n```\nand\n```diff\n-e = 9\n```")


def test_a_removed_line_may_look_like_the_head_of_a_file() -> None:
    text = "x\n-- note\ny\n"
    assert made("```diff\n@@ -1,3 +1,2 @@\n x\n--- note\n y\n```", text) == "x\ny\n"


def test_what_is_around_the_diff_is_left() -> None:
    diff = diff_in(f'```json\n{{"direction": "d"}}\n```\n{BLOCK}\nThat is all.', TEXT)
    assert diff is not None
    assert diff.rest == '```json\n{"direction": "d"}\n```\nThat is all.'


@pytest.mark.parametrize("reply", ["", "b = 5", "```python\nb = 5\n```", "x << 2 SEARCH", "@@"])
def test_no_diff_is_none(reply: str) -> None:
    assert diff_in(reply, TEXT) is None


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (BLOCK.rpartition("\n")[0], "block 1 does not end with a line >>>>>>> REPLACE"),
        (f"{BLOCK}\n<<<<<<< SEARCH\nx\n{BLOCK}", "block 2 does not end"),
        (BLOCK.replace("=======\n", ""), "block 1 needs a line ======="),
        (
            BLOCK.replace("b = 5", "=======").replace("b = 2", "b"),
            "block 1 needs a line =======",
        ),
        (f"```diff\n{HUNK}\n", "cut off"),
        ("```diff\n@@ -1 +1 @@\n-b = 2\nb = 5\n```", "the diff cannot be read"),
    ],
)
def test_half_a_diff_is_refused(reply: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        made(reply)


def test_a_program_may_hold_lines_that_look_like_a_divider() -> None:
    text = "Title\n=======\nb = 2\n"
    reply = "<<<<<<< SEARCH\nTitle\n=======\nb = 2\n=======\nName\n====\n>>>>>>> REPLACE"
    assert made(reply, text) == "Name\n====\n"


@pytest.mark.timeout(30)
def test_more_dividers_than_the_program_has_lines_are_soon_looked_through() -> None:
    reply = "<<<<<<< SEARCH\n" + "=======\n" * 40_000 + ">>>>>>> REPLACE"
    with pytest.raises(ReplyError, match="block 1 names no lines"):
        made(reply)


def test_a_program_may_hold_marks_of_its_own() -> None:
    text = f'MERGE = """\n{BLOCK}\n"""\nb = 2 + 0\n'
    marks = marks_for(text)
    assert (marks.search, marks_for(TEXT).search) == ("<<<<<<<< SEARCH", "<<<<<<< SEARCH")
    inner = f"{marks.search}\n{BLOCK}\n{marks.divider}\nnothing\n{marks.replace}"
    assert made(inner, text) == 'MERGE = """\nnothing\n"""\nb = 2 + 0\n'
    assert made(f"```python\n{text}```", text) is None


LINES = st.lists(
    st.sampled_from(["x = 1", "-- y", "++ z", "", " w", "@@ v", "\\ u"]), max_size=9
)


@given(LINES, LINES)
def test_a_diff_of_ours_leads_from_one_text_to_the_other(
    old: list[str], new: list[str]
) -> None:
    first, second = ("".join(f"{n} {line}\n" for n, line in enumerate(x)) for x in (old, new))
    patch = unified_diff(first, second, "main.py")
    if patch and first:
        assert made(f"```diff\n{patch}```", first) == second


def test_a_replacement_keeps_the_line_that_a_header_names() -> None:
    diff = diff_in("```diff\n@@ -9,1 +9,1 @@\n-x\n+y\n```", TEXT)
    assert diff is not None
    assert diff.replacements == (Replacement(("x",), ("y",), 9),)
