"""Two programs side by side."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.report.difference import coloured, unified
from tests.fakes import solution

texts = st.lists(st.sampled_from(["a = 1", "b = 2", "", "c = 3"])).map("\n".join)


@given(texts, texts)
def test_equal_texts_have_no_difference_and_others_have_one(old: str, new: str) -> None:
    assert bool(unified(solution(old), solution(new, id="Gen1_Sol_0"))) == (old != new)


def test_lines_have_colours_and_controls_are_spelled_out() -> None:
    lines = unified(solution("a = 1\n"), solution("a = '\x1b[2J'\n", id="Gen1_Sol_0"))
    text = coloured(lines)
    assert "\x1b" not in text.plain
    assert "\\x1b" in text.plain
    assert {"red", "green", "cyan", "bold"} <= {str(span.style) for span in text.spans}


def test_a_long_difference_is_cut_and_says_so() -> None:
    old, new = "\n" * 50, "x\n" * 50
    lines = unified(solution(old), solution(new, id="Gen1_Sol_0"))
    assert coloured(lines, limit=10).plain.endswith(f"... {len(lines) - 10} more lines")


@pytest.mark.skipif(shutil.which("patch") is None, reason="no `patch` on this machine")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("a\nb\nc\n", "a\nB\nc\n", id="a-line"),
        pytest.param("a\nb", "a\nb\nc", id="no-end-of-line"),
        pytest.param("x = 0\n", "x = 1", id="end-of-line-lost"),
    ],
)
def test_patch_accepts_it(tmp_path: Path, old: str, new: str) -> None:
    file = tmp_path / "main.py"
    file.write_text(old, encoding="utf-8")
    lines = unified(solution(old), solution(new, id="Gen1_Sol_0"))
    subprocess.run(
        ["patch", "--quiet", str(file)],
        input="\n".join(lines) + "\n",
        text=True,
        check=True,
    )
    assert file.read_text(encoding="utf-8") == new
