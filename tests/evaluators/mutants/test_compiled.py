"""How strong the tests of a C++ problem are, found out with a real compiler."""

from __future__ import annotations

import pytest

from evaluators.kinds.stdio import StdioEvaluator
from evaluators.languages.tool import installed
from evaluators.mutants.look import MutantLook, beyond_tests
from evaluators.mutants.strength import Fate, Strength, strength
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.program.language import Language
from se_agent.protocols import Evaluator

pytestmark = pytest.mark.skipif(installed(Language.CPP) is None, reason="no compiler for C++")

CLAMP = """#include <cstdio>
int main() {
    int n;
    scanf("%d", &n);
    printf("%d", n > 5 ? 5 : n);
}
"""


def problem(*numbers: int, program: str = CLAMP) -> Problem:
    """Return a problem of one clamped number, with these visible tests."""
    return Problem(
        name="clamp",
        kind=ProblemKind.STDIO,
        language=Language.CPP,
        path="main.cpp",
        programs={"initial": program},
        cases=tuple(Case(name=str(n), input=Expr(code=f"'{n}'")) for n in numbers),
        generator="def draw(rng, size): return str(rng.randrange(size))\n",
        ladder=Ladder(rungs=(("draw(rng, 12)",),)),
        limits=Limits(cpu_seconds=10.0, memory_bytes=128 << 20),
    )


def found(of: Problem) -> Strength:
    """Return how strong the tests are, on few further inputs: each is a process."""

    def make(one: Problem) -> Evaluator:
        return StdioEvaluator(one, measure=Measure())

    original = of.initial()
    with (
        MutantLook(of, original, make) as tests,
        MutantLook(beyond_tests(of, 0.2), original, make) as beyond,
    ):
        return strength(original.text, "", tests, beyond, count=20, language=of.language)


@pytest.mark.tier("languages")
def test_weak_tests_let_a_fault_survive_that_another_input_tells() -> None:
    weak = found(problem(1))
    missed = [each for each in weak.survivors if each.fate is Fate.MISSED]
    assert any("n > 5 ? 4 : n" in each.mutant.text for each in missed)
    assert weak.share is not None
    assert weak.share < 1
    first = missed[0]
    assert first.mutant.function == "main"
    assert first.told is not None
    assert first.told.expected != first.told.got


@pytest.mark.tier("languages")
def test_strong_tests_catch_all_that_are_faults() -> None:
    strong = found(problem(1, 4, 5, 6, 7, 11))
    assert strong.share == 1.0
    assert strong.complete
    # `n >= 5` and `n > 4` answer as the original does.
    assert [each.fate for each in strong.survivors] == [Fate.ALIKE] * 2


@pytest.mark.tier("languages")
def test_what_does_not_compile_does_not_count() -> None:
    constant = "template <int n> struct Unit { char c[n]; };\ntemplate <> struct Unit<0>;\n"
    program = constant + CLAMP.replace("    int n;", "    int n = sizeof(Unit<1>);")
    mixed = found(problem(1, 4, 5, 6, 7, 11, program=program))
    # `sizeof(Unit<0>)`, and `Unit<1>` where it is not complete.
    assert mixed.not_compiled == 2
    assert not any("Unit<0>)" in each.mutant.text for each in mixed.tried)
    assert len(mixed.tried) + mixed.not_compiled == mixed.places
