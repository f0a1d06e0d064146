"""The seams. An implementation needs no base class, only these methods.

A seam has a contract suite in `tests/contracts/` that every implementation inherits, ours and a
third party's. CONTRIBUTING.md says how each is registered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

from se_agent.chat.events import EventBase
from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.events import Event
from se_agent.values.brief import Brief
from se_agent.values.closed_step import ClosedStep
from se_agent.values.evaluation import Block, ComparisonKind, Evaluation, InputSet, Preflight
from se_agent.values.lesson import Direction, Lesson
from se_agent.values.memory_context import Advice, MemoryContext
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import View


class Policy(Protocol):
    """The search itself: pure and seeded. The same past gives the same slots."""

    def ask(self, view: View) -> Slot | None:
        """Return what to try in slot `view.slot`, or None when nothing is left to try."""
        ...

    def tell(self, step: Step) -> None:
        """Take note of a closed step; steps come in slot order."""
        ...


class Operator(Protocol):
    """Makes one candidate, by a model, a rule or a tuner: the loop cannot tell which.

    One for programs of a single language says so in an attribute `language`; one that only
    a run that names it shall use has the attribute `by_default`, False; one of a single parent
    that has no change of its own, but unites those that a slot names, `unites`, True; one whose
    candidates rest on observed behaviour alone, `guesses`, True; one that mends
    failing programs, `mends`, True (see `FailureMending`); one whose changes read worse than
    what they replace, `is_plain`, False: each of them has to be worth more to stay.
    """

    @property
    def name(self) -> str:
        """Registered name."""
        ...

    @property
    def arity(self) -> int:
        """How many parents it takes: 1 for a mutation, 2 for a crossover."""
        ...

    def propose(self, brief: Brief) -> Proposal | None:
        """Return a candidate that differs from its parents, or None when there is none.

        Same brief, same proposal; the brief is left as it was.
        """
        ...


class ModelWritten(Protocol):
    """An operator whose candidates a model writes, split so that both halves are pure.

    It never calls a model: the engine does, and makes an `Operator` of it. One that only a run
    that names it shall use has the attribute `by_default`, False.
    """

    @property
    def name(self) -> str:
        """Registered name."""
        ...

    @property
    def role(self) -> str:
        """What its calls are for: a `Role`, or another name of small letters and `_`."""
        ...

    @property
    def arity(self) -> int:
        """How many parents it takes."""
        ...

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        """Return the messages, what never changes first. Same brief, same messages."""
        ...

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        """Return the candidate found in `reply`; None: the model says that there is none.

        Raises:
            ReplyError: The reply cannot be used as it is. The model is told why, once.
        """
        ...


class Model(Protocol):
    """The only way to a language model. Used by many threads at a time."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Return the reply.

        Args:
            messages: The whole conversation.
            max_tokens: Most tokens that the reply may take, thoughts included.
            schema: JSON schema that the reply shall follow, where the endpoint can see to it.
            again: Asked before another attempt, with those that gave no reply and may be billed
                all the same: there may be no budget, or the run ends. It answers at once, and
                who is refused gives up. None: no objection.

        Raises:
            TooLongError: None to a prompt of this length; the endpoint is well.
            ModelError: None can be had: what can be tried again was tried.
        """
        ...

    def close(self) -> None:
        """Break off what is under way, for good; may be called twice, by another thread."""
        ...


class Evaluator(Protocol):
    """Runs solutions in a sandbox. Raises only if the *evaluator* is broken.

    It measures; it never decides. How many blocks a comparison takes is the engine's
    business (`se_agent.stats.sequential`), so that each block is durable the moment it exists.

    1. Used by one thread at a time; a run with two workers makes two evaluators.
    2. `close` ends every process it started, for good: it may be called twice, before
       anything was started, and by another thread. What is under way, or is asked for
       afterwards, raises `SandboxError`.
    """

    @property
    def kind(self) -> ComparisonKind:
        """What its blocks rest on; an exact one needs a single block."""
        ...

    def preflight(self, solution: Solution) -> Preflight:
        """Make sure that the problem can be measured, from its initial program.

        Raises:
            ProblemError: It fails its own tests, its answers differ between two runs, its
                inputs cannot be made or are too small to measure.
        """
        ...

    def evaluate(self, solution: Solution) -> Evaluation:
        """Say whether the solution is right; a failure is a value."""
        ...

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Measure two right solutions anew, interleaved: a stored time is worthless.

        Answers are checked on the way: a candidate that is wrong on an input of the block
        ends it with its status.
        """
        ...

    def close(self) -> None:
        """End every process that was started; nothing can be measured afterwards."""
        ...


class Memory(Protocol):
    """What a run knows, as the engine uses it: an immutable value, folded over its events.

    The same events give the same memory. Nothing that was handed out changes later, so a slot
    is shown what was there when it was selected: live, after a crash, and in a replay.
    """

    def apply(self, event: Event, closed: ClosedStep | None = None) -> Self:
        """Return the memory after an event.

        Args:
            event: The next one on record.
            closed: With a `Learned`: what the state knows of its slot; else None.
        """
        ...

    def context(self, slot: Slot, role: str) -> MemoryContext:
        """Return what a prompt shows for a slot.

        Args:
            slot: What is to be tried.
            role: Name of the role that a model is asked in; empty: no model is asked.
        """
        ...

    def advice(self) -> Advice:
        """Return what a policy may use: a soft prior, never a ban."""
        ...


class MemoryTier(Protocol):
    """One tier of the memory stack, made from a run's token counter.

    An immutable value as `Memory`: it asks no clock, file or network, and `apply` returns
    another tier, or this one where nothing changed.

    It is not given the run file. What that says of it stands in the event `Started`, which is
    the first one that it is told of.
    """

    @property
    def name(self) -> str:
        """What prompts and records call it; no other tier of a run has the same."""
        ...

    @property
    def token_limit(self) -> int:
        """Tokens that it may have in a prompt; lines beyond are cut, the last ones first."""
        ...

    @property
    def empty(self) -> bool:
        """Whether nothing was learned yet: a run whose tiers are empty has no memory."""
        ...

    def apply(self, event: Event, closed: ClosedStep | None = None) -> Self:
        """Return the tier after an event; see `Memory.apply`."""
        ...

    def context(self, slot: Slot, role: str) -> str:
        """Return its section of a prompt, as Markdown; empty: it says nothing."""
        ...

    def advice(self) -> Advice:
        """Return its advice; see `Memory.advice`."""
        ...


class Extractor(Protocol):
    """Distils a lesson from a finished step (LM-34, LM-43)."""

    def extract(
        self, problem: str, parent: Solution, step: Step, directions: Sequence[Direction]
    ) -> Lesson:
        """Return the new list of directions, whole, and a memory item or none."""
        ...


class Listener(Protocol):
    """Is told of every event once it is durable."""

    def on_event(self, event: Event) -> None:
        """Take note; what it raises ends the run."""
        ...


class Fold(Protocol):
    """Part of where a run stands: a value that its events alone decide.

    A run hands each event to its folds in a fixed order, live, resumed and replayed alike.
    One of another package is made without arguments, and finds the run file in `Started`.

    1. The same events give the same value: no clock, no file, no chance.
    2. It can be pickled: a snapshot of a run holds its folds.
    3. Stages of open slots come in any order. What such a slot may see of a fold must not
       depend on it: what belongs to a slot counts once its `Learned` is there.
    """

    @property
    def reads(self) -> tuple[type[EventBase], ...]:
        """Return the kinds of events that it is told of; the same for all of a class."""
        ...

    def apply(self, event: Event) -> None:
        """Move on by one event of these kinds."""
        ...
