"""The programs in C++ against ones written apart, from the statements, and their operators."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evaluators.running.runner import StdioRunner
from evaluators.sandbox.job import JobOutcome, Sandbox
from evaluators.kinds.timed import started
from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem
from se_agent.values.evaluation import InputSet
from se_agent.values.evaluation import Status
from tests.problems.bench import made, measured

WORD = 1 << 32


def tide_table(text: str) -> str:
    (count, unit), *rows = [line.split() for line in text.splitlines()]
    readings = [(station, int(height)) for station, height in rows]
    assert len(readings) == int(count)
    if not readings:
        return "nothing\n"
    heights = [0, *(height for _, height in readings)]
    rises = [new - old for old, new in itertools.pairwise(heights)]
    lines = [
        f"{station} {height}{unit} {rise}"
        for (station, height), rise in zip(readings, rises, strict=True)
    ]
    for word, end in (("highest", max(heights[1:])), ("lowest", min(heights[1:]))):
        lines.append(f"{word} {end} {next(s for s, h in readings if h == end)}")
    return "\n".join([*lines, f"rises {sum(rise > 0 for rise in rises)}", ""])


def guard_walks(text: str) -> str:
    (rooms, _), *walks = [line.split() for line in text.splitlines()]
    visits, passed, echo = Counter[int](), dict[str, set[int]](), 0
    for guard, first, step, count in walks:
        for turn in range(int(count)):
            room = (int(first) + turn * int(step)) % int(rooms)
            visits[room] += 1
            passed.setdefault(guard, set()).add(room)
            echo = (31 * echo + room) % 1000003
    most = max(visits.values(), default=0)
    busiest = f"{min(r for r, n in visits.items() if n == most)} {most}" if visits else "-"
    lines = [f"rooms {len(visits)}", f"busiest {busiest}", f"echo {echo}"]
    return "\n".join([*lines, *(f"{name} {len(passed[name])}" for name in sorted(passed)), ""])


def field_sums(text: str) -> str:
    n, a, b, *shifts = map(int, text.split())
    numbers, fields = 1, list[list[list[int]]]()
    for _ in range(2):
        fields.append([[0] * n for _ in range(n)])
        for row in fields[-1]:
            for j in range(n):
                numbers = row[j] = (a * numbers + b) % WORD
    first, second = fields
    for row, shift in zip(first, shifts, strict=True):
        row[0] = (row[0] + shift) % WORD
    columns = [list(column) for column in zip(*first, strict=True)]
    total = sum(sum(c) * sum(row) for c, row in zip(columns, second, strict=True)) % WORD
    corner = sum(x * row[0] for x, row in zip(first[-1], second, strict=True)) % WORD
    mix = 0
    for place, column in enumerate(columns, 1):
        for x in column:
            mix ^= x * place % WORD
    sums = " ".join(str(sum(column) % WORD) for column in columns)
    return f"{sums} \n{total} {corner}\n{mix}\n"


REFERENCES: dict[str, Callable[[str], str]] = {
    "tide_table": tide_table,
    "guard_walks": guard_walks,
    "field_sums": field_sums,
}


@pytest.fixture(scope="module", params=list(REFERENCES))
def shipped(request: pytest.FixtureRequest) -> Problem:
    return load_problem(str(request.param))


@pytest.fixture(scope="module")
def sandbox(shipped: Problem) -> Iterator[Sandbox]:
    place = started(shipped, "jail")
    yield place
    place.close()


def printed(sandbox: Sandbox, problem: Problem, given: Any) -> JobOutcome:
    data = [str(given).encode()]
    program = problem.initial().text
    return StdioRunner(problem).run(sandbox, program, data, problem.limits)


@pytest.mark.tier("runs")
def test_the_initial_program_agrees_with_one_written_apart(
    sandbox: Sandbox, shipped: Problem
) -> None:
    given = [made(shipped, case.input) for case in shipped.cases]
    for level in range(3):
        given += [measured(shipped, InputSet.SEARCH, index, level) for index in range(2)]
    for text in given:
        (answer,) = printed(sandbox, shipped, text).answers
        assert answer.value.decode() == REFERENCES[shipped.name](text)


def test_the_written_cases_hold(shipped: Problem) -> None:
    written = [case for case in shipped.cases if case.expected is not None]
    assert len(written) == 2
    for case in written:
        text = ast.literal_eval(case.input.code)
        assert REFERENCES[shipped.name](text).split() == (case.expected or "").split()


def test_it_takes_some_dozen_milliseconds(sandbox: Sandbox, shipped: Problem) -> None:
    text = measured(shipped, InputSet.FINAL, 0)
    outcomes = [printed(sandbox, shipped, text) for _ in range(3)]
    assert {outcome.status for outcome in outcomes} == {Status.AC}
    assert 0.01 < min(outcome.cpu_seconds for outcome in outcomes) < 0.4
