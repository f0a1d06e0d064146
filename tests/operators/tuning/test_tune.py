"""The simplest tuner: marked constants, one at a time, within their range."""

from __future__ import annotations

import ast
import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.tuning.constants import constants, replaced
from operators.tuning.tune import Tune
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit, Solution
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


def at_slot(number: int, *, text: str = TEXT) -> Brief:
    brief = fakes.brief(text)
    slot = dataclasses.replace(brief.slot, number=number)
    return dataclasses.replace(brief, slot=slot)


class TestTune(OperatorContract):
    @pytest.fixture
    def operator(self) -> Operator:
        return Tune()

    @pytest.fixture
    def given(self) -> Brief:
        return fakes.brief(TEXT)


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
    tried = {fakes.solution(replaced(text, {one: v})).content for v in (1.0, 2.0, 3.0)}
    brief = dataclasses.replace(fakes.brief(text), tried=tried)
    assert Tune().propose(brief) is None


@pytest.mark.parametrize(
    "text", ["x = 1\n", "def f(:\n", "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-END\n" + TEXT]
)
def test_nothing_to_tune(text: str) -> None:
    assert Tune().propose(fakes.brief(text)) is None


def drawn(text: str, slots: int = 200) -> list[float]:
    briefs = (fakes.brief(text), *(at_slot(n, text=text) for n in range(slots)))
    made = [p.solution.text for brief in briefs if (p := Tune().propose(brief))]
    return [constant.value for text in made for constant in constants("main.py", text)]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("N = 1  # tune: int 0.5..3.7\n", 1, 3),
        ("N = 1  # tune: int 0.5..3.7 log\n", 1, 3),
        ("N = 1.00006  # tune: 1.00006..1.9\n", 1.00006, 1.9),
        ("N = 10002.0  # tune: 10001..10003\n", 10001, 10003),
        ("N = 10002.0  # tune: 10001..10003 log\n", 10001, 10003),
        ("N = -2  # tune: int -3.5..-1.5\n", -3, -2),
        ("N = 0.00012345  # tune: 0.00012344..0.00012346\n", 0.00012344, 0.00012346),
    ],
)
def test_what_is_written_lies_in_the_range(text: str, low: float, high: float) -> None:
    values = drawn(text)
    assert low <= min(values) <= max(values) <= high


def test_a_narrow_range_is_not_a_handful_of_numbers() -> None:
    assert len(set(drawn("N = 10002.0  # tune: 10001..10003\n"))) > 100
    assert set(drawn("N = 2  # tune: int 0.5..3.7\n")) == {1.0, 3.0}


def test_a_wide_range_is_written_with_few_digits() -> None:
    values = drawn("N = 0.5  # tune: 0..1\n")
    assert values == [float(f"{value:.4g}") for value in values]


def tuned(text: str, times: int) -> Solution:
    """The last of a line of children, each accepted."""
    found = fakes.solution(text)
    for number in range(times):
        brief = at_slot(number, text=text)
        slot = dataclasses.replace(brief.slot, parents=(found,), child=f"Gen1_Sol_{number}")
        proposal = Tune().propose(dataclasses.replace(brief, slot=slot))
        assert proposal is not None
        found = proposal.solution
    return found


def test_a_later_edit_of_a_constant_replaces_the_earlier_one() -> None:
    found = tuned("N = 1  # tune: int 0..100000\n", 40)
    (edit,) = found.edits
    (once,) = tuned("N = 1  # tune: int 0..100000\n", 1).edits
    (now,) = constants("main.py", found.text)
    assert edit.parameters == (("N", str(int(now.value))),)
    assert edit.node == once.node, "what it replaces is what the base holds"


def test_other_edits_stay_and_constants_of_one_name_are_told_apart() -> None:
    text = (
        "def f():\n    N = 1  # tune: int 0..99\n\n\ndef g():\n    N = 2  # tune: int 0..99\n"
    )
    found = tuned(text, 40)
    assert sorted(edit.occurrence for edit in found.edits) == [0, 1]
    other = Edit(rule="set_membership", function="f", node="ab12")
    parent = dataclasses.replace(found, edits=(other, *found.edits))
    slot = dataclasses.replace(fakes.brief(text).slot, parents=(parent,))
    proposal = Tune().propose(dataclasses.replace(fakes.brief(text), slot=slot))
    assert proposal is not None
    assert proposal.solution.edits[0] == other
    assert len(proposal.solution.edits) == 3
