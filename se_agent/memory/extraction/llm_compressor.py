"""Compression by a model: it merges and words, within the seed's policy, and Python checks it.

Where it does not keep to that, the rules compress (`bank`): `LocalMemory` does so by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.chat.events import Replied
from se_agent.chat.messages import Role
from se_agent.chat.retry import AskModel, ask_with_retry
from se_agent.chat.structured import schema_of, validated
from se_agent.config.sections import LocalSection
from se_agent.errors import ReplyError
from se_agent.memory.extraction import instructions
from se_agent.memory.extraction.instructions import text_of
from se_agent.memory.extraction.replies import AGAIN, Compressed, KeptItem
from se_agent.memory.extraction.reply_grounding import in_words
from se_agent.memory.local.bank import idle, ranked_items, united_item, weight
from se_agent.memory.local.memory import LocalMemory
from se_agent.values.evaluation import Branch
from se_agent.values.lesson import GlobalStatus, Item, Lesson

_TOO_LONG = "the lessons are still too long: be briefer, or keep fewer"


@dataclass(frozen=True)
class ModelCompressor:
    """Asks a model when the bank outgrows its room.

    Attributes:
        ask: The way to a model.
    """

    ask: AskModel

    def compress(
        self, memory: LocalMemory, lesson: Lesson, status: GlobalStatus, *, slot: int
    ) -> tuple[Item, ...] | None:
        """Return the bank after a lesson; None where it has room, or rules have to compress.

        Args:
            memory: Before the lesson.
            lesson: What is learned.
            status: Where the run stands after the step.
            slot: The slot whose step is closed with it.
        """
        bank, limits = memory.with_items(lesson), memory.limits
        if not memory.is_crowded(lesson, status) or memory.is_crowded(lesson, status, bank=()):
            return None  # there is room, or it is the directions that have none
        messages = instructions.compression(
            bank,
            successes=limits.keep_successes,
            failures=limits.keep_failures,
            room=limits.item_token_limit,
        )
        given = text_of(messages)

        def read(reply: Replied, last: bool) -> tuple[Item, ...]:
            del last
            said = validated(Compressed, reply.text)
            found = condensed_bank(bank, said.items, limits=limits, given=given)
            if memory.is_crowded(lesson, status, bank=found):
                raise ReplyError(_TOO_LONG)
            return found

        return ask_with_retry(
            self.ask,
            slot,
            Role.COMPRESS,
            messages,
            schema=schema_of(Compressed),
            read=read,
            again=AGAIN,
        )


def condensed_bank(
    bank: Sequence[Item], said: Sequence[KeptItem], *, limits: LocalSection, given: str
) -> tuple[Item, ...]:
    """Return the compressed bank (LM-57 to LM-60), in its order.

    What teaches nothing any more is left out, whatever the reply says of it.
    Every item is made of given ones: the evidence is that of the best of them, counts add up.

    Args:
        bank: What was to be compressed, oldest first.
        said: The reply.
        limits: How many of each type may stay.
        given: All that the model was told.

    Raises:
        ReplyError: It does not keep to the policy; the message is for the model.
    """
    groups = [[_at(bank, number) for number in kept.sources] for kept in said]
    _check(bank, said, groups, limits)
    places = {id(item): place for place, item in enumerate(bank)}
    made = []
    for kept, group in zip(said, groups, strict=True):
        if all(idle(item, bank) for item in group):
            continue  # to be told so once more would cost a call
        ordered = sorted(group, key=weight, reverse=True)
        made.append((places[id(ordered[0])], in_words(united_item(ordered), kept, given)))
    return tuple(item for _, item in sorted(made, key=lambda one: one[0]))


def _at(bank: Sequence[Item], number: int) -> Item:
    if not 0 <= number < len(bank):
        raise ReplyError(f"there is no lesson {number}: they have numbers 0 to {len(bank) - 1}")
    return bank[number]


def _check(
    bank: Sequence[Item],
    said: Sequence[KeptItem],
    groups: Sequence[Sequence[Item]],
    limits: LocalSection,
) -> None:
    numbers = [number for kept in said for number in kept.sources]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        raise ReplyError(f"lesson {twice[0]} is part of more than one, or named twice")
    for kept, group in zip(said, groups, strict=True):
        if len({item.type for item in group}) > 1:
            raise ReplyError(f"{kept.sources}: a success is merged with a failure")
    successes, failures = limits.keep_successes, limits.keep_failures
    _check_branch(bank, groups, Branch.SUCCESS, successes, "has the largest gain")
    _check_branch(bank, groups, Branch.FAILURE, failures, "is the severest failure")


def _check_branch(
    bank: Sequence[Item], groups: Sequence[Sequence[Item]], branch: Branch, most: int, best: str
) -> None:
    own = [group for group in groups if group[0].type is branch]
    if len(own) > most:
        raise ReplyError(f"{len(own)} lessons of type {branch} are kept, {most} are allowed")
    held = {id(item) for group in own for item in group}
    for first in ranked_items(bank, branch)[: min(most, 1)]:
        if id(first) not in held:
            number = next(place for place, item in enumerate(bank) if item is first)
            raise ReplyError(f"lesson {number} {best}, and is not kept")
