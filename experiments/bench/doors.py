"""The real readers of what a jail reports, each given one forged report at a time.

A door returns the events that the engine would write. What it raises is a crash: the engine
would end by it, though a candidate only reported something. Not here: what is reported
(`forged`), and what is counted (`readers`).
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any  # values of any type may be reported

from evaluators.answers.bench import Bench
from evaluators.answers.cases import Cases
from evaluators.counterexample.asking import Input, ProgramReply
from evaluators.counterexample.differences import Differences
from evaluators.kinds.command import score_of
from evaluators.kinds.score import ScoreEvaluator
from evaluators.measure.block import Blocks
from evaluators.observing.observer import Observer
from evaluators.running.runner import CallRunner, StdioRunner
from evaluators.sandbox.frames import ANSWER, COMPILED, FrameKind
from evaluators.sandbox.job import Job, JobAnswer, JobOutcome
from evaluators.sandbox.server.connection import Reaped
from evaluators.sandbox.server.exchange import call
from evaluators.sandbox.server.outcome import outcome_of
from evaluators.sandbox.server.running import ProcessSpent, Running
from evaluators.sandbox.usage import Footprint, ProcessUsage
from experiments.bench.forged import (
    NUMBERS,
    TEXTS,
    argument,
    changed,
    encoded,
    mutated,
    noise,
)
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.errors import WireError
from se_agent.events import BlockMeasured, Challenged, Evaluated, Event, Observed
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.values.evaluation import Calls, Counterexample, Evaluation, Hunt, InputSet, Status
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution

_INITIAL = "def f(n):\n    return n\n\ndef g(n):\n    return f(n)\n"
_CANDIDATE = "def f(n):\n    return +n\n\ndef g(n):\n    return f(n)\n"
_INPUT = wire.dumps((1,))
_RIGHT = JobAnswer(value=b"1")
_LIMITS = Limits(cpu_seconds=1e6, output_bytes=1 << 20)
_NONCE = b"8 bytes."
_OWN = ("scorer.py", "checker.py")

Door = Callable[[Random], list[Event]]


@dataclass
class Forging:
    """A sandbox without processes: the initial program is right, all others are forged.

    Attributes:
        right: What the initial program answers.
        forged: What any other program answers, input by input; none: it raises.
        usage: What is read of a run of these besides.
        spent: See `Sandbox`.
    """

    right: JobAnswer = _RIGHT
    forged: Sequence[JobAnswer] = (_RIGHT,)
    usage: ProcessUsage = field(default_factory=ProcessUsage)
    spent: float = 0.0

    def run(self, job: Job) -> JobOutcome:
        """Return the answers that were laid down."""
        if job.path == "generator.py":
            given: Sequence[JobAnswer] = [JobAnswer(value=_INPUT)]
        else:
            given = [self.right] if job.program == _INITIAL else self.forged
        answers = tuple(given[i % len(given)] for i in range(len(job.inputs) if given else 0))
        status = Status.AC if given else Status.RE
        return JobOutcome(status=status, answers=answers, cpu_seconds=0.01, usage=self.usage)

    def restart(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def _problem(**changes: Any) -> Problem:
    given: dict[str, Any] = {
        "name": "forged",
        "kind": ProblemKind.FUNCTION,
        "programs": {"initial": _INITIAL},
        "entry_point": "f",
        "cases": (Case(name="one", input=Expr(code="(1,)")),),
        "generator": "def generate(rng, size):\n    return (rng.randrange(size),)\n",
        "ladder": Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
    }
    return Problem(**given | changes)


def _bench(sandbox: Forging, **changes: Any) -> Bench:
    problem = _problem(**changes)
    runner = CallRunner(problem) if problem.entry_point else StdioRunner(problem)
    return Bench.of(problem, sandbox, runner)


def _candidate() -> Solution:
    return Solution(id="Gen1_Sol_0", files={"main.py": _CANDIDATE})


def _evaluated(found: Evaluation) -> list[Event]:
    return [Evaluated(solution="Gen1_Sol_0", content="c", evaluation=found)]


def _reported(random: Random, right: Any) -> bytes:
    """Return the bytes of a changed value, mutated ones, or noise."""
    turn = random.random()
    if turn < 0.5:
        return encoded(random, changed(random, right))
    if turn < 0.8:
        return mutated(random, encoded(random, right))
    return noise(random)


def _said(random: Random) -> str:
    """Return the text of an exception as the sandbox hands it on."""
    text = random.choice(TEXTS) + random.choice(("", ": ", ": \x1b[2J", ":::"))
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")


def _answer(random: Random, right: Any) -> JobAnswer:
    some = random.random() < 0.3
    arguments = _reported(random, (1,)) if some else b""
    if random.random() < 0.1:
        return JobAnswer(error=_said(random), arguments=arguments)
    ties = _reported(random, ([((0,), (1,), (2,))], [], [])) if some else b""
    return JobAnswer(value=_reported(random, right), arguments=arguments, ties=ties)


def _pair(random: Random) -> tuple[Any, JobAnswer]:
    """Return a right value, and the answer that it is."""
    right = argument(random)
    return right, JobAnswer(value=wire.dumps(right))


def answers(random: Random) -> list[Event]:
    """Have the answer of a function compared with the right one."""
    right, known = _pair(random)
    sandbox = Forging(right=known, forged=[_answer(random, right)])
    bench = _bench(sandbox, tolerance=random.choice((0.0, 1e-9)))
    return _evaluated(Cases(bench).evaluate(_candidate()))


def outputs(random: Random) -> list[Event]:
    """Have what a script prints compared with the right output."""
    right = b" ".join(random.choice((b"1", b"1.5", b"nan", b"1e999", b"x\n")) for _ in range(5))
    sandbox = Forging(JobAnswer(value=right), [JobAnswer(value=mutated(random, right))])
    bench = _bench(sandbox, kind=ProblemKind.STDIO, entry_point="", tolerance=1e-9)
    bench.pool.cache.put(bench.problem.cases[0].input, b"1\n")
    return _evaluated(Cases(bench).evaluate(_candidate()))


def observations(random: Random) -> list[Event]:
    """Have what a watched program reports read."""
    calls: list[Any] = [
        ("f", (1,), 1, None),
        ("g", ([1, 2],), "x", ([2],)),
        ("f", (2,), [], None),
    ]
    lines: list[Any] = [
        True,
        [("f", 2, 3, 0.25, 1), ("g", 5, 1, 0.5, 2)],
        [("f", 3, 0.5)],
        1e-7,
    ]
    forged = [
        JobAnswer(value=_reported(random, random.choice((calls, lines)))) for _ in range(3)
    ]
    found = observed(Forging(forged=forged), timed=random.random() < 0.7)
    return [Observed(solution="Gen1_Sol_0", observation=found)]


def observed(sandbox: Forging, *, timed: bool = True) -> Observation:
    """Return what is seen of a program in a sandbox."""
    small = (lambda: ([_INPUT], [])) if timed else None
    observer = Observer(_bench(sandbox), growing=lambda: [_INPUT] * 3, small=small)
    return observer.observe(_candidate())


def scores(random: Random) -> list[Event]:
    """Have a score read: of a command, or what the process of a scorer answers."""
    if random.random() < 0.5:
        text = "".join(random.choice((*TEXTS, "1.5", "\n", '{"score": ')) for _ in range(4))
        with contextlib.suppress(ValueError):  # which says that there is no score
            score_of(text)
        return []
    right, known = _pair(random)
    sandbox = Forging(forged=[_answer(random, right) if random.random() < 0.5 else known])
    problem = _problem(kind=ProblemKind.SCORE, scorer="def score(args, output): return 1\n")
    sandbox.right = JobAnswer(value=_INPUT)
    evaluator = ScoreEvaluator(problem, measure=Measure(), sandbox=sandbox)
    return _evaluated(evaluator.evaluate(_candidate()))


def counterexamples(random: Random) -> list[Event]:
    """Have an answer compared on a made-up input, of one call or of three."""
    calls = random.choice(tuple(Calls))
    right = argument(random)
    told: Any = right
    if calls is Calls.REPEATED:
        told = (right, (True, right), right, ([], [], []), right, (True, right))
    given = argument(random)
    try:
        asked, known = Input(wire.dumps((given,)), (), calls), JobAnswer(value=wire.dumps(told))
    except WireError:  # nested as deep as it goes: it is never asked
        return []
    reply = ProgramReply(Status.AC, _answer(random, told))
    if random.random() < 0.1:
        reply = ProgramReply(random.choice(tuple(Status)[1:]), feedback=_said(random))
    bench = _bench(Forging())
    wrong = Differences(bench).between(asked, known, reply)
    if wrong is None:
        return []
    found = Counterexample(
        arguments=asked.told, calls=calls, failed=wrong.failed, status=wrong.status
    )
    return [Challenged(solution="Gen1_Sol_0", hunt=Hunt(tried=1, found=found))]


def blocks(random: Random) -> list[Event]:
    """Have a block measured, of which some answers and some figures are strange."""
    figures = [one for one in NUMBERS if type(one) is float or one in (0, 1, 1 << 60)]
    a, b, c = (random.choice((0.01, 0.02, random.choice(figures))) for _ in range(3))
    footprint = Footprint(added_bytes=random.choice((1 << 20, 0)), byte_seconds=float(b))
    usage = ProcessUsage(wall_seconds=float(a), delayed_seconds=float(c), footprint=footprint)
    right, known = _pair(random)
    forged = [known, known, _answer(random, right) if random.random() < 0.3 else known]
    bench = _bench(Forging(right=known, forged=forged, usage=usage))
    initial = Solution(id="Gen0_Sol_0", files={"main.py": _INITIAL})
    block = Blocks(bench, Measure(), seed=random.randrange(1 << 30)).measure(
        initial, _candidate(), number=0, pairs=1
    )
    return [
        BlockMeasured(reference="a", candidate="b", inputs=InputSet.SEARCH, block=block),
    ]


def frames(random: Random) -> list[Event]:
    """Have the bytes of a channel read as a conversation with a child."""
    said = [
        (
            FrameKind.READY,
            COMPILED.pack(random.choice((0.001, float("nan"), -1.0, float("inf")))),
        ),
        (FrameKind.VALUE, _reported(random, (1, 2))),
        (FrameKind.ARGUMENTS, b""),
        (FrameKind.VALUE, b"1"),
        (FrameKind.ARGUMENTS, b""),
        (
            random.choice(tuple(FrameKind)),
            random.choice(TEXTS).encode("utf-8", "surrogatepass"),
        ),
    ]
    sent = b"".join(
        ANSWER.pack(_NONCE, kind, random.choice((len(body),) * 9 + (1 << 62,)), 0) + body
        for kind, body in said
    )
    job = Job(program="", entry_point="f", inputs=(b"[]", b"[]"), limits=_LIMITS, at_once=1)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(mutated(random, sent) if random.random() < 0.6 else sent)
        theirs.shutdown(socket.SHUT_WR)
        child = Running(ours, _NONCE, _LIMITS, patience=60.0)
        child.born(os.getpid())
        talk = call(child, job)
        spent = ProcessSpent(0.01, compiling_seconds=child.compiling_seconds)
        outcome = outcome_of(job, talk, None, spent, Reaped(0, 0))
        child.observed.close()
    return _evaluated(
        Evaluation(
            status=Status.RE, feedback=outcome.feedback, cost_seconds=outcome.cpu_seconds
        )
    )


DOORS: dict[str, tuple[Door, int]] = {
    "answers": (answers, 30),
    "outputs": (outputs, 10),
    "observations": (observations, 25),
    "scores": (scores, 8),
    "counterexamples": (counterexamples, 15),
    "blocks": (blocks, 2),
    "frames": (frames, 10),
}
"""Each door, and how many of a hundred reads it gets."""


if TYPE_CHECKING:
    from evaluators.sandbox.job import Sandbox

    _: Callable[[], Sandbox] = Forging
