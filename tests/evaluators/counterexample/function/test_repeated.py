"""Callers who keep answers, change them and ask again, and what they find of a program."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from evaluators.answers.bench import Bench
from evaluators.counterexample.corpus import Corpus
from evaluators.counterexample.forms import CalledForm
from evaluators.kinds.function import FunctionEvaluator
from evaluators.running.runner import CallRunner
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.evaluation import Calls, Counterexample, FailedCase, Hunt, Status
from se_agent.values.solution import Solution
from tests.evaluators.counterexample import shared

INITIAL = """
def solve(items, rows):
    grid = [[sum(items)] * len(items) for _ in rows]
    return sorted(items), grid
"""
GENERATOR = """
def generate(rng, size):
    items = [rng.randrange(100) for _ in range(size)]
    return sorted(items) if rng.random() < 0.3 else items, [[i] for i in range(size % 4 + 1)]

def valid(arguments):
    return True
"""
BUFFER = """
kept = []
def solve(items, rows):
    kept[:] = sorted(items)
    return kept, [[sum(items)] * len(items) for _ in rows]
"""
CLEARED = """
last = []
def solve(items, rows):
    if last:
        last.pop().clear()
    last.append(sorted(items))
    return last[-1], [[sum(items)] * len(items) for _ in rows]
"""
TWO_BUFFERS = """
buffers = [[], []]
def solve(items, rows):
    buffers.reverse()
    buffers[0][:] = sorted(items)
    return buffers[0], [[sum(items)] * len(items) for _ in rows]
"""
ALIAS = INITIAL.replace(
    "return sorted(items), grid",
    "return (sorted(items) if any(a > b for a, b in zip(items, items[1:])) else items), grid",
)
ALIASED_ROWS = INITIAL.replace(
    "[[sum(items)] * len(items) for _ in rows]", "[[sum(items)] * len(items)] * len(rows)"
)
CACHED = """
import functools
@functools.lru_cache(None)
def ordered(items):
    return sorted(items)
def solve(items, rows):
    return ordered(tuple(items)), [[sum(items)] * len(items) for _ in rows]
"""
FRESH_AT_FIRST = """
calls, last = [], []
def solve(items, rows):
    calls.append(1)
    answer = sorted(items), [[sum(items)] * len(items) for _ in rows]
    if len(calls) > 1:
        if last:
            last.pop().clear()
        last.append(answer[0])
    return answer
"""
NAMED_LIKE_US = """
_caller = max
def exec(items):
    return sorted(items)
def solve(items, rows):
    return exec(items), [[_caller(sum(items), sum(items))] * len(items) for _ in rows]
"""
HANDED_OUT = """
known = {}
def solve(items, rows):
    name = tuple(items)
    if name in known:
        return list(known[name]), [[sum(items)] * len(items) for _ in rows]
    known[name] = sorted(items)
    return known[name], [[sum(items)] * len(items) for _ in rows]
"""
KEEPS_ARGUMENTS = """
known = {}
def solve(items, rows):
    kept = known.setdefault(tuple(items), items)
    return sorted(kept), [[sum(items)] * len(items) for _ in rows]
"""
SPENT = """
asked = set()
def solve(items, rows):
    name = (tuple(items), len(rows))
    grid = [[sum(items)] * len(items) for _ in rows]
    answer = ([] if name in asked else sorted(items)), grid
    asked.add(name)
    return answer
"""
COUNTED = """
asked = {}
def solve(items, rows):
    name = tuple(items), len(rows)
    asked[name] = asked.get(name, 0) + 1
    if asked[name] == 2:
        raise KeyError(name)
    return sorted(items), [[sum(items)] * len(items) for _ in rows]
"""
LEAVES = """
kept = []
def solve(items, rows):
    answer = sorted(items), [[sum(items)] * len(items) for _ in rows]
    rows[0] = kept
    return answer
"""
RIGHT = """
import functools
@functools.lru_cache(None)
def ordered(items):
    return tuple(sorted(items))
def solve(items, rows):
    total = [sum(items)] * len(items)
    return list(ordered(tuple(items))), [total[:] for _ in rows]
"""


def problem(initial: str = INITIAL, *, valid: bool = True) -> Problem:
    return Problem(
        name="solve",
        kind=ProblemKind.FUNCTION,
        programs={"initial": initial},
        entry_point="solve",
        cases=(Case(name="some", input=Expr(code="generate(rng, 5)", seed=1)),),
        generator=GENERATOR,
        valid=GENERATOR if valid else "",
        ladder=Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
    )


def solution(text: str) -> Solution:
    return Solution(id="a", files={"main.py": text})


def hunt(text: str, given: Problem, *, seconds: float = 4.0) -> Hunt:
    return shared.hunt(given, text, seconds=seconds)


@pytest.mark.parametrize("answer", ["answer", "len(items)"])
def test_what_a_call_leaves_in_its_arguments_is_new_each_time(answer: str) -> None:
    text = LEAVES.replace("return answer", f"return {answer}")
    initial = text.replace("= kept", "= []")
    found = hunt(text, problem(initial)).found
    assert found is not None
    assert "leaves one object as argument 1[0] of call 0 and" in found.failed.got
    assert hunt(initial, problem(text), seconds=1.0).found is None


@pytest.mark.parametrize("valid", [True, False])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(BUFFER, "as answer[0] of two calls", id="buffer"),
        pytest.param(CLEARED, "changed at the next call, to ([]", id="cleared"),
        pytest.param(TWO_BUFFERS, "as answer[0] of two calls", id="two-buffers"),
        pytest.param(ALIAS, "argument 0 as answer[0]: changing the answer", id="alias"),
        pytest.param(ALIASED_ROWS, "as answer[1][0] and answer[1][1]", id="aliased-rows"),
        pytest.param(CACHED, "as answer[0] of two calls", id="cached"),
        pytest.param(HANDED_OUT, "was changed: ([None]", id="handed-out"),
        pytest.param(KEEPS_ARGUMENTS, "after the first answer was changed", id="arguments"),
        pytest.param(SPENT, "at a second call with equal arguments: ([]", id="spent"),
        pytest.param(COUNTED, "at a second call with equal arguments: raises", id="raises"),
        pytest.param(FRESH_AT_FIRST, "changed at the next call, to ([]", id="fresh-at-first"),
    ],
)
def test_a_program_that_shares_is_refuted_in_words(text: str, told: str, valid: bool) -> None:
    found = hunt(text, problem(valid=valid)).found
    assert found is not None
    assert told in found.failed.got
    # What one answer shares is seen at a single call.
    alone = text in (ALIAS, ALIASED_ROWS)
    assert found.calls is (Calls.SINGLE if alone else Calls.REPEATED)
    assert found.status is (Status.RE if text is COUNTED else Status.WA)
    assert len(found.failed.input) < 60


@pytest.mark.parametrize(
    ("initial", "text"),
    [
        pytest.param(INITIAL, RIGHT, id="a-cache-that-hands-out-copies"),
        pytest.param(INITIAL, NAMED_LIKE_US, id="names-that-are-ours"),
        pytest.param(ALIAS, INITIAL, id="a-copy-for-an-alias"),
        pytest.param(ALIASED_ROWS, INITIAL, id="rows-of-their-own"),
        pytest.param(CACHED, INITIAL, id="no-cache"),
        pytest.param(CACHED, BUFFER, id="shared-as-the-initial-one"),
        pytest.param(HANDED_OUT, INITIAL, id="nothing-handed-out"),
        pytest.param(SPENT, INITIAL, id="what-the-initial-one-does-not-keep"),
        pytest.param(COUNTED, INITIAL, id="what-the-initial-one-raises-at-times"),
    ],
)
def test_a_program_that_shares_no_more_than_the_initial_one_is_not(
    initial: str, text: str
) -> None:
    found = hunt(text, problem(initial), seconds=1.5)
    assert found.found is None
    assert found.tried > 50


DRAWN = """
import random
def solve(items, rows):
    return [random.random() for _ in items], [[0] for _ in rows]
"""
CHECKED = """
def check(arguments, expected, answer):
    return len(answer[0]) == len(arguments[0])
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(DRAWN, "", id="other-answers-each-time"),
        pytest.param(SPENT, "at a second call with equal arguments: ([]", id="spent"),
        pytest.param(BUFFER, "as answer[0] of two calls", id="buffer"),
    ],
)
def test_with_a_checker_later_answers_are_right_where_it_says_so(text: str, told: str) -> None:
    given = replace(problem(), checker=CHECKED)
    found = hunt(text, given, seconds=3.0).found
    assert (found is None) == (told == "")
    assert told in (found.failed.got if found else "")


NUMBERS = """
import numpy
def solve(items, rows):
    return numpy.array(items, dtype=int)[: len(rows)].copy()
"""
VIEWS = """
import numpy
room = numpy.zeros(64, dtype=int)
def solve(items, rows):
    room[: len(items)] = items
    return room[: len(items)][: len(rows)]
"""


def test_views_of_one_array_are_shared() -> None:
    given = replace(problem(NUMBERS), imports=("numpy",))
    found = hunt(VIEWS, given).found
    assert found is not None
    assert "as answer of two calls" in found.failed.got
    assert hunt(NUMBERS.replace(".copy()", ""), given, seconds=1.0).found is None


SUM = """
def solve(items, rows):
    return sum(items), tuple(map(len, rows)), "[]"
"""


def test_answers_that_nobody_can_change_are_asked_for_once() -> None:
    given = problem(SUM)
    with closing(ForkServer()) as sandbox:
        corpus = Corpus(Bench.of(given, sandbox, CallRunner(given)), CalledForm, seed=5)
        made = [one for round_ in corpus.rounds(lambda: True) for one in round_.inputs]
    assert {one.calls for one in made} == {Calls.SINGLE}


def test_what_a_caller_found_is_a_test_for_others() -> None:
    with closing(FunctionEvaluator(problem(), measure=Measure())) as evaluator:
        found = evaluator.hunt(solution(CACHED), seconds=4.0).found
        assert found is not None
        wrong = evaluator.retest(solution(BUFFER), [found])
        once = evaluator.retest(solution(BUFFER), [replace(found, calls=Calls.SINGLE)])
        right = evaluator.retest(solution(RIGHT), [found])
    assert wrong.status is Status.WA
    assert "of two calls: changing an answer changes later ones" in wrong.feedback
    assert (once.status, right.status) == (Status.AC, Status.AC)


LENDING = """
import functools
@functools.lru_cache(None)
def row(number):
    return [number]
def solve(items, rows):
    return [row(number % 2) for number in items], [row(0)]
"""
OWNING = LENDING.replace("@functools.lru_cache(None)\n", "")


def test_what_a_caller_did_to_other_answers_of_the_initial_program_is_nobodys_fault() -> None:
    with closing(FunctionEvaluator(problem(LENDING), measure=Measure())) as evaluator:
        assert evaluator.hunt(solution(OWNING), seconds=2.0).found is None
        shown = FailedCase(name="", expected="", got="")
        test = Counterexample(
            arguments=wire.dumps(([1, 2], [])).decode(), calls=Calls.REPEATED, failed=shown
        )
        tests = [test, replace(test, arguments=wire.dumps(([2, 1], [])).decode())]
        assert evaluator.retest(solution(OWNING), tests).status is Status.AC
