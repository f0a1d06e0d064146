"""What a change costs its readers, in points."""

from __future__ import annotations

import pytest

from se_agent.program.style.score import StyleChange, style_change

OLD = "def f(a, b):\n    return max(a, b)\n"


@pytest.mark.parametrize(
    ("new", "found"),
    [
        pytest.param(OLD, StyleChange(), id="no change"),
        pytest.param(
            "def f(a, b):\n    return b if b > a else a\n",
            StyleChange(inlined=1),
            id="inlined",
        ),
        pytest.param(
            "def f(a, b):\n    if type(a) is int:\n        try:\n            return g(a)\n"
            "        except ValueError:\n            pass\n    return max(a, b)\n",
            StyleChange(lines=5, nesting=2, guards=2),
            id="a guard in front of the old body",
        ),
        pytest.param(
            "def f(a, b):\n    import os\n\n    c_2 = (a + b)\n    # why\n    return c_2\n",
            StyleChange(lines=2, names=1, parentheses=1, local_imports=1),
            id="names, parentheses, imports",
        ),
        pytest.param(
            f"def f(a, b):\n    return {'a + ' * 40}b\n", StyleChange(long_lines=1), id="long"
        ),
    ],
)
def test_style_change(new: str, found: StyleChange) -> None:
    assert style_change({"a.py": OLD}, {"a.py": new}) == found


def test_points_rank_a_plain_change_above_a_guarded_one() -> None:
    plain, guarded = StyleChange(lines=3), StyleChange(lines=3, guards=1)
    assert 0 < plain.points < guarded.points
    assert StyleChange().points == 0
    assert StyleChange(lines=-5).points < 0


def test_other_languages_count_by_their_lines() -> None:
    assert style_change({"a.cpp": "int x;\n"}, {"a.cpp": "int x;\n\n// y\nint z;\n"}) == (
        StyleChange(lines=1)
    )
