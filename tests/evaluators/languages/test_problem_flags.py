"""Programs are compared at the flags of their problem, whatever they name themselves."""

from __future__ import annotations

from contextlib import closing

import pytest

from evaluators.kinds.stdio import StdioEvaluator
from evaluators.languages.tool import installed
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.program.language import Language
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

pytestmark = pytest.mark.skipif(installed(Language.C) is None, reason="no compiler for C")
SOURCE = """\
#include <stdio.h>
int main(void) {
#ifdef __OPTIMIZE__
    puts("optimised");
#else
    puts("plain");
#endif
}
"""


def problem(initial: str) -> Problem:
    return Problem(
        name="flags",
        kind=ProblemKind.STDIO,
        programs={"initial": initial},
        path="main.c",
        language=Language.C,
        cases=(Case(name="one", input=Expr(code="'1'")),),
        generator="def generate(rng, size): return '1'",
        ladder=Ladder(rungs=(("generate(rng, 1)",),)),
    )


def solution(text: str) -> Solution:
    return Solution(id="Gen1_Sol_1", files={"main.c": text})


@pytest.mark.parametrize("initial", [SOURCE, f"// flags: -O0\n{SOURCE}"], ids=["none", "own"])
@pytest.mark.parametrize("flags", ["", "// flags: -O0\n", "// flags: -O3\n"])
def test_a_program_has_the_flags_of_its_problem(initial: str, flags: str) -> None:
    with closing(StdioEvaluator(problem(initial), measure=Measure())) as made:
        found = made.evaluate(solution(flags + SOURCE))
        assert found.status is Status.AC, found


def test_flags_are_obeyed_where_their_gain_is_measured_apart() -> None:
    with closing(StdioEvaluator(problem(SOURCE), measure=Measure())) as made:
        plain = made.flagged(solution(f"// flags: -O0\n{SOURCE}"))
        assert plain is not None
        assert plain.id == "Gen1_Sol_1, compiled with -O0"
        found = made.evaluate(plain)
        assert found.status is Status.WA
        assert found.failing[0].got.strip() == "plain"
        usual = made.flagged(solution(SOURCE))
        assert usual is not None
        assert usual.text.startswith("// flags: -O3 -march=native\n")
        assert made.evaluate(usual).status is Status.AC


def test_a_flag_that_is_not_allowed_is_refused_all_the_same() -> None:
    with closing(StdioEvaluator(problem(SOURCE), measure=Measure())) as made:
        found = made.evaluate(solution(f"// flags: -fplugin=x.so\n{SOURCE}"))
        assert found.status is Status.CE
        assert "not allowed" in found.feedback
