"""What is outside the EVOLVE-BLOCK marks stays, whatever a reply does to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.written.marks import regions, within_marks
from se_agent.errors import ReplyError
from se_agent.program.features import EVOLVE_MARK, evolve_lines

OLD = """\
import os
# EVOLVE-BLOCK-START
a = 1
# EVOLVE-BLOCK-END
b = 2
// EVOLVE-BLOCK-START
c = 3
// EVOLVE-BLOCK-END
d = 4
"""


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(OLD.replace("a = 1", "a = 5\ne = 6"), id="inside"),
        pytest.param(
            OLD.replace("a = 1", "a = 5\ne = 6").replace("b = 2\n", "\nb = 2  \n\n"),
            id="white-space-outside",
        ),
        pytest.param(
            "# EVOLVE-BLOCK-START\na = 5\ne = 6\n# EVOLVE-BLOCK-END\n"
            "// EVOLVE-BLOCK-START\nc = 3\n// EVOLVE-BLOCK-END\n",
            id="outside-left-out",
        ),
    ],
)
def test_the_outside_is_the_old_one(new: str) -> None:
    assert within_marks(OLD, new) == OLD.replace("a = 1", "a = 5\ne = 6")


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (OLD.replace("b = 2", "b = 3"), r"stands\n\| b = 3\nwhere the program has\n\| b = 2"),
        (OLD.replace("b = 2", f"b = 3 # {'x' * 10**6}"), r"\| b = 3 # x+ \[... \d+ char"),
        (OLD.replace("import os", "import os\nimport re"), "import re"),
        (OLD.replace("d = 4\n", ""), None),
        (OLD.replace("import os\n", "x = 1\n"), "x = 1"),
        ("a = 5\n", "has 2 EVOLVE-BLOCK-START marks, the answer 0"),
        (OLD.replace("// EVOLVE-BLOCK-START\n", ""), "the answer 1"),
        (f"{OLD}# EVOLVE-BLOCK-START\n", "the answer 3"),
    ],
)
def test_a_changed_outside_is_refused(new: str, message: str | None) -> None:
    if message is None:
        assert within_marks(OLD, new) == OLD
        return
    with pytest.raises(ReplyError, match=message):
        within_marks(OLD, new)


def test_without_marks_anything_may_change() -> None:
    assert within_marks("a = 1\n", OLD) == OLD


LINES = st.lists(
    st.sampled_from(["x", "", "# EVOLVE-BLOCK-START", "# EVOLVE-BLOCK-END", "  y"]), max_size=12
)


@given(LINES)
def test_regions_hold_every_line_once_and_agree_with_the_rules_for_edits(
    lines: list[str],
) -> None:
    text = "\n".join(lines)
    found = regions(text)
    assert len(found.outside) == len(found.inside) + 1
    inside = [line for part in found.inside for line in part]
    numbers = sorted(evolve_lines(text) or ())
    assert list(filter(None, inside)) == list(filter(None, (lines[n - 1] for n in numbers)))
    assert not any(map(EVOLVE_MARK.search, inside))
    assert within_marks(text, text) == text


@given(LINES, LINES)
def test_no_reply_changes_the_outside(old: list[str], new: list[str]) -> None:
    before = "\n".join(old)
    if not regions(before).inside:
        return
    try:
        made = within_marks(before, "\n".join(new))
    except ReplyError:
        return
    assert regions(made).outside == regions(before).outside
