"""Programs that are slow to load: what they are asked, and what counts against them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice

import pytest

from evaluators.answers.bench import Bench
from evaluators.counterexample.allowance import Allowance
from evaluators.counterexample.asking import UNASKED, Input, InputRunner
from evaluators.counterexample.corpus import Corpus
from evaluators.counterexample.forms import CalledForm
from evaluators.counterexample.verdicts import Verdicts
from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.stdio import StdioEvaluator
from evaluators.running.runner import CallRunner, StdioRunner
from evaluators.sandbox.job import JobAnswer, Mode, Sandbox
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.errors import SandboxError
from se_agent.problem.model import Limits, Problem, ProblemKind
from se_agent.values.evaluation import Counterexample, FailedCase, Hunt, Status
from se_agent.values.solution import Solution
from tests.evaluators.counterexample import test_search as functions
from tests.evaluators.counterexample.stdin import test_search as scripts
from tests.evaluators.scripted import STARTUP, ScriptedSandbox
from tests.evaluators.worlds import evaluator, solution, timed_problem

SLOW = "burnt = 0\nfor k in range({}):\n    burnt += k & 3\n"
"""Work at the module's level: a tenth of a CPU second, or more, for a million rounds."""


def loading(seconds: float, answer: str = "size + salt", cost: str = "0.0") -> str:
    """Return a scripted program; without its entry point an input costs nothing."""
    return (
        f"LOADING = {seconds}\ndef solve(size, salt):\n    return {answer}\n"
        f"def cost(size, salt):\n    return {cost} if solve(1, 1) else 0.0\n"
    )


def script(seconds: float, answer: str = "int(input()) + 1") -> str:
    return f"print({answer})\ndef cost(text):\n    return {seconds}\n"


def problem(initial: str, *, kind: ProblemKind = ProblemKind.FUNCTION) -> Problem:
    return timed_problem(kind=kind, programs={"initial": initial})


def asking(sandbox: Sandbox, given: Problem) -> InputRunner:
    runner = CallRunner(given) if given.kind is ProblemKind.FUNCTION else StdioRunner(given)
    return InputRunner.on(Bench.of(given, sandbox, runner))


def verdicts(sandbox: Sandbox, given: Problem) -> Verdicts:
    asks = asking(sandbox, given)
    return Verdicts(asks.bench, asks)


def inputs(count: int) -> list[Input]:
    found = [Input.of((size, 1)) for size in range(count)]
    return [one for one in found if one is not None]


def texts(count: int) -> list[Input]:
    return [Input(b"%d\n" % number) for number in range(count)]


def answered(
    asks: InputRunner, program: str, asked: Sequence[Input], cpu_seconds: float
) -> int:
    replies = asks.replies(program, asked, cpu_seconds=cpu_seconds)
    return sum(reply.status is Status.AC for reply in replies)


class TestAsking:
    @pytest.mark.parametrize("seconds", [0.0, 0.3, 0.5, 5.0])
    def test_loading_takes_no_time_from_the_inputs(self, seconds: float) -> None:
        initial = loading(seconds, cost="0.1")
        asks = asking(ScriptedSandbox(), problem(initial))
        assert answered(asks, initial, inputs(3), 0.4) == 3

    @pytest.mark.parametrize("seconds", [0.0, 0.05])
    def test_who_takes_long_for_inputs_is_not_asked_all(self, seconds: float) -> None:
        initial = loading(seconds, cost="0.1")
        asks = asking(ScriptedSandbox(), problem(initial))
        replies = asks.replies(initial, inputs(9), cpu_seconds=0.4)
        assert replies[0].status is Status.AC
        assert replies[-1] is UNASKED

    @pytest.mark.parametrize("seconds", [0.0, 0.15, 1.0])
    def test_a_script_is_given_all_texts_however_slow_its_start(self, seconds: float) -> None:
        initial = script(seconds)
        asks = asking(ScriptedSandbox(), problem(initial, kind=ProblemKind.STDIO))
        assert answered(asks, initial, texts(33), 0.4) == 33

    def test_it_is_measured_once_a_program(self) -> None:
        initial, other = loading(0.5), loading(0.7)
        asks = asking(sandbox := ScriptedSandbox(), problem(initial))
        for program in (initial, other, initial, other):
            asks.replies(program, inputs(2), cpu_seconds=0.4)
        measured = [job for job in sandbox.jobs if len(job.inputs) == 1]
        assert len(measured) == 2
        assert asks.loading.known(initial) == pytest.approx(0.5 + STARTUP)
        assert asks.loading.known(other) == pytest.approx(0.7 + STARTUP)

    def test_a_slow_one_is_asked_all_in_one_process(self) -> None:
        initial = loading(0.5)
        asks = asking(sandbox := ScriptedSandbox(), problem(initial))
        assert answered(asks, initial, inputs(150), 0.4) == 150
        assert [len(job.inputs) for job in sandbox.jobs] == [1, 150]

    def test_a_candidate_is_excused_for_what_the_initial_program_takes(self) -> None:
        asks = asking(sandbox := ScriptedSandbox(), problem(loading(1.0)))
        late = loading(9.0)
        assert answered(asks, late, inputs(3), 2.0) == 0
        assert asks.loading.known(late) == 0.0
        spent = sandbox.spent
        assert answered(asks, late, inputs(3), 2.0) == 0
        assert sandbox.spent - spent == pytest.approx(2.0)

    def test_no_process_is_started_once_there_is_no_time(self) -> None:
        initial = loading(0.2)
        asks = asking(sandbox := ScriptedSandbox(), problem(initial))
        hurried = replace(asks, more=lambda: sandbox.spent < 0.25)
        assert hurried.replies(initial, inputs(200), cpu_seconds=0.4)[-1] is not UNASKED
        assert hurried.replies(initial, inputs(2), cpu_seconds=0.4) == [UNASKED] * 2

    def test_of_many_texts_some_are_asked_from_everywhere(self) -> None:
        initial = script(0.1)
        asks = asking(sandbox := ScriptedSandbox(), problem(initial, kind=ProblemKind.STDIO))
        hurried = replace(asks, more=lambda: sandbox.spent < 0.6)
        replies = hurried.replies(initial, texts(80), cpu_seconds=0.4)
        told = [i for i, reply in enumerate(replies) if reply is not UNASKED]
        assert told == [0, 16, 32, 48, 64]


@pytest.mark.tier("fast")
def test_who_is_answered_with_an_exception_keeps_no_answer_to_ask_again_with() -> None:
    given = problem(loading(0.0))
    form = CalledForm(asking(ScriptedSandbox(), given).bench, [wire.dumps((1, 1))])
    (asked,) = inputs(1)
    kept = wire.dumps(([1],))
    assert form.repeated(asked, JobAnswer(value=wire.dumps([1]))) == asked.repeated
    failed = JobAnswer(error="ValueError: no", arguments=kept, value=wire.dumps([1]))
    assert form.repeated(asked, failed) is None


class TestVerdicts:
    @pytest.mark.tier("fast")
    def test_a_program_that_never_ends_is_refuted_where_loading_is_slow(self) -> None:
        initial = loading(0.5)
        judge = verdicts(ScriptedSandbox(), problem(initial))
        asked = inputs(4)
        endless = loading(0.5, cost="(9.0 if size == 2 else 0.0)")
        found = judge.judged(endless, asked, judge.right(asked))
        assert [one.compared for one in found] == [True, True, True, False]
        assert found[2].wrong is not None
        assert found[2].wrong.status is Status.TLE

    def test_what_was_not_asked_is_not_compared(self) -> None:
        initial = loading(0.0)
        judge = verdicts(ScriptedSandbox(), problem(initial))
        asked = inputs(2)
        found = judge.within(lambda: False).judged(initial, asked, judge.right(asked))
        assert [(one.compared, one.wrong) for one in found] == [(False, None)] * 2


def counterexample(arguments: str) -> Counterexample:
    failed = FailedCase(name="a counterexample", expected="", got="")
    return Counterexample(arguments=arguments, failed=failed)


def refuting(*sizes: int) -> list[Counterexample]:
    return [counterexample(wire.dumps((size, 1)).decode()) for size in sizes]


class TestRetest:
    @pytest.mark.parametrize("seconds", [0.0, 0.45, 4.0])
    def test_a_wrong_program_is_wrong_however_slow_it_is_loaded(self, seconds: float) -> None:
        retesting = evaluator(problem(loading(seconds)), ScriptedSandbox())
        wrong = solution(loading(seconds, "size if size == 8 else size + salt"))
        found = retesting.retest(wrong, refuting(*range(9)))
        assert found.status is Status.WA
        right = retesting.retest(problem(loading(seconds)).initial(), refuting(*range(9)))
        assert right.status is Status.AC

    @pytest.mark.parametrize("cost", ["0.3", "1.5"])
    def test_who_takes_long_for_each_test_is_asked_one_by_one(self, cost: str) -> None:
        retesting = evaluator(problem(loading(0.0, cost=cost)), ScriptedSandbox())
        wrong = solution(loading(0.0, "size if size == 8 else size + salt", cost))
        assert retesting.retest(wrong, refuting(*range(9))).status is Status.WA

    def test_a_text_that_comes_last_is_no_less_a_test(self) -> None:
        given = problem(script(0.15), kind=ProblemKind.STDIO)
        wrong = solution(script(0.15, "(lambda n: n + (n < 39))(int(input()))"))
        tests = [counterexample(f"{number}\n") for number in range(40)]
        with closing(
            StdioEvaluator(given, measure=Measure(), sandbox=ScriptedSandbox())
        ) as one:
            found = one.retest(wrong, tests)
        assert (found.status, found.failing[0].input) == (Status.WA, r"'39\n'")

    def test_an_initial_program_that_answers_no_more_lets_nobody_pass(self) -> None:
        tired = problem(loading(0.0, cost="99.0"))
        retesting = evaluator(tired, ScriptedSandbox())
        with pytest.raises(SandboxError, match="no longer answers what it answered before"):
            retesting.retest(solution(loading(0.0)), refuting(1))

    def test_one_that_does_not_compile_is_left_to_the_tests(self) -> None:
        retesting = evaluator(problem(loading(0.0)), ScriptedSandbox())
        assert retesting.retest(solution("def solve("), refuting(1)).status is Status.AC
        assert retesting.evaluate(solution("def solve(")).status is Status.CE


def scripted_hunt(initial: str, text: str, *, seconds: float = 5.0) -> Hunt:
    hunting = evaluator(problem(initial), ScriptedSandbox())
    return hunting.hunt(solution(text), seconds=seconds)


class TestHunt:
    def test_a_quick_program_needs_no_excuse(self) -> None:
        found = scripted_hunt(loading(0.001), loading(0.002))
        assert found.tried > 50
        assert (found.found, found.note) == (None, "")

    def test_a_slow_one_is_tried_on_fewer_inputs_and_that_is_told(self) -> None:
        found = scripted_hunt(loading(0.5), loading(0.5))
        assert found.tried > 50
        assert found.note.startswith("each process takes 0.5 s to load the program, and all")
        assert found.cost_seconds < 5.0 + 0.5

    def test_where_loading_takes_all_the_time_nothing_was_tried(self) -> None:
        found = scripted_hunt(loading(6.0), loading(6.0))
        assert (found.tried, found.found) == (0, None)
        assert found.note.startswith("each process takes 6 s to load the program, and all have")
        assert found.cost_seconds < 2 * 6.0

    def test_who_answers_nothing_in_time_was_not_tried(self) -> None:
        found = scripted_hunt(loading(0.0, cost="9.0"), loading(0.0))
        assert (found.tried, found.found) == (0, None)
        assert found.note == "no input was answered by both programs within its time"

    def test_the_next_search_has_what_the_first_had_no_time_for(self) -> None:
        hunting = evaluator(problem(loading(1.5)), ScriptedSandbox())
        first, second = (
            hunting.hunt(solution(loading(0.1)), seconds=seconds) for seconds in (1.0, 20.0)
        )
        assert first.tried == 0
        assert second.tried > 50


def slow(given: Problem, rounds: int) -> Problem:
    (initial,) = given.programs.values()
    return replace(given, programs={"initial": SLOW.format(rounds) + initial})


def written(text: str, rounds: int) -> Solution:
    return Solution(id="a", files={"main.py": SLOW.format(rounds) + text})


SHORT = functions.INITIAL.replace("[:count]", "[:min(count, 2)]")
CRASHING = "import os\n" + functions.INITIAL.replace(
    "    return", "    if count == 3:\n        os._exit(1)\n    return"
)


@pytest.mark.parametrize("valid", [True, False])
def test_a_round_that_there_was_no_time_for_is_made_again_as_it_was(valid: bool) -> None:
    given, late = functions.problem(valid=valid), Allowance(lambda: 1.0, until=0.0)
    with closing(ForkServer()) as sandbox:
        bench = Bench.of(given, sandbox, CallRunner(given))
        hurried, calm = (Corpus(bench, CalledForm, seed=5) for _ in range(2))
        next(hurried.rounds(lambda: True))
        assert len([*hurried.rounds(lambda: True, late)]) == 1
        again, wanted = (
            [made.inputs for made in islice(corpus.rounds(lambda: True), 3)]
            for corpus in (hurried, calm)
        )
    assert again == wanted
    assert all(wanted)


class TestReal:
    def test_a_wrong_function_is_refuted(self) -> None:
        rounds = 3_000_000
        given = slow(functions.problem(valid=True), rounds)
        wrong, right = written(SHORT, rounds), written(functions.FASTER, rounds)
        with closing(FunctionEvaluator(given, measure=Measure())) as hunting:
            found = hunting.hunt(wrong, seconds=6.0).found
            assert found is not None
            assert hunting.retest(wrong, [found]).status is Status.WA
            assert hunting.retest(right, [found]).status is Status.AC

    def test_a_crash_counts(self) -> None:
        given = slow(functions.problem(valid=True), 2_000_000)
        made = (Input.of(([[1, 1]], count)) for count in range(5))
        asked = [one for one in made if one is not None]
        with closing(ForkServer()) as sandbox:
            judge = verdicts(sandbox, given)
            program = written(CRASHING, 2_000_000).text
            found = judge.judged(program, asked, judge.right(asked))
        assert [one.compared for one in found] == [True] * 5
        assert [one.wrong and one.wrong.status for one in found] == [
            *(None, None, None),
            Status.RE,
            None,
        ]

    def test_a_script_is_held_to_every_test(self) -> None:
        given = slow(scripts.problem(), 1_000_000)
        tests = [counterexample(f"1\na {number}\n") for number in range(4)]
        tests.append(counterexample("2\nb 7\na 7\n"))
        with closing(StdioEvaluator(given, measure=Measure())) as retesting:
            wrong = retesting.retest(written(scripts.TIES, 1_000_000), tests)
            right = retesting.retest(written(scripts.FAST, 1_000_000), tests)
        assert (wrong.status, right.status) == (Status.WA, Status.AC)


def test_the_program_that_is_measured_answers_nothing() -> None:
    initial = loading(0.5)
    asks = asking(sandbox := ScriptedSandbox(), problem(initial))
    asks.replies(initial, inputs(1), cpu_seconds=0.4)
    first, second = sandbox.jobs
    assert first.mode is Mode.CALL
    assert first.program.startswith(second.program)
    assert first.limits.cpu_seconds == Limits().cpu_seconds
