"""Updates taken into session memory: which entry prevails, and what replies say against one."""

from __future__ import annotations

from itertools import permutations

import pytest

from se_agent.memory.session.entries import add_api_constraint, set_archetype
from se_agent.memory.session.merge import contradicts, merge_session_memory_updates
from se_agent.memory.session.skeleton import add_skeleton_header
from se_agent.memory.session.tags import extract_session_memory_updates_from_response
from se_agent.values.session import (
    ArchetypeRecord,
    Confidence,
    Constraint,
    Decision,
    Header,
    OrderedStep,
    ParamConstruction,
    SessionMemory,
    SessionUpdates,
    SkeletonComponents,
)


def headers(*found: Header) -> SessionUpdates:
    return SessionUpdates(skeleton_components=SkeletonComponents(headers=found))


def params(*found: ParamConstruction) -> SessionUpdates:
    return SessionUpdates(skeleton_components=SkeletonComponents(parameter_construction=found))


@pytest.mark.row("HS-08", "HS-09", "HS-20")
def test_what_a_reply_says_stands_beside_what_was_there() -> None:
    state = add_api_constraint(None, "old", "analyse")
    reply = "<api_constraint>new</api_constraint><decision>d</decision>"
    updates = extract_session_memory_updates_from_response(reply, "analyse", 1)
    found = merge_session_memory_updates(state, updates)
    assert [one.constraint for one in found.api_constraints] == ["old", "new"]
    assert [one.decision for one in found.decisions] == ["d"]
    assert merge_session_memory_updates(found, updates) == found


@pytest.mark.row("HS-58")
@pytest.mark.parametrize("order", list(permutations(("low", "medium", "high"))))
def test_the_surer_header_prevails_whoever_says_it(order: tuple[Confidence, ...]) -> None:
    state = None
    sources = {"high": "prototyper", "medium": "analyse", "low": "header_extraction"}
    for place, sure in enumerate(order):
        one = Header(path="a.h", source=sources[sure], iteration=place, confidence=sure)
        state = merge_session_memory_updates(state, headers(one))
    assert state is not None
    assert [one.confidence for one in state.skeleton_components.headers] == ["high"]


@pytest.mark.row("HS-59")
@pytest.mark.parametrize(
    "order", list(permutations(("header_extraction", "function_analyzer", "prototyper")))
)
def test_of_equally_sure_ones_the_source_decides(order: tuple[str, ...]) -> None:
    state = None
    for place, source in enumerate(order):
        one = ParamConstruction(param="w", method=source, source=source, iteration=place)
        state = merge_session_memory_updates(state, params(one))
    assert state is not None
    (one,) = state.skeleton_components.parameter_construction
    assert one.method == "header_extraction"


@pytest.mark.row("HS-60")
@pytest.mark.parametrize(("source", "kept"), [("enhancer", "late"), ("prototyper", "early")])
def test_a_later_entry_prevails_if_it_is_a_fix(source: str, kept: str) -> None:
    early = ParamConstruction(param="w", method="early", source=source, iteration=1)
    late = ParamConstruction(param="w", method="late", source=source, iteration=2)
    state = merge_session_memory_updates(None, params(early))
    state = merge_session_memory_updates(state, params(late))
    assert state.skeleton_components.parameter_construction[0].method == kept


def test_what_was_found_true_prevails_over_what_is_sure() -> None:
    true = Header(path="a.h", source="prototyper", verified=True)
    sure = Header(path="a.h", source="survey", confidence="high")
    for first, second in ((true, sure), (sure, true)):
        state = merge_session_memory_updates(None, headers(first))
        state = merge_session_memory_updates(state, headers(second))
        assert state.skeleton_components.headers == (true,)


def test_nothing_prevails_over_a_person() -> None:
    said = Constraint(constraint="a", source="user", confidence="medium")
    other = Constraint(
        constraint="a", source="evaluator", confidence="high", verified=True, iteration=9
    )
    for first, second in ((said, other), (other, said)):
        state = merge_session_memory_updates(None, SessionUpdates(api_constraints=(first,)))
        state = merge_session_memory_updates(state, SessionUpdates(api_constraints=(second,)))
        assert state.api_constraints == (said,)


@pytest.mark.row("HS-62")
def test_a_mender_replaces_its_own_step_and_the_sure_covers_the_unsure() -> None:
    def step(text: str, source: str, iteration: int) -> SessionUpdates:
        one = OrderedStep(order=1, step=text, source=source, iteration=iteration)
        return SessionUpdates(skeleton_components=SkeletonComponents(setup_sequence=(one,)))

    state = merge_session_memory_updates(None, step("wrong", "enhancer", 1))
    state = merge_session_memory_updates(state, step("right", "enhancer", 2))
    assert [s.step for s in state.skeleton_components.setup_sequence] == ["right"]
    state = add_skeleton_header(state, "a.h", "header_extraction", "low")
    state = add_skeleton_header(state, "<a.h>", "prototyper", "high")
    assert state.skeleton_components.headers[0].path == "<a.h>"


def test_the_order_of_equal_keys_within_a_step_changes_nothing() -> None:
    rows = [
        ParamConstruction(param="w", method=m, source="enhancer", iteration=2) for m in "abc"
    ]
    found = {
        merge_session_memory_updates(None, params(*order)).model_dump_json()
        for order in permutations(rows)
    }
    assert len(found) == 1


@pytest.mark.row("LF-46")
def test_the_better_of_two_archetypes_is_the_one() -> None:
    state = set_archetype(None, "round_trip", [], "function_analyzer")
    worse = ArchetypeRecord(type="file_based", source="prototyper", confidence="low")
    better = ArchetypeRecord(type="state_machine", source="survey", confidence="high")
    for new, kept in ((worse, "round_trip"), (better, "state_machine")):
        state = merge_session_memory_updates(state, SessionUpdates(archetype=new))
        assert state.archetype is not None
        assert state.archetype.type == kept


def _against(text: str, iteration: int = 0) -> SessionUpdates:
    said = Decision(decision=text, reason="why", source="prototyper", iteration=iteration)
    return SessionUpdates(decisions=(said,))


@pytest.mark.row("HS-54", "HS-62")
def test_three_replies_against_an_entry_make_it_less_sure_by_one() -> None:
    state = add_api_constraint(None, "size >= 8.", "analyse", "high", 1)
    seen = []
    for _ in range(9):
        state = merge_session_memory_updates(state, _against("against: Size  >= 8"))
        seen.append(state.api_constraints[0].confidence)
    assert seen == ["high"] * 2 + ["medium"] * 3 + ["low"] * 4


def test_a_reply_is_against_an_entry_once_however_often_it_says_so() -> None:
    state = add_api_constraint(None, "a", "analyse", "high", 1)
    said = [Decision(decision="Against: a", reason=f"{n}", source="x") for n in range(5)]
    state = merge_session_memory_updates(state, SessionUpdates(decisions=tuple(said)))
    assert state.api_constraints[0].dissents == 1


def test_headers_and_the_archetype_are_disputed_by_their_names() -> None:
    state = add_skeleton_header(None, '#include "a.h"', "survey", "high")
    state = set_archetype(state, "round_trip", [], "analyse")
    for text in ('Disagree with: #include "a.h"', "against: round_trip", "against: others"):
        for _ in range(3):
            state = merge_session_memory_updates(state, _against(text))
    assert state.skeleton_components.headers[0].confidence == "medium"
    assert state.archetype is not None
    assert state.archetype.confidence == "low"


def test_saying_an_entry_again_does_not_undo_what_was_said_against_it() -> None:
    state = add_api_constraint(None, "a", "analyse", "medium", 1)
    for _ in range(2):
        state = merge_session_memory_updates(state, _against("against: a"))
    state = add_api_constraint(state, "a", "plan", "medium", 2)
    state = merge_session_memory_updates(state, _against("against: a"))
    assert state.api_constraints[0].confidence == "low"


def test_a_person_who_denies_what_a_person_said_is_right() -> None:
    state: SessionMemory | None = None
    for text in ("must sort the input", "must not sort the input", "keep the order"):
        one = Constraint(constraint=text, source="user", confidence="high", verified=True)
        state = merge_session_memory_updates(state, SessionUpdates(api_constraints=(one,)))
    assert state is not None
    assert [one.constraint for one in state.api_constraints] == [
        "must not sort the input",
        "keep the order",
    ]
    assert contradicts("must sort the input", "Never sort the input.") is True
    assert contradicts("must sort the input", "must sort the input") is False
    assert contradicts("size > 0", "size < 0") is False
