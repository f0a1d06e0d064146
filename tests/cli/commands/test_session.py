"""`show --session`, `tell --constraint` and `rollback --session`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.commands.test_rollback import begun
from tests.finished import finished


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    return finished(tmp_path_factory.mktemp("whole"), timed=False)


@pytest.fixture
def broken(whole: Path, tmp_path: Path) -> Path:
    """A run that broke off in the midst of its search."""
    return begun(whole, tmp_path / "run", 90)


@pytest.mark.tier("runs")
def test_it_is_shown_as_prompts_show_it_and_as_json(broken: Path) -> None:
    shown = call("show", broken, "--session")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0] == "## What this run agrees on"
    assert "### How programs failed" in lines
    assert "--session N` goes back to version N" in lines[-1]
    found = json.loads(call("show", broken, "--session", "--json").out)
    assert list(found) == [
        "api_constraints",
        "archetype",
        "known_fixes",
        "decisions",
        "coverage_strategies",
        "failure_analyses",
        "skeleton_components",
    ]


@pytest.mark.tier("runs")
def test_a_constraint_is_told_with_what_it_denies(broken: Path) -> None:
    said = call("tell", broken, "--constraint", "must sort the input")
    assert (said.code, said.out.splitlines()) == (
        0,
        [
            "told run, as a constraint: must sort the input",
            "prompts of this run do not show it: memory.session.shown is false",
            "this run asks no model, and nobody else reads it",
        ],
    )
    again = call("tell", broken, "--constraint", "must not sort the input").out.splitlines()
    assert (
        again[1] == "it denies what was told before, which holds no more: must sort the input"
    )


@pytest.mark.parametrize("told", [(), ("use a heap", "--constraint", "sort"), ("",)])
def test_one_thing_is_told_at_a_time(broken: Path, told: tuple[str, ...]) -> None:
    assert two_lines(call("tell", broken, *told))[0].endswith("one at a time")


def test_a_version_holds_again(broken: Path) -> None:
    back = call("rollback", broken, "--session", "0")
    assert back.code == 0
    assert back.out.splitlines()[0].startswith("session memory is that of version 0 again (")
    error, hint = two_lines(call("rollback", broken, "--session", "99"))
    assert "no version 99 of session memory" in error
    assert "did you mean" in hint
    assert "two rollbacks" in two_lines(call("rollback", broken, "1", "--session", "1"))[0]


def test_it_is_shown_alone(broken: Path) -> None:
    for other in ("--calls", "--all", "best"):
        assert call("show", broken, "--session", other).code == 2
