"""A person's direction: taken up by a run live or stopped, shown until tried, and replayed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.chat.events import Told
from se_agent.config.sections import LocalSection
from se_agent.engine.run.replay import replay
from se_agent.engine.run.rollback import roll_back
from se_agent.engine.run.start import start
from se_agent.engine.run.user_hints import FILE, LONGEST, tell, told_to
from se_agent.errors import ConfigError, JournalError, SandboxError
from se_agent.events import Event, GenerationOpened, Learned, Proposed, Selected
from se_agent.memory.context.tokens import counter
from se_agent.memory.local.memory import LocalMemory
from se_agent.memory.local.rendering import render_markdown
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.lesson import Lesson, Outcome
from se_agent.values.step import Proposal
from tests.engine.run.test_rollback import (
    READING,
    SMALL,
    broken,
    events_in,
    gone_on,
    history_of,
)
from tests.engine.runs import Crash, CrashAt, factory, ran
from tests.fakes import Endless, number_problem, number_run

WORDS = "try union-find"


class Hears(Endless):
    """Says whether its brief tells what a person said, in words that are no try of it."""

    name = "tests.engine.run.test_user_hints:Hears"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return another number."""
        made = super().propose(brief)
        assert made is not None
        words = "heard" if f"- {WORDS}\n" in brief.memory.text else "nothing"
        return replace(made, direction=f"{words} {brief.slot.number}")


class Telling:
    """A person who watches a run, and tells it something at its n-th event."""

    def __init__(self, folder: Path, after: int) -> None:
        self._folder = folder
        self._left = after

    def on_event(self, event: Event) -> None:
        self._left -= 1
        if self._left == 0:
            tell(self._folder, WORDS)


class TestLive:
    def test_it_is_taken_up_with_the_next_generation(self, tmp_path: Path) -> None:
        folder = tmp_path / "run"
        start(
            number_run(tmp_path, operators=READING, generation_size=4, budget=SMALL),
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
            listeners=[Telling(folder, 30)],
        )
        events = events_in(folder)
        (heard,) = (e for e in events if isinstance(e, Told))
        assert heard.direction == WORDS
        after = events[events.index(heard) + 1]
        assert isinstance(after, GenerationOpened)
        assert after.slot == heard.slot
        assert events.index(heard) > 30
        assert replay(folder).differences == ()

    @pytest.mark.parametrize("workers", [1, 3])
    def test_who_asks_after_it_sees_it_and_nobody_before(
        self, tmp_path: Path, workers: int
    ) -> None:
        start(
            number_run(
                tmp_path,
                operators=[Hears.name],
                generation_size=4,
                budget=SMALL,
                workers=workers,
            ),
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
            listeners=[Telling(tmp_path / "run", 30)],
        )
        events = events_in(tmp_path / "run")
        place = next(n for n, e in enumerate(events) if isinstance(e, Told))
        informed = {e.slot: e.informed for e in events if isinstance(e, Selected)}
        said = [
            (n > place and informed[e.slot] is True, e.proposal.direction)
            for n, e in enumerate(events)
            if isinstance(e, Proposed) and e.proposal is not None
        ]
        assert {told for told, _ in said} == {True, False}
        for told, words in said:
            assert words.startswith("heard" if told else "nothing")

    def test_a_steady_run_takes_it_up_after_a_closed_step(self, tmp_path: Path) -> None:
        start(
            number_run(tmp_path, operators=READING, budget=SMALL, schedule="steady", lag=3),
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
            listeners=[Telling(tmp_path / "run", 30)],
        )
        events = events_in(tmp_path / "run")
        place = next(n for n, e in enumerate(events) if isinstance(e, Told))
        assert isinstance(events[place - 1], Learned)
        assert replay(tmp_path / "run").differences == ()


@pytest.mark.tier("runs")
def test_a_run_that_stands_still_takes_it_up_when_it_goes_on(tmp_path: Path) -> None:
    folder = broken(tmp_path, Crash(60))
    before = events_in(folder)
    assert tell(folder, f"  {WORDS}\n") == WORDS
    assert events_in(folder) == before, "the journal has one writer"
    gone_on(folder)
    assert [e.direction for e in events_in(folder) if isinstance(e, Told)] == [WORDS]
    assert replay(folder).differences == ()


@pytest.mark.tier("runs")
def test_before_the_first_generation_it_is_heard_by_the_first(tmp_path: Path) -> None:
    folder = broken(tmp_path, CrashAt("started"))
    tell(folder, WORDS)
    gone_on(folder)
    kinds = [event.kind for event in events_in(folder)]
    assert kinds.index("told") == kinds.index("generation_opened") - 1
    assert replay(folder).differences == ()


def test_it_is_a_version_of_the_directions_of_its_own(tmp_path: Path) -> None:
    folder = broken(tmp_path, Crash(60))
    tell(folder, WORDS)
    with pytest.raises(SandboxError, match="gave up"):
        gone_on(folder, [Crash(100)])
    versions = history_of(folder).versions
    assert [v.number for v in versions] == list(range(1, len(versions) + 1))
    (made,) = (v for v in versions if v.told)
    assert (made.told, made.step, made.restored) == (WORDS, "", None)
    assert made.directions[-1].untried
    assert made.directions[-1].outcome is Outcome.NEUTRAL
    learned = [
        e.memory_version for e in events_in(folder) if isinstance(e, Learned) and e.lesson
    ]
    assert made.number not in learned
    roll_back(folder, made.number - 1)
    state = history_of(folder).state
    assert state.memory is not None
    assert not any(entry.untried for entry in state.memory.local.attempted_directions)


class TestMemory:
    def memory(self) -> LocalMemory:
        return LocalMemory(limits=LocalSection(), counter=counter(""))

    def test_a_reply_that_forgets_it_does_not_erase_it(self) -> None:
        told = self.memory().with_suggestion(WORDS).memory
        after = told.apply(Lesson(updated_directions=()), told.global_status).memory
        assert [e.direction for e in after.attempted_directions] == [WORDS]

    def test_a_full_list_gives_up_others_first(self) -> None:
        told = self.memory().with_suggestion(WORDS).memory
        for number in range(40):
            told = told.with_suggestion(f"direction {number}").memory
        assert len(told.attempted_directions) == LocalSection().directions_limit

    def test_what_was_tried_is_to_be_tried_again(self) -> None:
        told = self.memory().with_suggestion(WORDS).memory
        (entry,) = told.attempted_directions
        tried = entry.model_copy(update={"tries": 2, "losses": 2, "outcome": Outcome.FAILED})
        after = told.apply(Lesson(updated_directions=(tried,)), told.global_status).memory
        (again,) = after.with_suggestion("Try union-find!").memory.attempted_directions
        assert (again.tries, again.outcome) == (0, Outcome.NEUTRAL)

    def test_it_is_shown(self) -> None:
        assert WORDS in render_markdown(self.memory().with_suggestion(WORDS).memory)


class TestFile:
    def test_what_is_no_line_of_ours_is_passed_over(self, tmp_path: Path) -> None:
        (tmp_path / FILE).write_bytes(
            b'{"direction": "one"}\nnot json\n\n{"direction": ""}\n\xff\xfe\n'
            b'{"direction": "## two\\n\\u001b", "more": 1}\n{"direction": "\\n"}\n'
            b'{"direction": "half'
        )
        assert told_to(tmp_path) == ("one", "## two")

    def test_what_was_cut_off_before_spoils_no_line(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(30))
        (folder / FILE).write_bytes(b'{"direction": "cut o')
        tell(folder, "whole")
        assert told_to(folder) == ("whole",)

    def test_none_is_nothing(self, tmp_path: Path) -> None:
        assert told_to(tmp_path) == ()


class TestRefused:
    def test_a_run_that_has_ended(self, tmp_path: Path) -> None:
        folder = Path(ran(tmp_path).run)
        with pytest.raises(JournalError, match="the search is over"):
            tell(folder, WORDS)
        assert told_to(folder) == ()

    def test_a_run_without_memory(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(30), memory={"enabled": False})
        with pytest.raises(ConfigError, match="no memory"):
            tell(folder, WORDS)

    @pytest.mark.parametrize(
        ("words", "match"),
        [
            pytest.param(" \n", "no words", id="nothing"),
            pytest.param("\x00\x1b", "no words", id="nothing to be seen"),
            pytest.param("x" * (LONGEST + 1), "301 characters", id="too much"),
        ],
    )
    def test_words(self, tmp_path: Path, words: str, match: str) -> None:
        with pytest.raises(ConfigError, match=match):
            tell(tmp_path, words)

    def test_a_folder_that_is_no_run(self, tmp_path: Path) -> None:
        with pytest.raises(JournalError, match="no such journal"):
            tell(tmp_path, WORDS)


Stops = st.lists(
    st.tuples(st.integers(1, 90), st.lists(st.sampled_from(["a", "b", "roll"]), max_size=2)),
    min_size=1,
    max_size=3,
)
"""Events until the run breaks off, and what a person does while it stands still."""


@pytest.mark.parametrize(
    "schedule", ["generation", pytest.param("steady", marks=pytest.mark.tier("runs"))]
)
@settings(max_examples=6, deadline=None)
@given(stops=Stops)
def test_interrupted_told_and_resumed_is_what_a_replay_comes_to(
    schedule: str, stops: list[tuple[int, list[str]]]
) -> None:
    with TemporaryDirectory(prefix="told-") as place:
        folder = Path(place) / "run"
        for index, (after, done) in enumerate(stops):
            try:
                if index == 0:
                    start(
                        number_run(
                            Path(place),
                            operators=READING,
                            budget=SMALL,
                            schedule=schedule,
                            lag=3,
                        ),
                        problem=number_problem(),
                        listeners=[Crash(after)],
                        evaluators=factory(ComparisonKind.EXACT),
                    )
                else:
                    gone_on(folder, [Crash(len(events_in(folder)) + after)])
            except SandboxError:
                _does(folder, done)
        gone_on(folder)
        again = replay(folder)
        assert again.complete
        assert again.differences == ()
        heard = [e.direction for e in events_in(folder) if isinstance(e, Told)]
        assert heard == list(told_to(folder))[: len(heard)]


def _does(folder: Path, done: list[str]) -> None:
    for words in done:
        state, versions, _ = history_of(folder)
        if state.search_ended is not None:
            return
        if words != "roll":
            tell(folder, words)
        elif len(versions) > 1:
            roll_back(folder, 1)
