"""What models are shown of earlier steps of their role and strategy, in whole runs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from se_agent.chat.events import Replied, Unanswered
from se_agent.config.sections import Endpoint
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import Event
from se_agent.values.evaluation import ComparisonKind
from tests.engine import talking
from tests.engine.runs import Crash, events_of, factory
from tests.engine.talking import Kept, models, of, ran, run_file, spoken
from tests.fakes import number_problem

HERE = "tests.engine.test_histories_shown"


def echo(endpoint: Endpoint) -> Kept:
    """Return a model whose reply hangs on every word that it is shown."""
    return Kept(lambda said: f"x = {zlib.crc32(repr(said).encode()) % 40}")


def requests(events: Sequence[Event]) -> dict[tuple[int, int], str]:
    return {(reply.slot, reply.attempt): reply.request for reply in of(events, Replied)}


def shown(history: str, **more: object) -> dict[str, object]:
    return {"enabled": True, "prior": False, "context": {"history": history, **more}}


def earlier(slot: int) -> list[str]:
    """Return what a scripted model was shown between system message and task in a slot."""
    return [message.content for message in talking.asked[slot][1:-1]]


@pytest.mark.row("LF-04", "LF-75", "LF-77", "LF-85")
def test_a_later_slot_sees_what_came_of_the_first(tmp_path: Path) -> None:
    spoken(tmp_path, "x = 5", "x = 7", "x = 9", memory=shown("outcomes"))
    assert earlier(0) == []
    last = earlier(2)
    assert "Earlier step 0 (mutate)" in last[0]
    assert "Declared (step 0): Say x = 5\nOutcome (step 0): right, score" in last[1]
    assert "Say x = 7" in last[3]
    roles = [message.role for message in talking.asked[2]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]


def test_what_is_objected_to_a_reply_is_shown_later(tmp_path: Path) -> None:
    spoken(tmp_path, "x = 5", "nonsense", "more nonsense", "x = 7", memory=shown("outcomes"))
    assert "Objection (step 1): 'more nonsense' is no program" in earlier(3)[-1]


def test_full_histories_hold_replies_word_by_word(tmp_path: Path) -> None:
    spoken(tmp_path, "x = 5", "x = 7", "x = 9", memory=shown("full"))
    assert earlier(2)[1].startswith("x = 5\n\nOutcome (step 0): right")
    assert earlier(2)[2].startswith("Earlier step 1.\n\n")


def test_without_a_history_prompts_are_as_they_were(tmp_path: Path) -> None:
    spoken(tmp_path, "x = 5", "x = 7", memory={"prior": False})
    assert all(len(messages) == 2 for messages in talking.asked)
    spoken(tmp_path / "off", "x = 5", "x = 7", memory={**shown("outcomes"), "enabled": False})
    assert all(len(messages) == 2 for messages in talking.asked)


@pytest.mark.row("LF-102")
def test_steps_without_room_are_counted(tmp_path: Path) -> None:
    replies = [f"x = {number}" for number in range(5, 15)]
    limits = shown("outcomes", history_token_limit=260)
    spoken(tmp_path, *replies, memory=limits)
    told = earlier(9)
    assert "earlier steps" in told[1]
    assert "Say x = 13" in told[-1]
    assert len(told) < 18


@pytest.mark.tier("runs")
@pytest.mark.row("LF-101")
def test_steps_that_gained_stay_where_importance_decides(tmp_path: Path) -> None:
    replies = ["x = 90", *(f"x = {number}" for number in range(1, 9))]
    limits = shown("outcomes", history_token_limit=260, order="importance")
    spoken(tmp_path, *replies, memory=limits)
    assert "Say x = 90" in earlier(8)[-1]
    spoken(tmp_path / "newest", *replies, memory=shown("outcomes", history_token_limit=260))
    assert "Say x = 90" not in earlier(8)[-1]


@pytest.mark.row("SQ-18")
def test_a_history_gives_way_where_the_context_is_narrow(tmp_path: Path) -> None:
    replies = [f"x = {number}" for number in range(5, 15)]
    narrow = models("scripted", context=2200, max_tokens=400)
    memory = shown("outcomes", history_token_limit=9000)
    events = spoken(tmp_path, *replies, memory=memory, models=narrow)
    assert of(events, Unanswered) == []
    assert max(map(len, talking.asked)) > 2
    assert all(reply.counted + 400 <= 2200 * 0.95 for reply in of(events, Replied))


@pytest.mark.tier("runs")
@pytest.mark.parametrize("history", ["outcomes", "full"])
def test_workers_and_calls_in_flight_change_no_prompt(tmp_path: Path, history: str) -> None:
    found = [
        ran(
            run_file(
                tmp_path / str(at_a_time),
                models=models("echo", module=HERE),
                memory=shown(history),
                generation_size=4,
                budget={"evaluations": 14},
                workers=at_a_time,
                asking={"in_flight": at_a_time},
            )
        )
        for at_a_time in (1, 8)
    ]
    assert max(map(len, talking.asked)) > 4
    assert requests(found[0]) == requests(found[1])
    steps = [[line for line in canonical(events) if '"learned"' in line] for events in found]
    assert steps[0] == steps[1]


@pytest.mark.tier("runs")
@pytest.mark.parametrize("after", [9, 16, 25, 33])
def test_a_resumed_run_asks_as_if_it_had_not_been_broken(tmp_path: Path, after: int) -> None:
    changes = {
        "models": models("echo", module=HERE),
        "memory": shown("full"),
        "generation_size": 1,
        "budget": {"evaluations": 9},
    }
    whole = ran(run_file(tmp_path / "whole", **changes))
    broken = run_file(tmp_path / "broken", **changes)
    evaluators = factory(ComparisonKind.EXACT)
    with pytest.raises(SandboxError, match="gave up"):
        start(broken, problem=number_problem(), listeners=[Crash(after)], evaluators=evaluators)
    again = events_of(resume(tmp_path / "broken" / "run", evaluators=evaluators))
    assert requests(again) == requests(whole)
