"""The world of numbers with programs that fail at length, and a model that reads of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.run_file import Run
from se_agent.config.sections import Endpoint
from se_agent.engine.journal.result import Result
from se_agent.engine.run.resolve import EvaluatorFactory
from se_agent.engine.run.start import start
from se_agent.protocols import Listener
from se_agent.values.evaluation import MOST_OUTPUT, ComparisonKind, Evaluation, Status
from se_agent.values.solution import Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import View
from tests.fakes import NumberEvaluator, number, number_problem, number_run

PLACE = 500_000
"""Where in the output the line stands that no preview shows."""

HEAD = '{"direction": "Say it", "expected_effect": "more", "lessons_used": []}\n'


def output_of(value: int) -> str:
    """Return what a wrong program prints: 3 MB, of which an evaluator keeps the first MiB."""
    line = f"{value}: not this one, nor any before it\n"
    text = line * (3_000_000 // len(line))
    secret = f"the right one is {value + 34}\n"
    return (text[:PLACE] + secret + text[PLACE:])[:MOST_OUTPUT]


class Verbose(NumberEvaluator):
    """Says all that a wrong program printed."""

    def evaluate(self, solution: Solution) -> Evaluation:
        found = super().evaluate(solution)
        if found.status is Status.AC:
            return found
        return Evaluation(
            status=found.status,
            failing=found.failing,
            feedback="it prints too much",
            cost_seconds=found.cost_seconds,
            full_output=output_of(number(solution)),
        )


def verbose(log: Path | None = None) -> EvaluatorFactory:
    return lambda problem, config: Verbose(ComparisonKind.EXACT, log=log)


class Repairing:
    """Mutates the best program, and repairs the newest failure where there is one."""

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        """Take what every policy is given."""

    def ask(self, view: View) -> Slot | None:
        best = view.best.solution
        if view.failures and view.slot % 2:
            subject = view.failures[-1].solution.id
            return view.fill(best, operator="repair", subject=subject)
        return view.fill(best, operator="mutation")

    def tell(self, step: Step) -> None:
        """Learn nothing."""


class Reading:
    """Writes wrong programs, and repairs them by what stands in their output.

    Attributes:
        asked: All conversations of its kind, in order.
        wants: What it asks to read, one after the other, before it answers.
    """

    asked: ClassVar[list[tuple[Message, ...]]] = []
    wants: ClassVar[list[dict[str, object]]] = []

    def __init__(self, endpoint: Endpoint) -> None:
        type(self).asked = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Answer as the prompt asks for it."""
        self.asked.append(tuple(messages))
        old = re.findall(r"^x = -?\d+$", messages[1].content, re.MULTILINE)[0]
        if "## How it fails" not in messages[1].content:
            value = int(old.removeprefix("x = "))
            return Reply(text=_changed(old, value + 7 - value % 7))
        name = re.findall(r"Saved as artifact: (\w+)", messages[1].content)
        rounds = sum(message.role == "assistant" for message in messages)
        if name and rounds < len(self.wants):
            return Reply(
                text=json.dumps({"read": [{"artifact": name[0]} | self.wants[rounds]]})
            )
        found = re.findall(r"the right one is (\d+)", "".join(m.content for m in messages))
        return Reply(text=_changed(old, int(found[0]) if found else 1))

    def close(self) -> None:
        """Nothing is under way."""


def _changed(old: str, new: int) -> str:
    return f"{HEAD}<<<<<<< SEARCH\n{old}\n=======\nx = {new}\n>>>>>>> REPLACE"


def config_of(results: Path, **changes: object) -> Run:
    values = {
        "operators": ["mutation", "repair"],
        "policy": "tests.engine.talkative:Repairing",
        "models": {"main": {"name": "any", "provider": "tests.engine.talkative:Reading"}},
        "generation_size": 1,
        "budget": {"evaluations": 4},
    }
    return number_run(results, **(values | changes))


def ran(config: Run, *wants: dict[str, object], listeners: Sequence[Listener] = ()) -> Result:
    """Run with a model that asks to read these slices for each repair."""
    Reading.wants = list(wants)
    return start(config, problem=number_problem(), evaluators=verbose(), listeners=listeners)
