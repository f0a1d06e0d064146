"""Searches that are put around a solver, and what becomes of the program."""

from __future__ import annotations

import ast
import dataclasses
import math
from typing import Any

import pytest

from operators.editing.genome import replayed
from operators.structure.search import SearchPerturb, SearchRelocate, SearchRestart
from operators.structure.wrapping import Wrapping
from operators.tuning.constants import marked
from se_agent.protocols import Operator
from se_agent.values.answer import Answer, Axis
from se_agent.values.brief import Brief
from tests import fakes
from tests.contracts.operator import OperatorContract

POINTS = Answer(
    coordinates=2,
    axes=(Axis(0, 0.0, 10.0),),
    larger_is_better=True,
    cpu_seconds=5.0,
)

# Each point climbs to the next top of a hilly line: its height is the point's second number.
HILLS = '''"""Points on hills."""
import math


def height(x):
    return math.sin(3 * x) + x / 5


def first(count):  # answer: start
    return [(0.5 * k, 0.0) for k in range(count)]


def total(points):  # answer: objective
    return sum(h for _, h in points)


def climb(count):
    found = []
    for x, _ in first(count):
        for step in (0.1, 0.01, 0.001):
            while x + step <= 10 and height(x + step) > height(x):
                x += step
            while x - step >= 0 and height(x - step) > height(x):
                x -= step
        found.append((x, height(x)))
    return found
'''

WRAPPERS = [SearchRelocate, SearchPerturb, SearchRestart]


def briefed(
    text: str = HILLS, *, answer: Answer | None = POINTS, entry: str = "climb"
) -> Brief:
    return dataclasses.replace(fakes.brief(text, entry_point=entry), answer=answer)


def wrapped(kind: type[Wrapping], text: str = HILLS, answer: Answer = POINTS) -> str:
    proposal = kind().propose(briefed(text, answer=answer))
    assert proposal is not None
    return proposal.solution.text


def called(text: str, count: int = 2, **settings: float) -> list[tuple[float, float]]:
    names: dict[str, Any] = {}
    exec(text, names)
    names.get("SEARCH_AROUND", {}).update({"seconds": 60.0, "rounds": 40} | settings)
    answer: list[tuple[float, float]] = names["climb"](count)
    return answer


class Contract(OperatorContract):
    kind: type[Wrapping]

    @pytest.fixture
    def operator(self) -> Operator:
        return self.kind()

    @pytest.fixture
    def given(self) -> Brief:
        return briefed()

    def test_what_is_not_tried_again_is_the_same_program(self, given: Brief) -> None:
        first = self.kind().propose(given)
        assert first is not None
        tried = dataclasses.replace(given, tried={first.solution.content})
        assert self.kind().propose(tried) is None

    def test_its_edit_replays_to_it(self) -> None:
        proposal = self.kind().propose(briefed())
        assert proposal is not None
        again = replayed({"main.py": HILLS}, proposal.solution.edits)
        assert again == (proposal.solution.files, ())

    def test_the_program_stays_and_its_answers_get_better(self) -> None:
        text = wrapped(self.kind)
        assert text.startswith(HILLS.rstrip())
        before, after = called(HILLS), called(text, step=0.2)
        assert sum(h for _, h in after) > sum(h for _, h in before) + 0.5

    def test_same_seed_same_answer(self) -> None:
        text = wrapped(self.kind)
        assert called(text, seed=5) == called(text, seed=5)
        assert len({tuple(called(text, seed=seed, rounds=3)) for seed in range(5)}) > 1

    def test_a_program_that_has_it_gets_another_seed_for_it(self) -> None:
        first = self.kind().propose(briefed())
        assert first is not None
        brief = briefed()
        slot = dataclasses.replace(brief.slot, parents=(first.solution,), number=9)
        again = self.kind().propose(dataclasses.replace(brief, slot=slot))
        assert again is not None
        pair = zip(
            first.solution.text.split("\n"), again.solution.text.split("\n"), strict=True
        )
        assert ['"seed"' in new for old, new in pair if old != new] == [True]
        replay = replayed({"main.py": HILLS}, again.solution.edits)
        assert replay == (again.solution.files, ())

    def test_its_settings_are_marked_for_tuning(self) -> None:
        text = wrapped(self.kind)
        found = {one.name: one for one in marked({"main.py": text})}
        assert found.keys() >= {"seed", "rounds", "seconds", "step", "holes"}
        assert found["seconds"].high < POINTS.cpu_seconds
        assert all(one.low <= one.value <= one.high for one in found.values())

    def test_where_time_is_up_the_best_is_returned(self) -> None:
        assert called(wrapped(self.kind), seconds=0.0) == called(HILLS)


class TestSearchRelocate(Contract):
    kind = SearchRelocate


class TestSearchPerturb(Contract):
    kind = SearchPerturb


class TestSearchRestart(Contract):
    kind = SearchRestart


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(HILLS.replace("  # answer: start", ""), id="no-start"),
        pytest.param(HILLS.replace("  # answer: objective", ""), id="no-objective"),
        pytest.param(HILLS.replace("def climb", "def other"), id="no-entry-point"),
        pytest.param(HILLS + "\n\ndef scattered():\n    pass\n", id="name-in-use"),
        pytest.param(f"# EVOLVE-BLOCK-START\n{HILLS}# EVOLVE-BLOCK-END\n", id="marked-block"),
        pytest.param(wrapped(SearchPerturb), id="wrapped-already"),
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert SearchRelocate().propose(briefed(text)) is None


def test_without_a_declared_answer_there_is_nothing_to_search() -> None:
    assert SearchRelocate().propose(briefed(answer=None)) is None
    assert SearchRelocate().propose(briefed(entry="")) is None


def test_less_may_be_better() -> None:
    down = dataclasses.replace(POINTS, larger_is_better=False)
    high = HILLS.replace("0.5 * k, 0.0", "9.0 - k, 0.0")
    lower = called(wrapped(SearchRestart, high, answer=down))
    assert sum(h for _, h in lower) < sum(h for _, h in called(high)) - 0.5


FORMS = {
    "list of lists": ("[[0.5 * k, 0.0] for k in range(count)]", "first(count)"),
    "flat list": (
        "[v for k in range(count) for v in (0.5 * k, 0.0)]",
        "zip(*[iter(first(count))] * 2)",
    ),
    "flat array": (
        "__import__('numpy').array([[0.5 * k, 0.0] for k in range(count)]).ravel()",
        "first(count).reshape(-1, 2).tolist()",
    ),
    "array of rows": (
        "__import__('numpy').array([[0.5 * k, 0.0] for k in range(count)])",
        "first(count).tolist()",
    ),
}


@pytest.mark.parametrize(("start", "read"), FORMS.values(), ids=FORMS)
def test_starts_have_the_form_that_the_solver_knows(start: str, read: str) -> None:
    text = HILLS.replace("[(0.5 * k, 0.0) for k in range(count)]", start)
    text = text.replace("in first(count):", f"in {read}:")
    ast.parse(text)
    found = called(wrapped(SearchRestart, text))
    assert found == called(wrapped(SearchRestart, HILLS))
    assert all(math.isfinite(h) for _, h in found)


def test_a_start_that_the_solver_refuses_is_passed_over() -> None:
    picky = HILLS.replace(
        "    found = []\n",
        "    found = []\n    if first(count)[0][0] > 5:\n        raise ValueError('too far')\n",
    )
    assert len(called(wrapped(SearchRestart, picky))) == 2


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_what_a_search_is_told_of_its_rounds_are_shares_of_them(
    wrapper: type[Wrapping],
) -> None:
    assert 0.0 <= wrapper.fresh <= 1.0
    assert 0.0 <= wrapper.relocate <= 1.0
