"""`rollback` and `show --directions`: the versions of a run's directions."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from tests.cli.calls import call, two_lines
from tests.finished import beginning_of, finished

EVENTS = 60


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    return finished(tmp_path_factory.mktemp("whole"), timed=False)


def begun(whole: Path, folder: Path, events: int) -> Path:
    """Return a run that broke off after so many events."""
    return beginning_of(whole, folder, lambda known: itertools.islice(known, events))


@pytest.fixture
def broken(whole: Path, tmp_path: Path) -> Path:
    """A run that broke off in the midst of its search."""
    return begun(whole, tmp_path / "run", EVENTS)


def rows(out: str) -> list[str]:
    """Return the lines of a table of versions."""
    return [line for line in out.splitlines() if re.match(r"\d+ ", line)]


@pytest.mark.tier("runs")
def test_versions_are_listed_with_the_step_that_made_them(broken: Path) -> None:
    called = call("rollback", broken)
    assert called.code == 0
    found = rows(called.out)
    assert re.fullmatch(r"1 +Gen1_Sol_0 +1 +0 +0", found[0].rstrip())
    assert [int(line.split()[0]) for line in found] == list(range(1, len(found) + 1))
    assert called.out.splitlines()[-1].startswith(f"version {len(found)} holds")


@pytest.mark.tier("runs")
def test_a_rollback_is_a_version_of_its_own(broken: Path) -> None:
    before = rows(call("rollback", broken).out)
    said = call("rollback", broken, 2)
    assert said.code == 0
    assert said.out.splitlines()[0].startswith("rolled back to version 2: ")
    assert f"next:\n  se-agent resume {broken}" in said.out
    assert "is open and goes on with what it began with" in said.out
    after = rows(call("rollback", broken).out)
    assert after[:-1] == before
    number, back, to, *counts = after[-1].split()
    assert (number, back, to) == (str(len(before) + 1), "back", "to")
    assert counts == ["2", *before[1].split()[2:]]
    assert call("replay", broken).out.startswith("identical: ")


def test_show_has_the_last_versions_and_each_in_full(broken: Path) -> None:
    count = len(rows(call("rollback", broken).out))
    call("rollback", broken, 1)
    shown = call("show", broken, "--all").out
    assert f"- {count + 1} (back to 1): 1 recommended, 0 tabu, 0 without" in shown
    assert f"all {count + 1}: se-agent rollback {broken}" in shown
    first = call("show", broken, "--directions", 1).out.splitlines()
    assert first[:2] == [
        "version 1 (Gen1_Sol_0): 1 recommended, 0 tabu, 0 without a proven effect",
        "### Recommended directions",
    ]
    assert call("show", broken, "--directions", count + 1).out.splitlines()[1:] == first[1:]


@pytest.mark.parametrize(
    "command", [("rollback", "RUN", 99), ("show", "RUN", "--directions", 99)]
)
def test_a_version_that_never_was(broken: Path, command: tuple[object, ...]) -> None:
    words = [broken if word == "RUN" else word for word in command]
    error, hint = two_lines(call(*words))
    assert error == "no version 99 of the directions in this run"
    assert re.fullmatch(r"did you mean (\d+)\? known: 1 to \1", hint)


def test_a_run_that_has_ended_lists_its_versions_and_keeps_them(whole: Path) -> None:
    assert len(rows(call("rollback", whole).out)) > 5
    error, hint = two_lines(call("rollback", whole, 1))
    assert "the search is over" in error
    assert hint == "start a new run"


def test_a_run_that_is_under_way(broken: Path) -> None:
    with Journal(broken / "run.db"):
        assert call("rollback", broken).code == 0
        error, hint = two_lines(call("rollback", broken, 1))
    assert "this run is open in another process" in error
    assert hint.startswith("wait for it")


def test_a_run_that_has_learned_nothing(whole: Path, tmp_path: Path) -> None:
    folder = begun(whole, tmp_path / "run", 2)
    assert call("rollback", folder).out == "this run has no directions\n"
    assert two_lines(call("rollback", folder, 1))[0] == "this run has no directions"
