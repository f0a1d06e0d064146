"""How a reply replaces the list of directions, what a full list gives up, and the advice."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.extraction.rule_extractor import key_of
from se_agent.memory.local.directions import (
    FRESH,
    TABU,
    approach,
    direction_key,
    factors,
    next_cut,
    replaced_list,
)
from se_agent.values.lesson import Direction, Outcome
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal
from tests.fakes import solution
from tests.memory.examples import DIRECTIONS, direction

LISTS = st.lists(DIRECTIONS, max_size=14)


def keyed(entries: list[Direction]) -> tuple[Direction, ...]:
    return replaced_list((), entries, generation=0).directions


@pytest.mark.tier("runs")
@pytest.mark.lm("LM-52")
@given(LISTS, LISTS, st.integers(0, 60))
def test_the_list_equals_the_reply_unless_the_guard_refused(
    old: list[Direction], reply: list[Direction], generation: int
) -> None:
    before = keyed(old)
    new = replaced_list(before, reply, generation=generation)
    if not new.refused:
        told = [entry for entry in new.directions if not (entry.untried and entry in before)]
        assert {entry.direction for entry in told} <= {e.direction for e in reply}
        assert len(told) <= len(reply)
    else:
        kept = {entry.key for entry in new.directions}
        assert kept >= {entry.key for entry in before}


@pytest.mark.tier("runs")
@given(LISTS, LISTS)
def test_keys_are_unique_and_replacing_by_itself_changes_nothing(
    old: list[Direction], reply: list[Direction]
) -> None:
    new = replaced_list(keyed(old), reply, generation=1).directions
    keys = [entry.key for entry in new]
    assert len(keys) == len(set(keys))
    assert "" not in keys
    assert replaced_list(new, new, generation=1) == (new, ())


@pytest.mark.lm("LM-52")
def test_the_reply_replaces_the_whole_list_lm_52() -> None:
    old = keyed([direction("memoise"), direction("use a heap")])
    reply = keyed([direction("use a heap", Outcome.SUCCESS), direction("bisect")])
    assert replaced_list(old, reply, generation=1) == (reply, ())


@pytest.mark.parametrize("left", [0, 1])
def test_a_reply_that_drops_most_fresh_entries_is_refused(left: int) -> None:
    """X-10: the old entries stay, in the reply's words where it has them."""
    old = keyed([direction("a"), direction("b"), direction("c")])
    told = [direction("a", Outcome.SUCCESS), direction("new")]
    new = replaced_list(old, told[1 - left :], generation=5)
    assert [entry.direction for entry in new.directions] == ["a", "b", "c", "new"]
    assert new.directions[0].outcome is (Outcome.SUCCESS if left else Outcome.NEUTRAL)
    assert new.refused == old[left:]


def test_stale_entries_may_all_be_dropped() -> None:
    old = keyed([direction("a", generation=1), direction("b", generation=1)])
    assert replaced_list(old, [], generation=1 + FRESH).refused == old
    assert replaced_list(old, [], generation=2 + FRESH) == ((), ())


def suggested(text: str) -> Direction:
    return direction(text).model_copy(update={"tries": 0})


def test_what_a_person_suggested_stays_until_it_was_tried() -> None:
    old = keyed([suggested("union-find"), direction("a"), direction("b")])
    left = replaced_list(old, [direction("a")], generation=50)
    assert [entry.direction for entry in left.directions] == ["a", "union-find"]
    assert left.refused == ()
    (tried,) = replaced_list(
        left.directions, [direction("Union find!")], generation=50
    ).directions
    assert (tried.direction, tried.untried) == ("Union find!", False)
    assert replaced_list((tried,), [], generation=50).directions == ()


def test_what_a_person_suggested_is_cut_last() -> None:
    entries = [suggested("union-find"), direction("a", Outcome.SUCCESS, generation=9)]
    assert entries[next_cut(entries)].direction == "a"


def test_a_reworded_key_keeps_its_place_in_the_ledger() -> None:
    old = keyed([direction("Use a set!", key="set@solve")])
    (entry,) = replaced_list(old, [direction("use a  SET")], generation=1).directions
    assert entry.key == "set@solve"
    assert direction_key("Use a set!") == direction_key("use a  SET")


@given(st.lists(DIRECTIONS, min_size=1, max_size=14))
def test_neutral_entries_are_cut_first_and_the_oldest_of_them(entries: list[Direction]) -> None:
    cut = entries[next_cut(entries)]
    tried = [entry for entry in entries if not entry.untried] or entries
    neutral = [entry for entry in tried if entry.outcome is Outcome.NEUTRAL]
    assert cut in (neutral or tried)
    oldest = min(entry.source_ref.generation for entry in neutral or tried)
    assert cut.source_ref.generation == oldest


def test_advice_is_a_factor_by_what_came_of_a_direction() -> None:
    said = factors(
        {"set@solve": Outcome.SUCCESS, "heap@go": Outcome.FAILED, "bisect@go": Outcome.NEUTRAL}
    )
    assert 0 < said["heap@go"] == TABU < said["bisect@go"] < 1.0 < said["set@solve"]


def test_an_edit_follows_the_direction_that_a_step_of_it_alone_is_kept_by() -> None:
    edit = Edit(rule="set", function="solve", node="0")
    proposal = Proposal(solution=solution("x = 1"), direction="a set")
    assert approach(edit) == key_of(proposal, (edit,)) == "set@solve"
    long = dataclasses.replace(edit, function="f" * 80)
    assert approach(long) == key_of(proposal, (long,))
    assert len(approach(long)) == 12
