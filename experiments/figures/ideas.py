"""A made-up world for the plumbing of memory: programs are sets of ideas, and so are prompts.

Of 24 ideas five add a point each, which ones depends on the seed; eight take one away, eight
make a program wrong, three change nothing. The model here adds an idea to a program, one of
those that it lacks; how far it listens to what the prompt's memory says of them is its
compliance. It reads the prompt's text and nothing else, and no program runs.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.sections import Endpoint
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
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
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Solution

KINDS = {"good": 5, "wrong": 8, "worse": 8, "idle": 3}
IDEAS = sum(KINDS.values())
_POINTS = {"good": 1.0, "wrong": 0.0, "worse": -1.0, "idle": 0.0}
_PROGRAM = re.compile(r"^IDEAS = \((.*)\)$", re.MULTILINE)
_NAMED = re.compile(r"\bidea (\d+)\b")
_MEMORY = "## Memory of this run\n"
_WORKED = ("### Recommended directions", "### What worked")
_FAILED = ("### Tabu directions", "### What failed")


def written(ideas: Sequence[int], number: int = 0) -> str:
    """Return a program; another number is another program of the same worth."""
    inner = ", ".join(map(str, ideas)) + ("," if len(ideas) == 1 else "")
    return f"IDEAS = ({inner})\nNUMBER = {number}\n\n\ndef solve():\n    return IDEAS\n"


def ideas_of(text: str) -> tuple[int, ...]:
    """Return the ideas of the first program in a text."""
    found = _PROGRAM.search(text)
    return tuple(int(word) for word in found[1].split(",") if word.strip()) if found else ()


def kinds_of(seed: int) -> list[str]:
    """Return what each idea does."""
    kinds = [kind for kind, count in KINDS.items() for _ in range(count)]
    order = rng_at(seed, 0, Purpose.INPUTS).permutation(IDEAS)
    return [kinds[index] for index in order]


def good_ideas(seed: int) -> frozenset[int]:
    """Return the ideas that add a point."""
    return frozenset(idea for idea, kind in enumerate(kinds_of(seed)) if kind == "good")


def named(prompt: str) -> tuple[set[int], set[int]]:
    """Return which ideas a prompt's memory recommends, and which it names as failed."""
    _, _, memory = prompt.partition(_MEMORY)
    worked: set[int] = set()
    failed: set[int] = set()
    for part in re.split(r"^(?=#{2,3} )", memory, flags=re.MULTILINE):
        found = {int(number) for number in _NAMED.findall(part)}
        if part.startswith(_WORKED):
            worked |= found
        elif part.startswith(_FAILED):
            failed |= found
    return worked - failed, failed - worked


class Listener:
    """A model whose endpoint's name is its compliance, 0 to 1, and a seed: `0.9 seed 3`."""

    def __init__(self, endpoint: Endpoint) -> None:
        compliance, _, seed = endpoint.name.partition(" seed ")
        self._compliance, self._seed = float(compliance), int(seed)
        self._numbers = itertools.count()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Add an idea to the program of the last message."""
        number = next(self._numbers)
        ideas = ideas_of(messages[-1].content)
        worked, failed = self.heard(messages)
        idea = self._drawn(number, [i for i in range(IDEAS) if i not in ideas], worked, failed)
        told = {"direction": f"Apply idea {idea}", "expected_effect": "a point more"}
        text = written([*ideas, idea], number)
        return Reply(text=f"```json\n{json.dumps(told)}\n```\n\n```python\n{text}```\n")

    def close(self) -> None:
        """Nothing is under way."""

    def heard(self, messages: Sequence[Message]) -> tuple[set[int], set[int]]:
        """Return which ideas are said to have worked, and which to have failed."""
        return named(messages[0].content)

    def _drawn(
        self, number: int, absent: Sequence[int], worked: set[int], failed: set[int]
    ) -> int:
        """Draw an idea at the address of the call; what memory says counts by compliance."""
        rng = rng_at(self._seed, number, Purpose.MODEL)
        idea = absent[int(rng.integers(len(absent)))]
        known = [idea for idea in absent if idea in worked]
        if known and rng.random() < self._compliance:
            return known[int(rng.integers(len(known)))]
        while idea in failed and rng.random() < self._compliance:
            idea = absent[int(rng.integers(len(absent)))]
        return idea


class Worth:
    """Counts the points of a program by its ideas."""

    kind = ComparisonKind.EXACT

    def __init__(self, seed: int) -> None:
        self._kinds = kinds_of(seed)

    def preflight(self, solution: Solution) -> Preflight:
        """The initial program has no ideas and is right."""
        return Preflight(evaluation=self.evaluate(solution))

    def evaluate(self, solution: Solution) -> Evaluation:
        """Say whether no idea makes it wrong."""
        ideas = ideas_of(solution.text)
        wrong = [idea for idea in ideas if self._kinds[idea] == "wrong"]
        if wrong:
            case = FailedCase(name="points", expected="an answer", got="none")
            return Evaluation(status=Status.WA, failing=(case,))
        return Evaluation(
            status=Status.AC,
            measurement=Measurement(cpu_seconds=0.0),
            score=self._points(solution),
        )

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Compare two right programs."""
        old, new = self._points(reference), self._points(candidate)
        return Block(number=number, effect=new - old, reference=old, candidate=new, pairs=pairs)

    def close(self) -> None:
        """Nothing runs."""

    def _points(self, solution: Solution) -> float:
        return sum(_POINTS[self._kinds[idea]] for idea in ideas_of(solution.text))


def problem() -> Problem:
    """Return the problem; which ideas are good is the evaluator's to know."""
    return Problem(
        name="ideas",
        kind=ProblemKind.SCORE,
        programs={"initial": written(())},
        statement="Collect points: some ideas add one, others do harm.",
        entry_point="solve",
        cases=(Case(name="points", input=Expr(code="()")),),
        scorer="def score(args, output): return 0.0",
        direction="maximize",
        unit="points",
    )


if TYPE_CHECKING:
    from se_agent.protocols import Evaluator, Model

    _evaluator: Evaluator = Worth(0)
    _model: Model = Listener(Endpoint(name="0.5 seed 0"))
