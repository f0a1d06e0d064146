"""The one place where an operator meets a model: a model-written operator, made like any other.

Not here: the call itself, its budget and its record (`calls`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from se_agent.abilities.optional import Planning
from se_agent.chat.events import Objected, Planned, Replied
from se_agent.chat.messages import Message, family_of
from se_agent.chat.reading_requests import reading_requests
from se_agent.chat.retry import ReadingRounds, ask_with_retry
from se_agent.config.context_limits import ContextLimits
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.models.calls import Calling
from se_agent.engine.models.one_file import one_file_of, whole_proposal
from se_agent.errors import ReplyError
from se_agent.memory import EarlierTurns
from se_agent.protocols import ModelWritten
from se_agent.values.brief import Brief
from se_agent.values.step import Proposal

_EMPTY = "it is empty"


@dataclass(frozen=True)
class ModelOperator:
    """An operator whose candidates a model writes.

    Attributes:
        written: Makes the prompt, and reads the reply.
        calls: Is asked.
        record: Makes strategies durable, and what is objected to a reply.
        rounds: Replies of one call that may ask for parts of a large output.
        shows: What a prompt shows of earlier steps.
    """

    written: ModelWritten
    calls: Calling
    record: Recorder
    rounds: int = 0
    shows: ContextLimits = field(default_factory=ContextLimits)

    @property
    def name(self) -> str:
        """Name of the operator inside."""
        return self.written.name

    @property
    def arity(self) -> int:
        """How many parents the operator takes."""
        return self.written.arity

    def propose(self, brief: Brief) -> Proposal | None:
        """Return what the operator finds in the model's reply, or in its second one.

        None: there was no reply, no usable one, or it has strategies instead of a candidate.

        Raises:
            ModelError: The run has to pause: no call of its models gets a reply.
        """
        part = one_file_of(brief)
        proposal = ask_with_retry(
            self.calls.ask,
            brief.slot.number,
            self.written.role,
            self._conversation(part),
            schema=getattr(self.written, "schema", None),
            read=lambda reply, _: self._read(reply, part),
            again="Answer again, complete, in the form that was asked for.",
            reading=self._reading(part),
        )
        return whole_proposal(brief, proposal)

    def _reading(self, brief: Brief) -> ReadingRounds | None:
        """Return what the model may read: nothing where its prompt names no output."""
        failure = brief.search.failure
        if failure is None or failure.evaluation.output is None:
            return None
        return ReadingRounds(self.rounds, self.calls.fetch)

    def _conversation(self, brief: Brief) -> tuple[Message, ...]:
        """Return the prompt, with earlier steps of its thread where the run shows them.

        A slot that is asked without memory is asked without these, too.
        """
        prompt = self.written.prompt(brief)
        past = self.record.state.open.of(brief.slot.number).past
        if self.shows.history == "none" or past is None or past.memory is None:
            return prompt
        earlier = EarlierTurns(past.threads, self.shows, past.memory.counter, self.record.text)
        return earlier.conversation(self.written.role, brief.slot.strategy, prompt)

    def _read(self, reply: Replied, brief: Brief) -> Proposal | None:
        try:
            return self._meant(reply, brief)
        except ReplyError as err:
            self._note(reply, err)
            raise

    def _note(self, reply: Replied, err: ReplyError) -> None:
        """Record what is objected to a reply; when it is read again, that is known."""
        if (family_of(reply.role), reply.attempt) in self.record.state.open.of(
            reply.slot
        ).objected:
            return
        why = objection(reply, err)
        self.record(Objected(slot=reply.slot, role=reply.role, attempt=reply.attempt, why=why))

    def _meant(self, reply: Replied, brief: Brief) -> Proposal | None:
        if reading_requests(reply.text):
            told = "it asks to read, and nothing more can be read: answer now"
            raise ReplyError(told)
        if not isinstance(self.written, Planning):
            return self.written.parse(reply.text, brief)
        planned = self.written.strategies(reply.text, brief)
        if self.record.state.open.of(brief.slot.number).planned is None:
            self.record(Planned(slot=brief.slot.number, strategies=planned))
        return None


def objection(reply: Replied, err: ReplyError) -> str:
    """Return why a reply cannot be used, for people: also that it is empty, or was cut off."""
    why, usage = str(err) if reply.text.strip() else _EMPTY, reply.usage
    if reply.complete:
        return why
    thoughts = f", {usage.reasoning} of them thoughts" if usage.reasoning else ""
    cut = f"it was cut off at {usage.completion} tokens{thoughts} (max_tokens, or a filter)"
    return f"{cut}: {why}"


if TYPE_CHECKING:
    from se_agent.protocols import Operator

    _: Callable[..., Operator] = ModelOperator
