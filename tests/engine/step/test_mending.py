"""A model's failing program is mended in the loop, without a call; replay says the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from operators.mending.operator import Mend
from se_agent.chat.events import Replied
from se_agent.chat.messages import Role
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import fitting_operators, made_operators
from se_agent.engine.run.start import start
from se_agent.events import Evaluated, Event, Proposed, Selected
from se_agent.program.features import content_address
from se_agent.program.language import Language
from se_agent.report.story import Story
from se_agent.report.words.quiet import repeats
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from tests.engine.runs import events_of
from tests.engine.talking import models, of, run_file, say
from tests.fakes import NumberEvaluator, number_problem

BROKEN = "x = 5\nheapq.heapify([])\n"
MENDED = "import heapq\n" + BROKEN
IMPORT = "from sorting import fastsort"


class Rewriting:
    """Takes each reply for a program."""

    name = "tests.engine.step.test_mending:Rewriting"
    role: str = Role.REWRITE
    arity = 1

    def prompt(self, brief: Brief) -> tuple[()]:
        return ()

    def parse(self, reply: str, brief: Brief) -> Proposal:
        child = brief.child({"main.py": reply}, operator=self.name)
        return Proposal(solution=child, direction="Write it anew")


class Repairing(Rewriting):
    """Says of each program that it brings a name back."""

    name = "tests.engine.step.test_mending:Repairing"
    role = Role.REPAIR

    def parse(self, reply: str, brief: Brief) -> Proposal:
        return replace(super().parse(reply, brief), direction=f"Add `{IMPORT}`")


class Importing(NumberEvaluator):
    """A program that uses what it does not import ends with an error."""

    def evaluate(self, solution: Solution) -> Evaluation:
        for name in ("heapq", "fastsort"):
            if name in solution.text and f"import {name}" not in solution.text:
                told = f"NameError: name {name!r} is not defined\n  main.py:2 in <module>: x"
                return Evaluation(status=Status.RE, feedback=told)
        return super().evaluate(solution)


def ran(results: Path, *replies: str, **changes: object) -> list[Event]:
    say(*replies)
    values = {
        "models": models("scripted"),
        "policy": "portfolio",
        "generation_size": 1,
        "operators": [Rewriting.name, Repairing.name, "mend"],
        "budget": {"evaluations": None, "calls": len(replies)},
    }
    result = start(
        run_file(results, **(values | changes)),
        problem=number_problem(),
        evaluators=lambda problem, config: Importing(),
    )
    assert replay(Path(result.run)).differences == ()
    return events_of(result)


@pytest.mark.row("LF-90")
def test_a_failing_program_of_a_model_is_mended_without_a_call(tmp_path: Path) -> None:
    past = ran(tmp_path, "x = 1", BROKEN, "x = 2", "x = 3")
    (chosen,) = [e for e in of(past, Selected) if e.operator == "mend"]
    proposed = [e.proposal.solution for e in of(past, Proposed) if e.proposal]
    broken = next(one for one in proposed if one.text == BROKEN)
    assert chosen.subject == broken.id
    (made,) = [e for e in of(past, Proposed) if e.slot == chosen.slot]
    assert made.proposal is not None
    assert made.proposal.solution.text == MENDED
    assert [e.evaluation.status for e in of(past, Evaluated) if e.slot == chosen.slot] == ["AC"]
    assert chosen.slot not in {e.slot for e in of(past, Replied)}
    assert not [e for e in of(past, Selected) if e.operator == Repairing.name]


@pytest.mark.row("LF-41", "LF-90")
def test_what_a_model_mended_is_a_known_fix_that_mends_the_next_failure(
    tmp_path: Path,
) -> None:
    """No table knows the package; the second program that lacks it costs no call."""
    first, second = "x = 5\nfastsort([])\n", "x = 9\nfastsort([1])\n"
    replies = ("x = 1", first, f"{IMPORT}\n{first}", second, "x = 2", "x = 3")
    past = ran(tmp_path, *replies)
    repaired = [e for e in of(past, Selected) if e.operator == Repairing.name]
    mended = [e for e in of(past, Selected) if e.operator == "mend"]
    assert (len(repaired), len(mended)) == (1, 1)
    (made,) = [e for e in of(past, Proposed) if e.slot == mended[0].slot]
    assert made.proposal is not None
    assert made.proposal.solution.text == f"{IMPORT}\n{second}"
    assert made.proposal.direction == f"Add `{IMPORT}`"


def test_without_it_the_model_repairs(tmp_path: Path) -> None:
    operators = [Rewriting.name, Repairing.name]
    past = ran(tmp_path, "x = 1", BROKEN, "x = 2", "x = 3", operators=operators)
    assert [e for e in of(past, Selected) if e.operator == Repairing.name]


def test_a_run_without_a_model_has_nothing_to_mend(tmp_path: Path) -> None:
    alone = run_file(tmp_path, models={}, operators=[])
    beside = run_file(tmp_path, operators=[])
    made = made_operators(alone)
    assert isinstance(made["mend"], Mend)
    assert "mend" not in fitting_operators(made, alone, Language.PYTHON)
    assert "mend" in fitting_operators(made, beside, Language.PYTHON)


def test_equal_programs_in_other_words_are_never_measured_twice(tmp_path: Path) -> None:
    """Neither a rejected sibling nor what a model wrote in another layout; both are counted."""
    twins = ["x  =  1  # again", "x = 1", "\nx = (1)"]
    past = ran(tmp_path, "x = 1", "x = 7", *twins, "x = 7  # wrong before", "x = 3")
    measured = [
        content_address(_files(past, e.solution)) for e in of(past, Evaluated) if e.slot >= 0
    ]
    assert len(measured) == len(set(measured))
    again = [e for e in of(past, Proposed) if e.duplicate_of]
    assert len(again) >= 4
    assert repeats(Story.of(past)) == f"{len(again)} repeats were not measured"


def _files(past: list[Event], name: str) -> dict[str, str]:
    made = [e.proposal.solution for e in of(past, Proposed) if e.proposal]
    return dict(next(one.files for one in made if one.id == name))
