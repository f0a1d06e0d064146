"""Traits: a few words for a kind of program."""

from __future__ import annotations

import pytest

from se_agent.memory.experience.traits import traits
from se_agent.problem.model import Problem, ProblemKind
from se_agent.program.language import Language


def problem(
    kind: ProblemKind = ProblemKind.FUNCTION, language: Language = Language.PYTHON
) -> Problem:
    return Problem(name="any", kind=kind, programs={"initial": ""}, cases=(), language=language)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("def f(a):\n    return a + 1\n", ("straight line",), id="nothing"),
        pytest.param(
            "def f(a, b):\n    for x in a:\n        for y in a:\n            b += x * y\n",
            ("nested loop",),
            id="nested loops",
        ),
        pytest.param(
            "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\n",
            ("straight line", "recursion"),
            id="recursion",
        ),
        pytest.param(
            "def f(a, s):\n    for x in a:\n        if x in s:\n            s += str(x)\n",
            ("membership test", "text"),
            id="text",
        ),
        pytest.param(
            "def f(n, d):\n    for i in range(n):\n        d.setdefault(i, sorted([i]))\n",
            ("numeric loop", "dictionary or set", "sorting"),
            id="dictionary",
        ),
        pytest.param("def f(:\n", ("straight line",), id="no Python"),
    ],
)
def test_a_text_has_traits(text: str, found: tuple[str, ...]) -> None:
    assert traits(problem(), text) == found


def test_how_it_is_run_counts_and_other_languages_are_one_trait() -> None:
    assert traits(problem(ProblemKind.STDIO), "x = 1") == ("stdio", "straight line")
    assert traits(problem(ProblemKind.STDIO, Language.CPP), "int x;") == ("stdio", "cpp")
