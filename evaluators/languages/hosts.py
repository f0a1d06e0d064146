"""The languages whose programs need a run time of their own: which command executes them.

Such a run time has threads and files, so its programs run at the level that has room for them
and counts what they take, and at no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluators.languages.tool import installed, read_by
from evaluators.sandbox.isolation.levels import LEVELS, NAMESPACE
from evaluators.sandbox.isolation.runtime import RunTime
from se_agent.errors import IsolationError
from se_agent.program.language import Language


@dataclass(frozen=True, kw_only=True)
class Host:
    """What executes the programs of one language.

    Attributes:
        program: Path of the run time below the home of the tool; empty: the tool itself.
        words: What follows in the command; see `RunTime.words`. Nothing, where `file` is
            empty too: programs are executed as they are.
        file: Name of the program in its scratch folder.
        environment: See `RunTime.environment`.
        parts: What the run time reads, below the home of the tool.
    """

    program: str = ""
    words: tuple[str, ...] = ()
    file: str = ""
    environment: Mapping[str, str]
    parts: tuple[str, ...] = ()


HOSTS: Mapping[Language, Host] = {
    Language.GO: Host(environment={"GOMEMLIMIT": "{memory_bytes}"}),
    Language.JAVA: Host(
        program="bin/java",
        words=(
            *("-Xmx{heap_mb}m", "-Xss{stack_kb}k", "-XX:+UseSerialGC", "-XX:-UsePerfData"),
            *("-XX:+ExitOnOutOfMemoryError", "-XX:+DisplayVMOutputToStderr"),
            *("-cp", "main.jar", "Main"),
        ),
        file="main.jar",
        environment={},
        parts=("bin", "conf", "lib"),
    ),
    Language.JAVASCRIPT: Host(
        words=("--max-old-space-size={heap_mb}", "--stack-size={stack_kb}", "main.js"),
        file="main.js",
        environment={},
    ),
}
"""Each is told the memory of the job, so that a program that wants more ends by itself; what it
takes beside its heap is the warden's to see."""


def run_time(language: Language) -> RunTime | None:
    """Return what executes programs of a language; None: they are executed as they are.

    None as well where no tool is installed: who compiles them says so.
    """
    host = HOSTS.get(language)
    tool = installed(language) if host is not None else None
    if host is None or tool is None:
        return None
    home = Path(tool.home)
    program = str(home / host.program) if host.program else str(Path(tool.path).resolve())
    if not host.file:
        return RunTime(environment=host.environment)
    parts = [str(home / part) for part in host.parts]
    return RunTime(
        words=(program, *host.words),
        file=host.file,
        environment=host.environment,
        readable=(program, *parts, *read_by(language, tool)),
    )


def require_host(level: str, language: Language) -> None:
    """Make sure that programs of a language can be executed at a level.

    Raises:
        IsolationError: They cannot.
    """
    if language in HOSTS and not LEVELS[level].warded:
        raise IsolationError(
            f"programs in {language} need threads, and a warden that counts their memory: "
            f"isolation `{level}` has not both",
            hint=f"use `--set sandbox.isolation={NAMESPACE.name}`, or leave the level out",
        )
