"""What a study puts in the place of the evaluator and of the model: questions to somebody else.

Not here: the search that asks them, and the object that people hold (`study`).
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import thread as _executors
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any  # a JSON schema, as the seam of models has it
from weakref import WeakSet, WeakValueDictionary

from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.sections import Endpoint
from se_agent.errors import ConfigError, SandboxError
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
from se_agent.values.solution import Solution

_CLOSED = "the study was closed"


@dataclass(frozen=True)
class StudyTrial:
    """A program that is to be measured.

    Attributes:
        id: Id of the solution.
        text: The program.
        is_final: Whether this is the confirmation: measure on inputs that no earlier
            measurement had, where there are such.
    """

    id: str
    text: str
    is_final: bool


@dataclass(frozen=True)
class StudyRequest:
    """A prompt that is to be answered, as a model would answer it.

    Attributes:
        messages: The whole conversation: problem, parents, what memory has to say, and the form
            that the reply shall have.
        max_tokens: Most tokens of the reply.
        schema: JSON schema of the reply; None: it is free text.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    schema: Mapping[str, Any] | None

    @property
    def text(self) -> str:
        """The conversation as one text, for who takes no turns."""
        return "\n\n".join(message.content for message in self.messages)


@dataclass(frozen=True)
class ToldScore:
    """What was said of a trial: a score, or what went wrong."""

    score: float
    error: str = ""


class Questions:
    """One question at a time, from the threads of a search to whoever answers.

    Its queues may be written to at any moment, also while garbage is collected.
    """

    def __init__(self) -> None:
        """Open them; nothing is asked yet."""
        self._asked: SimpleQueue[StudyTrial | StudyRequest | None] = SimpleQueue()
        self._told: SimpleQueue[ToldScore | str | None] = SimpleQueue()
        self._turn = threading.Lock()
        self.is_closed = False
        _ALL.add(self)

    def next(self) -> StudyTrial | StudyRequest | None:
        """Wait for a question and return it; None: there will be none."""
        found = self._asked.get()
        if found is not None and not self.is_closed:
            return found
        self._asked.put(None)  # for others who wait, and who ask again
        return None

    def answer(self, told: ToldScore | str) -> None:
        """Answer the question that was returned last."""
        self._told.put(told)

    def ask(self, question: StudyTrial | StudyRequest) -> ToldScore | str:
        """Wait for the answer to a question; several threads wait for their turn.

        Raises:
            SandboxError: There will be no answer.
        """
        with self._turn:
            if self.is_closed:
                raise SandboxError(_CLOSED)
            self._asked.put(question)
            told = self._told.get()
            if told is None:
                raise SandboxError(_CLOSED)
            return told

    def close(self) -> None:
        """Answer nothing any more: who waits, and who asks later, is told so."""
        self.is_closed = True
        self._told.put(None)

    def end(self) -> None:
        """Say that nothing more is asked."""
        self._asked.put(None)
        self.close()


_ALL: WeakSet[Questions] = WeakSet()


def _close_all() -> None:
    for questions in [*_ALL]:
        questions.close()


# When Python ends, it waits for the threads of all pools, and those of an open study would wait
# for an answer. What is registered last is called first: `_executors` is imported for that.
assert _executors
threading._register_atexit(_close_all)  # type: ignore[attr-defined] # noqa: SLF001


class OutsideEvaluator:
    """An evaluator that asks somebody else; scores on each set of inputs are asked for once."""

    kind = ComparisonKind.EXACT

    def __init__(self, questions: Questions, direction: str) -> None:
        """Have scores asked for.

        Args:
            questions: Where they are asked for.
            direction: "maximize", or else a smaller one is better.
        """
        self._questions = questions
        self._sign = 1 if direction == "maximize" else -1
        self._known: dict[tuple[str, InputSet], ToldScore] = {}
        self._closed = False

    def preflight(self, solution: Solution) -> Preflight:
        """Ask for the initial program's score."""
        return Preflight(evaluation=self.evaluate(solution))

    def evaluate(self, solution: Solution) -> Evaluation:
        """Ask for a score."""
        found = self._measured(solution, InputSet.SEARCH)
        if found.error:
            failed = FailedCase(name="measured outside", expected="a score", got=found.error)
            return Evaluation(status=Status.WA, failing=(failed,), feedback=found.error)
        return Evaluation(
            status=Status.AC, measurement=Measurement(cpu_seconds=0.0), score=found.score
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
        """Compare two scores; on final inputs both are asked for anew."""
        old, new = (self._measured(each, inputs) for each in (reference, candidate))
        return Block(
            number=number,
            effect=self._sign * (new.score - old.score),
            reference=old.score,
            candidate=new.score,
            pairs=pairs,
            status=Status.WA if new.error else Status.AC,
            reference_status=Status.WA if old.error else Status.AC,
            feedback=new.error or old.error,
            unit="",
        )

    def close(self) -> None:
        """Nothing more is asked for."""
        self._closed = True

    def _measured(self, solution: Solution, inputs: InputSet) -> ToldScore:
        key = (solution.content, inputs)
        if key not in self._known:
            self._known[key] = self._ask(solution, is_final=inputs is InputSet.FINAL)
        return self._known[key]

    def _ask(self, solution: Solution, *, is_final: bool) -> ToldScore:
        if self._closed:
            raise SandboxError(_CLOSED)
        told = self._questions.ask(StudyTrial(solution.id, solution.text, is_final))
        assert isinstance(told, ToldScore)  # `Study.tell` sees to it
        return told


_OPEN: WeakValueDictionary[str, Questions] = WeakValueDictionary()
"""Questions of open studies, by name: a provider is given the endpoint of a run file alone."""

_numbers = itertools.count(1)


def endpoint_of(questions: Questions) -> dict[str, object]:
    """Return the table `[models.outside]` of a run whose prompts somebody else answers."""
    name = f"outside_{next(_numbers)}"
    _OPEN[name] = questions
    return {"name": name, "provider": f"{__name__}:OutsideModel"}


class OutsideModel:
    """A model that asks somebody else; tokens are counted by the engine."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Find the study that an endpoint belongs to.

        Raises:
            ConfigError: It is not open: its run cannot go on.
        """
        questions = _OPEN.get(endpoint.name)
        if questions is None or questions.is_closed:
            gone = f"{endpoint.name!r}: the study that answered this run's prompts has ended"
            raise ConfigError(gone, hint="begin a new study, from the best program of this run")
        self._questions = questions

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Return what was told.

        Raises:
            SandboxError: The study was closed.
        """
        told = self._questions.ask(StudyRequest(tuple(messages), max_tokens, schema))
        assert isinstance(told, str)  # `Study.tell` sees to it
        return Reply(text=told)

    def close(self) -> None:
        """Break nothing off: closing the study does."""
