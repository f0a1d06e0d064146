"""Extractors that ask a model (LM-43): after each step, or once for all siblings.

The model words what Python measured; where there is no usable reply the lesson is the one that
needs no model, so that no experience is lost. Not here: what is asked (`instructions`, and the
templates in `prompts`), and how much of a reply is believed (`reply_grounding`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from se_agent.chat.events import Replied
from se_agent.chat.messages import Message, Role
from se_agent.chat.retry import AskModel, ask_with_retry
from se_agent.chat.structured import schema_of, validated
from se_agent.errors import ReplyError
from se_agent.memory.extraction import instructions
from se_agent.memory.extraction.instructions import text_of
from se_agent.memory.extraction.replies import AGAIN, Said
from se_agent.memory.extraction.reply_grounding import Completing, item
from se_agent.memory.extraction.rule_extractor import DeterministicExtractor, attempt, item_of
from se_agent.memory.extraction.trajectory import trajectory
from se_agent.memory.local.directions import replaced_list
from se_agent.values.lesson import Direction, Item, Lesson
from se_agent.values.solution import Solution
from se_agent.values.step import Step

_PLAIN = DeterministicExtractor()


@dataclass(frozen=True)
class ModelExtractor:
    """Asks a model once for each step.

    Attributes:
        ask: The way to a model.
    """

    ask: AskModel

    def extract(
        self,
        problem: str,
        parent: Solution,
        step: Step,
        directions: Sequence[Direction],
    ) -> Lesson:
        """Return the lesson in the model's words; a step that was not judged asks nobody."""
        plain = _PLAIN.extract(problem, parent, step, directions)
        if not _judged(step):
            return plain
        messages = instructions.extraction(problem, trajectory(parent, step), directions)
        found = _Reading(plain, directions, (step,), step, text_of(messages))
        return found.asked(self.ask, step.slot.number, messages) or plain


@dataclass(frozen=True)
class SiblingExtractor:
    """One call a generation, which contrasts its steps; each has its own plain lesson besides.

    Attributes:
        ask: The way to a model.
    """

    ask: AskModel

    def extract(
        self,
        problem: str,
        parent: Solution,
        step: Step,
        directions: Sequence[Direction],
    ) -> Lesson:
        """Return the lesson of a step that has siblings to come."""
        return _PLAIN.extract(problem, parent, step, directions)

    def contrast(
        self,
        problem: str,
        siblings: Sequence[Step],
        step: Step | None,
        directions: Sequence[Direction],
        *,
        slot: int,
    ) -> Lesson:
        """Return the lesson of a generation's last slot."""
        plain = Lesson(updated_directions=tuple(directions))
        if step is not None:
            plain = self.extract(problem, step.slot.parents[0], step, directions)
        steps = tuple(one for one in (*siblings, step) if one is not None and _judged(one))
        if not steps:
            return plain
        told = [trajectory(one.slot.parents[0], one) for one in steps]
        messages = instructions.contrast(problem, told, directions)
        found = _Reading(plain, directions, steps, step, text_of(messages))
        said = found.asked(self.ask, slot, messages)
        if said is None:
            return plain
        own = plain.new_memory_item
        told_of_own = said.new_memory_item is None or _same_step(said.new_memory_item, own)
        further = () if own is None or told_of_own else (own,)
        return said.model_copy(
            update={
                "new_memory_item": said.new_memory_item or own,
                "further_items": further,
            }
        )


@dataclass(frozen=True)
class _Reading:
    """Makes a lesson of a reply.

    Attributes:
        plain: The lesson without a model.
        old: The current directions.
        steps: Those that the model was told of.
        step: The one that is closed; None: its slot has none.
        given: All that the model was told.
    """

    plain: Lesson
    old: Sequence[Direction]
    steps: Sequence[Step]
    step: Step | None
    given: str

    def asked(self, ask: AskModel, slot: int, messages: Sequence[Message]) -> Lesson | None:
        """Return the lesson of a model's reply; None: there is no usable one."""
        return ask_with_retry(
            ask,
            slot,
            Role.EXTRACT,
            messages,
            schema=schema_of(Said),
            read=self._read,
            again=AGAIN,
        )

    def _read(self, reply: Replied, last: bool) -> Lesson:
        """Return the lesson; the shrink guard (X-10) asks once more before it steps in.

        Raises:
            ReplyError: It cannot be read, or drops most of the fresh directions.
        """
        said = validated(Said, reply.text)
        generation = self.steps[-1].slot.generation
        own = None
        if self.step is not None and _judged(self.step):
            own = attempt(self.step.slot.parents[0], self.step, self.old)
        completing = Completing(self.old, own, self.given, generation)
        new = completing.directions(said.updated_directions)
        refused = replaced_list(self.old, new, generation=generation).refused
        if refused and not last:
            names = "\n".join(f"- {entry.direction} (key {entry.key})" for entry in refused)
            raise ReplyError(
                '"updated_directions" replaces the whole list, and leaves out most of what was '
                f"found lately. Repeat what still holds:\n{names}"
            )
        made = None
        if said.new_memory_item is not None:
            made = item(said.new_memory_item, self._base, self.given, generation)
        return Lesson(updated_directions=new, new_memory_item=made)

    def _base(self, child: str) -> Item | None:
        named = [one for one in self.steps if one.slot.child == child or not child]
        return item_of(named[-1].slot.parents[0], named[-1]) if named else None


def _judged(step: Step) -> bool:
    return None not in (step.proposal, step.verdict, step.evaluation)


def _same_step(one: Item, other: Item | None) -> bool:
    return other is not None and one.source_ref.solution_id == other.source_ref.solution_id


if TYPE_CHECKING:
    from se_agent.abilities.optional import Contrasting
    from se_agent.protocols import Extractor

    def _fits(ask: AskModel) -> tuple[Extractor, Extractor, Contrasting]:
        return ModelExtractor(ask), SiblingExtractor(ask), SiblingExtractor(ask)
