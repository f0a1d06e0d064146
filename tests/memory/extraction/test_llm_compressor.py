"""Compression by a model: merged and worded within the seed's policy, or by the rules."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.messages import Role
from se_agent.config.sections import LocalSection
from se_agent.errors import ReplyError
from se_agent.memory.extraction.llm_compressor import ModelCompressor, condensed_bank
from se_agent.memory.extraction.replies import KeptItem
from se_agent.memory.local.bank import idle, weight
from se_agent.memory.local.memory import LocalMemory
from se_agent.memory.local.rendering import render_markdown
from se_agent.values.evaluation import Branch, Status
from se_agent.values.lesson import Item
from tests.memory.examples import COUNTER, ITEMS, at, direction, item, lesson, memory
from tests.memory.keepers import Json, Scripted

WORDS = "This is why it works here, and where it would again. " * 3
GAINS = [
    item(name, gain, number=number, content=WORDS)
    for number, (name, gain) in enumerate(
        [("Fast input", 0.3), ("Sets", 2.0), ("Fast output", 0.4), ("Bisect", 0.5)]
    )
]
LOSSES = [
    item("Floats", -math.inf, Status.WA, number=5, content=WORDS),
    item("Threads", -0.4, number=6, content=WORDS),
]
BANK = [*GAINS, *LOSSES]
LIMITS = LocalSection()
REPLY: Json = {
    "items": [
        {"sources": [5], "title": "", "description": "", "content": ""},
        {"sources": [1], "title": "Sets", "content": "Ask a set. It gave 70%."},
        {"sources": [0, 2], "title": "Whole input, whole output.", "content": "Read at once."},
        {"sources": [4], "content": "Sums of floats differ."},
    ]
}


def condense(
    *kept: Json, bank: list[Item] = BANK, limits: LocalSection = LIMITS
) -> tuple[Item, ...]:
    said = [KeptItem.model_validate(one) for one in kept]
    return condensed_bank(bank, said, limits=limits, given="0.5 s")


@pytest.mark.lm("LM-56", "LM-57", "LM-58", "LM-60")
def test_words_are_the_models_and_evidence_and_counts_ours_lm_60() -> None:
    sets, io, floats, threads = condense(*REPLY["items"])
    assert (sets.title, sets.content) == ("Sets", "Ask a set.")
    assert (io.title, io.content) == ("Whole input, whole output", "Read at once.")
    assert (io.effect, io.merged) == (0.4, 2)
    assert io.source_ref == GAINS[2].source_ref
    assert io.evidence.context == "also Gen1_Sol_0"
    assert io.evidence.metrics_delta == GAINS[2].evidence.metrics_delta
    assert (floats.title, floats.content) == ("Floats", "Sums of floats differ.")
    assert threads == LOSSES[1]


@pytest.mark.lm("LM-57", "LM-58", "LM-59")
@pytest.mark.parametrize(
    ("kept", "why"),
    [
        pytest.param([[0], [1], [2], [3]], "4 lessons of type Success", id="too-many"),
        pytest.param([[0, 5], [1]], "success is merged with a failure", id="mixed"),
        pytest.param([[1], [1]], "lesson 1 is part of more than one", id="twice"),
        pytest.param([[1], [9]], "there is no lesson 9: they have numbers 0 to 5", id="nobody"),
        pytest.param([[0], [2, 3]], "lesson 1 has the largest gain", id="best-lost"),
        pytest.param([], "lesson 1 has the largest gain", id="nothing"),
        pytest.param([[1]], "lesson 4 is the severest failure", id="no-failure"),
        pytest.param([[1], [5]], "lesson 4 is the severest failure", id="a-lesser-failure"),
    ],
)
def test_what_breaks_the_policy_is_said(kept: list[list[int]], why: str) -> None:
    with pytest.raises(ReplyError, match=why):
        condense(*({"sources": sources} for sources in kept))


@pytest.mark.lm("LM-59")
@pytest.mark.parametrize(
    "old",
    [
        item("`heap` in `solve`: WA", -1.0, Status.WA, generation=1),
        item("Nearly nothing", 0.001),
    ],
)
def test_what_teaches_nothing_any_more_is_not_kept_lm_59(old: Item) -> None:
    bank = [old, item("`heap` in `solve`: 2 s -> 1 s", 0.7, generation=4)]
    assert condense({"sources": [0]}, {"sources": [1]}, bank=bank) == (bank[1],)


@pytest.mark.tier("runs")
@given(
    st.lists(ITEMS, min_size=1, max_size=8),
    st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=4), max_size=6),
    st.integers(0, 3),
    st.integers(0, 2),
)
def test_whatever_is_kept_is_made_of_what_was_given_and_in_its_order(
    bank: list[Item], kept: list[list[int]], successes: int, failures: int
) -> None:
    limits = LocalSection(keep_successes=successes, keep_failures=failures)
    said: list[Json] = [{"sources": sources, "content": "x"} for sources in kept]
    try:
        found = condense(*said, bank=bank, limits=limits)
    except ReplyError:
        return
    kept = [group for group in kept if not all(idle(bank[n], bank) for n in group)]
    best = [max((bank[n] for n in group), key=weight) for group in kept]
    order = sorted(best, key=lambda one: next(n for n, i in enumerate(bank) if i is one))
    for one, old in zip(found, order, strict=True):
        assert (one.source_ref, one.effect, one.type) == (old.source_ref, old.effect, old.type)
        assert one.evidence.metrics_delta == old.evidence.metrics_delta
    assert sum(one.merged for one in found) == sum(bank[n].merged for g in kept for n in g)
    assert sum(one.type is Branch.SUCCESS for one in found) <= successes
    assert sum(one.type is Branch.FAILURE for one in found) <= failures


def full() -> tuple[LocalMemory, Item]:
    """A memory that has no room for the last item of the bank."""
    state = memory(token_limit=500)
    for one in BANK[:-1]:
        state = state.apply(lesson(direction("a"), new=one), at()).memory
    return state, BANK[-1]


@pytest.mark.lm("LM-28", "LM-54", "LM-56", "LM-66")
def test_a_full_bank_is_compressed_by_the_model_and_fits_lm_56() -> None:
    state, last = full()
    assert len(state.reasoning_bank) == 5
    ask, taught = Scripted(REPLY), lesson(direction("a"), new=last)
    bank = ModelCompressor(ask).compress(state, taught, at(), slot=7)
    assert bank is not None
    ((slot, role, attempt, messages),) = ask.asked
    assert (slot, role, attempt) == (7, Role.COMPRESS, 0)
    assert '"title": "Threads"' in messages[-1].content
    applied = state.apply(taught, at(), bank=bank)
    assert applied.compressed
    assert applied.memory.reasoning_bank[0].title == "Sets"
    assert COUNTER.count(render_markdown(applied.memory)) <= 500
    evicted = {entry.title for entry in applied.evicted}
    assert evicted == {"Fast input", "Bisect"}
    again = lesson(direction("a"))
    assert ModelCompressor(ask).compress(applied.memory, again, at(), slot=8) is None
    assert len(ask.asked) == 1


@pytest.mark.parametrize(
    "replies",
    [
        pytest.param((), id="nobody"),
        pytest.param(("no", "no"), id="garbage"),
        pytest.param(({"items": []}, {"items": [{"sources": [77]}]}), id="policy"),
    ],
)
def test_where_the_model_fails_the_rules_compress(replies: tuple[str | Json, ...]) -> None:
    state, last = full()
    taught = lesson(direction("a"), new=last)
    ask = Scripted(*replies)
    assert ModelCompressor(ask).compress(state, taught, at(), slot=7) is None
    applied = state.apply(taught, at())
    assert applied.compressed
    assert applied.memory.tokens <= 500


def test_an_error_is_shown_once_and_the_second_reply_taken() -> None:
    state, last = full()
    ask = Scripted({"items": [{"sources": [0]}]}, REPLY)
    assert ModelCompressor(ask).compress(state, lesson(direction("a"), new=last), at(), slot=7)
    assert "lesson 1 has the largest gain" in ask.asked[1][3][-1].content


def test_room_is_no_reason_to_ask() -> None:
    ask = Scripted(REPLY)
    taught = lesson(direction("a"), new=BANK[0])
    assert ModelCompressor(ask).compress(memory(), taught, at(), slot=0) is None
    crowd = lesson(*(direction(f"{n} {WORDS}") for n in range(12)), new=BANK[0])
    small = memory(token_limit=300)
    assert ModelCompressor(ask).compress(small, crowd, at(), slot=0) is None
    assert ask.asked == []
