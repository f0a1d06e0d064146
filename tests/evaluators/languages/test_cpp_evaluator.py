"""The evaluator of standard input, with programs in C++."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluators.kinds.stdio import StdioEvaluator
from evaluators.languages.tool import installed
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.program.language import Language
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from tests.contracts.evaluator import EvaluatorContract

pytestmark = pytest.mark.skipif(installed(Language.CPP) is None, reason="no compiler for C++")
BRIEF = Measure(fast_seconds=0.005, slow_seconds=0.05)
SLOW = """#include <cstdio>
#include <vector>
int main() {
    std::vector<int> seen;
    int number;
    while (std::scanf("%d", &number) == 1) {
        bool known = false;
        for (int other : seen) known = known || other == number;
        if (!known) seen.push_back(number);
    }
    std::printf("%d\\n", (int)seen.size());
}
"""
FAST = """#include <cstdio>
#include <unordered_set>
int main() {
    std::unordered_set<int> seen;
    int number;
    while (std::scanf("%d", &number) == 1) seen.insert(number);
    std::printf("%d\\n", (int)seen.size());
}
"""


def problem() -> Problem:
    return Problem(
        name="distinct",
        kind=ProblemKind.STDIO,
        language=Language.CPP,
        path="main.cpp",
        programs={"initial": SLOW},
        cases=(
            Case(name="two", input=Expr(code="'1 2 1'"), expected="2\n"),
            Case(name="some", input=Expr(code="draw(rng, 50)")),
        ),
        generator=(
            "def draw(rng, size):\n"
            "    return ' '.join(str(rng.randrange(10**6)) for _ in range(size))\n"
        ),
        ladder=Ladder(rungs=(("draw(rng, 8000)",), ("draw(rng, 10000)",))),
        limits=Limits(cpu_seconds=1.0, memory_bytes=128 << 20),
    )


def solution(text: str) -> Solution:
    return Solution(id="Gen1_Sol_1", files={"main.cpp": text})


class TestCppEvaluator(EvaluatorContract):
    @pytest.fixture
    def evaluator(self) -> Iterator[Evaluator]:
        evaluator = StdioEvaluator(problem(), measure=BRIEF)
        yield evaluator
        evaluator.close()

    @pytest.fixture
    def initial(self) -> Solution:
        return problem().initial()

    @pytest.fixture
    def better(self) -> Solution:
        return solution(FAST)

    @pytest.fixture
    def failing(self) -> dict[Status, Solution]:
        return {
            Status.WA: solution("int main() {}"),
            Status.RE: solution("int main() { *(volatile int *)0 = 1; }"),
            Status.CE: solution("int main() { return x; }"),
            Status.TLE: solution("int main() { for (volatile int x = 0;; x = x + 1); }"),
            Status.MLE: solution(
                "#include <vector>\nint main() { return std::vector<char>(1u << 30, 1)[5]; }"
            ),
        }

    @pytest.mark.parametrize("answer", ["0", "255", "'['", "'9'"])
    def test_no_answer_is_an_error_of_ours(
        self, evaluator: Evaluator, initial: Solution, answer: str
    ) -> None:
        text = f"""#include <cstdio>
            int main() {{ for (int n = 0; n < 100000; n++) std::putchar({answer}); }}
        """
        evaluation = evaluator.evaluate(solution(text))
        assert evaluation.status is Status.WA
        assert len(evaluation.feedback) < 1000


def test_a_program_of_another_text_is_another_candidate() -> None:
    assert solution(FAST).content != solution(FAST + "// more\n").content
