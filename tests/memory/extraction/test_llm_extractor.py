"""Lessons by a model: it words what was measured, and nothing is lost where it cannot."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.messages import Role
from se_agent.memory.extraction.llm_extractor import ModelExtractor, SiblingExtractor
from se_agent.memory.extraction.rule_extractor import DeterministicExtractor
from se_agent.memory.local.directions import direction_key, replaced_list
from se_agent.protocols import Extractor
from se_agent.values.evaluation import Branch, FailedCase, Status
from se_agent.values.lesson import Direction, Item, Lesson, Outcome
from se_agent.values.solution import Solution
from se_agent.values.step import Step
from tests.contracts.extractor import ExtractorContract
from tests.memory.examples import (
    CHILD,
    MODEL_WRITTEN,
    PARENT,
    comparison,
    direction,
    failed,
    judged,
    proposal,
)
from tests.memory.keepers import Diligent, Json, Scripted

OURS = MODEL_WRITTEN.id
TOLD = proposal(MODEL_WRITTEN, direction="Ask a set")
GAIN = judged(comparison(0.150, 0.120), TOLD)
NOISE = judged(comparison(0.150, 0.148, spread=0.05), TOLD)
WRONG = failed(Status.WA, TOLD, case=FailedCase(name="case 3", expected="1", got="2"))
OLD = (
    direction("Use a heap", Outcome.FAILED, key="aaaa00000001", evidence="TLE", number=7),
    direction("Use bisect", Outcome.SUCCESS, key="aaaa00000002", evidence="2x", number=8),
    direction("Unroll", key="aaaa00000003", number=9),
)
HEAP, BISECT, UNROLL = (
    {"key": entry.key, "direction": entry.direction, "source_ref": entry.source_ref.solution_id}
    for entry in OLD
)


def said(*directions: Json, item: Json | None = None) -> Json:
    return {"updated_directions": list(directions), "new_memory_item": item}


def taught(reply: str | Json, step: Step = GAIN, old: tuple[Direction, ...] = OLD) -> Lesson:
    return ModelExtractor(Scripted(reply)).extract("Count.", PARENT, step, old)


def plain(step: Step = GAIN, old: tuple[Direction, ...] = OLD) -> Lesson:
    return DeterministicExtractor().extract("Count.", PARENT, step, old)


def item_of(lesson: Lesson) -> Item:
    assert lesson.new_memory_item is not None
    return lesson.new_memory_item


@pytest.mark.lm("LM-43", "LM-63", "LM-64", "LM-65")
class TestModelExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> Extractor:
        return ModelExtractor(Diligent())


class TestSiblingExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> Extractor:
        return SiblingExtractor(Diligent())


@pytest.mark.lm("LM-43", "LM-63")
@pytest.mark.parametrize("step", [GAIN, NOISE, WRONG])
def test_one_call_does_both_tasks_lm_43(step: Step) -> None:
    ask = Diligent()
    ModelExtractor(ask).extract("Count.", PARENT, step, OLD)
    ((slot, role, attempt, messages),) = ask.asked
    assert (slot, role, attempt) == (step.slot.number, Role.EXTRACT, 0)
    assert [message.role for message in messages] == ["system", "user"]
    assert ask.schemas[0] is not None
    assert set(ask.schemas[0]["properties"]) == {"updated_directions", "new_memory_item"}


def test_a_step_that_was_not_judged_asks_nobody() -> None:
    ask = Diligent()
    ModelExtractor(ask).extract("Count.", PARENT, Step(slot=GAIN.slot), OLD)
    assert ask.asked == []


NEW: Json = {
    "direction": "Hash lookups",
    "outcome": "Success",
    "source_ref": "Gen_1_Sol_3",
    "evidence": "Each lookup takes the same time.",
}


@pytest.mark.lm("LM-46", "LM-47", "LM-48", "LM-64")
def test_the_words_are_the_models_and_the_figures_ours() -> None:
    lesson = taught(said(HEAP, BISECT | {"direction": "Return a constant"}, NEW))
    heap, bisect, new = lesson.updated_directions
    assert heap == OLD[0]
    assert bisect == OLD[1], "its figures are of what it says"
    assert new.direction == "Hash lookups"
    assert new.evidence == "150 ms -> 120 ms (1.25x); Each lookup takes the same time"
    assert (new.outcome, new.gains, new.losses, new.tries) == (Outcome.SUCCESS, 1, 0, 1)
    assert (new.source_ref.solution_id, new.source_ref.parent_id) == (OURS, PARENT.id)
    assert new.key == direction_key("Ask a set")


@pytest.mark.lm("LM-46")
def test_a_model_may_see_that_an_approach_is_an_old_one_lm_46() -> None:
    again = BISECT | {"direction": "Search in sorted lists", "source_ref": OURS}
    lesson = taught(said(HEAP, again, UNROLL), step=WRONG)
    heap, bisect, unroll = lesson.updated_directions
    assert (heap, unroll) == (OLD[0], OLD[2])
    assert (bisect.key, bisect.direction) == (OLD[1].key, "Use bisect"), "as it was measured"
    assert (bisect.tries, bisect.gains, bisect.losses) == (2, 1, 1)
    assert bisect.outcome is Outcome.SUCCESS
    assert bisect.evidence.startswith("2x (Gen1_Sol_8); last: WA on case 3")


def test_what_the_edits_say_of_an_approach_is_settled() -> None:
    step = judged(comparison(0.150, 0.120))
    old = (*OLD, direction("Sets", key="set_membership@solve"))
    lesson = taught(said(HEAP | {"source_ref": CHILD.id}, BISECT, UNROLL), step, old)
    found = {entry.key: entry for entry in lesson.updated_directions}
    assert found["aaaa00000001"] == OLD[0]
    assert found["set_membership@solve"].tries == 2


@pytest.mark.parametrize(
    ("change", "step", "outcome"),
    [
        pytest.param({"outcome": "Neutral"}, WRONG, Outcome.NEUTRAL, id="a-slip"),
        pytest.param({"outcome": "Success"}, WRONG, Outcome.FAILED, id="no-praise"),
        pytest.param({"outcome": "Failed"}, NOISE, Outcome.NEUTRAL, id="no-tabu"),
        pytest.param({"outcome": "Neutral"}, GAIN, Outcome.SUCCESS, id="a-proof-stays"),
        pytest.param({"outcome": "mixed"}, WRONG, Outcome.FAILED, id="no-outcome"),
        pytest.param({"outcome": None}, WRONG, Outcome.FAILED, id="null"),
    ],
)
@pytest.mark.lm("LM-41", "LM-42")
def test_a_model_may_take_a_tabu_back_and_nothing_else(
    change: Json, step: Step, outcome: Outcome
) -> None:
    lesson = taught(said(HEAP, BISECT, UNROLL, NEW | change), step)
    assert lesson.updated_directions[-1].outcome is outcome


@pytest.mark.lm("LM-48")
def test_duplicates_and_what_nobody_attempted_are_left_out() -> None:
    invented = {"direction": "Try a trie", "source_ref": "Gen9_Sol_9", "outcome": "Success"}
    lesson = taught(said(HEAP, HEAP, BISECT, UNROLL, invented, NEW, NEW | {"direction": "x"}))
    words = [entry.direction for entry in lesson.updated_directions]
    assert words == ["Use a heap", "Use bisect", "Unroll", "Hash lookups"]


def test_the_step_is_told_even_if_the_reply_forgets_it() -> None:
    lesson = taught(said(HEAP, BISECT, UNROLL))
    assert lesson.updated_directions[:3] == OLD
    assert lesson.updated_directions[3] == plain().updated_directions[3]


def test_what_a_person_suggested_is_not_reworded_and_becomes_an_attempt() -> None:
    idea = direction("Union-find!", key=direction_key("union find")).model_copy(
        update={"tries": 0}
    )
    other = {"key": idea.key, "direction": "Do not use union-find", "outcome": "Failed"}
    lesson = taught(said(other, HEAP, BISECT, UNROLL, NEW), old=(*OLD, idea))
    assert idea in lesson.updated_directions
    followed = NEW | {"key": idea.key}
    (*_, tried) = taught(
        said(HEAP, BISECT, UNROLL, followed), old=(*OLD, idea)
    ).updated_directions
    assert (tried.key, tried.tries, tried.outcome) == (idea.key, 1, Outcome.SUCCESS)


ITEM: Json = {
    "type": "Failure",
    "title": "Hash lookups.",
    "description": "Look up in a set.",
    "content": "It took 99 ms. A lookup in a set costs the same whatever its size.",
    "related_operator": "magic",
    "source_ref": {"generation": 1, "solution_id": "Sol_3"},
    "evidence": {
        "code_change": "`x in b` asks a set",
        "metrics_delta": "150ms -> 1ms",
        "context": "many lookups",
    },
    "effect": 9.0,
}


@pytest.mark.lm("LM-25", "LM-26", "LM-27", "LM-49", "LM-65")
def test_an_item_has_the_models_words_and_our_numbers_lm_49() -> None:
    item = item_of(taught(said(HEAP, BISECT, UNROLL, NEW, item=ITEM)))
    assert item.title == "Hash lookups"
    assert item.content == "A lookup in a set costs the same whatever its size."
    assert item.evidence.code_change == "`x in b` asks a set"
    assert item.evidence.metrics_delta == "150 ms -> 120 ms (1.25x)"
    assert item.evidence.context.startswith("many lookups; inputs of level 2; 1 block")
    assert (item.type, item.status, item.significant) == (Branch.SUCCESS, Status.AC, True)
    assert item.effect == pytest.approx(math.log(1.25))
    assert item.related_operator == "mutation"
    assert item.source_ref == plain().updated_directions[-1].source_ref


@pytest.mark.lm("LM-50")
@pytest.mark.parametrize("nothing", [None, {}, "null", ""])
def test_a_trivial_insight_is_null_lm_50(nothing: Any) -> None:
    assert taught(said(HEAP, BISECT, UNROLL, item=nothing)).new_memory_item is None


@pytest.mark.lm("LM-41", "LM-42")
def test_within_noise_a_model_may_insist_on_an_item() -> None:
    assert plain(NOISE).new_memory_item is None
    item = item_of(taught(said(HEAP, BISECT, UNROLL, item=ITEM), NOISE))
    assert (item.type, item.significant) == (Branch.SUCCESS, False)


GARBAGE = ["", "I would rather not.", '{"updated_directions": [{"direct', "[]", "<html></html>"]


@pytest.mark.parametrize("reply", GARBAGE)
def test_a_broken_reply_is_shown_its_error_once(reply: str) -> None:
    ask = Scripted(reply, said(HEAP, BISECT, UNROLL, NEW))
    lesson = ModelExtractor(ask).extract("Count.", PARENT, GAIN, OLD)
    assert lesson.updated_directions[-1].direction == "Hash lookups"
    first, second = ask.asked
    assert [one[2] for one in ask.asked] == [0, 1]
    assert second[3][: len(first[3])] == first[3]
    *shown, told = (turn.content for turn in second[3][len(first[3]) :])
    assert shown == ([reply] if reply else [])
    assert told.startswith("This reply cannot be used: the ")


@pytest.mark.parametrize("reply", GARBAGE)
def test_no_experience_is_lost_because_a_model_failed(reply: str) -> None:
    ask = Scripted(reply, reply)
    assert ModelExtractor(ask).extract("Count.", PARENT, GAIN, OLD) == plain()
    assert len(ask.asked) == 2
    assert ModelExtractor(Scripted()).extract("Count.", PARENT, GAIN, OLD) == plain()


@pytest.mark.lm("LM-52")
@pytest.mark.parametrize("left", [(), (HEAP,)])
def test_a_truncated_list_is_asked_for_again_and_then_guarded_x_10(left: tuple[Json]) -> None:
    ask = Scripted(said(*left, NEW), said(*left, NEW, item=ITEM))
    lesson = ModelExtractor(ask).extract("Count.", PARENT, GAIN, OLD)
    assert "Repeat what still holds:\n- " in ask.asked[1][3][-1].content
    assert "Use bisect (key aaaa00000002)" in ask.asked[1][3][-1].content
    assert item_of(lesson).title == "Hash lookups"
    guarded = replaced_list(OLD, lesson.updated_directions, generation=1)
    assert {entry.key for entry in guarded.directions} >= {entry.key for entry in OLD}
    assert {entry.key for entry in guarded.refused} == {e.key for e in OLD[len(left) :]}


def test_a_mended_list_is_taken() -> None:
    ask = Scripted(said(), said(HEAP, BISECT, NEW))
    lesson = ModelExtractor(ask).extract("Count.", PARENT, GAIN, OLD)
    assert [e.direction for e in lesson.updated_directions] == [
        "Use a heap",
        "Use bisect",
        "Hash lookups",
    ]
    assert replaced_list(OLD, lesson.updated_directions, generation=1).refused == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["key", "direction", "outcome", "source_ref", "title", "evidence"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=4), JSON)
def test_whatever_a_model_says_the_numbers_stay_ours(listed: list[Any], item: Any) -> None:
    reply = json.dumps({"updated_directions": listed, "new_memory_item": item})
    lesson = ModelExtractor(Scripted(reply, reply)).extract("Count.", PARENT, WRONG, OLD)
    known = {entry.key: entry for entry in (*OLD, *plain(WRONG).updated_directions)}
    for entry in lesson.updated_directions:
        assert entry.gains == known[entry.key].gains
        assert entry.outcome in {known[entry.key].outcome, Outcome.NEUTRAL}
    assert OURS in {entry.source_ref.solution_id for entry in lesson.updated_directions}
    for made in lesson.items:
        assert (made.status, made.effect, made.significant) == (Status.WA, -math.inf, False)


def sibling(number: int, step: Step) -> Step:
    child = Solution(
        id=f"Gen1_Sol_{number}", files=CHILD.files, parents=(PARENT.id,), operator="mutation"
    )
    what = proposal(child, direction=f"Idea {number}")
    slot = replace(step.slot, number=number, child=child.id)
    return replace(step, slot=slot, proposal=what)


class TestSiblings:
    """One call a generation: the steps before the last have their lessons already."""

    steps = (sibling(1, GAIN), sibling(2, WRONG), sibling(3, GAIN))

    def contrasted(self, ask: Scripted, last: Step | None = steps[2]) -> Lesson:
        extractor = SiblingExtractor(ask)
        listed: tuple[Direction, ...] = OLD
        for step in self.steps[:2]:
            found = extractor.extract("Count.", PARENT, step, listed)
            listed = found.updated_directions
        assert ask.asked == []
        return extractor.contrast("Count.", self.steps[:2], last, listed, slot=3)

    def test_one_call_tells_of_all(self) -> None:
        ask = Diligent()
        lesson = self.contrasted(ask)
        ((slot, role, _, messages),) = ask.asked
        assert (slot, role) == (3, Role.EXTRACT)
        for step in self.steps:
            assert f"### {step.slot.child}\n" in messages[-1].content
        said = [entry.direction for entry in lesson.updated_directions]
        assert said == ["Use a heap", "Use bisect", "Unroll", "Idea 1", "Idea 2", "Idea 3"]

    def test_the_insight_may_come_from_a_sibling_and_the_last_keeps_its_own(self) -> None:
        def of_the_first(reply: Json) -> Json:
            item = {**reply["new_memory_item"], "source_ref": "Gen1_Sol_1"}
            return reply | {"new_memory_item": item}

        lesson = self.contrasted(Diligent(of_the_first))
        assert item_of(lesson).source_ref.solution_id == "Gen1_Sol_1"
        (own,) = lesson.further_items
        assert own.source_ref.solution_id == "Gen1_Sol_3"
        assert lesson.items == (own, item_of(lesson))

    def test_null_leaves_the_last_steps_own_item(self) -> None:
        lesson = self.contrasted(Diligent(lambda reply: reply | {"new_memory_item": None}))
        assert [i.source_ref.solution_id for i in lesson.items] == ["Gen1_Sol_3"]

    def test_a_last_slot_without_a_candidate_contrasts_the_others(self) -> None:
        ask = Diligent()
        lesson = self.contrasted(ask, None)
        assert "2 changes were tried" in ask.asked[0][3][-1].content
        assert [entry.direction for entry in lesson.updated_directions][-1] == "Idea 2"
        assert item_of(lesson).source_ref.solution_id == "Gen1_Sol_2"

    def test_where_nobody_answers_each_step_has_its_own_lesson(self) -> None:
        lesson = self.contrasted(Scripted())
        assert [e.direction for e in lesson.updated_directions][-1] == "Idea 3"
        assert item_of(lesson).source_ref.solution_id == "Gen1_Sol_3"
        assert self.contrasted(Scripted(), None).items == ()

    def test_a_generation_without_candidates_asks_nobody(self) -> None:
        ask = Diligent()
        lesson = SiblingExtractor(ask).contrast("Count.", (), None, OLD, slot=9)
        assert (lesson.updated_directions, lesson.items, ask.asked) == (OLD, (), [])
