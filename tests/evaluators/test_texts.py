"""Forty texts no encoding likes, made by programs in the jail: answers, errors and output."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from evaluators.kinds.function import FunctionEvaluator
from evaluators.running.runner import StdioRunner
from evaluators.sandbox.job import Job, JobAnswer, JobOutcome, Mode
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.engine.journal.journal import Journal
from se_agent.events import Challenged
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from se_agent.wire.spelling import encodable
from tests.texts import TEXTS

PROGRAM = """
def gives(text):
    return {text: [text]}

def raises(text):
    raise ValueError(text)

def ends(text):
    raise type("Odd", (Exception,), {"__module__": text})(text)
"""
GENERATOR = """
def generate(rng, size):
    return ("".join(rng.choice("ab\\ud800\\udc00\\x1b") for _ in range(size)),)
"""
COUNTS = "def f(text):\n    return text.count('\\ud800')\n"


def answered(entry_point: str, *texts: str, keep_errors: bool) -> JobOutcome:
    job = Job(
        program=PROGRAM,
        entry_point=entry_point,
        inputs=tuple(wire.dumps((text,)) for text in texts),
        limits=Limits(memory_bytes=1 << 30),
        keep_errors=keep_errors,
    )
    with closing(ForkServer(isolation="jail")) as server:
        return server.run(job)


def test_answers_come_back_as_they_are() -> None:
    outcome = answered("gives", *TEXTS.values(), keep_errors=False)
    assert outcome.status is Status.AC
    assert [wire.loads(one.value) for one in outcome.answers] == [
        {text: [text]} for text in TEXTS.values()
    ]


@pytest.mark.tier("hunts")
@pytest.mark.parametrize("entry_point", ["raises", "ends"])
def test_errors_can_be_written_down_and_keep_what_they_say(entry_point: str) -> None:
    outcome = answered(entry_point, *TEXTS.values(), keep_errors=True)
    assert len(outcome.answers) == len(TEXTS)
    for text, answer in zip(TEXTS.values(), outcome.answers, strict=True):
        assert encodable(answer.error) == answer.error
        said = text[:50].encode("utf-8", "backslashreplace").decode()
        assert said in answer.error


def test_the_feedback_of_a_job_keeps_what_was_said() -> None:
    outcome = answered("raises", "a\ud800\x1b", keep_errors=False)
    assert outcome.status is Status.RE
    assert outcome.feedback.startswith("ValueError: a\\ud800\x1b")


def test_output_that_is_no_text_is_shown_byte_by_byte() -> None:
    program = "import sys\nsys.stdout.buffer.write(b'a\\xff\\xed\\xa0\\x80')\n"
    job = Job(program=program, mode=Mode.STDIO, inputs=(b"",))
    with closing(ForkServer(isolation="jail")) as server:
        (answer,) = server.run(job).answers
    runner = StdioRunner(problem())
    assert runner.show(answer.value) == r"a\xff\xed\xa0\x80"
    assert runner.literal(str(runner.typed(answer.value))) == JobAnswer(value=answer.value)


def problem() -> Problem:
    return Problem(
        name="f",
        kind=ProblemKind.FUNCTION,
        programs={"initial": COUNTS},
        entry_point="f",
        cases=(Case(name="some", input=Expr(code="('ab',)")),),
        generator=GENERATOR,
        ladder=Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
    )


def test_a_counterexample_is_recorded_and_asked_again_as_it_is(tmp_path: Path) -> None:
    wrong = Solution(id="a", files={"main.py": "def f(text):\n    return 0\n"})
    with closing(FunctionEvaluator(problem(), measure=Measure())) as evaluator:
        assert evaluator.evaluate(wrong).status is Status.AC
        hunt = evaluator.hunt(wrong, seconds=2.0)
        with Journal(tmp_path / "run.db") as journal:
            journal.append(Challenged(solution="a", hunt=hunt))
            (read,) = journal.events()
        assert isinstance(read, Challenged)
        assert read.hunt == hunt
        assert read.hunt.found is not None
        assert evaluator.retest(wrong, [read.hunt.found]).status is Status.WA
        assert r"\ud800" in read.hunt.found.failed.input
