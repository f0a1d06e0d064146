"""The search on real processes: wrong programs are refuted, right ones are not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from evaluators.counterexample.forms import alike
from evaluators.kinds.function import FunctionEvaluator
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.evaluation import Counterexample, FailedCase, Hunt, Status
from se_agent.values.solution import Solution
from tests.evaluators.counterexample import shared

INITIAL = """
def top(rows, count):
    rows = sorted(rows, key=lambda row: row[0])
    return [row[1] for row in rows[:count]]
"""
GENERATOR = """
def generate(rng, size):
    rows = [[rng.randrange(10**6), rng.randrange(100)] for _ in range(size)]
    return rows, rng.randrange(1, size)

def valid(arguments):
    rows, count = arguments
    return count >= 0 and all(len(row) == 2 for row in rows)
"""
UNSTABLE = INITIAL.replace("row: row[0]", "row: (row[0], -row[1])")
RAISING = INITIAL.replace("    return", "    rows[0]\n    return")
NEGATIVE = INITIAL.replace("rows[:count]", "rows[:max(count, 0)]")
FASTER = """
import heapq
def top(rows, count):
    return [row[1] for row in heapq.nsmallest(count, rows, key=lambda row: row[0])]
"""
NO_ALIAS = """
def top(rows, count):
    unique = {id(row): row for row in rows}
    ordered = sorted(unique.values(), key=lambda row: row[0])
    return [row[1] for row in ordered[:count]]
"""


def problem(*, valid: bool) -> Problem:
    return Problem(
        name="top",
        kind=ProblemKind.FUNCTION,
        programs={"initial": INITIAL},
        entry_point="top",
        cases=(Case(name="some", input=Expr(code="generate(rng, 9)", seed=1)),),
        generator=GENERATOR,
        valid=GENERATOR if valid else "",
        ladder=Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
    )


def hunt(text: str, *, valid: bool = True, seconds: float = 4.0) -> Hunt:
    return shared.hunt(problem(valid=valid), text, seconds=seconds)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    ("text", "status", "most"),
    [
        pytest.param(UNSTABLE, Status.WA, 60, id="ties"),
        pytest.param(RAISING, Status.RE, 20, id="empty"),
        pytest.param(NO_ALIAS, Status.WA, 40, id="one-object-twice"),
    ],
)
def test_a_wrong_program_is_refuted_by_a_small_input(
    text: str, status: Status, most: int
) -> None:
    found = hunt(text).found
    assert found is not None
    assert found.status is status
    assert len(found.failed.input) < most
    assert found.failed.expected != found.failed.got
    assert (found.links != "[]") == ("one object" in found.failed.name)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize("valid", [True, False])
def test_a_right_program_is_not(valid: bool) -> None:
    found = hunt(FASTER.replace("(count,", "(max(count, 0),"), valid=valid, seconds=2.0)
    assert found.found is None
    assert found.tried > 50
    assert found.cost_seconds > 0


@pytest.mark.tier("hunts")
def test_a_difference_unlike_all_inputs_seen_is_a_note() -> None:
    found = hunt(RAISING, valid=False, seconds=2.0)
    assert found.found is None
    assert "IndexError" in found.outside


@pytest.mark.tier("hunts")
def test_what_a_problem_calls_no_input_is_not_even_a_note() -> None:
    found = hunt(NEGATIVE, seconds=2.0)
    assert (found.found, found.outside) == (None, "")


SCORES = """
def score(marks, name, weights):
    total = sum(a * b for a, b in zip(marks, weights))
    best = max(marks, default=-1)
    return total, best, name.upper(), name.split(), len(set(marks)) == len(marks)
"""
SCORES_GENERATOR = """
def generate(rng, size):
    marks = [rng.randrange(20) for _ in range(size)]
    name = " ".join(rng.choice(["ada", "bo", "cleo"]) for _ in range(3))
    return marks, name, [rng.randrange(1, 9) / 2 for _ in range(size)]
"""
BOUNDED = SCORES.replace("max(marks, default=-1)", "max([m for m in range(32) if m in marks])")
UNPADDED = SCORES.replace("name.split()", "name.split(' ')")
ASCII = SCORES.replace("name.upper()", "name.encode('ascii').upper().decode()")
HALVES = SCORES.replace(
    "sum(a * b for a, b in zip(marks, weights))",
    "sum(a * int(2 * b) for a, b in zip(marks, weights, strict=True)) / 2 if marks else 0",
)
DISTINCT = SCORES.replace("len(set(marks)) == len(marks)", "len(marks) == 1")
LARGEST = SCORES.replace("max(marks, default=-1)", "min(max(marks), 18)")


def scores() -> Problem:
    return replace(
        problem(valid=False),
        programs={"initial": SCORES},
        entry_point="score",
        generator=SCORES_GENERATOR,
    )


def hunted(text: str, *, strict: bool = False) -> Hunt:
    seconds = 4.0 if strict else 2.0  # one that refutes nothing takes all of them
    return shared.hunt(scores(), text, seconds=seconds, strict=strict)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BOUNDED, id="numbers-of-a-range"),
        pytest.param(UNPADDED, id="single-spaces"),
        pytest.param(ASCII, id="plain-letters"),
        pytest.param(HALVES, id="halves-of-one-length"),
    ],
)
def test_without_valid_a_program_answers_only_what_is_like_the_inputs_seen(text: str) -> None:
    found = hunted(text)
    assert found.found is None
    assert found.tried > 50


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LARGEST, id="edge-of-a-range"),
        pytest.param(DISTINCT, id="small-sizes"),
    ],
)
def test_without_valid_a_program_that_is_wrong_on_such_inputs_is_refuted(text: str) -> None:
    assert hunted(text).found is not None


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BOUNDED, id="numbers-of-a-range"),
        pytest.param(SCORES.replace("total,", "abs(total),", 1), id="a-sign-that-never-came"),
        pytest.param(SCORES.replace("default=-1", "default=0"), id="nothing-where-some-came"),
    ],
)
def test_who_rests_on_what_was_seen_is_refuted_beyond_it_too(text: str) -> None:
    assert hunted(text).found is None
    found = hunted(text, strict=True).found
    assert found is not None
    assert not found.fair


COUNTED = """
def count(n):
    found = 0
    for number in range(1, n + 1):
        found += number % 7 == 3
    return found if n != 5000 else 0
"""
CLOSED = """
def count(n):
    return max(0, n + 4) // 7
"""


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    ("initial", "text", "got"),
    [
        pytest.param(COUNTED, CLOSED, "5000", id="a-number-of-the-program"),
        pytest.param(
            COUNTED.replace("5000", "101"), CLOSED, "101", id="one-beyond-what-was-seen"
        ),
        pytest.param(COUNTED.replace("5000", "3"), CLOSED, "3", id="a-small-one"),
    ],
)
def test_numbers_beside_those_seen_are_asked_whatever_the_generator_draws(
    initial: str, text: str, got: str
) -> None:
    given = replace(
        problem(valid=False),
        programs={"initial": initial},
        entry_point="count",
        generator="def generate(rng, size):\n    return (rng.choice([20, 40, 60, 100]),)\n",
    )
    with closing(FunctionEvaluator(given, measure=Measure())) as evaluator:
        hunt = evaluator.hunt(
            Solution(id="a", files={"main.py": text}), seconds=4.0, strict=True
        )
    assert hunt.found is not None
    assert hunt.found.failed.input == f"({got},)"


def test_arguments_that_are_left_out_move_no_others() -> None:
    """Half of the inputs leave out the last one, as calls with a default do."""
    seen: list[tuple[object, ...]] = [(["a", "b"] * n, ["a"], n) for n in range(9)]
    seen += [(["a"], ["b"])] * 9
    made = alike(seen)
    assert made == seen[:9]
    assert alike([]) == []


@pytest.mark.tier("hunts")
def test_without_valid_ties_count_where_no_rule_forbids_them() -> None:
    assert hunt(UNSTABLE, valid=False).found is not None


@pytest.mark.tier("hunts")
def test_without_valid_nothing_is_one_object_twice() -> None:
    assert hunt(NO_ALIAS, valid=False, seconds=2.0).found is None


JOIN = """
def join(orders, customers):
    return [
        (order["id"], customer["name"])
        for order in orders
        for customer in customers
        if order["customer"] == customer["id"]
    ]
"""
INDEXED = """
def join(orders, customers):
    names = {}
    for customer in customers:
        names.setdefault(customer["id"], []).append(customer["name"])
    return [(o["id"], name) for o in orders for name in names.get(o["customer"], ())]
"""
JOINED = (
    "[{'id': 7, 'customer': 1}, {'id': 8, 'customer': 3}], [{'id': 1, 'name': 'Ann'}]",
    "[{'id': 4, 'customer': 2}], [{'id': 2, 'name': 'Bob'}, {'id': 2, 'name': 'Eve'}]",
    "[], [{'id': 3, 'name': 'Bob'}]",
    "[{'id': 9, 'customer': 3}], []",
)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    ("text", "right"),
    [
        pytest.param(INDEXED, True, id="an-index"),
        pytest.param(
            INDEXED.replace(".append(", "[:] = [").replace('"])', '"]]'), False, id="last"
        ),
    ],
)
def test_without_valid_few_records_keep_their_keys(text: str, *, right: bool) -> None:
    given = replace(
        problem(valid=False),
        programs={"initial": JOIN},
        entry_point="join",
        generator="",
        cases=tuple(Case(name=code, input=Expr(code=f"({code})")) for code in JOINED),
        ladder=Ladder(),
    )
    with closing(FunctionEvaluator(given, measure=Measure())) as evaluator:
        found = evaluator.hunt(Solution(id="a", files={"main.py": text}), seconds=4.0)
    assert (found.found is None) is right, found


DRAWING = """
import hashlib, sys
sys.path[:0] = [{root!r}]
{before}
from contextlib import closing
from evaluators.answers.bench import Bench
from evaluators.counterexample.corpus import Corpus
from evaluators.counterexample.forms import CalledForm
from evaluators.running.runner import CallRunner
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
text = "def some(words, by):\\n    return sorted(words)\\n"
code = "({{'aa', 'b', 'cab', 'd', 'abba'}}, {{'x': [1, 2]}})"
cases = (Case(name="one", input=Expr(code=code)),)
own = Problem(
    name="some", kind=ProblemKind.FUNCTION, programs={{"initial": text}}, entry_point="some",
    cases=cases,
)
with closing(ForkServer()) as sandbox:
    found = Corpus(Bench.of(own, sandbox, CallRunner(own)), CalledForm, seed=5)
    made = [one.arguments() for round_ in found.rounds(lambda: True) for one in round_.inputs]
shown = [(sorted(words), by) for words, by in made]
print(len(shown), hashlib.sha256(repr(shown).encode()).hexdigest())
"""


@pytest.mark.tier("hunts")
def test_same_seed_same_inputs_in_every_process_and_nothing_is_left_behind(
    tmp_path: Path,
) -> None:
    root = str(Path(__file__).parents[3])
    said = set()
    for number, before in (
        ("1", ""),
        ("2", "import hypothesis, numpy, fractions, http.client"),
    ):
        home = tmp_path / number
        home.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", DRAWING.format(root=root, before=before)],
            cwd=home,
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(done.stdout)
        assert list(home.iterdir()) == []
    (only,) = said
    assert int(only.split()[0]) > 30


@pytest.fixture
def evaluator() -> Iterator[FunctionEvaluator]:
    with closing(FunctionEvaluator(problem(valid=True), measure=Measure())) as made:
        yield made


def test_a_counterexample_is_a_test_for_others(evaluator: FunctionEvaluator) -> None:
    shown = FailedCase(name="a counterexample", expected="", got="")
    test = Counterexample(arguments=wire.dumps(([], 0)).decode(), failed=shown)
    tied = replace(test, arguments=wire.dumps(([[1, 1], [1, 2]], 2)).decode())
    wrong = evaluator.retest(Solution(id="a", files={"main.py": UNSTABLE}), [test, tied])
    assert wrong.status is Status.WA
    assert wrong.failing[0].expected == "[1, 2]"
    right = evaluator.retest(Solution(id="b", files={"main.py": FASTER}), [test, tied])
    assert right.status is Status.AC
