"""The tools that are installed here: compilers and the like, where they lie, what they read.

Not here: what they are for (`table`), nor running them on a program (`compiler`).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluators.languages.table import TABLE
from se_agent.environment.child_process import COMPILERS, USUAL, environment
from se_agent.program.language import Language


@dataclass(frozen=True)
class Tool:
    """A compiler that is installed.

    Attributes:
        path: Absolute path of the program.
        version: As it says it.
        home: Folder that holds what it needs.
        trouble: What it says instead of a version: the first lines, where it cannot be used;
            such as a switch that has no compiler to switch to.
    """

    path: str
    version: str
    home: str
    trouble: str = ""


def installed(language: Language) -> Tool | None:
    """Return the compiler of a language, or the like; None when there is none here."""
    row = TABLE[language]
    for name in row.tools:
        path = shutil.which(name)
        if path is not None:
            rust = language is Language.RUST
            return _described(_rust(path) if rust else path, row.asked_version)
    return None


def read_by(language: Language, tool: Tool) -> list[str]:
    """Return what a tool reads that links in its home lead to, and that lies outside."""
    links = (Path(tool.home) / name for name in TABLE[language].linked)
    return [str(link.resolve()) for link in links if link.exists()]


def _described(path: str, asked: str) -> Tool:
    done = _asked([path, asked])
    version = (done.stdout.splitlines() or [Path(path).name])[0]
    said = (done.stderr.strip() or done.stdout.strip()) or f"it ends with {done.returncode}"
    # What follows an empty line is for who mends the tool, such as a backtrace.
    trouble = said.partition("\n\n")[0] if done.returncode else ""
    return Tool(path, version, str(Path(path).resolve().parents[1]), trouble)


def _rust(path: str) -> str:
    """Return the compiler itself: what is on the path may be a switch that reads home."""
    home = next(iter(_asked([path, "--print", "sysroot"]).stdout.splitlines()), "")
    own = Path(home) / "bin" / "rustc"
    return str(own) if own.is_file() else path


def _asked(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=environment(USUAL + COMPILERS),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
