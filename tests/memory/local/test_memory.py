"""LocalMemory: the limits always hold, and the fold of a run's lessons is the memory."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.config.sections import LocalSection
from se_agent.memory.local.directions import direction_key
from se_agent.memory.local.memory import LocalMemory
from se_agent.memory.local.rendering import direction_line, item_line, render_markdown
from se_agent.memory.local.token_fit import fit
from se_agent.values.evaluation import Status
from se_agent.values.lesson import GlobalStatus, Lesson, Metric, Outcome
from tests.memory.examples import (
    COUNTER,
    LESSONS,
    LIMITS,
    STATUSES,
    at,
    direction,
    item,
    lesson,
    memory,
)

STEPS = st.lists(st.tuples(LESSONS, STATUSES), max_size=8)


def folded(limits: LocalSection, steps: list[tuple[Lesson, GlobalStatus]]) -> LocalMemory:
    state = LocalMemory(limits=limits, counter=COUNTER)
    for taught, status in steps:
        state = state.apply(taught, status).memory
    return state


@pytest.mark.tier("runs")
@pytest.mark.lm("LM-54", "LM-55", "LM-67")
@settings(max_examples=60)
@given(LIMITS, STEPS)
def test_the_limits_always_hold(
    limits: LocalSection, steps: list[tuple[Lesson, GlobalStatus]]
) -> None:
    state = LocalMemory(limits=limits, counter=COUNTER)
    for taught, status in steps:
        state = state.apply(taught, status).memory
        assert state.tokens <= limits.token_limit
        assert COUNTER.count(render_markdown(state)) <= limits.token_limit
        assert len(state.attempted_directions) <= limits.directions_limit
        rendered = [direction_line(entry) for entry in state.attempted_directions]
        rendered += [item_line(entry) for entry in state.reasoning_bank]
        assert all(COUNTER.count(line) <= limits.item_token_limit for line in rendered)


@pytest.mark.tier("runs")
@settings(max_examples=30)
@given(LIMITS, STEPS)
def test_the_same_lessons_give_the_same_memory(
    limits: LocalSection, steps: list[tuple[Lesson, GlobalStatus]]
) -> None:
    """Also after a way through the journal, which holds lessons as JSON."""
    again = [
        (Lesson.model_validate_json(taught.model_dump_json()), status)
        for taught, status in steps
    ]
    state = folded(limits, steps)
    assert folded(limits, again) == state
    assert state.version == len(steps)


@pytest.mark.tier("runs")
@settings(max_examples=30)
@given(LIMITS, STEPS, STATUSES)
def test_what_fits_is_left_alone(
    limits: LocalSection, steps: list[tuple[Lesson, GlobalStatus]], status: GlobalStatus
) -> None:
    state = folded(limits, steps)
    assert state.apply(None, state.global_status).memory == state


@pytest.mark.tier("runs")
@settings(max_examples=30)
@given(LIMITS, STEPS)
def test_nothing_leaves_unseen(
    limits: LocalSection, steps: list[tuple[Lesson, GlobalStatus]]
) -> None:
    """Whatever a step takes out of the memory it names."""
    state = LocalMemory(limits=limits, counter=COUNTER)
    for taught, status in steps:
        applied = state.apply(taught, status)
        had = {entry.source_ref.solution_id for entry in state.reasoning_bank}
        has = {entry.source_ref.solution_id for entry in applied.memory.reasoning_bank}
        assert had - has <= {entry.source_ref.solution_id for entry in applied.evicted}
        listed = {entry.key for entry in applied.memory.attempted_directions}
        assert not listed & {entry.key for entry in applied.cut}
        state = applied.memory


@pytest.mark.lm("LM-01", "LM-07", "LM-12", "LM-18")
def test_the_state_has_the_seeds_three_parts_lm_07() -> None:
    status = GlobalStatus(
        current_generation=5,
        best_runtime=Metric(value=0.12),
        best_solution_id="Gen3_Sol_4",
        current_approach="Dynamic Programming with Bitmask",
    )
    taught = lesson(direction("a", Outcome.FAILED, evidence="TLE"), new=item("t"))
    state = memory().apply(taught, status).memory.state()
    assert list(state) == [
        "global_status",
        "attempted_directions",
        "reasoning_bank",
        "version",
    ]
    assert state["global_status"]["best_solution_id"] == "Gen3_Sol_4"
    assert state["attempted_directions"][0]["outcome"] == "Failed"
    assert state["reasoning_bank"][0]["evidence"]["metrics_delta"] == "2 s -> 1 s (2x)"
    assert json.loads(json.dumps(state)) == state


@pytest.mark.lm("LM-28", "LM-53", "LM-65")
def test_items_are_appended_at_the_end_lm_53() -> None:
    state = memory()
    for number, name in enumerate(("first", "second", "third")):
        state = state.apply(lesson(new=item(name, number=number)), at()).memory
    assert [entry.title for entry in state.reasoning_bank] == ["first", "second", "third"]
    assert state.apply(lesson(), at()).memory.reasoning_bank == state.reasoning_bank


@pytest.mark.lm("LM-52", "LM-64")
def test_directions_are_the_reply_lm_64() -> None:
    state = memory().apply(lesson(direction("a"), direction("b")), at()).memory
    applied = state.apply(lesson(direction("b"), direction("c")), at())
    assert [d.direction for d in applied.memory.attempted_directions] == ["b", "c"]
    assert [d.direction for d in applied.learned] == ["c"]
    assert applied.refused == ()


@pytest.mark.lm("LM-52")
def test_a_shrinking_reply_is_refused_and_noted() -> None:
    """X-10."""
    state = memory().apply(lesson(direction("a"), direction("b")), at()).memory
    applied = state.apply(lesson(), at(generation=2))
    assert applied.memory.attempted_directions == state.attempted_directions
    assert applied.refused == state.attempted_directions


@pytest.mark.lm("LM-28", "LM-54", "LM-56", "LM-66", "X-01")
def test_past_the_limit_the_bank_is_compressed_first_lm_66() -> None:
    state, number = memory(token_limit=600), 0
    listed = [direction("one"), direction("two")]
    while True:
        number += 1
        title = f"lesson of {'abcdefghijklmnop'[number]}"
        taught = lesson(*listed, new=item(title, number, number=number))
        applied = state.apply(taught, at())
        if applied.compressed:
            break
        assert len(applied.memory.reasoning_bank) == number
        state = applied.memory
    kept = [entry.effect for entry in applied.memory.reasoning_bank]
    assert number > 5
    assert kept == [number - 2, number - 1, number]
    assert len(applied.memory.attempted_directions) == 2
    assert applied.cut == ()


def test_then_directions_are_cut_neutral_ones_first() -> None:
    wordy = "words " * 60
    listed = [
        direction(f"{n} {wordy}", Outcome.NEUTRAL if n == 3 else Outcome.FAILED, generation=n)
        for n in range(5)
    ]
    applied = memory(token_limit=400).apply(lesson(*listed), at())
    assert applied.cut[0].source_ref.generation in {3, 0}
    left = [d.source_ref.generation for d in applied.memory.attempted_directions]
    assert 3 not in left
    assert left == sorted(left)
    assert left[-1] == 4


@pytest.mark.parametrize("kept", [2, 3])
def test_without_compression_the_oldest_entries_of_both_kinds_are_cut(kept: int) -> None:
    state = memory(compression="none", token_limit=2000, item_token_limit=400)
    listed = [direction(f"direction {n}", generation=n, number=n) for n in (2, 4)]
    for n in (1, 3, 5):
        new = item(f"lesson {n}", -1.0, Status.WA, generation=n, content="words " * 150)
        state = state.apply(lesson(*listed, new=new), at(n)).memory
    assert len(state.reasoning_bank) == 3
    room = memory(compression="none", token_limit=210 * kept, item_token_limit=400)
    fitted = fit(at(5), listed, state.reasoning_bank, limits=room.limits, counter=state.counter)
    assert not fitted.compressed
    left = [entry.source_ref.generation for entry in fitted.directions]
    left += [entry.source_ref.generation for entry in fitted.items]
    assert sorted(left) == list(range(1, 6))[5 - len(left) :]
    assert len(left) < 5


def test_at_most_twelve_directions_stay() -> None:
    listed = [direction(f"direction {n}", generation=n) for n in range(20)]
    state = memory().apply(lesson(*listed), at()).memory
    assert [d.direction for d in state.attempted_directions] == [
        f"direction {n}" for n in range(8, 20)
    ]


def test_last_the_contents_are_shortened() -> None:
    state = memory(token_limit=120)
    state = state.apply(lesson(new=item("t", content="words " * 70)), at()).memory
    (entry,) = state.reasoning_bank
    assert entry.title == "t"
    assert entry.content.endswith("…")


@pytest.mark.lm("LM-51")
def test_the_three_parts_are_kept_independently_lm_51() -> None:
    state = memory().apply(lesson(direction("a"), new=item("t")), at(1)).memory
    moved = state.apply(None, at(2)).memory
    assert moved.global_status.current_generation == 2
    assert moved.attempted_directions == state.attempted_directions
    assert moved.reasoning_bank == state.reasoning_bank
    assert moved.version == state.version == 1


def test_an_earlier_list_can_be_rolled_back_to() -> None:
    first = memory().apply(lesson(direction("a"), direction("b")), at()).memory
    second = first.apply(lesson(direction("b"), direction("c")), at()).memory
    back = second.rolled_back(first.attempted_directions)
    assert back.attempted_directions == first.attempted_directions
    assert set(second.outcomes) == {entry.key for entry in second.attempted_directions} | {
        entry.key for entry in first.attempted_directions
    }
    assert set(back.outcomes) == {entry.key for entry in first.attempted_directions}
    assert back.version == 3


def test_what_came_of_a_direction_is_known_after_the_list_has_no_room_for_it() -> None:
    state = memory()
    for number in range(40):
        state = state.apply(lesson(direction(f"d{number}", Outcome.FAILED)), at()).memory
    assert len(state.attempted_directions) == state.limits.directions_limit == 12
    assert list(state.outcomes.values()) == [Outcome.FAILED] * 40
    again = state.apply(lesson(direction("d3", Outcome.SUCCESS)), at()).memory
    assert list(again.outcomes.values()) == [Outcome.FAILED] * 39 + [Outcome.SUCCESS]


def test_of_what_a_person_suggested_nothing_is_known_until_it_was_tried() -> None:
    told = memory().with_suggestion("use a heap").memory
    assert told.outcomes == {}
    tried = told.apply(lesson(direction("use a heap", Outcome.FAILED)), at()).memory
    assert list(tried.outcomes.values()) == [Outcome.FAILED]


def test_outcomes_of_the_latest_directions_are_kept() -> None:
    state = memory(directions_limit=1)
    for number in range(1100):
        state = state.apply(lesson(direction(f"d{number}")), at()).memory
    assert len(state.outcomes) == 1024
    assert direction_key("d1099") in state.outcomes
    assert direction_key("d0") not in state.outcomes


@pytest.mark.lm("LM-55", "X-02")
def test_the_default_limit_is_1500_tokens_lm_55() -> None:
    assert LocalSection().token_limit == 1500
    state = memory()
    for number in range(60):
        taught = lesson(direction(f"d{number}"), new=item(f"t{number}", content="word " * 80))
        state = state.apply(taught, at()).memory
    assert COUNTER.count(render_markdown(state)) <= state.tokens <= 1500


def test_a_new_memory_is_empty() -> None:
    assert render_markdown(memory()) == ""
    assert memory().tokens == 0


class Tally:
    """A counter that notes how often it is asked."""

    name = "tally"

    def __init__(self) -> None:
        self.asked = 0

    def count(self, text: str) -> int:
        self.asked += 1
        return len(text.split())


def test_the_work_of_a_step_does_not_grow_with_the_run() -> None:
    """Counted, not timed: how many texts are counted while one lesson is applied."""
    tally = Tally()
    state, work = LocalMemory(limits=LocalSection(token_limit=300), counter=tally), []
    for number in range(500):
        before = tally.asked
        name = "".join(chr(97 + int(digit)) for digit in str(number))
        listed = (*state.attempted_directions, direction(f"try {name}", generation=number))
        new = item(f"about {name}", 1 + number % 7, generation=number)
        state = state.apply(lesson(*listed, new=new), at(number)).memory
        work.append(tally.asked - before)
    assert max(work[400:]) <= 1.2 * max(work[50:150])
