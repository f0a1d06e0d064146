"""Session memory: what a person tells it, its versions, and going back to one."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.chat.events import RolledBack
from se_agent.engine.run.replay import replay
from se_agent.engine.run.rollback import history, roll_back
from se_agent.engine.run.session_rollback import roll_back_session, session_versions
from se_agent.engine.run.user_hints import denied_by, hints_of, tell
from se_agent.errors import ConfigError, JournalError
from se_agent.events import Event
from se_agent.memory import SessionVersion
from tests.engine.run.test_rollback import broken, events_in, gone_on
from tests.engine.runs import Crash, ran


def versions_of(folder: Path) -> list[SessionVersion]:
    return session_versions(folder, events_in(folder))


def constraints(folder: Path) -> list[str]:
    return [one.constraint for one in versions_of(folder)[-1].memory.api_constraints]


class TestConstraints:
    @pytest.mark.tier("runs")
    def test_what_a_person_says_is_kept_and_replayed(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        directions = len(history(folder, events_in(folder)).versions)
        assert tell(folder, " must sort\n it ", constraint=True) == "must sort it"
        tell(folder, "use a heap")
        gone_on(folder)
        assert "must sort it" in constraints(folder)
        memory = versions_of(folder)[-1].memory
        (said,) = (one for one in memory.api_constraints if one.source == "user")
        assert said.binding
        told = [v.told for v in history(folder, events_in(folder)).versions[directions:]]
        assert [words for words in told if words] == ["use a heap"]
        assert replay(folder).differences == ()

    @pytest.mark.tier("runs")
    def test_of_two_that_deny_each_other_the_later_one_holds(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(60))
        tell(folder, "must sort the input", constraint=True)
        assert denied_by(folder, "must not sort the input") == "must sort the input"
        assert denied_by(folder, "must sort the input") == ""
        tell(folder, "must not sort the input", constraint=True)
        gone_on(folder)
        assert "must not sort the input" in constraints(folder)
        assert "must sort the input" not in constraints(folder)
        assert [hint.constraint for hint in hints_of(folder)] == [True, True]

    def test_a_run_that_keeps_none_says_so(self, tmp_path: Path) -> None:
        memory = {"prior": False, "session": {"constraints": False}}
        folder = broken(tmp_path, Crash(60), memory=memory)
        with pytest.raises(ConfigError, match="keeps no constraints"):
            tell(folder, "a", constraint=True)


class TestRollback:
    def test_a_version_holds_again_and_directions_stay(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(90))
        known = versions_of(folder)
        assert [one.number for one in known] == list(range(len(known)))
        before = history(folder, events_in(folder)).versions
        assert roll_back_session(folder, 0) == known[0]
        after = versions_of(folder)
        assert (after[-1].memory, after[-1].why) == (known[0].memory, "back to 0")
        assert after[:-1] == known
        assert history(folder, events_in(folder)).versions == before

    def test_a_rollback_of_directions_leaves_it_alone(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(90))
        known = versions_of(folder)
        roll_back(folder, 1)
        assert versions_of(folder) == known

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("after", [70, 90])
    def test_the_run_goes_on_and_is_replayed(self, tmp_path: Path, after: int) -> None:
        folder = broken(tmp_path, Crash(after))
        roll_back_session(folder, 0)
        gone_on(folder)
        backs: list[Event] = [e for e in events_in(folder) if isinstance(e, RolledBack)]
        assert len(backs) == 1
        assert replay(folder).differences == ()

    def test_what_cannot_be_gone_back_to_is_refused(self, tmp_path: Path) -> None:
        folder = broken(tmp_path, Crash(90))
        last = len(versions_of(folder)) - 1
        for number in (-1, last + 1):
            with pytest.raises(ConfigError, match=f"no version {number} of session memory"):
                roll_back_session(folder, number)
        with pytest.raises(ConfigError, match="holds already"):
            roll_back_session(folder, last)

    @pytest.mark.tier("runs")
    def test_an_ended_search_is_left_alone(self, tmp_path: Path) -> None:
        ran(tmp_path)
        with pytest.raises(JournalError, match="search is over"):
            roll_back_session(tmp_path / "run", 0)


@pytest.mark.tier("runs")
def test_a_resumed_run_agrees_on_what_one_without_a_break_does(tmp_path: Path) -> None:
    folder = broken(tmp_path / "a", Crash(75))
    gone_on(folder)
    ran(tmp_path / "b")
    assert versions_of(folder) == versions_of(tmp_path / "b" / "run")
