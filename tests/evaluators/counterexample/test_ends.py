"""A program that ends without an answer, where the initial one has one, is refuted.

Each of these answers all visible tests, and hides a wrong answer behind another way to end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.stdio import StdioEvaluator
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

UNIQUE = """
def unique(values):
    found = []
    for value in values:
        if value not in found:
            found.append(value)
    return found
"""
WRONG = """
def unique(values):
    if len(values) {betrayed}:
        {end}
    return list(dict.fromkeys(values))
"""
"""Right on the lengths of the visible test and of the inputs that are measured."""

GENERATOR = """
def generate(rng, size):
    return ([rng.randrange(size) for _ in range(size)],)

def valid(arguments):
    return all(type(value) is int for value in arguments[0])
"""
ENDS = {
    "PermissionError": ("raise PermissionError(1, 'no')", Status.REJECTED),
    "a file": ("open('/etc/hostname', 'w')", Status.REJECTED),
    "a folder": ("import os; os.mkdir('/x')", Status.REJECTED),
    "a socket": ("import socket; socket.socket()", Status.REJECTED),
    "a process": ("import os; os.fork()", Status.REJECTED),
    "a thread": (
        "import threading; threading.Thread(target=print).start()",
        Status.REJECTED,
    ),
    "hidden": (
        (
            "\n        try: raise OSError(13, 'no')"
            "\n        except OSError as e: raise KeyError from e"
        ),
        Status.REJECTED,
    ),
    "read-only": ("raise OSError(30, 'read-only')", Status.REJECTED),
    "ValueError": ("raise ValueError('no')", Status.RE),
    "RecursionError": ("return unique(values)", Status.RE),
    "AssertionError": ("raise AssertionError", Status.RE),
    "BaseException": ("raise BaseException('no')", Status.RE),
    "SyntaxError": ("exec('1 +')", Status.RE),
    "GeneratorExit": ("raise GeneratorExit", Status.RE),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", Status.RE),
    "SystemExit": ("raise SystemExit(0)", Status.RE),
    "exit code 0": ("import os; os._exit(0)", Status.RE),
    "exit code 1": ("import os; os._exit(1)", Status.RE),
    "sys.exit": ("import sys; sys.exit()", Status.RE),
    "SIGKILL": ("import os; os.kill(os.getpid(), 9)", None),
    "SIGSEGV": ("import ctypes; ctypes.string_at(0)", None),
    "SIGABRT": ("import os; os.abort()", None),
    "what does not cross": ("return object()", Status.RE),
    "a generator": ("return (value for value in values)", Status.RE),
    "MemoryError": ("raise MemoryError", Status.MLE),
    "much memory": ("return [0] * (1 << 30)", Status.MLE),
    "too large an answer": ("return [7] * (1 << 20)", None),
    "a hash that raises": (
        "return {type('Odd', (), {'__hash__': lambda self: 1 // 0})()}",
        Status.RE,
    ),
    "not compiled, in our name": (
        (
            "\n        import os, sys\n        frame = sys._getframe()"
            "\n        while 'job' not in frame.f_locals: frame = frame.f_back"
            "\n        head = frame.f_globals['ANSWER'], frame.f_locals['job'].nonce"
            "\n        os.write(3, head[0].pack(head[1], 2, 2, 0) + b'CE'); os._exit(0)"
        ),
        Status.RE,
    ),
    "an endless loop": ("\n        while True: pass", Status.TLE),
    "a wrong answer": ("return []", Status.WA),
}
"""How each ends where it would be betrayed; None: whichever way the sandbox ends that."""


def problem() -> Problem:
    return Problem(
        name="unique",
        kind=ProblemKind.FUNCTION,
        programs={"initial": UNIQUE},
        entry_point="unique",
        cases=(Case(name="some", input=Expr(code="generate(rng, 9)", seed=1)),),
        generator=GENERATOR,
        valid=GENERATOR,
        ladder=Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
        limits=Limits(cpu_seconds=0.2, memory_bytes=128 << 20, output_bytes=1 << 20),
    )


@pytest.fixture(scope="module")
def evaluator() -> Iterator[FunctionEvaluator]:
    with closing(FunctionEvaluator(problem(), measure=Measure())) as made:
        yield made


@pytest.mark.parametrize(
    ("end", "status"), [pytest.param(*row, id=name) for name, row in ENDS.items()]
)
def test_whatever_is_no_answer_refutes(
    evaluator: FunctionEvaluator, end: str, status: Status | None
) -> None:
    text = WRONG.format(betrayed="in (4, 5, 7, 8)", end=end)
    solution = Solution(id="a", files={"main.py": text})
    assert evaluator.evaluate(solution).status is Status.AC
    found = evaluator.hunt(solution, seconds=3.0).found
    assert found is not None
    assert found.status is status or (status is None and found.status is not Status.AC)
    again = evaluator.retest(solution, [found])
    assert again.status is found.status


SQUARE = "print(int(input()) ** 2)\n"
LINES = "def generate(rng, size):\n    return f'{rng.randrange(20)}\\n'\n"
SCRIPT = "number = int(input())\nif number == {}:\n    {}\nprint(number ** 2)\n"


@pytest.mark.parametrize(
    ("end", "status"),
    [
        pytest.param("import os; os.kill(os.getpid(), 9)", None, id="signal"),
        pytest.param("raise PermissionError(13, 'no')", Status.REJECTED, id="rejected"),
        pytest.param("raise SystemExit(3)", Status.RE, id="exit"),
    ],
)
def test_a_script_that_ends_without_its_output_is_refuted(
    end: str, status: Status | None
) -> None:
    given = Problem(
        name="square",
        kind=ProblemKind.STDIO,
        programs={"initial": SQUARE},
        cases=(Case(name="four", input=Expr(code="'4\\n'")),),
        generator=LINES,
        ladder=Ladder(rungs=(("generate(rng, 1)",), ("generate(rng, 2)",))),
    )
    with closing(StdioEvaluator(given, measure=Measure())) as made:
        text = SCRIPT.format(7, end)
        found = made.hunt(Solution(id="a", files={"main.py": text}), seconds=5.0).found
    assert found is not None
    assert found.arguments.strip() == "7"
    assert found.status is status or status is None
