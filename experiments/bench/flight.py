"""Calls in flight: what of the ideal rate a search reaches, and what a step costs the engine.

The model takes 200 ms for an answer and the evaluator nothing, so that the ideal is one step
per latency and call in flight. Prompts, diffs and lessons are real ones: those of a mutation,
on a program of a hundred lines. What extraction by a model allows stands beside it: lessons are
learned one after the other, a call each, or one a generation. Steps close in their order, so
that a generation takes a lesson and what closing its steps takes: a small one is held up.
"""

from __future__ import annotations

import itertools
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experiments.bench.aim import at_least, at_most
from operators.written.diffs import Marks
from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.run_file import Run
from se_agent.config.sections import Endpoint
from se_agent.engine.run.start import start
from se_agent.events import Event, Learned
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    InputSet,
    Measurement,
    Preflight,
    Status,
)
from se_agent.values.solution import Solution

LATENCY = 0.2
"""Seconds that the model takes."""

LEAST = 95
"""Per cent of the ideal rate with 8 calls in flight and a steady schedule, at least.

Not where a model is asked for a lesson of each step, or of each few.
"""

MOST = 10.0
"""Milliseconds of CPU that the engine takes for a step, at most."""

_AIMED = (("steady", "declared", 8, 8), ("steady", "batch", 8, 32))
_ROUNDS = 16  # of all calls in flight, or of a generation
_MARKS = Marks()
_LINE = re.compile(r"^NUMBER = \d+$", re.MULTILINE)
_DECLARED = """```json
{"direction": "Take another number", "expected_effect": "less time", "lessons_used": []}
```"""
_LESSON = """{
  "updated_directions": [
    {"key": "", "direction": "Take another number", "outcome": "Neutral", "evidence": "no gain"}
  ],
  "new_memory_item": {"title": "Numbers", "description": "They change nothing.",
    "content": "Another number is no other algorithm.",
    "evidence": {"code_change": "a constant", "context": "any input"}}
}"""
_FUNCTION = """def step_{n}(values, limit):
    found = []
    for place, value in enumerate(values):
        if value % {n} == 0 and value not in found:
            found.append(value + place)
    return sorted(found)[:limit]
"""
_PROGRAM = "\n\n".join(["NUMBER = 0\n", *(_FUNCTION.format(n=n) for n in range(1, 13))])
"""Nearly a hundred lines: what is asked, shown, compared and learned costs what it would."""

Row = dict[str, Any]  # JSON


class Sleeping:
    """A model that takes its time, and answers with a diff to the next number, or a lesson."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Take any endpoint."""
        self._numbers = itertools.count(1)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Return a change of the program in the prompt, or a lesson where one is asked for."""
        time.sleep(LATENCY)
        system, user = messages[0].content, messages[-1].content
        if "Memory Manager" in system:
            return Reply(text=_LESSON, seconds=LATENCY)
        (old, *_), new = _LINE.findall(user), f"NUMBER = {next(self._numbers)}"
        diff = f"{_MARKS.search}\n{old}\n{_MARKS.divider}\n{new}\n{_MARKS.replace}\n"
        return Reply(text=f"{_DECLARED}\n{diff}", seconds=LATENCY)

    def close(self) -> None:
        """What is under way ends soon."""


class Trivial:
    """An evaluator that costs nothing: no program is better than another."""

    kind = ComparisonKind.EXACT

    def preflight(self, solution: Solution) -> Preflight:
        """Return that it is right."""
        return Preflight(evaluation=self.evaluate(solution))

    def evaluate(self, solution: Solution) -> Evaluation:
        """Return that it is right."""
        measured = Measurement(cpu_seconds=0.0)
        return Evaluation(status=Status.AC, measurement=measured, score=0.0)

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return that they are equal."""
        return Block(number=number, effect=0.0, reference=0.0, candidate=0.0, pairs=pairs)

    def close(self) -> None:
        """Nothing runs."""


class Steps:
    """Hears of closed steps: seconds on the wall, and of CPU time, at each."""

    def __init__(self) -> None:
        """Begin with none."""
        self.closed: list[tuple[float, float]] = []

    def on_event(self, event: Event) -> None:
        """Look at the clocks."""
        if isinstance(event, Learned) and event.child:
            self.closed.append((time.monotonic(), time.process_time()))


def fly(
    in_flight: int, *, schedule: str, extraction: str = "declared", generation: int = 8
) -> Row:
    """Return the rate of one search in per cent of the ideal, and its CPU for a step.

    Both are counted from the end of the first generation on, or from the first answers, when
    all calls are in flight: what a run takes to begin is no step's.
    """
    first = max(in_flight, generation if extraction == "batch" else 0)
    with tempfile.TemporaryDirectory() as folder:
        config = Run.model_validate(
            {
                "problem": "numbers",
                "operators": ["mutation"],
                "policy": "random",
                "models": {"main": {"name": "any", "provider": f"{__name__}:Sleeping"}},
                "schedule": schedule,
                "generation_size": generation,
                "lag": 2 * max(generation, in_flight),
                "asking": {"in_flight": in_flight},
                "budget": {"evaluations": _ROUNDS * first},
                "memory": {"prior": False, "extraction": extraction},
                "results": folder,
                "name": "run",
            }
        )
        steps = Steps()
        start(config, problem=_problem(), listeners=[steps], evaluators=lambda *_: Trivial())
    (begin, spent), *_, (end, spent_in_all) = closed = steps.closed[first - 1 :]
    rate = (len(closed) - 1) / (end - begin)
    return {
        "schedule": schedule,
        "extraction": extraction,
        "in_flight": in_flight,
        "generation": generation,
        "per_second": rate,
        "of_ideal": 100 * rate * LATENCY / in_flight,
        "cpu_ms": 1000 * (spent_in_all - spent) / (len(closed) - 1),
    }


def measure() -> Iterator[Row]:
    """Yield a row for 1, 2, 8 and 32 calls in flight, and for lessons by a model."""
    for schedule in ("steady", "generation"):
        yield from (fly(n, schedule=schedule) for n in (1, 2, 8, 32))
    yield fly(8, schedule="steady", extraction="each")
    yield from (fly(8, schedule="steady", extraction="batch", generation=n) for n in (8, 32))


def words(row: Row) -> str:
    """Return a row as a line, with its targets: not each share has one."""
    share = f"{row['of_ideal']:.3g} %"
    if row["extraction"] == "each":
        reached = 100 * row["per_second"] * LATENCY
        share += f" (of {1 / LATENCY:.3g} a second that a lesson each allows: {reached:.3g} %)"
    if (
        tuple(row[key] for key in ("schedule", "extraction", "in_flight", "generation"))
        in _AIMED
    ):
        share = at_least(row["of_ideal"], LEAST, "%")
    return (
        f"{row['schedule']:10s} {row['extraction']:8s} {row['in_flight']:3d} in flight, "
        f"generations of {row['generation']:2d}: "
        f"{row['per_second']:6.1f} steps a second, of the ideal {share}; "
        f"CPU a step {at_most(row['cpu_ms'], MOST, 'ms')}"
    )


def _problem() -> Problem:
    return Problem(
        name="numbers",
        kind=ProblemKind.SCORE,
        programs={"initial": _PROGRAM},
        statement="Find the best number.",
        cases=(Case(name="any", input=Expr(code="()")),),
        scorer="def score(args, output): return output",
        direction="maximize",
        unit="points",
    )
