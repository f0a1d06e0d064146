"""Stand-ins that behave; no mocks.

The engine's little world: a program is `x = N`, its score is N, its time 1 / (10 + N) seconds.
A multiple of seven is wrong, so there is something to fail at.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.config.run_file import Run
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    FailedCase,
    InputSet,
    Measurement,
    Preflight,
    Status,
)
from se_agent.values.memory_context import ContextSection, MemoryContext
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal, Slot


def number(solution: Solution) -> int:
    return sum(
        int(line.partition("=")[2]) for line in solution.text.splitlines() if "=" in line
    )


class Step1:
    """Adds one."""

    name = "tests.fakes:Step1"
    arity = 1
    by = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the next number; None once it was tried."""
        (parent,) = brief.slot.parents
        files = {"main.py": f"x = {number(parent) + self.by}"}
        edit = Edit(rule=self.name, function="f", node=parent.content[:8])
        child = brief.child(
            files, operator=self.name, base="Gen0_Sol_0", edits=(*parent.edits, edit)
        )
        if child.content in brief.tried:
            return None
        return Proposal(solution=child, direction=f"Add {self.by} to {parent.text}")


class Step3(Step1):
    """Adds three."""

    name = "tests.fakes:Step3"
    by = 3


class Endless(Step1):
    """Adds the number of the slot: always something new."""

    name = "tests.fakes:Endless"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return a number that no other slot returns."""
        child = brief.child({"main.py": f"x = {brief.slot.number + 1}"}, operator=self.name)
        return Proposal(solution=child, direction="Another number")


class Learner(Step1):
    """Adds as many as trials of its family were right; says what came of all of them."""

    name = "tests.fakes:Learner"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return a number that depends on all that the family tried."""
        (parent,) = brief.slot.parents
        effects = [trial.effect for trial in brief.history]
        by = sum(effect is not None for effect in effects) + brief.slot.number % 3
        files = {"main.py": f"x = {number(parent) + by}"}
        child = brief.child(files, operator=self.name, base="Gen0_Sol_0")
        return Proposal(solution=child, direction=f"Known: {effects}")


class NumberEvaluator:
    """Judges `x = N` without running it; `log` is appended to at each payment."""

    def __init__(
        self,
        kind: ComparisonKind = ComparisonKind.EXACT,
        *,
        log: Path | None = None,
        seconds: float = 0.0,
    ) -> None:
        self.kind = kind
        self.closed = False
        self._log = log
        self._seconds = seconds

    def preflight(self, solution: Solution) -> Preflight:
        """The initial program is right."""
        return Preflight(evaluation=self._judged(number(solution)), seconds=0.1)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Multiples of seven are wrong."""
        self._pay(f"evaluate {solution.id}")
        return self._judged(number(solution))

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Compare the two numbers, with a little noise by address when timed."""
        self._pay(f"block {reference.id} {candidate.id} {inputs} {number}")
        old, new = (self._figure(s) for s in (reference, candidate))
        effect = new - old
        if self.kind is ComparisonKind.TIMED:
            effect = math.log(old / new) + 0.001 * math.sin(number)
        return Block(
            number=number,
            effect=effect,
            reference=old,
            candidate=new,
            pairs=pairs,
            cost_seconds=0.01 * pairs,
        )

    def close(self) -> None:
        """Nothing runs."""
        self.closed = True

    def _figure(self, solution: Solution) -> float:
        value = number(solution)
        return 1 / (10 + value) if self.kind is ComparisonKind.TIMED else float(value)

    def _judged(self, value: int) -> Evaluation:
        if value % 7 == 0 and value:
            failed = FailedCase(name="seven", expected="no multiple", got=str(value))
            return Evaluation(status=Status.WA, failing=(failed,), cost_seconds=0.01)
        return Evaluation(
            status=Status.AC,
            measurement=Measurement(cpu_seconds=0.01),
            score=float(value) if self.kind is ComparisonKind.EXACT else None,
            cost_seconds=0.01,
        )

    def _pay(self, line: str) -> None:
        time.sleep(self._seconds)
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as log:
                log.write(line + "\n")


def solution(text: str, *, id: str = "Gen0_Sol_0") -> Solution:
    return Solution(id=id, files={"main.py": text})


def remembered(text: str) -> MemoryContext:
    """Return what a brief holds where memory says this."""
    said = ContextSection(source="local", text=text, tokens=len(text))
    return MemoryContext(sections=(said,) if text else ())


def brief(text: str, *, memory: str = "", entry_point: str = "") -> Brief:
    parents = (solution(text),)
    slot = Slot(number=4, generation=3, child="Gen3_Sol_4", parents=parents, operator="any")
    return Brief(
        problem="Make it fast.", slot=slot, memory=remembered(memory), entry_point=entry_point
    )


def number_problem(*, timed: bool = False) -> Problem:
    return Problem(
        name="numbers",
        kind=ProblemKind.FUNCTION if timed else ProblemKind.SCORE,
        programs={"initial": "x = 0"},
        statement="Make x large.",
        cases=(Case(name="seven", input=Expr(code="()")),),
        scorer="" if timed else "def score(args, output): return output",
        direction="minimize" if timed else "maximize",
        unit="s" if timed else "points",
    )


def number_run(results: Path, **changes: object) -> Run:
    values = {
        "problem": "numbers",
        "operators": [Step1.name, Step3.name],
        "results": str(results),
        "name": "run",
        "budget": {"evaluations": 30},
        "schedule": "generation",  # most tests of the engine are of generations
        "memory": {"prior": False},  # a run of a test knows nothing of the run before
    }
    return Run.model_validate(values | changes)


if TYPE_CHECKING:
    from se_agent.protocols import Evaluator, Operator

    _operator: Operator = Step1()
    _evaluator: Evaluator = NumberEvaluator()
