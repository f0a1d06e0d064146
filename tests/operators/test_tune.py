"""The simplest tuner: marked constants, one at a time, within their range."""

from __future__ import annotations

import ast
import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.tune import Tune, constants, replaced
from se_agent.protocols import Operator
from se_agent.types import Brief
from tests import fakes
from tests.contracts.operator import OperatorContract

TEXT = '''"""A program."""
ROUNDS = 60  # tune: int 20..200
RATE: float = 0.1  # tune: 0.001..1.0 log
OTHER = 3  # not marked
EMPTY = 3  # tune: int 5..5
ZERO = 0.5  # tune: 0..1 log


def f(x):
    return x * ROUNDS * RATE  # the sum
'''


def at_slot(number: int, **changes: object) -> Brief:
    brief = fakes.brief(TEXT)
    slot = dataclasses.replace(brief.slot, number=number)
    return dataclasses.replace(brief, slot=slot, **changes)  # type: ignore[arg-type]


class TestTune(OperatorContract):
    @pytest.fixture
    def operator(self) -> Operator:
        return Tune()

    @pytest.fixture
    def given(self) -> Brief:
        return fakes.brief(TEXT)


def test_only_sound_marks_count() -> None:
    assert [(c.name, c.value) for c in constants("main.py", TEXT)] == [
        ("ROUNDS", 60.0),
        ("RATE", 0.1),
    ]


@given(st.integers(0, 10_000))
def test_one_constant_changes_within_its_range_and_nothing_else(number: int) -> None:
    proposal = Tune().propose(at_slot(number))
    assert proposal is not None
    before, after = TEXT.splitlines(), proposal.solution.text.splitlines()
    changed = [n for n, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    assert changed in ([1], [2])
    (found,) = [
        c for c in constants("main.py", proposal.solution.text) if c.line == 1 + changed[0]
    ]
    assert found.low <= found.value <= found.high
    ast.parse(proposal.solution.text)


def test_another_slot_draws_another_value() -> None:
    proposals = [Tune().propose(at_slot(number)) for number in range(30)]
    assert len({p.solution.content for p in proposals if p}) > 20


def test_a_range_that_is_used_up_has_nothing_new() -> None:
    text = "N = 1  # tune: int 1..3\n"
    (one,) = constants("main.py", text)
    tried = {fakes.solution(replaced(text, one, v)).content for v in (1.0, 2.0, 3.0)}
    brief = dataclasses.replace(fakes.brief(text), tried=tried)
    assert Tune().propose(brief) is None


@pytest.mark.parametrize(
    "text", ["x = 1\n", "def f(:\n", "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n" + TEXT]
)
def test_nothing_to_tune(text: str) -> None:
    assert Tune().propose(fakes.brief(text)) is None


def test_line_endings_stay() -> None:
    text = "N = 1  # tune: int 1..30\r\nx = N\r\n"
    (one,) = constants("main.py", text)
    assert replaced(text, one, 7.0) == "N = 7  # tune: int 1..30\r\nx = N\r\n"
