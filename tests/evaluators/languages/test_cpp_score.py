"""Scored programs in C++: a text goes in, a text comes out, a scorer in Python rates it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluators.kinds.score import ScoreEvaluator
from evaluators.languages.tool import installed
from se_agent.config.sections import Measure
from se_agent.errors import ProblemError
from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem
from se_agent.program.language import Language
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

pytestmark = pytest.mark.skipif(installed(Language.C) is None, reason="no compiler for C")
FILES = {
    "problem.toml": (
        'kind = "score"\nlanguage = "c"\n[inputs]\nsizes = [3]\n'
        '[score]\ndirection = "maximize"\n'
    ),
    "generator.py": "def generate(rng, size):\n    return str(rng.randrange(10, 99))\n",
    "scorer.py": (
        "def score(args, output):\n"
        "    if int(output) > int(args):\n        raise ValueError('too much')\n"
        "    return int(output)\n"
    ),
    "initial.c": (
        "#include <stdio.h>\n"
        'int main(void) { int n; scanf("%d", &n); printf("%d", n - 2); return 0; }\n'
    ),
}


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return load_problem(tmp_path)


@pytest.fixture
def evaluator(problem: Problem) -> Iterator[ScoreEvaluator]:
    made = ScoreEvaluator(problem, measure=Measure())
    yield made
    made.close()


def test_it_is_rated(problem: Problem, evaluator: ScoreEvaluator) -> None:
    initial = problem.initial()
    assert initial.files.keys() == {"main.c"}
    assert evaluator.preflight(initial).evaluation.score is not None
    better = Solution(id="Gen1_Sol_1", files={"main.c": initial.text.replace("- 2", "- 1")})
    assert evaluator.block(initial, better, number=0, pairs=1).effect == 1
    wrong = Solution(id="Gen1_Sol_2", files={"main.c": initial.text.replace("- 2", "+ 1")})
    evaluation = evaluator.evaluate(wrong)
    assert (evaluation.status, evaluation.feedback) == (Status.WA, "too much")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ('entry_point = "f"\n', "entry_point: a c program is run whole"),
        ('prelude = "p.py"\n', "prelude: a c program is run alone"),
        ('imports = ["numpy"]\n', "imports: a program in c has no Python packages"),
    ],
)
def test_what_is_for_python_only(tmp_path: Path, change: str, told: str) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "problem.toml").write_text(change + FILES["problem.toml"], encoding="utf-8")
    with pytest.raises(ProblemError, match=told) as caught:
        load_problem(tmp_path)
    assert caught.value.hint


def test_no_function_is_called(tmp_path: Path) -> None:
    text = 'kind = "function"\nlanguage = "cpp"\n[inputs]\nsizes = [3]\n'
    (tmp_path / "problem.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ProblemError, match="no function of a program in cpp can be called"):
        load_problem(tmp_path)
