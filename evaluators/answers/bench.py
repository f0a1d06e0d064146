"""A bench: the sandbox, the inputs and the right answers, set up for one problem.

Every evaluator works on one. Not here: what is done with it, such as the visible tests
(`evaluators.answers.cases`) and blocks (`evaluators.measure`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evaluators.answers.check import AnswerCheck, Checker, remembered
from evaluators.answers.inputs import Cache, InputPool, Room
from evaluators.answers.oracle import Oracle, weight
from evaluators.running.runner import Runner
from evaluators.running.shown import SHOWN, cut
from evaluators.running.whole import whole_answer
from evaluators.sandbox.job import JobAnswer, JobOutcome, Sandbox
from evaluators.sandbox.usage import ProcessUsage
from se_agent.problem.model import Expr, Limits, Problem
from se_agent.values.evaluation import InputSet, Status

_UNREAD = ProcessUsage()
_AS_FOUND = "settings of the interpreter as they were"
_REMEMBERED = 16  # programs whose failures are kept


def _failures() -> Cache[str, bytes]:
    return Cache(lambda *_: 1, Room(_REMEMBERED))


@dataclass(frozen=True)
class Batch:
    """Inputs that one run answers, with the right answers.

    Attributes:
        inputs: In the order in which they are answered.
        expected: The right answers.
        warm: How many of them come first, and are not measured: then calls are timed apart.
        borrowed: Whether these are of a smaller size, since this one has a single input.
    """

    inputs: tuple[bytes, ...]
    expected: tuple[JobAnswer, ...]
    warm: int = 0
    borrowed: bool = False

    @property
    def measured(self) -> int:
        """How many of them are."""
        return len(self.inputs) - self.warm


@dataclass(frozen=True, kw_only=True)
class ProgramTrial:
    """One run on a batch, checked.

    Attributes:
        status: AC when every answer is right.
        cpu_seconds: Gross, from fork to the last answer.
        after_seconds: The part of it in which arguments were described after the calls.
        loading_seconds: The part of it until the program was loaded, where that is told apart.
        giving_seconds: The part of it in which values of its classes were made.
        compiling_seconds: The part of it in which its text was compiled.
        first_seconds: The part of it until the first calls were over, where calls are apart.
        calls_seconds: The part of it in the calls after those; None where they are not.
        peak_bytes: Largest resident memory.
        usage: What it used besides, as far as the sandbox reads it.
        failed: Number of the input that failed; -1: none did, or the run failed before any.
        input: The failed one, to be shown.
        expected: Right answer to the failed input, to be shown.
        got: Given answer to the failed input, to be shown.
        feedback: What went wrong.
        relative: The largest relative difference, where nothing but floats differs.
        full_output: All that was seen of a failure, where the texts above are cut.
    """

    status: Status
    cpu_seconds: float
    after_seconds: float = 0.0
    loading_seconds: float = 0.0
    giving_seconds: float = 0.0
    compiling_seconds: float = 0.0
    first_seconds: float = 0.0
    calls_seconds: float | None = None
    peak_bytes: int = 0
    usage: ProcessUsage = _UNREAD
    failed: int = -1
    input: str = ""
    expected: str = ""
    got: str = ""
    feedback: str = ""
    relative: float | None = None
    full_output: str = ""


@dataclass(frozen=True)
class Bench:
    """What it takes to run programs of one problem and to know whether they are right.

    Attributes:
        problem: The problem that the programs solve.
        sandbox: Where they run.
        runner: How they run.
        pool: Makes inputs real.
        oracle: Knows the right answers.
        checker: Compares answers with them.
        seed: Seed of the run; it decides which inputs are drawn.
        final_seed: Decides it for the final inputs; None: `seed` does.
        failures: The last input that a program answered wrongly, by its text.
    """

    problem: Problem
    sandbox: Sandbox
    runner: Runner
    pool: InputPool
    oracle: Oracle
    checker: Checker
    seed: int = 0
    final_seed: int | None = None
    failures: Cache[str, bytes] = field(default_factory=_failures)

    @classmethod
    def of(cls, problem: Problem, sandbox: Sandbox, runner: Runner, *, seed: int = 0) -> Bench:
        """Set up a bench; nothing runs yet."""
        room = Room()
        pool = InputPool(problem, sandbox, runner, Cache(lambda _, data: len(data), room))
        oracle = Oracle(problem, sandbox, runner, pool, Cache(weight, room))
        checker = Checker(problem, sandbox, runner, remembered(room))
        return cls(problem, sandbox, runner, pool, oracle, checker, seed)

    def exprs(
        self, which: InputSet, count: int, *, level: int | None = None, first: int = 0
    ) -> list[Expr]:
        """Return `count` inputs of a set from number `first` on, or as many as there are."""
        ladder, seed = self.problem.ladder, self.seed
        if which is InputSet.FINAL and self.final_seed is not None:
            seed = self.final_seed
        found = (ladder.expr(which, first + n, level, seed) for n in range(count))
        return [expr for expr in found if expr is not None]

    def batch(self, exprs: Sequence[Expr]) -> Batch:
        """Make inputs real and have them answered.

        Raises:
            ProblemError: An input cannot be made, or the initial program does not answer.
        """
        inputs = self.pool.real(exprs)
        return Batch(inputs, self.oracle.answers(exprs, inputs))

    def most(self, exprs: Sequence[Expr]) -> int:
        """Return how many inputs like the first of these a run may answer.

        Half of what a run may write is kept free, for answers that are larger.

        Raises:
            ProblemError: The input cannot be made, or the initial program does not answer.
        """
        answers = self.batch(exprs[:1]).expected
        each = max((len(one.value) + len(one.arguments) for one in answers), default=0)
        fitting = self.problem.limits.output_bytes // max(2 * each, 1)
        return max(1, min(self.runner.most, fitting))

    def trial(
        self, program: str, batch: Batch, *, cpu_seconds: float = 0.0, ties: bool = False
    ) -> ProgramTrial:
        """Run a program on a batch and check its answers.

        Args:
            program: Its text.
            batch: What to ask.
            cpu_seconds: Limit of the run; 0: the one of the problem.
            ties: Whether what answers share with arguments is compared, too.
        """
        outcome, found = self._checked(program, batch, cpu_seconds, ties=ties)
        if found and batch.warm:
            # A value that the next call overwrites is right, if it is written down before.
            outcome, found = self._checked(program, batch, cpu_seconds, at_once=1)
        trial = ProgramTrial(
            status=outcome.status,
            cpu_seconds=outcome.cpu_seconds,
            after_seconds=outcome.after_seconds,
            loading_seconds=outcome.loading_seconds,
            giving_seconds=outcome.giving_seconds,
            compiling_seconds=outcome.compiling_seconds,
            first_seconds=outcome.first_seconds,
            calls_seconds=outcome.calls_seconds,
            peak_bytes=outcome.peak_bytes,
            usage=outcome.usage,
            feedback=outcome.feedback,
            full_output=outcome.full_output,
        )
        if found:
            self.failures.put(program, batch.inputs[found.index])
            return self._wrong(program, batch, trial, found, outcome)
        if outcome.status is Status.AC and (left := self._left(outcome)):
            return _unkept(trial, left, len(batch.inputs) - 1)
        if outcome.status is Status.AC:
            doubt = self.checker.doubt(batch.expected, outcome.answers) if ties else ""
            return replace(trial, feedback=doubt)
        if outcome.status is Status.CE:
            return trial
        if len(outcome.answers) < len(batch.inputs):
            self.failures.put(program, batch.inputs[len(outcome.answers)])
        return replace(
            trial,
            failed=len(outcome.answers),
            input=self._input(batch, len(outcome.answers)),
            expected=self._shown(batch, len(outcome.answers)),
            got=cut(outcome.feedback.strip() or outcome.status),
        )

    def _checked(
        self,
        program: str,
        batch: Batch,
        cpu_seconds: float,
        *,
        ties: bool = False,
        at_once: int = 0,
    ) -> tuple[JobOutcome, AnswerCheck | None]:
        """Run a program; return how that ended, and the first wrong answer."""
        outcome = self.runner.run(
            self.sandbox,
            program,
            batch.inputs,
            _limits(self.problem, cpu_seconds),
            keep_errors=True,  # always: whether it is expected is not for the program to know
            ties=ties,
            warm=batch.warm,
            at_once=at_once,
        )
        answers = outcome.answers
        return outcome, self.checker.first_wrong(batch.inputs, batch.expected, answers)

    def _wrong(
        self,
        program: str,
        batch: Batch,
        trial: ProgramTrial,
        found: AnswerCheck,
        outcome: JobOutcome,
    ) -> ProgramTrial:
        """Return the trial of a program with a wrong answer."""
        traced = self._traced(program, batch, found)
        whole = self._whole(batch, outcome.answers[found.index], found.index)
        return replace(
            trial,
            status=found.status,
            failed=found.index,
            input=self.runner.show(batch.inputs[found.index]),
            expected=found.expected,
            got=found.got,
            feedback=traced.feedback or found.feedback,
            relative=found.relative,
            full_output=traced.full_output or whole,
        )

    def _traced(self, program: str, batch: Batch, found: AnswerCheck) -> JobOutcome:
        """Run what raised once more, for the place; empty when it does not raise again."""
        nothing = JobOutcome(status=Status.AC)
        if found.status is not Status.RE:
            return nothing
        data, limits = [batch.inputs[found.index]], self.problem.limits
        again = self.runner.run(self.sandbox, program, data, limits)
        return again if again.status is Status.RE else nothing

    def _whole(self, batch: Batch, given: JobAnswer, index: int) -> str:
        """Return input and answers as far as they are kept; empty: what is shown is all."""
        sides = {"input": JobAnswer(value=batch.inputs[index])}
        sides |= {"expected": batch.expected[index], "got": given}
        told = {name: whole_answer(self.runner, side) for name, side in sides.items()}
        if all(len(text) <= SHOWN for text in told.values()):
            return ""
        return "\n".join(f"{name}: {text}" for name, text in told.items())

    def _left(self, outcome: JobOutcome) -> str:
        """Return what a program leaves changed that the initial one does not."""
        return "; ".join(line for line in outcome.left if line not in self.oracle.left)

    def _input(self, batch: Batch, index: int) -> str:
        return self.runner.show(batch.inputs[index]) if index < len(batch.inputs) else ""

    def _shown(self, batch: Batch, index: int) -> str:
        if index >= len(batch.expected):
            return ""
        answer = batch.expected[index]
        return f"raises {answer.error}" if answer.error else self.runner.show(answer.value)


def _limits(problem: Problem, cpu_seconds: float) -> Limits:
    limits = problem.limits
    return replace(limits, cpu_seconds=cpu_seconds) if cpu_seconds else limits


def _unkept(trial: ProgramTrial, left: str, last: int) -> ProgramTrial:
    """Return the trial of a program that leaves settings changed, after its last input."""
    why = f"it leaves settings of the interpreter changed ({cut(left)}): put them back before "
    return replace(
        trial,
        status=Status.WA,
        failed=last,
        expected=_AS_FOUND,
        got=cut(left),
        feedback=f"{why}it returns",
    )
