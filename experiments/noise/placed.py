"""Programs in C++ of the same work: how often the place of their code passes for a gain.

Usage: python -m experiments.noise.placed [--pairs N] [--seed S]

A candidate differs from its reference by functions that nobody calls, and by the order of the
others: the work is the same, the code lies elsewhere. Each pair is compared as a run compares,
once with code that a restart moves and once with code that stays where it was. About five
minutes for 48 pairs; nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from random import Random

from evaluators.languages.compiling import CompilingSandbox
from evaluators.sandbox.server import ForkServer
from evaluators.stdio import StdioEvaluator
from se_agent.noise.families import Pair
from se_agent.noise.proportion import Share
from se_agent.noise.trials import Trial, Trials
from se_agent.problem import Case, Expr, Ladder, Language, Problem, ProblemKind
from se_agent.sections import Judge, Measure
from se_agent.stats import self_test_spread
from se_agent.types import Decision, Solution

_HEAD = """\
#include <cstdio>
#include <cstring>

static unsigned xs[1 << 16], ys[1 << 16];
static int n;
"""

KERNELS = {
    "distinct": """\
static unsigned work() {
    unsigned found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i && xs[j] % 512 != xs[i] % 512) j++;
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
    "longest": """\
static unsigned work() {
    unsigned best = 0;
    for (int i = 0; i < n; i++) {
        ys[i] = 1;
        for (int j = 0; j < i; j++)
            if (xs[j] < xs[i] && ys[j] >= ys[i]) ys[i] = ys[j] + 1;
        if (ys[i] > best) best = ys[i];
    }
    return best;
}
""",
}
_LENGTHS = {"distinct": 6000, "inversions": 3000, "collatz": 3000, "longest": 3000}

_READ = 'static void read() { while (scanf("%u", &xs[n]) == 1) n++; }\n'
_MAIN = 'int main() { read(); printf("%u\\n", work()); }\n'
_SPARE = """\
extern "C" unsigned spare{0}(unsigned x) {{
    {1}
    return x;
}}
"""
_TURNS = ("x = x * 3 + 1;", "x ^= x >> 7;", "if (x & 1) x -= 5;", "x = x % 11;", "x <<= 1;")


class Staying(CompilingSandbox):
    """Leaves code where it is."""

    def restart(self) -> None:
        """Continue in a new layout of the address space, as far as code can be in one."""
        self._inner.restart()


def text(kernel: str, rng: Random | None = None) -> str:
    """Return a program of a kernel; another one of the same work for each state of `rng`."""
    parts = [_READ, KERNELS[kernel]]
    if rng:
        for number in range(rng.randrange(1, 4)):
            turns = rng.choices(_TURNS, k=rng.randrange(1, 12))
            parts.append(_SPARE.format(number, "\n    ".join(turns)))
        rng.shuffle(parts)
    return "".join([_HEAD, *parts, _MAIN])


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


def trials(kernel: str, sandbox: type[CompilingSandbox], pairs: int, seed: int) -> list[Trial]:
    """Compare the kernel with programs of the same work."""
    posed, measure, judge = problem(kernel), Measure(), Judge()
    inner = sandbox(ForkServer("jail"), Language.CPP, "jail")
    with closing(StdioEvaluator(posed, measure=measure, seed=seed, sandbox=inner)) as evaluator:
        made = Trials(evaluator, judge, measure)
        spread = self_test_spread([b.effect for b in made.self_test(posed.initial()).blocks])
        rng, found = Random(seed), list[Trial]()
        for number in range(pairs):
            other = Solution(id=f"Gen1_Sol_{number}", files={"main.cpp": text(kernel, rng)})
            found.append(made.compare(Pair(posed.initial(), other), spread))
            print(kernel, sandbox.__name__, *_shown(found[-1]), flush=True)
    return found


def _shown(trial: Trial) -> list[str]:
    return [str(trial.decision), *(f"{block.effect:+.3f}" for block in trial.blocks)]


def main() -> None:
    """Print one line a comparison, and what they add up to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=12, help="a kernel")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for sandbox in (CompilingSandbox, Staying):
        found = [t for k in KERNELS for t in trials(k, sandbox, asked.pairs, asked.seed)]
        faster = Share(sum(trial.decision is Decision.YES for trial in found), len(found))
        apart = sum(any(abs(block.effect) > 0.05 for block in t.blocks) for t in found)
        print(
            f"{sandbox.__name__}: {faster.count} of {faster.total} called faster "
            f"(95 % bound {faster.interval()[1]:.1%}); a block beyond 5 % in {apart}"
        )


if __name__ == "__main__":
    main()
