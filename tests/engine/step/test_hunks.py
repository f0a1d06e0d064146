"""A program as another one with changes, any of which can be left out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.engine.step.hunks import Hunks, hunks
from se_agent.values.solution import Edit

OLD = "import os\n\n\ndef f(x):\n    y = x\n    return y\n\n\ndef g():\n    return 2\n"
NEW = (
    "import os\nimport re\n\n\ndef f(x):\n    y = x\n    return y\n\n\ndef g():\n    return 3\n"
)
TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "\n", "x = 1\n", "c"]), max_size=40).map(
    "".join
)


def replayed(text: str, edits: Sequence[Edit]) -> str | None:
    files = {"main.py": text}
    for edit in edits:
        made = Hunks().replay(files, edit)
        if made is None:
            return None
        files = dict(made)
    return files["main.py"]


def test_parts_are_named_by_place() -> None:
    found = hunks({"main.py": OLD}, {"main.py": NEW})
    assert [(edit.function, dict(edit.parameters)["lines"]) for edit in found] == [
        ("g", "9:10"),
        ("", "1:1"),
    ]


def test_each_can_be_left_out() -> None:
    second, first = hunks({"main.py": OLD}, {"main.py": NEW})
    assert replayed(OLD, [second]) == OLD.replace("return 2", "return 3")
    assert replayed(OLD, [first]) == OLD.replace("import os\n", "import os\nimport re\n")


def test_what_stands_elsewhere_is_not_replaced() -> None:
    second, _ = hunks({"main.py": OLD}, {"main.py": NEW})
    assert replayed("import re\n" + OLD, [second]) is None
    assert Hunks().replay({"other.py": OLD}, second) is None


@pytest.mark.parametrize("files", [{"other.py": NEW}, {"main.py": NEW, "other.py": ""}, {}])
def test_programs_of_other_files_have_nothing_in_common(files: dict[str, str]) -> None:
    assert hunks({"main.py": OLD}, files) == ()


@given(TEXTS, TEXTS, st.data())
def test_all_of_them_make_the_other_and_any_of_them_apply(
    old: str, new: str, data: st.DataObject
) -> None:
    found = hunks({"main.py": old}, {"main.py": new})
    assert len(found) <= 12
    assert replayed(old, found) == new
    kept = [edit for edit in found if data.draw(st.booleans())]
    assert replayed(old, kept) is not None
