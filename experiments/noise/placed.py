"""Programs in C++ of the same work: how often the place of their code passes for a gain.

Usage: python -m experiments.noise.placed [--pairs N] [--seed S]

A candidate differs from its reference by some questions in front of its loop, whose answer is
always no: the work is the same, the loop lies elsewhere. Each pair of programs is compared as a
run compares, once with code that is moved and once with code that lies where the compiler put
it. About four minutes for 48 pairs; nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import replace
from random import Random

from evaluators.kinds.stdio import StdioEvaluator
from evaluators.languages.compiling import CompilingSandbox
from evaluators.languages.table import TABLE, Product, Toolchain
from evaluators.sandbox.job import Sandbox
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.config.sections import Judge, Measure
from se_agent.noise.families import ProgramPair
from se_agent.noise.proportion import Share
from se_agent.noise.trials import NoiseTrial, NoiseTrials
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.program.language import Language
from se_agent.stats.sequential import self_test_spread
from se_agent.values.evaluation import SequentialDecision
from se_agent.values.solution import Solution

_HEAD = """\
#include <cstdio>

static unsigned xs[1 << 16];
static int n;
"""

KERNELS = {
    "distinct": """\
static unsigned work() {
    unsigned found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i && xs[j] != xs[i]) j++;
        found += j == i;
    }
    return found;
}
""",
    "inversions": """\
static unsigned work() {
    unsigned found = 0;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            if (xs[j] > xs[i]) found++;
    return found;
}
""",
    "collatz": """\
static unsigned work() {
    unsigned steps = 0;
    for (int i = 0; i < n; i++)
        for (unsigned long x = xs[i] % 4096 + 1; x != 1; steps++)
            x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}
""",
    "rise": """\
static unsigned work() {
    unsigned found = 0;
    for (int i = 0; i < n; i++) {
        unsigned *x = xs;
        while (*x < xs[i]) x++;
        for (x = xs + n - 1; *x < xs[i]; x--) found++;
    }
    return found;
}
""",
}
_LENGTHS = {"distinct": 6000, "inversions": 3000, "collatz": 3000, "rise": 60000}

_READ = 'static void read() { while (scanf("%u", &xs[n]) == 1) n++; }\n'
_MAIN = 'int main() { read(); printf("%u\\n", work()); }\n'
_SPARE = ('puts("none");', "n = -n;", "xs[9] += n;", "return 1;", 'printf("%d\\n", n);')


class Aligning(CompilingSandbox):
    """Leaves code where the compiler has put it, aligned by its own rules."""

    def __init__(self, inner: Sandbox, language: Language, isolation: str) -> None:
        super().__init__(inner, language, isolation)
        row = TABLE[language]
        options = tuple(option for option in row.options if "-align-" not in option)
        self._compiler._table = replace(  # noqa: SLF001 - nobody else wants the way it was
            row, options=options, into=Toolchain.into, product=Product.PROGRAM
        )


def text(kernel: str, rng: Random | None = None) -> str:
    """Return a program of a kernel; another one of the same work for each state of `rng`."""
    work = KERNELS[kernel]
    if rng:
        head, _, rest = work.partition("\n")
        spare = [f"    if (n < {-k}) {rng.choice(_SPARE)}" for k in range(rng.randrange(1, 6))]
        work = "\n".join([head, *spare, rest])
    return f"{_HEAD}{_READ}{work}{_MAIN}"


def problem(kernel: str) -> Problem:
    """Return the problem that all programs of a kernel solve."""
    drawn = f"' '.join(str(rng.randrange(1 << 30)) for _ in range({_LENGTHS[kernel]}))"
    return Problem(
        name=kernel,
        kind=ProblemKind.STDIO,
        language=Language.CPP,
        path="main.cpp",
        programs={"initial": text(kernel)},
        cases=(Case(name="one", input=Expr(code="draw(rng)")),),
        generator=f"def draw(rng):\n    return {drawn}\n",
        ladder=Ladder(rungs=(("draw(rng)",),)),
    )


def trials(
    kernel: str, sandbox: type[CompilingSandbox], pairs: int, seed: int
) -> list[NoiseTrial]:
    """Compare the kernel with programs of the same work."""
    posed, measure, judge = problem(kernel), Measure(), Judge()
    inner = sandbox(ForkServer("jail"), Language.CPP, "jail")
    with closing(StdioEvaluator(posed, measure=measure, seed=seed, sandbox=inner)) as evaluator:
        made = NoiseTrials(evaluator, judge, measure)
        spread = self_test_spread([b.effect for b in made.self_test(posed.initial()).blocks])
        rng, found = Random(seed), list[NoiseTrial]()
        for number in range(pairs):
            other = Solution(id=f"Gen1_Sol_{number}", files={"main.cpp": text(kernel, rng)})
            found.append(made.compare(ProgramPair(posed.initial(), other), spread))
            print(kernel, sandbox.__name__, *_shown(found[-1]), flush=True)
    return found


def _shown(trial: NoiseTrial) -> list[str]:
    return [str(trial.decision), *(f"{block.effect:+.3f}" for block in trial.blocks)]


def main() -> None:
    """Print one line a comparison, and what they add up to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=12, help="a kernel")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for sandbox in (CompilingSandbox, Aligning):
        found = [t for k in KERNELS for t in trials(k, sandbox, asked.pairs, asked.seed)]
        faster = Share(
            sum(trial.decision is SequentialDecision.YES for trial in found), len(found)
        )
        apart = sum(any(abs(block.effect) > 0.05 for block in t.blocks) for t in found)
        print(
            f"{sandbox.__name__}: {faster.count} of {faster.total} called faster "
            f"(95 % bound {faster.interval()[1]:.1%}); a block beyond 5 % in {apart}"
        )


if __name__ == "__main__":
    main()
