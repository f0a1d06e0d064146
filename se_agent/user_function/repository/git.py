"""Git, asked without running anything that a repository names.

A repository's own settings may name programs: a monitor of files, filters, hooks, a pager, what
reaches a server. Those that git would start unasked are switched off. Not here: what is asked
(`committed`, `branch`).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from se_agent.environment.child_process import environment

GIT = ("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
"""The command, without what a repository may have it start."""

SEALED: Mapping[str, str] = {
    "GIT_ALLOW_PROTOCOL": "",  # an object that is missing is fetched from nowhere
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
"""Variables that keep it from other places."""

_PATIENCE = 20.0  # seconds until git is ended


class GitAnswer(NamedTuple):
    """What git said.

    Attributes:
        code: Its exit code.
        output: What it wrote.
        said: The last line of its complaint.
    """

    code: int
    output: bytes
    said: str


def ask_git(
    folder: Path, *arguments: str, given: bytes = b"", index: Path | None = None
) -> GitAnswer | None:
    """Run one command of git; None where there is no git, or it does not come to an end.

    Args:
        folder: Where it runs.
        arguments: Command and its arguments.
        given: Its standard input.
        index: Another index than that of the repository.
    """
    variables = {**SEALED, **({"GIT_INDEX_FILE": str(index)} if index else {})}
    try:
        done = subprocess.run(
            (*GIT, "-C", str(folder), *arguments),
            cwd="/",  # a relative entry of PATH must not lead into the repository
            env=environment(("PATH", "HOME", "XDG_CONFIG_HOME", *_WHO), **variables),
            input=given,
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    told = os.fsdecode(done.stderr).strip().splitlines()
    return GitAnswer(done.returncode, done.stdout, told[-1] if told else "")


_WHO = tuple(
    f"GIT_{role}_{what}" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
)
