"""`patch`: what git applies, with a message that says what is proven and what is not."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from se_agent.cli.write_back import Aim
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import start
from se_agent.events import Failed
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal
from tests.cli.calls import call, two_lines
from tests.engine.challengers import Believer
from tests.engine.step.test_minimise import Leap
from tests.fakes import number_problem, number_run
from tests.finished import finished, unfinished


class Seven(Leap):
    """Makes a wrong program: a multiple of seven."""

    name = "tests.cli.commands.test_patch:Seven"
    by = (7,)


class Relying(Leap):
    """Makes a program by an edit that is right for some inputs alone."""

    name = "tests.cli.commands.test_patch:Relying"
    relies_on = "numbers are whole"


class Saying(Leap):
    """Says what it did in a program."""

    name = "tests.cli.commands.test_patch:Saying"

    @staticmethod
    def said_of(edit: Edit) -> str:
        """Return it, by the function that was changed."""
        return f"Leap far with {edit.rule.rpartition(':')[2]}"


class Guarding:
    """Makes a program with a guard, about a name that is not free elsewhere in the file."""

    name = "tests.cli.commands.test_patch:Guarding"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the text, once."""
        loop = "    for each_2 in a:\n        return each_2 if type(each_2) is int else 0\n"
        text = f"x = 1000\n\n\ndef f(a):\n{loop}\n\nprint(f([3]))\n"
        child = brief.child({"main.py": text}, operator=self.name)
        return None if child.content in brief.tried else Proposal(solution=child, direction="G")


def _git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    done = subprocess.run(
        ("git", *who, "-C", str(root), *arguments), check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A run of a file in a repository, and the repository."""
    folder = finished(tmp_path, timed=True, operators=[Leap.name])
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "mod.py").write_text("x = 0")
    _git(tmp_path, "init", "-q", str(root))
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "first")
    path = root / "pkg" / "mod.py"
    Aim(path=path, function="f", text="x = 0", write=False, folder=folder.resolve()).keep()
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A Person")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.org")
    return folder, root


def test_git_applies_the_patch_from_the_root(project: tuple[Path, Path]) -> None:
    folder, root = project
    output = root.parent / "f.patch"
    said = call("patch", folder, "--output", output)
    assert said.code == 0
    assert "git apply" in said.err
    _git(root, "apply", str(output))
    assert (root / "pkg" / "mod.py").read_text() == "x = 1000"


def test_without_a_repository_paths_start_where_one_is(
    project: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, root = project
    shutil.rmtree(root / ".git")
    monkeypatch.chdir(root)
    assert json.loads(call("patch", folder, "--json").out)["path"] == "pkg/mod.py"
    monkeypatch.chdir(folder)
    assert json.loads(call("patch", folder, "--json").out)["path"] == "mod.py"


def test_the_message_has_the_claim_with_its_doubt(project: tuple[Path, Path]) -> None:
    folder, _ = project
    said = call("patch", folder)
    assert said.out.startswith("Make f() ")
    assert "99 % interval" in said.out
    assert "--- a/pkg/mod.py" in said.out
    assert "style: +0.0 points" in said.err


def test_it_is_committed_on_a_new_branch(project: tuple[Path, Path]) -> None:
    folder, root = project
    row = json.loads(call("patch", folder, "--branch", "faster", "--json").out)
    assert _git(root, "rev-parse", "faster").strip() == row["commit"]
    assert _git(root, "log", "-1", "--format=%s", "faster").strip() == row["title"]
    assert _git(root, "status", "--porcelain") == ""
    assert row["path"] == "pkg/mod.py"
    again = call("patch", folder, "--branch", "faster")
    assert "there is a branch" in two_lines(again)[0]


def test_a_run_of_a_problem_has_a_patch_of_its_program(tmp_path: Path) -> None:
    folder = finished(tmp_path, timed=True, operators=[Leap.name])
    said = call("patch", folder, "--json")
    assert json.loads(said.out)["diff"].startswith("--- a/main.py\n+++ b/main.py\n")


def test_a_program_that_is_no_file_of_yours_cannot_be_committed(tmp_path: Path) -> None:
    folder = finished(tmp_path, timed=True, operators=[Leap.name])
    error, hint = two_lines(call("patch", folder, "--branch", "faster"))
    assert error == "main.py: there is no such file: the program stands in the problem itself"
    assert "or the diff without --branch" in hint
    written = call("patch", folder, "--output", tmp_path / "a.patch")
    assert "there is no such file that the diff could be applied to" in written.err
    assert "git apply" not in written.err


def test_that_no_counterexample_was_looked_for_is_told(tmp_path: Path) -> None:
    said = call("patch", finished(tmp_path, timed=True, operators=[Leap.name]))
    assert "- No inputs were made up to find a difference: only the tests" in said.out


def test_what_edits_rely_on_is_told(tmp_path: Path) -> None:
    said = call("patch", finished(tmp_path, timed=True, operators=[Relying.name]))
    told = "- It relies on this, which no input contradicted: numbers are whole"
    assert next(line for line in said.out.split("\n") if "relies" in line).startswith(told)
    assert said.out.count("relies on") == 1


def test_what_an_operator_says_of_its_edit_is_told(tmp_path: Path) -> None:
    said = call("patch", finished(tmp_path, timed=True, operators=[Saying.name]))
    assert "- Leap far with Saying (`f`)" in said.out.splitlines()


def test_a_guard_that_went_is_told_by_the_names_of_the_patch(tmp_path: Path) -> None:
    run = start(
        number_run(tmp_path, operators=[Guarding.name]),
        problem=number_problem(timed=True),
        evaluators=lambda problem, config: Believer(),
    ).run
    said = call("patch", run)
    assert "+        return each" in said.out.splitlines()
    assert "It relies on `type(each) is int`, which held for all inputs" in said.out
    assert "No inputs were made up" not in said.out


@pytest.mark.tier("runs")
def test_without_a_proven_gain_there_is_none(tmp_path: Path) -> None:
    folder = finished(tmp_path, timed=True, operators=[Seven.name])
    error, hint = two_lines(call("patch", folder))
    assert error == f"{folder}: the run has no proven gain, so there is no patch"
    assert hint == f"`se-agent show {folder}` says what it came to"


@pytest.mark.tier("runs")
def test_a_run_without_an_end_says_why(tmp_path: Path) -> None:
    folder = unfinished(tmp_path, 3)
    error, hint = two_lines(call("patch", folder))
    assert error == f"{folder}: the run has not ended, so there is no patch yet"
    assert hint == f"`se-agent resume {folder}` goes on with it"
    with Journal(folder / "run.db") as journal:
        assert (
            "the run is still going on, so there is no patch yet"
            in two_lines(call("patch", folder))[0]
        )
        journal.append(Failed(message="the machine gave up"))
    error, again = two_lines(call("patch", folder))
    broke = "ended by an error, so there is no patch: the machine gave up"
    assert error == f"{folder}: the run {broke}"
    assert again == hint
