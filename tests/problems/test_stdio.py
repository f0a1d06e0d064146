"""The two `stdio` programs against ones written apart, from the statements."""

from __future__ import annotations

import ast
import heapq
import itertools
from collections import Counter
from collections.abc import Callable

import pytest

from se_agent.problem.loading import load_problem
from se_agent.values.evaluation import InputSet
from tests.problems.bench import cpu, made, measured, printed


def toll_gates(text: str) -> str:
    first, *rest = text.splitlines()
    count, asked = map(int, first.split())
    rows = [(gate, plate, int(cents)) for gate, plate, cents in map(str.split, rest[:count])]
    passed, total, gates = Counter[str](), Counter[str](), dict[str, dict[str, None]]()
    for gate, plate, cents in rows:
        passed[gate] += 1
        total[gate] += cents
        gates.setdefault(plate, {})[gate] = None
    upto = [0, *itertools.accumulate(row[2] for row in rows)]
    lines = []
    for question in map(str.split, rest[count : count + asked]):
        if question[0] == "gate":
            lines.append(f"{passed[question[1]]} {total[question[1]]}")
        elif question[0] == "plate":
            lines.append(",".join(gates.get(question[1], ())) or "-")
        else:
            lines.append(str(upto[int(question[2])] - upto[int(question[1]) - 1]))
    lowest = heapq.nsmallest(5, (row[2] for row in rows))
    lines.append(" ".join(["cheapest", *map(str, lowest)]))
    return "\n".join([*lines, f"plates {len(gates)}", ""])


def shelf_index(text: str) -> str:
    stop = frozenset(["a", "an", "and", "in", "of", "on", "the", "to"])
    books = [line.partition("|")[::2] for line in text.splitlines() if line]
    numbers: dict[str, dict[int, None]] = {}
    starts: Counter[tuple[str, str]] = Counter()
    for number, (shelf, title) in enumerate(books, 1):
        words = title.lower().split()
        starts[shelf, words[0]] += 1
        for word in words:
            if word not in stop:
                numbers.setdefault(word, {})[number] = None
    lines = [f"books {len(books)} shelves {len({shelf for shelf, _ in books})}"]
    lines += [f"{word}: {' '.join(map(str, numbers[word]))}" for word in sorted(numbers)]
    lines.append(f"pairs {sum(n * (n - 1) // 2 for n in starts.values())}")
    rare = [word for word, found in numbers.items() if len(found) == 1]
    return "\n".join([*lines, " ".join(["rare", *rare]), ""])


REFERENCES: dict[str, Callable[[str], str]] = {
    "toll_gates": toll_gates,
    "shelf_index": shelf_index,
}
programs = pytest.mark.parametrize("name", list(REFERENCES))


@programs
def test_the_initial_program_agrees_with_one_written_apart(name: str) -> None:
    problem = load_problem(name)
    given = [made(problem, case.input) for case in problem.cases]
    for level in range(problem.ladder.final_level):
        given += [measured(problem, InputSet.SEARCH, index, level) for index in range(4)]
    for text in given:
        assert printed(problem.initial().text, text) == REFERENCES[name](text)


@programs
def test_the_written_cases_hold(name: str) -> None:
    problem = load_problem(name)
    written = [case for case in problem.cases if case.expected is not None]
    assert len(written) == 2
    for case in written:
        text = ast.literal_eval(case.input.code)
        assert printed(problem.initial().text, text) == case.expected


@programs
def test_it_takes_some_dozen_milliseconds_and_need_not(name: str) -> None:
    problem = load_problem(name)
    text = measured(problem, InputSet.FINAL, 0)
    slow = cpu(lambda: printed(problem.initial().text, text))
    assert 0.005 < slow < 0.4
    assert slow > 5 * cpu(lambda: REFERENCES[name](text))
