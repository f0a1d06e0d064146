"""The world of errors: each idea fails at first, and a scripted model guesses what mends it.

A program has ideas, and each idea a mode. A new one is `plain` and raises one of four errors;
each error is mended by one of five modes, whichever the idea. Another mode gives a wrong
answer. Whoever repairs takes the mode that its prompt says mended such an error, and none that
is said to be wrong for it, as often as its compliance says. Only repairs read prompts: which
idea comes next is drawn, whatever they say.

Arms: `raw` is told earlier repairs word by word; `session` what session memory says of fixes;
`mend` nothing, but the operator `mend` knows these fixes; `built` has both, and the guide of
failures like the one to repair; `irrelevant` session memory, of errors that no program has.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from experiments.figures.ideas import Worth, ideas_of, written
from experiments.worlds.arms import BUILT, NONE, RAW, SIBLINGS, TIERS, Arm, World, model_parts
from experiments.worlds.reading import (
    earlier_answers,
    failure_in,
    is_repair,
    sibling_lines,
)
from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.sections import Endpoint
from se_agent.values.evaluation import Evaluation, FailedCase, Measurement, Status
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Solution

COUNT = 8
"""Ideas; each is worth a point."""

PLAIN = "plain"
MODES = tuple(f"mode_{letter}" for letter in "abcde")
ERRORS = {
    "closed channel": "ValueError: closed channel {}",
    "unaligned buffer": "RuntimeError: unaligned buffer of {} bytes",
    "missing header": "LookupError: missing header '{}'",
    "stale handle": "OSError: stale handle 0x{:x}",
}
_PLACE = "  main.py:6 in solve: return IDEAS"
_MODES = re.compile(r"^MODES = (.*)$", re.MULTILINE)
_NAME = re.compile("|".join(ERRORS))
_SAID = re.compile(rf"({'|'.join(MODES)})\W+where it says ({'|'.join(ERRORS)})")
_WRONG = re.compile(r"\bWA\b")


def program(ideas: Sequence[int], modes: Sequence[str], number: int = 0) -> str:
    """Return a program of ideas, each with its mode."""
    return f"MODES = {json.dumps([*modes])}\n{written(ideas, number)}"


def modes_of(text: str) -> tuple[str, ...]:
    """Return the modes of the first program in a text."""
    found = _MODES.search(text)
    return tuple(json.loads(found[1])) if found else ()


def errors_of(seed: int) -> tuple[str, ...]:
    """Return the error of each idea: each comes as often."""
    order = rng_at(seed, 0, Purpose.INPUTS).permutation(COUNT)
    return tuple([*ERRORS][place % len(ERRORS)] for place in order)


def mending_modes(seed: int) -> Mapping[str, str]:
    """Return the mode that mends each error."""
    rng = rng_at(seed, 1, Purpose.INPUTS)
    return {error: MODES[int(rng.integers(len(MODES)))] for error in ERRORS}


class Raising(Worth):
    """Counts ideas that have the mode that mends their error."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._errors, self._mending = errors_of(seed), mending_modes(seed)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Say how the first idea fails that has not its mode."""
        for idea, mode in zip(ideas_of(solution.text), modes_of(solution.text), strict=True):
            error = self._errors[idea]
            if mode == PLAIN:
                words = ERRORS[error].format(1000 + 37 * idea)
                return Evaluation(status=Status.RE, feedback=f"{words}\n{_PLACE}")
            if mode != self._mending[error]:
                case = FailedCase(name="points", expected="an answer", got="none")
                return Evaluation(status=Status.WA, failing=(case,))
        return Evaluation(
            status=Status.AC,
            measurement=Measurement(cpu_seconds=0.0),
            score=self._points(solution),
        )

    def _points(self, solution: Solution) -> float:
        return float(len(ideas_of(solution.text)))


class Mender:
    """A model called by compliance and seed, such as `0.9 seed 3`.

    `0.9 seed 3 misled` takes what it is told for words on errors that no program here has.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._compliance, self._seed, self._misread = model_parts(endpoint.name)
        self._numbers = itertools.count()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Give the idea that fails another mode, or add an idea."""
        number, task = next(self._numbers), messages[-1].content
        rng = rng_at(self._seed, number, Purpose.MODEL)
        ideas, modes = ideas_of(task), modes_of(task)
        found = _NAME.search(failure_in(task)) if is_repair(task) else None
        if found:
            mode = self._chosen(rng, found[0], messages)
            direction = f"Replace `{PLAIN}` by `{mode}` where it says {found[0]}"
            mended = [mode if each == PLAIN else each for each in modes]
            return _answer(direction, program(ideas, mended, number))
        absent = [idea for idea in range(COUNT) if idea not in ideas] or [*range(COUNT)]
        idea = absent[int(rng.integers(len(absent)))]
        return _answer(f"Apply idea {idea}", program([*ideas, idea], [*modes, PLAIN], number))

    def close(self) -> None:
        """Nothing is under way."""

    def _chosen(self, rng: Generator, error: str, messages: Sequence[Message]) -> str:
        """Draw a mode at the address of the call; what the prompt says counts by compliance."""
        right, wrong = set[str](), set[str]()
        for mode, of, mended in [] if self._misread else said_of_modes(messages):
            if of == error:
                (right if mended else wrong).add(mode)
        mode = MODES[int(rng.integers(len(MODES)))]
        if right and rng.random() < self._compliance:
            return min(right)
        while mode in wrong and not wrong.issuperset(MODES) and rng.random() < self._compliance:
            mode = MODES[int(rng.integers(len(MODES)))]
        return mode


def said_of_modes(messages: Sequence[Message]) -> Iterator[tuple[str, str, bool]]:
    """Yield the modes that a prompt says were tried, for which error, and if that helped."""
    task = messages[-1].content
    lines = [*messages[0].content.splitlines(), *failure_in(task).splitlines()]
    for text in [*lines, *sibling_lines(task), *earlier_answers(messages)]:
        for mode, error in _SAID.findall(text):
            yield mode, error, not _WRONG.search(text)


def _answer(direction: str, text: str) -> Reply:
    told = json.dumps({"direction": direction, "expected_effect": "a point more"})
    return Reply(text=f"```json\n{told}\n```\n\n```python\n{text}```\n")


_SHOWN = {"shown": True}
_GUIDE = {"guide_pack": True}
_WHOLE = {"history": "full"}

ERRORS_WORLD = World(
    name="errors",
    arms={
        NONE: Arm(),
        RAW: Arm(memory={"context": _WHOLE}),
        "session": Arm(memory={"session": _SHOWN}),
        "mend": Arm(operators=("mend",)),
        BUILT: Arm(memory={"session": _SHOWN, "experience": _GUIDE}, operators=("mend",)),
        "irrelevant": Arm(memory={"session": _SHOWN}, misread="misled"),
        SIBLINGS: Arm(siblings=True),
        TIERS: Arm(
            memory={
                "local": {},
                "context": _WHOLE,
                "session": _SHOWN,
                "experience": _GUIDE,
            },
            operators=("mend",),
        ),
    },
    provider="experiments.worlds.errors:Mender",
    evaluator=Raising,
    wanted=lambda _: range(COUNT),
    policy="portfolio",
    operators=("rewriting", "repair"),
)

if TYPE_CHECKING:
    from numpy.random import Generator

    from se_agent.protocols import Evaluator, Model

    _evaluator: Evaluator = Raising(0)
    _model: Model = Mender(Endpoint(name="0.5 seed 0"))
