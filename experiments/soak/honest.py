"""Honest programs, and what each comes to: for the bare sandbox, and for the evaluators.

Values, and how one is run. Not here: in which order, beside whom, and who compares.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from evaluators.sandbox.job import Job, Mode, Sandbox
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.problem.model import Limits, Problem
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from se_agent.wire import dumps, loads
from tests.hostile import problems

GENEROUS = Limits(cpu_seconds=60.0)
"""Time limits are not what honest programs are here for."""

Evaluators = Callable[[Problem], Evaluator]


class Result(NamedTuple):
    """How a program ended, and what it answered, as Python writes it."""

    status: str
    told: str


class Honest(Protocol):
    """An honest program."""

    @property
    def name(self) -> str:
        """Unique."""

    @property
    def known(self) -> Result:
        """What it comes to, worked out by hand."""

    @property
    def restarts(self) -> bool:
        """Whether running it starts the fork server anew."""

    def run(self, sandbox: Sandbox, evaluators: Evaluators) -> Result:
        """Run it once."""


@dataclass(frozen=True)
class Bare:
    """One job of the sandbox."""

    name: str
    job: Job
    known: Result
    restarts: bool = False

    def run(self, sandbox: Sandbox, evaluators: Evaluators) -> Result:
        """Run it once; an exception is told by the first line of what was said."""
        outcome = sandbox.run(self.job)
        found = [answer.value for answer in outcome.answers]
        read = found if self.job.mode is Mode.STDIO else [loads(value) for value in found]
        first = outcome.feedback.strip().partition("\n")[0]
        return Result(outcome.status, f"{read} {first}".strip())


@dataclass(frozen=True)
class Judged:
    """A candidate for an evaluator; compared with the initial program where it says so."""

    name: str
    problem: Problem
    text: str
    known: Result
    restarts: bool = False

    def run(self, sandbox: Sandbox, evaluators: Evaluators) -> Result:
        """Evaluate it once, and measure a block where that is asked for."""
        evaluator = evaluators(self.problem)
        candidate = Solution(id="Gen1_Sol_1", files={"main.py": self.text})
        evaluation = evaluator.evaluate(candidate)
        failed = " ".join(f"{case.name}: {case.got}" for case in evaluation.failing)
        told = failed if evaluation.score is None else f"score {evaluation.score!r}"
        if self.restarts and evaluation.status is Status.AC:
            block = evaluator.block(self.problem.initial(), candidate, number=0, pairs=2)
            told = f"{told} block {block.status}".strip()
        return Result(evaluation.status, told)


def _call(name: str, program: str, arguments: tuple[object, ...], told: str) -> Bare:
    inputs = (dumps(arguments), dumps(arguments))
    job = Job(program=program, inputs=inputs, entry_point="f", limits=GENEROUS)
    return Bare(name, job, Result(Status.AC, f"[{told}, {told}]"))


def _raising(name: str, program: str, told: str) -> Bare:
    job = Job(program=program, inputs=(dumps(()),), entry_point="f", limits=GENEROUS)
    return Bare(name, job, Result(Status.RE, f"[] {told}"))


def _script(name: str, program: str, stdin: bytes, told: bytes) -> Bare:
    job = Job(program=program, inputs=(stdin,), mode=Mode.STDIO, limits=GENEROUS)
    return Bare(name, job, Result(Status.AC, f"[{told!r}]"))


_FUNCTION = replace(problems.FUNCTION, limits=GENEROUS)
_SCRIPT = replace(problems.SCRIPT, limits=GENEROUS)
_SCORE = replace(problems.SCORE, limits=GENEROUS, generator=(
    "def draw(rng, size):\n    return ([2, 3, 4, 5, 6, 7, 8, 9],)\n"
))  # fmt: skip
_DIVIDED = "ZeroDivisionError: integer division or modulo by zero"
_DISTINCT = "def distinct(xs):\n    return list(dict.fromkeys(xs))\n"

HONEST: tuple[Honest, ...] = (
    _call("sorts", "def f(xs): return sorted(xs), sum(xs)", ([3, 1, 2],), "([1, 2, 3], 6)"),
    _call(
        "counts",
        "from collections import Counter\ndef f(text): return dict(Counter(text))",
        ("abcab",),
        "{'a': 2, 'b': 2, 'c': 1}",
    ),
    _call("divides", "def f(n): return [n / d for d in (2, 3)]", (1,), f"[0.5, {1 / 3!r}]"),
    _call(
        "recurses",
        "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)",
        (16,),
        "987",
    ),
    _call(
        "fills-memory",
        "def f(n):\n data = bytearray(n)\n return len(data), data[0]",
        (20 << 20,),
        f"({20 << 20}, 0)",
    ),
    _call(
        "long-answer",
        "def f(n): return sum(map(len, ['x' * n] * 9)), 'y' * n",
        (3,),
        "(27, 'yyy')",
    ),
    _raising("divides-by-zero", "def f(): return 1 // 0", _DIVIDED),
    _script("script-adds", "print(sum(map(int, input().split())))", b"1 2 3\n", b"6\n"),
    _script(
        "script-reads-all",
        "import sys\nfor line in sys.stdin: print(line.strip()[::-1])",
        b"ab\ncd\n",
        b"ba\ndc\n",
    ),
    Judged("distinct-right", _FUNCTION, _DISTINCT, Result(Status.AC, "")),
    Judged(
        "distinct-wrong",
        _FUNCTION,
        "def distinct(xs):\n    return sorted(set(xs))\n",
        Result(Status.WA, "two: [1, 2]"),
    ),
    Judged(
        "sum-right",
        _SCRIPT,
        "import sys\nprint(sum(int(w) for w in sys.stdin.read().split()))\n",
        Result(Status.AC, ""),
    ),
    Judged(
        "score-even",
        _SCORE,
        "def distinct(xs):\n    return [1 / len(xs)] * len(xs)\n",
        Result(Status.AC, "score 5.5"),
    ),
    Judged(
        "distinct-measured",
        _FUNCTION,
        _DISTINCT,
        Result(Status.AC, "block AC"),
        restarts=True,
    ),
)
"""Their names are unique, and no two share what they were given."""


def alone(honest: Honest, level: str, evaluators: Callable[[Sandbox], Evaluators]) -> Result:
    """Run a program on a fork server of its own, with nobody beside it."""
    with closing(ForkServer(isolation=level)) as server:
        return honest.run(server, evaluators(server))
