"""What a child has that its parent has not, at a cost that a long lineage can bear."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.sandbox.child.error_status import feedback
from se_agent.memory.local.evidence import MeasuredChange, figures, raised_in
from se_agent.values.evaluation import Block, Comparison, ComparisonKind, SequentialDecision
from se_agent.values.solution import Edit
from tests.fakes import solution


def edit(number: int) -> Edit:
    return Edit(rule=f"rule_{number}", function=f"f{number % 3}", node=f"{number:x}")


def change(parent: list[Edit], child: list[Edit]) -> MeasuredChange:
    made = solution("x = 1")
    return MeasuredChange(replace(made, edits=tuple(parent)), replace(made, edits=tuple(child)))


CRASH = """\
def solve(n):
    return walk([n])

def walk(rest):
    def go(at):
        return {}[at]
    return [go(n) for n in rest]

class Heap:
    def add(self, n):
        return (lambda: walk([n]))()
"""


def test_what_the_sandbox_says_names_the_functions_that_raised() -> None:
    space: dict[str, Any] = {}
    exec(compile(CRASH, "main.py", "exec"), space)
    with pytest.raises(KeyError, match="7") as caught:
        space["solve"](7)
    told = feedback(caught.value, path="main.py", source=CRASH)
    inner, *outer = raised_in(told)
    assert inner == "walk.go"
    assert set(outer) <= {"walk", "solve"}
    assert raised_in("wrong answer: 7 in solve: no") == ()


def test_a_method_is_told_by_its_class_and_a_lambda_by_what_is_around_it() -> None:
    def passed(call: str, path: str) -> tuple[str, ...]:
        space: dict[str, Any] = {}
        exec(compile(CRASH.replace("walk([n])", "{}[n]"), path, "exec"), space)
        with pytest.raises(KeyError, match="7") as caught:
            eval(compile(call, path, "eval"), space)
        return raised_in(feedback(caught.value, path=path, source=CRASH))

    assert passed("Heap().add(7)", "my file.py") == ("Heap.add", "Heap.add", "")
    assert passed("solve(7)", "main.py") == ("solve", "")


def test_where_recursion_ends_says_nothing() -> None:
    told = "RecursionError: maximum recursion depth exceeded\n  main.py:4 in cost: return n"
    assert raised_in(told) == ()


def test_edits_are_those_of_the_child_alone_in_its_order() -> None:
    found = change([edit(1), edit(2)], [edit(5), edit(2), edit(4), edit(1)])
    assert found.edits == (edit(5), edit(4))
    assert found.functions == ("f2", "f1")


def test_an_edit_that_was_replaced_is_a_change() -> None:
    found = change([edit(1), edit(2)], [edit(2), edit(3)])
    assert found.edits == (edit(3),)


@dataclass(frozen=True, kw_only=True)
class Counted(Edit):
    """Counts how often edits are looked at."""

    looks: ClassVar[list[str]] = []

    def __eq__(self, other: object) -> bool:
        self.looks.append("compared")
        return isinstance(other, Counted) and self.node == other.node

    def __hash__(self) -> int:
        self.looks.append("hashed")
        return hash(self.node)


def test_the_cost_is_linear_and_paid_once() -> None:
    line = [Counted(rule="r", function="f", node=f"{n}") for n in range(201)]
    copies = [replace(one) for one in line]
    found = change(list(line[:200]), list(copies))
    Counted.looks.clear()
    assert len(found.edits) == 1
    assert len(Counted.looks) < 1000
    Counted.looks.clear()
    assert found.edits == (copies[200],)
    assert found.functions == ("f",)
    assert len(Counted.looks) < 3


BLOCKS = st.lists(
    st.tuples(st.floats(1e-6, 10.0), st.floats(1e-6, 10.0), st.floats(-0.7, 0.7)),
    min_size=1,
    max_size=9,
)
UNITS_OF = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def shown_seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * UNITS_OF[unit]


@given(BLOCKS)
def test_both_times_and_their_ratio_say_the_same(
    measured: list[tuple[float, float, float]],
) -> None:
    """Each block has inputs of its own, and medians that contradict its ratio."""
    blocks = tuple(
        Block(number=n, effect=effect, reference=reference, candidate=candidate)
        for n, (reference, candidate, effect) in enumerate(measured)
    )
    found = Comparison(
        kind=ComparisonKind.TIMED,
        blocks=blocks,
        decision=SequentialDecision.NO,
        interval=(-1.0, 1.0),
    )
    matched = re.fullmatch(r"(.*) -> (.*) \((.*)\)", figures(found))
    assert matched is not None
    old, new, told = matched.groups()
    before, after = shown_seconds(old), shown_seconds(new)
    if told == "no change":
        assert before == pytest.approx(after, rel=0.02)
        return
    assert (after >= before) if told.endswith("slower") else (after <= before)
    ratio = float(told.removesuffix(" slower").removesuffix("x"))
    larger, smaller = max(before, after), min(before, after)
    assert larger / smaller == pytest.approx(ratio, rel=0.02)
