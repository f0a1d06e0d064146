"""`check`: what a run would mean, and whether it could start. Makes no run."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.run import SetOption, TargetArgument
from se_agent.cli.screen import Screen
from se_agent.errors import ProblemError

if TYPE_CHECKING:
    from se_agent.config import Run
    from se_agent.problem import Problem
    from se_agent.types import Preflight

_SECONDS = 10


def check(
    target: TargetArgument,
    set_: SetOption = None,
    static: Annotated[
        bool, typer.Option("--static", help="Do not run the initial program.")
    ] = False,
) -> None:
    """Say what a run means and whether it could start.

    The initial program runs in the sandbox under two hash seeds, for 10 seconds at most.
    """
    from se_agent import config
    from se_agent.load import load_problem

    screen = Screen()
    run = config.parse(target, set_ or ())
    screen.say(config.describe(run))
    problem = load_problem(run.problem)
    for label, text in _facts(problem):
        screen.say(f"{label:<12} {text}")
    screen.say(f"{'candidates':<12} {_candidates(run, problem)}")
    if not static:
        for label, text in _measured(problem, _preflight(run, problem)):
            screen.say(f"{label:<12} {text}")


def _facts(problem: Problem) -> Iterator[tuple[str, str]]:
    from se_agent.report.words import one_line, task

    yield "", ""
    yield "problem", f"{problem.name} ({problem.kind}{_family(problem)})"
    yield "statement", task(problem.statement)
    yield "programs", ", ".join(problem.programs)
    yield "tests", f"{len(problem.cases)} visible cases"
    ladder = problem.ladder
    if not ladder.fresh:
        counts = f"{len(ladder.search)} for the search, {len(ladder.final)} for the end"
        yield "inputs", f"{counts}, all that there are"
        return
    for level, rung in enumerate(ladder.rungs):
        uses = (("search", ladder.search_level), ("final", ladder.final_level))
        marks = " and ".join(name for name, used in uses if used == level)
        text = one_line(", ".join(rung))
        yield f"size {level}", f"{text}  <- {marks}" if marks else text


def _family(problem: Problem) -> str:
    return f", family {problem.family}" if problem.family else ""


def _candidates(run: Run, problem: Problem) -> str:
    from se_agent.engine.reachable import reachable
    from se_agent.engine.wiring import initial_of, operators_of

    found = reachable(problem, initial_of(problem, run), operators_of(run).values())
    least = "" if found.complete else "at least "
    names = ", ".join(f"{name} {count}" for name, count in found.by_operator.items())
    within = f"distinct programs within {found.depth} edits of the initial one"
    return f"{least}{found.candidates} {within}{f': {names}' if names else ''}"


def _preflight(run: Run, problem: Problem) -> Preflight:
    from se_agent.engine.wiring import initial_of, registered

    evaluator = registered(problem, run)
    try:
        with _at_most(_SECONDS):
            return evaluator.preflight(initial_of(problem, run))
    finally:
        evaluator.close()


def _measured(problem: Problem, found: Preflight) -> Iterator[tuple[str, str]]:
    from se_agent.report import words

    yield "right", "the initial program passes its tests, the same under two hash seeds"
    if problem.timed:
        per_run = f", {found.inputs} a run" if found.inputs > 1 else ""
        yield "time", f"{words.seconds(found.seconds)} of CPU for one final input{per_run}"
    elif found.evaluation.score is not None:
        yield "score", f"{words.figure(found.evaluation.score)} {problem.unit}"
    for note in found.notes:
        yield "note", words.one_line(note, 300)


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raise ProblemError in the body after so many seconds on the wall."""

    def stop(*_: object) -> None:
        raise ProblemError(
            f"the initial program needs more than {seconds} s for its tests and one input",
            hint="make the inputs smaller, or check with --static",
        )

    before = signal.signal(signal.SIGALRM, stop)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)
