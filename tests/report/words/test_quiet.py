"""Steps that brought no candidate, as the log of a run tells them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Role
from se_agent.events import (
    Event,
    GenerationOpened,
    Learned,
    Proposed,
    SearchEnded,
    Selected,
    Started,
)
from se_agent.report.story import Story
from se_agent.report.words import phrases
from tests.finished import events
from tests.report.terminal.test_live import after, plain


def empty(slot: int, twin: str = "") -> list[Event]:
    """Return the events of a step that had nothing new, or a duplicate of `twin`."""
    return [
        Selected(slot=slot, child=f"Gen1_Sol_{slot}", parents=(), operator="counter"),
        Proposed(slot=slot, duplicate_of=twin),
        Learned(slot=slot, best="Gen0_Sol_0"),
    ]


def opened(slot: int, generation: int, size: int) -> GenerationOpened:
    return GenerationOpened(
        slot=slot, generation=generation, size=size, cpu_seconds=0.0, wall_seconds=0.0
    )


def ended(by: str = "exhausted") -> SearchEnded:
    return SearchEnded(budget_end=by, generations=1, cpu_seconds=0.0, wall_seconds=0.0)


def vacant(slots: Iterable[int]) -> list[Event]:
    """Return the events of steps that nothing was selected for."""
    return [Learned(slot=slot, best="Gen0_Sol_0") for slot in slots]


def begun(**budget: float) -> Event:
    """Return the start of a run with these limits, and no others."""
    started = next(e for e in events(timed=False) if isinstance(e, Started))
    return started.model_copy(update={"config": {**started.config, "budget": budget}})


def test_a_generation_that_opens_early_has_closed_none_of_its_steps() -> None:
    begun = [event for event in events(timed=True) if event.kind in ("started", "self_tested")]
    story = Story.of([*begun, opened(0, 1, 2), opened(2, 2, 2)])
    assert phrases.phase(story) == "generation 2, 0 of 2 steps closed"


def measured(slot: int) -> list[Event]:
    """Return the events of the first step of a run with a candidate, as those of a slot."""
    step = [e for e in events(timed=False) if e.slot == 0 and e.kind != "generation_opened"]
    return [e.model_copy(update={"slot": slot}) for e in step]


def test_a_heading_knows_of_the_steps_that_are_told_above_it() -> None:
    first = measured(0)
    *early, learned = first
    past = [begun(evaluations=9), opened(0, 1, 1), *early, opened(1, 2, 1), learned]
    told = after([*past, *measured(1), ended()])
    headings = [line for line in told if line.startswith("generation")]
    assert "best: the initial program so far; 0 of 9 evaluations" in headings[0]
    assert "best: score 1 so far; 1 of 9 evaluations" in headings[1], told


def test_steps_without_a_candidate_are_told_of_in_one_line_a_generation() -> None:
    twins = ("", "", "Gen0_Sol_0", "", "", "")
    closed = [event for slot, twin in enumerate(twins, 1) for event in empty(slot, twin)]
    past = [begun(), opened(0, 1, 8), *measured(0), *closed, *vacant([7]), ended()]
    told = after(past)
    assert told[1].startswith("generation 1: 8 steps; best: the initial program so far")
    assert re.match(r"  Gen1_Sol_0 +Step", told[2])
    assert told[3] == (
        "  no candidate in 7 steps: 5 nothing new, 1 tried before, 1 nothing left to try"
    )
    assert len(told) == 4


def test_generations_without_a_candidate_have_one_line_together() -> None:
    """The last step of a generation is closed when the next one is open."""
    first = [begun(), opened(0, 1, 2), *measured(0), opened(2, 2, 2), *empty(1)]
    quiet = [*vacant([2]), opened(4, 3, 2), *vacant([3, 4]), opened(6, 4, 2), *vacant([5])]
    told = after([*first, *quiet, *measured(6), *empty(7), ended()])[1:]
    lines = [re.sub(r";.*|  +Step.*", "", line) for line in told if "learned: " not in line]
    assert lines == [
        "generation 1: 2 steps",
        "  Gen1_Sol_0",
        "  no candidate in 1 step: nothing new",
        "generations 2 to 3: nothing left to try",
        "generation 4: 2 steps",
        "  Gen1_Sol_0",
        "  no candidate in 1 step: nothing new",
    ]


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        pytest.param({"evaluations": 2}, "nothing left to try", id="some-is-left"),
        pytest.param({"evaluations": 1}, "no room in budget.evaluations", id="evaluations"),
        pytest.param({"proposals": 1}, "no room in budget.proposals", id="proposals"),
    ],
)
def test_a_slot_that_stays_empty_has_the_reason_that_is_true(
    budget: dict[str, float], told: str
) -> None:
    past = [begun(**budget), opened(0, 1, 1), *measured(0), opened(1, 2, 3)]
    said = after([*past, *vacant([1, 2, 3]), ended()])
    assert said[3] == f"generation 2: {told}"


def test_room_is_kept_for_what_a_model_was_asked_for() -> None:
    asked: list[Event] = [
        Selected(slot=1, child="Gen1_Sol_1", parents=(), operator="mutation"),
        Replied(slot=1, role=Role.MUTATE, attempt=0, model="main", text="Hello!"),
        Proposed(slot=1),
        Learned(slot=1, best="Gen0_Sol_0"),
    ]
    past = [begun(evaluations=2), opened(0, 1, 3), *measured(0), *asked, *vacant([2]), ended()]
    assert "1 no room in budget.evaluations" in after(past)[3]


def test_a_limit_that_a_later_step_was_filled_under_left_no_slot_empty() -> None:
    filled = Selected(slot=2, child="Gen1_Sol_2", parents=(), operator="counter")
    past = [begun(evaluations=1), opened(0, 1, 3), *measured(0), filled, *vacant([1])]
    assert after(past)[-1] == "  no candidate in 1 step: nothing left to try"


def test_steps_without_a_candidate_are_told_of_before_a_run_is_broken_off() -> None:
    assert after(empty(0)) == ["  no candidate in 1 step: nothing new"]
    assert after([opened(0, 1, 8), *empty(0)]) == ["generation 1: nothing new"]


def test_what_a_resumed_generation_ends_with_counts_for_no_later_one() -> None:
    past = [begun(), *empty(1), *empty(2), opened(3, 2, 2), *measured(3), *empty(4), ended()]
    told = [line for line in after(past) if "candidate" in line or "generation" in line]
    assert [re.sub(r";.*", "", line) for line in told] == [
        "  no candidate in 2 steps: nothing new",
        "generation 2: 2 steps",
        "  no candidate in 1 step: nothing new",
    ]


@pytest.mark.parametrize("timed", [True, False], ids=["timed", "scored"])
def test_every_step_of_a_run_is_in_its_log(timed: bool) -> None:
    text = plain(timed=timed)
    story = Story.of(events(timed=timed))
    made = {c.id for c in story.chapters.values() if c.evaluated}
    assert {name for name in made if not re.search(rf"{name}\b", text)} == set()
    quiet = sum(int(n) for n in re.findall(r"no candidate in (\d+) step", text))
    for first, last in re.findall(r"^generations? (\d+)(?: to (\d+))?: [a-z]", text, re.M):
        quiet += 8 * (int(last or first) - int(first) + 1)
    assert quiet + len(made) == len(story.chapters)
