"""Rollback: earlier directions hold again, from the next generation on, and in a replay too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.chat.events import RolledBack
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.engine.run.rollback import History, history, roll_back
from se_agent.engine.run.start import resume, start
from se_agent.errors import ConfigError, JournalError, SandboxError
from se_agent.events import Event, Learned, Proposed
from se_agent.memory.local.directions import direction_key
from se_agent.protocols import Listener
from se_agent.stats.costs import Costs
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.step import Proposal
from tests.engine.runs import Crash, CrashAt, factory, ran
from tests.fakes import Step1, number_problem, number_run
from tests.memory.experience.journals import finished

NOTHING = direction_key("")


class Reading1(Step1):
    """Adds one, and notes a hash of the memory that it was asked with."""

    name = "tests.engine.run.test_rollback:Reading1"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the next number; None once it was tried."""
        found = super().propose(brief)
        return replace(found, notes=(direction_key(brief.memory.text),)) if found else None


class Reading3(Reading1):
    """Adds three, and notes a hash of the memory that it was asked with."""

    name = "tests.engine.run.test_rollback:Reading3"
    by = 3


def events_in(folder: Path) -> list[Event]:
    with Journal(folder / "run.db", write=False) as journal:
        return list(journal.events())


def history_of(folder: Path) -> History:
    return history(folder, events_in(folder))


def broken(results: Path, listener: Listener, **changes: object) -> Path:
    """Return the folder of a run that a listener broke off."""
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(results, **changes),
            problem=number_problem(),
            listeners=[listener],
            evaluators=factory(ComparisonKind.EXACT),
        )
    return results / "run"


def gone_on(folder: Path, listeners: Sequence[Listener] = ()) -> None:
    resume(folder, listeners=listeners, evaluators=factory(ComparisonKind.EXACT))


class TestWhatItDoes:
    def test_the_directions_of_a_version_hold_again_and_nothing_else_changes(
        self, tmp_path: Path
    ) -> None:
        folder = broken(tmp_path, Crash(60))
        before, known, _ = history_of(folder)
        done = roll_back(folder, 2)
        state, after, _ = history_of(folder)
        assert [v.number for v in after] == list(range(1, len(known) + 2))
        assert after[:-1] == known
        assert after[-1] == done.version
        assert (after[-1].restored, after[-1].step) == (2, "")
        assert after[-1].directions == known[1].directions != known[-1].directions
        assert before.memory is not None
        assert state.memory is not None
        assert state.memory.local.attempted_directions == known[1].directions
        assert state.memory.local.reasoning_bank == before.memory.local.reasoning_bank
        assert state.population == before.population

    @pytest.mark.tier("runs")
    def test_what_is_learned_after_it_is_learned_on_top_of_it(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        known = history_of(folder).versions
        roll_back(folder, 1)
        gone_on(folder)
        after = history_of(folder).versions
        (first,) = (v for v in after if v.number == len(known) + 2)
        assert len(first.directions) <= len(known[0].directions) + 1
        events = events_in(folder)
        versions = [
            event.memory_version
            for event in events
            if isinstance(event, RolledBack) or (isinstance(event, Learned) and event.lesson)
        ]
        assert versions == list(range(1, len(versions) + 1))

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("after", range(40, 64, 2))
    def test_slots_of_a_generation_see_one_past(self, tmp_path: Path, after: int) -> None:
        """Wherever it breaks off, also between two slots that are being filled."""
        small = {"operators": READING, "generation_size": 4, "budget": SMALL}
        folder = broken(tmp_path, Crash(after), **small)
        roll_back(folder, 1)
        gone_on(folder)
        seen: dict[str, set[str]] = {}
        for event in events_in(folder):
            if isinstance(event, Proposed) and event.proposal is not None:
                generation = event.proposal.solution.id.partition("_")[0]
                past = set(event.proposal.notes) - {NOTHING}  # or memory was withheld
                seen.setdefault(generation, set()).update(past)
        assert sum(len(pasts) for pasts in seen.values()) > 3
        assert {name: len(pasts) for name, pasts in seen.items() if len(pasts) > 1} == {}
        assert replay(folder).differences == ()

    def test_days_that_the_run_stood_still_are_no_time_of_it(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        before = history_of(folder).state
        roll_back(folder, 1)
        events = events_in(folder)
        costs = Costs()
        for event in events[:-1]:
            costs.apply(event)
        costs.apply(events[-1].model_copy(update={"at": events[-1].at + timedelta(days=2)}))
        assert costs.so_far() == before.costs.so_far()


READING = [Reading1.name, Reading3.name]
SMALL = {"evaluations": 14}
Stops = st.lists(
    st.tuples(st.integers(1, 90), st.lists(st.integers(0, 30), max_size=2)),
    min_size=1,
    max_size=3,
)
"""Events until the run breaks off, and the versions that it is rolled back to."""


@pytest.mark.tier("runs")
@settings(max_examples=12, deadline=None)
@given(stops=Stops)
def test_interrupted_rolled_back_and_resumed_is_what_a_replay_comes_to(
    stops: list[tuple[int, list[int]]],
) -> None:
    with TemporaryDirectory(prefix="rolled-back-") as place:
        folder = _stopped(Path(place), stops)
        rollbacks = sum(isinstance(event, RolledBack) for event in events_in(folder))
        part = replay(folder)
        assert part.differences == ()
        gone_on(folder)
        again = replay(folder)
        assert again.complete
        assert again.differences == ()
        kinds = [event.kind for event in events_in(folder)]
        assert kinds.count("rolled_back") == rollbacks


def _stopped(results: Path, stops: list[tuple[int, list[int]]]) -> Path:
    """Return a run that was broken off and rolled back again and again."""
    folder = results / "run"
    for index, (after, wanted) in enumerate(stops):
        try:
            if index == 0:
                start(
                    number_run(results, operators=READING, budget=SMALL),
                    problem=number_problem(),
                    listeners=[Crash(after)],
                    evaluators=factory(ComparisonKind.EXACT),
                )
            else:
                gone_on(folder, [Crash(len(events_in(folder)) + after)])
        except SandboxError:
            for number in wanted:
                _rolled_back(folder, number)
    return folder


def _rolled_back(folder: Path, number: int) -> None:
    state, known, _ = history_of(folder)
    if state.search_ended is None and len(known) > 1:
        roll_back(folder, 1 + number % (len(known) - 1))


@pytest.mark.tier("runs")
def test_a_replay_misses_a_rollback_to_what_it_never_had(tmp_path: Path) -> None:
    folder = broken(tmp_path, Crash(60))
    roll_back(folder, 1)
    gone_on(folder)
    with Journal(folder / "run.db") as journal:
        (event,) = (e for e in journal.events() if isinstance(e, RolledBack))
        journal.append(event.model_copy(update={"version": 999}))
    assert [line[0] for line in replay(folder).differences] == ["-"]


class TestRefused:
    def test_a_version_that_never_was(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        last = len(history_of(folder).versions)
        with pytest.raises(ConfigError, match="no version 99 of the directions") as caught:
            roll_back(folder, 99)
        assert caught.value.hint == f"did you mean {last}? known: 1 to {last}"
        with pytest.raises(ConfigError, match="no version 0 ") as caught:
            roll_back(folder, 0)
        assert caught.value.hint.startswith("did you mean 1?")

    def test_the_last_version(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        last = len(history_of(folder).versions)
        with pytest.raises(ConfigError, match=f"version {last} is the last one"):
            roll_back(folder, last)

    @pytest.mark.parametrize(
        ("listener", "changes"),
        [
            pytest.param(Crash(3), {}, id="nothing-learned"),
            pytest.param(Crash(60), {"memory": {"enabled": False}}, id="no-memory"),
        ],
    )
    def test_a_run_without_directions(
        self, tmp_path: Path, listener: Listener, changes: dict[str, object]
    ) -> None:
        folder = broken(tmp_path, listener, **changes)
        with pytest.raises(ConfigError, match="this run has no directions"):
            roll_back(folder, 1)

    @pytest.mark.tier("runs")
    def test_a_run_that_has_ended(self, tmp_path: Path) -> None:
        folder = Path(ran(tmp_path).run)
        with pytest.raises(JournalError, match="the search is over") as caught:
            roll_back(folder, 1)
        assert caught.value.hint == "start a new run"

    @pytest.mark.tier("runs")
    def test_a_run_whose_search_has_ended(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, CrashAt("search_ended"))
        with pytest.raises(JournalError, match="the search is over") as caught:
            roll_back(folder, 1)
        assert caught.value.hint == f"`se-agent resume {folder}` confirms"

    def test_a_run_that_is_under_way(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        with (
            Journal(folder / "run.db"),
            pytest.raises(JournalError, match="open in another process"),
        ):
            roll_back(folder, 1)

    def test_nothing_is_written_where_it_is_refused(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        before = events_in(folder)
        for number in (0, 99, len(history_of(folder).versions)):
            with pytest.raises(ConfigError, match="version"):
                roll_back(folder, number)
        assert events_in(folder) == before


@pytest.mark.tier("runs")
def test_lessons_of_earlier_runs_are_a_version_and_each_goes_by_its_number(
    tmp_path: Path,
) -> None:
    finished(tmp_path, "first")
    memory = {"prior": True, "experience": {"lessons": True}}
    folder = broken(tmp_path, Crash(90), memory=memory, name="run")
    recalled, *later = history_of(folder).versions
    assert recalled.recalled
    assert recalled.directions
    assert [version.number for version in later] == [
        recalled.number + n for n in range(1, len(later) + 1)
    ]
    for version in (recalled, later[0]):
        assert roll_back(folder, version.number).version.directions == version.directions
    with pytest.raises(ConfigError, match="no version 0"):
        roll_back(folder, 0)
