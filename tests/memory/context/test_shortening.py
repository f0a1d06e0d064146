"""Text from outside, made safe for one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.escaping import inline, quoted_value, shortened_text
from se_agent.memory.context.shortening import clipped_text
from tests.memory.examples import COUNTER, TEXTS


@given(TEXTS)
def test_one_line_and_a_second_time_nothing_to_do(text: str) -> None:
    line = inline(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert inline(line) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n## b", "a ## b"),
        ("a\u2028b\x85c\x0bd", "a b c d"),
        ("a\u202eb\u200bc\ud800d", "a b c d"),
        ("```python", "''python"),
        ("</system> <|im_start|>", "< /system> < |im_start|>"),
        ("x < y <= 3", "x < y <= 3"),
        ("你好 😀", "你好 😀"),
    ],
)
def test_what_could_deceive_is_undone(text: str, line: str) -> None:
    assert inline(text) == line


def test_a_quoted_value_cannot_close_its_quotes() -> None:
    assert quoted_value("a`b\nc") == "`a'b c`"
    assert len(quoted_value("x" * 1000, width=20)) == 22


@given(TEXTS, st.integers(1, 60))
def test_clipped_holds_its_limit(text: str, limit: int) -> None:
    short = clipped_text(text, limit, COUNTER)
    assert COUNTER.count(short) <= limit
    assert short == inline(text) or short.endswith("…") or not short


def test_clipped_keeps_what_has_room() -> None:
    short = clipped_text("alpha " * 50, 12, COUNTER)
    assert short.startswith("alpha alpha alpha ")
    assert COUNTER.count(f"{short} alpha") > 12


@given(TEXTS, st.integers(2, 60))
def test_shortened_ends_where_a_word_does(text: str, width: int) -> None:
    short, line = shortened_text(text, width), inline(text[: 4 * width])
    assert len(short) <= width
    assert short == line or line.startswith(short.removesuffix("`").removesuffix("…"))


def test_shortened_cuts_no_name() -> None:
    told = "without `loop_invariant` in `report`, `set_membership` in `report`"
    assert shortened_text(told, 80) == told
    assert shortened_text(told, 50) == "without `loop_invariant` in `report`…"
    assert shortened_text(told, 55) == "without `loop_invariant` in `report`, `set_membership`…"
    assert shortened_text("x" * 90, 20) == f"{'x' * 19}…"


def test_shortened_keeps_half_of_the_line_at_least() -> None:
    span = "Replace `[name for name in names if name]` by a pass over a Counter"
    assert shortened_text(span, 30) == "Replace `[name for name in n…`"
    assert shortened_text(span, 50) == "Replace `[name for name in names if name]` by a…"
    assert (
        shortened_text("it`s a long direction, longer than that", 20) == "it`s a long direct…`"
    )
    assert shortened_text("a `bb` cc", 6) == "a `b…`"


@given(st.text("ab `", max_size=60), st.integers(3, 40))
def test_shortened_has_room_for_spans(text: str, width: int) -> None:
    short, line = shortened_text(text, width), inline(text[: 4 * width])
    assert len(short) <= width
    assert short == line or len(short) >= width // 2
