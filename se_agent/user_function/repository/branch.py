"""A change as a commit on a new branch; neither files nor index of the user's are touched.

The commit is made of objects alone: the tree of the last commit with one other text. Not here:
what the change is, and whether it is any good.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from se_agent.errors import ProblemError
from se_agent.user_function.change import FileChange, FileState
from se_agent.user_function.repository.git import GitAnswer, ask_git


def repository_of(path: Path) -> Path | None:
    """Return the root of the repository that a file is in; None: it is in none."""
    found = ask_git(path.resolve().parent, "rev-parse", "--show-toplevel")
    if found is None or found.code:
        return None
    return Path(os.fsdecode(found.output).rstrip("\n"))


def commit_on_branch(changes: Sequence[FileChange], branch: str, message: str) -> str:
    """Commit changes on a new branch, and return the id of the commit.

    Args:
        changes: Changes of files of one repository that the last commit has as they were read.
            A file may have its change already: then it is as if it were to be committed.
        branch: Name of the branch.
        message: Message of the commit.

    Raises:
        ProblemError: A file is in no repository or another one, is another one by now, or not
            what the last commit has, or the branch cannot be made. Nothing was changed then.
    """
    root = _root(changes)
    names = [one.path.resolve().relative_to(root).as_posix() for one in changes]
    texts = [_committed_so(one, root, name) for one, name in zip(changes, names, strict=True)]
    _require_new(root, branch)
    entries = [_entry(root, name, data) for name, data in zip(names, texts, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        _asked(root, "read-tree", "HEAD", index=index)
        for entry in entries:
            _asked(root, "update-index", "--cacheinfo", entry, index=index)
        tree = _asked(root, "write-tree", index=index)
    commit = _asked(root, "commit-tree", tree, "-p", "HEAD", given=message.encode())
    _asked(root, "update-ref", f"refs/heads/{branch}", commit, "0" * len(commit))  # a new one
    return commit


def _root(changes: Sequence[FileChange]) -> Path:
    """Return the root of the one repository that all files are in."""
    roots: list[Path] = []
    for path in (change.path.resolve() for change in changes):
        root = repository_of(path)
        if root is None:
            raise ProblemError(
                f"{path}: it is in no git repository",
                hint="leave --branch out; --output FILE writes a patch",
            )
        roots.append(root.resolve())
    for root in roots:
        if root != roots[0]:
            raise ProblemError(
                f"{roots[0]} and {root}: two git repositories",
                hint="leave --branch out; --output FILE writes a patch",
            )
    return roots[0]


def _entry(root: Path, name: str, data: bytes) -> str:
    """Return the entry of an index for a file with these bytes, which git has from now on."""
    blob = _asked(root, "hash-object", "-w", "--stdin", given=data)
    mode = _asked(root, "ls-tree", "HEAD", "--", name).partition(" ")[0]
    return f"{mode},{blob},{name}"


def _committed_so(change: FileChange, root: Path, name: str) -> bytes:
    """Return the new text as a commit has it, with mark and line ends as the last one.

    A repository with `core.autocrlf` has other line ends than its files.
    """
    if change.state is FileState.ANOTHER:
        raise ProblemError(
            f"{change.path}: {change.state}; nothing was committed",
            hint="run it again, or take the diff with --output FILE",
        )
    known = ask_git(root, "cat-file", "blob", f"HEAD:{name}")
    before = known.output if known is not None and not known.code else b""
    text, old, new = before.decode("utf-8-sig", "replace"), change.old, change.new
    if "\r\n" not in text:
        old, new = (each.replace("\r\n", "\n") for each in (old, new))
    if text == new:
        raise ProblemError(
            f"{name}: the last commit has this change already",
            hint="nothing is left to do; `git log` shows where it came from",
        )
    if text != old:
        raise ProblemError(
            f"{name}: it had changes that are not committed; nothing was committed",
            hint="take the diff with --output FILE; next time, commit them before the run",
        )
    mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
    return mark + new.encode()


def _require_new(root: Path, branch: str) -> None:
    checked = ask_git(root, "check-ref-format", "--branch", branch)
    if checked is None or checked.code or branch.startswith("-"):
        raise ProblemError(
            f"--branch {branch}: git takes no such name", hint="choose another, such as faster"
        )
    known = ask_git(root, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
    if known is not None and known.code == 0:
        raise ProblemError(
            f"--branch {branch}: there is a branch of this name",
            hint="choose another name; no branch is changed",
        )


def _asked(root: Path, *arguments: str, given: bytes = b"", index: Path | None = None) -> str:
    """Return the line that git answers.

    Raises:
        ProblemError: It refused.
    """
    found: GitAnswer | None = ask_git(root, *arguments, given=given, index=index)
    if found is None or found.code:
        why = found.said if found else "it does not answer"
        raise ProblemError(
            f"git {arguments[0]} in {root}: {why}",
            hint="mend that and try again (`git config user.name`?), or use --output FILE",
        )
    return os.fsdecode(found.output).rstrip("\n")
