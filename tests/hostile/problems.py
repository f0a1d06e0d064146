"""The small problems that hostile programs are candidates of. Values only."""

from __future__ import annotations

from dataclasses import replace

from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.program.language import Language
from tests.hostile.compiled import INITIAL

LIMITS = Limits(memory_bytes=256 << 20, output_bytes=16 << 20)
"""Their CPU time is the attack's."""

FUNCTION = Problem(
    name="distinct",
    kind=ProblemKind.FUNCTION,
    programs={
        "initial": (
            "def distinct(xs):\n    seen = []\n    for x in xs:\n        if x not in seen:\n"
            "            seen.append(x)\n    return seen\n"
        )
    },
    entry_point="distinct",
    cases=(
        Case(name="two", input=Expr(code="([2, 1, 2],)"), expected="[2, 1]"),
        Case(name="some", input=Expr(code="draw(rng, 50)")),
    ),
    generator=(
        "def draw(rng, size):\n    return ([rng.randrange(10**6) for _ in range(size)],)\n"
    ),
    ladder=Ladder(rungs=(("draw(rng, 400)",), ("draw(rng, 800)",)), final_level=1),
    limits=LIMITS,
)
"""Elements once each, in order of appearance; quadratic."""

SHORT = replace(
    FUNCTION, ladder=Ladder(rungs=(("draw(rng, 150)",), ("draw(rng, 300)",)), final_level=1)
)
"""The same with inputs that take a seventh of the work: for what is run two hundred times."""

LOADED = replace(
    FUNCTION,
    loading_counts=False,
    programs={
        "initial": "TABLE = [n * n % 7 for n in range(400_000)]\n"
        + FUNCTION.programs["initial"]
    },
)
"""The same, as one function of a module that is loaded once, and takes its time for it."""

SET = replace(
    FUNCTION,
    programs={"initial": "def distinct(xs):\n    return {x for x in xs}\n"},
    cases=(Case(name="many", input=Expr(code="([n % 60 for n in range(200)],)")),),
)
"""Elements once each, as a set: what a careless reader would make of any list."""

LARGE_SET = replace(
    SET,
    cases=(Case(name="all", input=Expr(code="(list(range(10**6, 10**6 + 30_000)),)")),),
)
"""The same with a large answer, so that one that collides may be large, too."""

LARGE_BLOCKS = replace(
    FUNCTION,
    programs={
        "initial": "def distinct(xs):\n    for _ in range(200):\n"
        "        [b'x' * 300_000 for _ in range(6)]\n"
        "    return list(dict.fromkeys(xs))\n"
    },
)
"""The same with much work for malloc."""

MEAN = replace(
    FUNCTION,
    programs={"initial": "def distinct(xs):\n    return sum(xs) / len(xs)\n"},
    cases=(Case(name="two", input=Expr(code="([1, 2],)")),),
)
"""A float, compared without a tolerance."""

NEARLY_MEAN = replace(MEAN, tolerance=1e-9)
"""The same with a tolerance, which the problem says."""

CHECKED = replace(
    FUNCTION,
    checker=(
        "def check(args, expected, output):\n"
        "    return type(output) is list and sorted(output) == sorted(expected)\n"
    ),
)
"""Elements once each, in any order: a checker of its own says so."""

SCRIPT = replace(
    FUNCTION,
    kind=ProblemKind.STDIO,
    programs={"initial": "print(sum(map(int, open(0).read().split())))\n"},
    entry_point="",
    cases=(Case(name="three", input=Expr(code="'1 2 3'"), expected="6\n"),),
    generator="def draw(rng, size):\n    return ' '.join(str(n) for n in range(size))\n",
)
"""The sum of the words."""

COMPILED = replace(
    SCRIPT,
    language=Language.CPP,
    path="main.cpp",
    programs={"initial": INITIAL},
    cases=(
        Case(name="three", input=Expr(code="'2 1 2'"), expected="2\n"),
        Case(name="some", input=Expr(code="draw(rng, 50)")),
    ),
    generator=(
        "def draw(rng, size):\n"
        "    return ' '.join(str(rng.randrange(10**6)) for _ in range(size))\n"
    ),
    ladder=Ladder(rungs=(("draw(rng, 5000)",), ("draw(rng, 8000)",)), final_level=1),
)
"""How many different words there are, in C++; quadratic."""

SCORE = replace(
    FUNCTION,
    kind=ProblemKind.SCORE,
    programs={"initial": "def distinct(xs):\n    return [1 / (len(xs) + 1)] * len(xs)\n"},
    cases=(),
    generator="def draw(rng, size):\n    return ([rng.randrange(2, 9) for _ in range(8)],)\n",
    ladder=Ladder(rungs=(("draw(rng, 8)",),)),
    scorer=(
        "def score(args, output):\n"
        "    if type(output) is not list or len(output) != len(args[0]):\n"
        "        raise ValueError('one weight per item is needed')\n"
        "    if not all(type(w) in (int, float) and w >= 0 for w in output):\n"
        "        raise ValueError('a weight is a number from 0')\n"
        "    if sum(output) > 1:\n"
        "        raise ValueError('the weights sum up to more than 1')\n"
        "    return sum(w * x for w, x in zip(output, args[0]))\n"
    ),
    direction="maximize",
)
"""Weights that sum up to 1 at most; all on the largest item is best, and scores below 9."""

RAISING = replace(
    FUNCTION,
    programs={
        "initial": "class Lacking(KeyError): pass\ndef distinct(xs): raise Lacking(xs)\n"
    },
    cases=(Case(name="two", input=Expr(code="([2, 1, 2],)")),),
)
"""Raises what its caller catches as a `KeyError`."""
