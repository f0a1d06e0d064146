"""Wrong "optimisations" that pass the visible tests: how many does the search refute?

Each of `planted.toml` is tried on its own, five CPU seconds at most; the right rewrites of the
rules are tried beside them, and none of those may be refuted. A program that fails a visible
test is no plant and is not counted.
"""

from __future__ import annotations

import statistics
import time
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.stdio import StdioEvaluator
from experiments.figures.rows import Row, fill
from se_agent import registry
from se_agent.config.sections import Measure
from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem, ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from se_agent.values.step import Slot

SECONDS = 5.0
_SHOWN = 100  # characters of a counterexample
SETTINGS = {"seconds": SECONDS}


@dataclass(frozen=True)
class Plant:
    """A wrong program: replacements of texts that stand exactly once in the initial one."""

    problem: str
    name: str
    kind: str
    swaps: tuple[tuple[str, str], ...]

    def applied(self, text: str) -> str:
        """Return the wrong program.

        Raises:
            ValueError: A text to replace does not stand exactly once.
        """
        for old, new in self.swaps:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: {old!r} stands {text.count(old)} times")
            text = text.replace(old, new)
        return text


def plants() -> tuple[Plant, ...]:
    """Return all of `planted.toml`."""
    data = tomllib.loads(Path(__file__).with_name("planted.toml").read_text(encoding="utf-8"))
    return tuple(
        Plant(problem, row["name"], row["class"], tuple((a, b) for a, b in row["swaps"]))
        for problem, found in data.items()
        for row in found
    )


def rewrites(problem: Problem) -> Iterator[Solution]:
    """Yield what each rule makes of the initial program first."""
    for name in registry.names("operator"):
        operator = registry.load("operator", name)()
        if getattr(operator, "arity", 1) != 1 or not hasattr(operator, "propose"):
            continue
        slot = Slot(
            number=0,
            generation=1,
            child="Gen1_Sol_0",
            parents=(problem.initial(),),
            operator=name,
        )
        brief = Brief(problem=problem.statement, slot=slot, entry_point=problem.entry_point)
        proposal = operator.propose(brief)
        if proposal is not None:
            yield replace(proposal.solution, operator=name)


def tried(problem: Problem, text: str) -> Row:
    """Return what came of a program: its status on the visible tests, and of the search."""
    solution = Solution(id="Gen1_Sol_0", files={problem.path: text})
    called = problem.kind is ProblemKind.FUNCTION
    kind = FunctionEvaluator if called else StdioEvaluator
    with closing(kind(problem, measure=Measure())) as evaluator:
        status = evaluator.evaluate(solution).status
        if status is not Status.AC:
            return {"visible": status.value}
        start = time.process_time()
        hunt = evaluator.hunt(solution, seconds=SECONDS)
        own = time.process_time() - start
    case = hunt.found.failed if hunt.found else None
    return {
        "visible": status.value,
        "tried": hunt.tried,
        "seconds": own + hunt.cost_seconds,
        "input": case.input[:_SHOWN] if case else "",
        "characters": len(case.input) if case else 0,
    }


def rows() -> dict[str, Row]:
    """Try what is missing and return a row a program."""
    tasks = {}
    for plant in plants():
        problem = load_problem(plant.problem)
        text = plant.applied(problem.initial().text)
        tasks[f"wrong/{plant.problem}/{plant.name} ({plant.kind})"] = partial(
            tried, problem, text
        )
    for name in dict.fromkeys(plant.problem for plant in plants()):
        problem = load_problem(name)
        for solution in rewrites(problem):
            tasks[f"right/{name}/{solution.operator}"] = partial(tried, problem, solution.text)
    return fill("planted", tasks, settings=SETTINGS, jobs=1)


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    right = [row for key, row in found.items() if key.startswith("right/")]
    wrong = {k: row for k, row in found.items() if k.startswith("wrong/") and "input" in row}
    caught = [row for row in wrong.values() if row["input"]]
    false = sum(bool(row.get("input")) for row in right)
    lines = [
        "| program | class | refuted by | CPU s |",
        "|---|---|---|--:|",
        *(_line(key, row) for key, row in wrong.items()),
        "",
        f"{len(caught)} of {len(wrong)} refuted; of {len(right)} right rewrites {false}.",
    ]
    if caught:
        size = statistics.median(row["characters"] for row in caught)
        lines.append(f"Median length of a counterexample: {size:.0f} characters.")
    return "\n".join(lines)


def _line(key: str, row: Row) -> str:
    name, _, kind = key.removeprefix("wrong/").rstrip(")").partition(" (")
    shown = row["input"].replace("|", "\\|")
    told = f"`{shown}`" if shown else "not refuted"
    return f"| {name} | {kind} | {told} | {row['seconds']:.1f} |"
