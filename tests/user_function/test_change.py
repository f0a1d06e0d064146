"""Writing a change into the user's file: one step, never over something newer."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.change import FileChange, FileState, write_all

OLD = "def f(x):\n    return x + 0\n"
NEW = "def f(x):\n    return x\n"


@pytest.fixture
def change(tmp_path: Path) -> FileChange:
    path = tmp_path / "tools.py"
    path.write_text(OLD, encoding="utf-8")
    return FileChange(path, OLD, NEW)


def git(folder: Path, *command: str) -> None:
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", *settings, *command], cwd=folder, check=True, env=env, capture_output=True
    )


def test_the_diff_names_the_file_and_the_lines(change: FileChange) -> None:
    assert change.diff() == (
        "--- a/tools.py\n+++ b/tools.py\n@@ -1,2 +1,2 @@\n"
        " def f(x):\n-    return x + 0\n+    return x\n"
    )


def test_the_old_file_is_kept_beside_the_new_one(change: FileChange) -> None:
    kept = change.write()
    assert kept == change.path.with_name("tools.py.orig")
    assert kept.read_text(encoding="utf-8") == OLD
    assert change.path.read_text(encoding="utf-8") == NEW
    assert sorted(p.name for p in change.path.parent.iterdir()) == ["tools.py", "tools.py.orig"]


def test_mode_line_ends_and_links_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_bytes(OLD.replace("\n", "\r\n").encode())
    real.chmod(0o754)
    link.symlink_to(real)
    old = real.read_bytes().decode()
    FileChange(link, old, old.replace(" + 0", "")).write()
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o754
    assert real.read_bytes() == NEW.replace("\n", "\r\n").encode()


def test_a_file_that_changed_meanwhile_is_left_alone(change: FileChange) -> None:
    change.path.write_text(OLD + "# mine\n", encoding="utf-8")
    with pytest.raises(ProblemError, match="changed meanwhile; nothing was written"):
        change.write()
    assert change.path.read_text(encoding="utf-8") == OLD + "# mine\n"
    assert not change.path.with_name("tools.py.orig").exists()


def test_a_copy_of_another_text_is_not_overwritten(change: FileChange) -> None:
    copy = change.path.with_name("tools.py.orig")
    copy.write_text("precious", encoding="utf-8")
    with pytest.raises(ProblemError, match="another copy is in the way"):
        change.write()
    assert copy.read_text(encoding="utf-8") == "precious"
    assert change.path.read_text(encoding="utf-8") == OLD


@pytest.mark.parametrize("target", ["elsewhere", "not-there"])
def test_the_copy_is_written_through_no_link(change: FileChange, target: str) -> None:
    (change.path.parent / "elsewhere").write_text(OLD, encoding="utf-8")
    change.path.with_name("tools.py.orig").symlink_to(target)
    with pytest.raises(ProblemError, match="another copy is in the way"):
        change.write()
    assert not (change.path.parent / "not-there").exists()
    assert change.path.read_text(encoding="utf-8") == OLD


def test_a_pipe_is_neither_the_file_nor_its_copy(change: FileChange) -> None:
    os.mkfifo(change.path.with_name("tools.py.orig"))
    with pytest.raises(ProblemError, match="not an ordinary file"):
        change.write()
    change.path.unlink()
    os.mkfifo(change.path)
    assert change.state is FileState.ANOTHER
    with pytest.raises(ProblemError, match="the file changed meanwhile"):
        change.write()


class TestGit:
    def test_a_committed_file_needs_no_copy(self, change: FileChange) -> None:
        git(change.path.parent, "init", "-q")
        git(change.path.parent, "add", "tools.py")
        git(change.path.parent, "commit", "-q", "-m", "a tool")
        assert change.write() is None
        assert [p.name for p in change.path.parent.iterdir() if p.is_file()] == ["tools.py"]

    @pytest.mark.parametrize("staged", [False, True])
    def test_a_file_that_is_not_committed_gets_one(
        self, change: FileChange, staged: bool
    ) -> None:
        git(change.path.parent, "init", "-q")
        if staged:
            git(change.path.parent, "add", "tools.py")
        assert change.write() is not None

    def test_a_file_that_git_ignores_gets_one(self, change: FileChange) -> None:
        git(change.path.parent, "init", "-q")
        (change.path.parent / ".gitignore").write_text("*.py\n", encoding="utf-8")
        assert change.write() is not None


def test_of_several_files_none_is_written_where_one_changed_meanwhile(
    change: FileChange, tmp_path: Path
) -> None:
    other = FileChange(tmp_path / "other.py", OLD, NEW)
    other.path.write_text("# newer\n", encoding="utf-8")
    with pytest.raises(ProblemError, match=r"other\.py: the file changed meanwhile"):
        write_all([change, other])
    assert change.path.read_text(encoding="utf-8") == OLD


def test_of_several_files_what_was_written_before_is_left(
    change: FileChange, tmp_path: Path
) -> None:
    other = FileChange(tmp_path / "other.py", OLD, NEW)
    other.path.write_text(NEW, encoding="utf-8")
    assert write_all([change, other]).keys() == {change.path}
    assert change.state is FileState.CHANGED_SO
