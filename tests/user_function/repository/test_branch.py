"""A change is committed on a new branch; files, index and other branches stay as they are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.change import FileChange
from se_agent.user_function.repository.branch import commit_on_branch, repository_of

OLD, NEW = "def f():\n    return 1\n", "def f():\n    return 2\n"


def _git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    done = subprocess.run(
        ("git", *who, "-C", str(root), *arguments), check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "mod.py").write_text(OLD)
    (root / "other.py").write_text("x = 1\n")
    _git(root.parent, "init", "-q", "-b", "trunk", str(root))
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "first")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A Person")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.org")
    return root


def _change(root: Path) -> FileChange:
    return FileChange(root / "pkg" / "mod.py", OLD, NEW)


def test_a_commit_has_the_change_and_nothing_else(repository: Path) -> None:
    (repository / "other.py").write_text("x = 2  # mine\n")
    (repository / "staged.py").write_text("y = 1\n")
    _git(repository, "add", "staged.py")
    before = _git(repository, "status", "--porcelain")
    commit = commit_on_branch([_change(repository)], "faster", "Make f() faster\n\nBecause.\n")
    assert _git(repository, "rev-parse", "faster").strip() == commit
    assert _git(repository, "show", "--format=%B", "--stat", "faster").startswith(
        "Make f() faster\n\nBecause.\n"
    )
    assert _git(repository, "diff", "--name-only", "trunk", "faster") == "pkg/mod.py\n"
    assert _git(repository, "show", "faster:pkg/mod.py") == NEW
    assert _git(repository, "status", "--porcelain") == before
    assert (repository / "pkg" / "mod.py").read_text() == OLD
    assert _git(repository, "branch", "--show-current").strip() == "trunk"


def test_hooks_of_the_repository_are_not_run(repository: Path) -> None:
    for name in ("pre-commit", "commit-msg", "reference-transaction"):
        hook = repository / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\ntouch ../ran; exit 1\n")
        hook.chmod(0o755)
    assert commit_on_branch([_change(repository)], "faster", "m\n")
    assert not list(repository.parent.rglob("ran"))


@pytest.mark.parametrize(
    ("text", "branch", "told"),
    [
        pytest.param("def f():\n    return 3\n", "faster", "changed meanwhile", id="another"),
        pytest.param(OLD, "trunk", "there is a branch", id="a branch that is there"),
        pytest.param(OLD, "-x", "no such name", id="no name for a branch"),
        pytest.param(OLD, "a..b", "no such name", id="no name for git"),
    ],
)
def test_what_cannot_be_committed_is_refused(
    repository: Path, text: str, branch: str, told: str
) -> None:
    (repository / "pkg" / "mod.py").write_text(text)
    refs = _git(repository, "for-each-ref")
    with pytest.raises(ProblemError, match=told):
        commit_on_branch([_change(repository)], branch, "m\n")
    assert _git(repository, "for-each-ref") == refs


def test_a_file_with_changes_of_its_own_is_refused(repository: Path) -> None:
    (repository / "pkg" / "mod.py").write_text("def f():\n    return 0\n")
    change = FileChange(repository / "pkg" / "mod.py", "def f():\n    return 0\n", NEW)
    with pytest.raises(ProblemError, match="changes that are not committed"):
        commit_on_branch([change], "faster", "m\n")


def test_a_change_that_was_applied_can_still_be_committed(repository: Path) -> None:
    change = _change(repository)
    change.path.write_text(NEW)
    commit_on_branch([change], "faster", "m\n")
    assert _git(repository, "show", "faster:pkg/mod.py") == NEW
    assert change.path.read_text() == NEW
    _git(repository, "commit", "-qam", "mine")
    with pytest.raises(ProblemError, match="the last commit has this change already"):
        commit_on_branch([change], "again", "m\n")


def test_a_commit_has_the_line_ends_of_the_repository(repository: Path) -> None:
    """With `core.autocrlf` files have others, and a diff of all lines is no change."""
    _git(repository, "config", "core.autocrlf", "true")
    old, new = (text.replace("\n", "\r\n") for text in (OLD, NEW))
    path = repository / "pkg" / "mod.py"
    path.write_bytes(old.encode())
    commit_on_branch([FileChange(path, old, new)], "faster", "m\n")
    assert _git(repository, "diff", "--numstat", "trunk", "faster") == "1\t1\tpkg/mod.py\n"
    assert path.read_bytes() == old.encode()


def test_a_file_in_no_repository_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mod.py").write_text(OLD)
    assert repository_of(tmp_path / "mod.py") is None
    with pytest.raises(ProblemError, match="no git repository"):
        commit_on_branch([FileChange(tmp_path / "mod.py", OLD, NEW)], "faster", "m\n")


def test_a_repository_with_longer_names_of_objects(repository: Path, tmp_path: Path) -> None:
    root = tmp_path / "newer"
    _git(tmp_path, "init", "-q", "--object-format=sha256", str(root))
    (root / "pkg").mkdir()
    (root / "pkg" / "mod.py").write_text(OLD)
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "first")
    commit = commit_on_branch([_change(root)], "faster", "Faster\n")
    assert len(commit) == 64
    assert _git(root, "show", "faster:pkg/mod.py") == NEW
