"""What an answer shares with its arguments is part of the same results, whatever it is."""

from __future__ import annotations

from contextlib import closing

import pytest

from evaluators.answers.ties import released, tie
from evaluators.kinds.function import FunctionEvaluator
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.solution import Solution

GENERATOR = """
def generate(rng, size):
    return [rng.randrange(9) for _ in range(size)], [[1, 2], [3, 4]]
"""
COPIES = "def f(xs, rows):\n    return [x for x in xs], [row[:] for row in rows]\n"
ARRAY = "import numpy as np\ndef f(xs, rows):\n    return np.zeros(3) + {0}\n"
ALIKE = "def f(xs, rows):\n    {0}\n"


def evaluated(initial: str, program: str) -> Evaluation:
    problem = Problem(
        name="f",
        kind=ProblemKind.FUNCTION,
        programs={"initial": initial},
        entry_point="f",
        imports=("numpy",) if "numpy" in initial else (),
        cases=(Case(name="some", input=Expr(code="generate(rng, 5)", seed=1)),),
        generator=GENERATOR,
        ladder=Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
    )
    with closing(FunctionEvaluator(problem, measure=Measure())) as evaluator:
        return evaluator.evaluate(Solution(id="a", files={"main.py": program}))


@pytest.mark.parametrize(
    ("initial", "program", "told"),
    [
        pytest.param(
            ALIKE.format("return [x for x in xs]"),
            ALIKE.format("return xs"),
            "argument 0 itself: changing the answer changes the argument",
            id="the-argument",
        ),
        pytest.param(
            COPIES,
            "def f(xs, rows):\n    return [x for x in xs], rows[:]\n",
            "argument 1[0] as answer[1][0]: changing the answer",
            id="a-part-of-it",
        ),
        pytest.param(
            ALIKE.format("return [[0] * 3 for _ in xs]"),
            ALIKE.format("return [[0] * 3] * len(xs)"),
            "one object as answer[0] and answer[1]",
            id="one-row-for-all",
        ),
        pytest.param(
            ALIKE.format("return {x: set(xs) for x in xs}, bytearray(b'a')"),
            ALIKE.format("s = set(xs)\n    return {x: s for x in xs}, bytearray(b'a')"),
            "one object as answer[0]",
            id="one-set-for-all",
        ),
        pytest.param(
            ALIKE.format("return {'k' * 10**6: [x for x in xs]}"),
            ALIKE.format("return {'k' * 10**6: xs}"),
            "argument 0 as answer['kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk']",
            id="behind-a-long-key",
        ),
        pytest.param(
            ARRAY.format(1.0),
            "import numpy as np\n" + ALIKE.format("return np.broadcast_to(np.ones(1), (3,))"),
            "answer cannot be written to, or its elements are one",
            id="a-view-for-reading",
        ),
        pytest.param(
            ARRAY.format(1.0),
            "import numpy as np\nfrom numpy.lib.stride_tricks import as_strided\n"
            "def f(xs, rows):\n    return as_strided(np.ones(1), (3,), (0,))\n",
            "answer cannot be written to, or its elements are one",
            id="one-element-for-all",
        ),
        pytest.param(
            "import numpy as np\ndef f(xs, rows):\n    return np.ones((3, 2))\n",
            "import numpy as np\nfrom numpy.lib.stride_tricks import as_strided\n"
            "def f(xs, rows):\n    return as_strided(np.ones(4), (3, 2), (8, 8))\n",
            "answer cannot be written to, or its elements are one",
            id="windows-that-overlap",
        ),
        pytest.param(
            ALIKE.format("rows[1] = rows[0][:]"),
            ALIKE.format("rows[1] = rows[0]"),
            "leaves one object as argument 1[0] and argument 1[1]: changing one changes",
            id="one-row-left-twice",
        ),
        pytest.param(
            "import numpy as np\ndef f(xs, rows):\n    xs[0] = np.ones(3)\n",
            "import numpy as np\ndef f(xs, rows):\n    xs[0] = np.ones(3)\n"
            "    xs[0].flags.writeable = False\n",
            "leaves argument 0[0] so that it cannot be written to",
            id="an-array-left-for-reading",
        ),
    ],
)
def test_a_program_that_shares_more_is_wrong(initial: str, program: str, told: str) -> None:
    found = evaluated(initial, program)
    assert found.status is Status.WA
    assert told in found.failing[0].got
    assert evaluated(initial, initial).status is Status.AC


@pytest.mark.parametrize(
    ("initial", "program", "doubt"),
    [
        pytest.param(COPIES, COPIES.replace("row[:]", "list(row)"), "", id="both-copy"),
        pytest.param(
            ALIKE.format("return xs"),
            ALIKE.format("return xs[:]"),
            "The old one hands out argument 0 itself, the new one a copy: not compared.",
            id="a-copy-is-as-good",
        ),
        pytest.param(
            ALIKE.format("return rows[0]"),
            ALIKE.format("return rows[-2]"),
            "",
            id="the-same-row",
        ),
        pytest.param(
            ALIKE.format("return tuple(xs), 'a', 1"),
            ALIKE.format("return (*xs,), 'a', 1"),
            "",
            id="nobody-can-change-these",
        ),
        pytest.param(
            ALIKE.format("return [x for x in xs] if not xs else sorted(xs)"),
            "class Odd(list):\n    pass\n" + ALIKE.format("return sorted(xs)"),
            "",
            id="fresh",
        ),
    ],
)
def test_a_program_that_shares_no_more_is_right(initial: str, program: str, doubt: str) -> None:
    found = evaluated(initial, program)
    assert found.status is Status.AC
    assert found.feedback == doubt


class TestReport:
    """A child may tell anything; what is no report tells nothing."""

    SHARED = wire.dumps(([((), (), (0,))], [], [], [], []))

    @pytest.mark.parametrize(
        "told",
        [
            pytest.param(b"", id="nothing"),
            pytest.param(b"\xff\x00", id="no-text"),
            pytest.param(wire.dumps([1, 2, 3]), id="numbers"),
            pytest.param(wire.dumps(([(1, 2, 3)], [], [], [], [])), id="no-paths"),
            pytest.param(wire.dumps(([], [])), id="too-short"),
            pytest.param(wire.dumps((range(10**9), [], [], [], [])), id="a-range"),
            pytest.param(
                wire.dumps(([(([],), (), ())], [], [], [], [])), id="a-place-without-a-hash"
            ),
            pytest.param(b"[" + b"[]," * 100_000 + b"[]]", id="endless"),
        ],
    )
    def test_what_is_none_is_no_tie(self, told: bytes) -> None:
        assert tie(b"", told) is None
        assert released(told, b"") == ""

    def test_what_the_right_answer_shares_may_be_shared(self) -> None:
        found = tie(b"", self.SHARED)
        assert found is not None
        assert "argument 0 itself" in found.got
        assert tie(self.SHARED, self.SHARED) is None
        assert tie(self.SHARED, b"") is None
        assert released(self.SHARED, b"") == "argument 0 itself"
