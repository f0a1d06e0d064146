"""A champion is rewritten for people before it is confirmed, and that is on record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import start
from se_agent.engine.step.restyle import RULE, Restyling, edit_of, guard_passes
from se_agent.events import BlockMeasured, Confirmed, Trimmed
from se_agent.problem.model import Gate, Problem, Workload
from se_agent.program.style.passes import GUARDS
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Block, ComparisonKind
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal
from tests.engine.runs import events_of, factory
from tests.fakes import NumberEvaluator, number_problem, number_run

START = "x = 0\n"
FOUR = "x = 0\n# one\nx += 3\n# two\nprint(2)\n"


class Clumsy:
    """Writes a right and faster program in clumsy words."""

    name = "tests.engine.step.test_restyle:Clumsy"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the text, once."""
        child = brief.child({"main.py": "x = 1000\nprint((3))\n"}, operator=self.name)
        return None if child.content in brief.tried else Proposal(solution=child, direction="W")


class Wordy:
    """Writes a right and faster program of two edits, one of which is for nothing."""

    name = "tests.engine.step.test_restyle:Wordy"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the text, once."""
        text = "x = 1000\n# one\nx += 3\n# two\nprint((3))\n"
        child = brief.child({"main.py": text}, operator=self.name)
        return None if child.content in brief.tried else Proposal(solution=child, direction="W")


def _ran(results: Path, operator: str, **more: object) -> Result:
    return start(
        number_run(results, operators=[operator], **more),
        problem=replace(number_problem(timed=True), programs={"initial": START}),
        evaluators=factory(ComparisonKind.TIMED),
    )


def test_a_champion_is_rewritten_and_confirmed_so(tmp_path: Path) -> None:
    result = _ran(tmp_path, Clumsy.name)
    events = events_of(result)
    last = [event for event in events if isinstance(event, Trimmed)][-1]
    assert (last.edit.rule, last.dropped) == (RULE, True)
    assert last.solution.text == "x = 1000\nprint(3)\n"
    assert last.solution.edits[-1] == last.edit
    measured = [e for e in events if isinstance(e, BlockMeasured) and e.slot == last.slot]
    assert measured == [], "the same program but for its layout takes the same time"
    (confirmed,) = (event for event in events if isinstance(event, Confirmed))
    assert confirmed.solution == last.solution.id
    assert replay(Path(result.run)).differences == ()


class Dear(NumberEvaluator):
    """Its blocks take four CPU seconds each, so that a time limit leaves room for few."""

    def block(self, *programs: Solution, **more: Any) -> Block:
        """Compare, and say that it took long."""
        return replace(super().block(*programs, **more), cost_seconds=4.0)


@pytest.mark.parametrize(
    ("limit", "rules"),
    [
        pytest.param(None, ["change", "change"], id="time for all: nothing is left to reword"),
        pytest.param(120.0, [RULE], id="no time to leave out edits"),
    ],
)
def test_where_time_is_short_the_text_is_still_reworded(
    tmp_path: Path, limit: float | None, rules: list[str]
) -> None:
    result = start(
        number_run(tmp_path, operators=[Wordy.name], budget={"cpu_seconds": limit}),
        problem=replace(number_problem(timed=True), programs={"initial": FOUR}),
        evaluators=lambda problem, config: Dear(ComparisonKind.TIMED),
    )
    found = [event for event in events_of(result) if isinstance(event, Trimmed)]
    assert [one.edit.rule for one in found] == rules
    assert "((3))" not in found[-1].solution.text
    assert found[-1].dropped
    assert replay(Path(result.run)).differences == ()


def test_a_run_that_shall_not_trim_leaves_the_text_alone(tmp_path: Path) -> None:
    events = events_of(_ran(tmp_path, Clumsy.name, trim=False))
    assert not any(isinstance(event, Trimmed) for event in events)


def test_passes_are_made_together_and_then_alone() -> None:
    old, new = {"a.py": "x = 1\n"}, {"a.py": "import re\nx = (1)\nprint(re)\n"}
    edits = Restyling(old).restyle_edits(new)
    assert [dict(edit.parameters)["passes"] for edit in edits] == [
        "imports, parentheses",
        "imports",
        "parentheses",
    ]
    made = Restyling(old).replay(new, edits[-1])
    assert made == {"a.py": "import re\nx = 1\nprint(re)\n"}
    assert Restyling(old).restyle_edits(old) == []


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(edit_of(["unheard of"]), id="a pass of another version"),
        pytest.param(Edit(rule="seen_set", function="", node="0"), id="another rule"),
    ],
)
def test_no_edit_of_others_is_replayed(edit: Edit) -> None:
    assert Restyling({"a.py": ""}).replay({"a.py": ""}, edit) is None


GUARDED = "def f(a):\n    return len(a) if isinstance(a, list) else sum(1 for _ in a)\n"
TESTS = Gate(root="/", module="a.py", tests="tests", path=(), python="python3")
USE = Workload(name="w", package="", file="/w.py", text="", function="use", modules={})
CALLED = replace(number_problem(), workload=USE)


@pytest.mark.parametrize(
    ("text", "problem", "passes"),
    [
        pytest.param(GUARDED, number_problem(), [*GUARDS], id="inputs are its arguments"),
        pytest.param(GUARDED, CALLED, [], id="a workload calls it"),
        pytest.param(GUARDED, replace(CALLED, gate=TESTS), [*GUARDS], id="and tests call it"),
    ],
)
def test_guards_go_only_where_inputs_say_something_of_types(
    text: str, problem: Problem, passes: list[str]
) -> None:
    old = {"a.py": text.replace("len(a) if isinstance(a, list) else ", "")}
    made = Restyling(old, guards=guard_passes(problem)).guards_edits({"a.py": text})
    assert [dict(edit.parameters)["passes"] for edit in made] == passes
