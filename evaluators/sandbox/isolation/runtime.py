"""What executes the programs of a language that has a run time of its own, such as a JVM.

Values, and what a child does with them just before it becomes the program. Such a program needs
threads and files, and reserves far more address space than it uses: it runs where a warden
counts what all really take (`namespace`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from evaluators.sandbox.isolation import ordinary

RESERVED = 64 << 30
"""Address space on top of a job's memory: run times reserve it and do not use it."""

OWN = 128 << 20
"""Bytes that a run time takes for itself: compiled code, classes, stacks of its threads."""

STACK = 192 << 20
"""Most bytes of a stack; recursion is not what is judged."""

_CHUNK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class RunTime:
    """How a child becomes a program.

    Attributes:
        words: Command; its first word is an absolute path. Nothing: the program itself is
            executed. Words may hold `{heap_mb}` and `{stack_kb}`, by the memory of the job.
        file: Name that the program has in the folder where the command runs.
        environment: What the environment holds besides what any does; a text may hold
            `{memory_bytes}`.
        readable: What it reads besides what Python does.
    """

    words: tuple[str, ...] = ()
    file: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[str, ...] = ()

    def place(self, program: int) -> None:
        """Put the program of a descriptor where the command finds it."""
        if not self.file:
            return
        target = os.open(self.file, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        at = 0
        while data := os.pread(program, _CHUNK, at):
            at += os.write(target, data)
        os.close(target)

    def execute(self, program: int, memory_bytes: int) -> NoReturn:
        """Become the program.

        Raises:
            OSError: It cannot be executed.
        """
        known = {
            "heap_mb": max(1, memory_bytes >> 20),
            "stack_kb": min(memory_bytes // 4, STACK) >> 10,
            "memory_bytes": memory_bytes,
        }
        words = [word.format_map(known) for word in self.words]
        own = {name: text.format_map(known) for name, text in self.environment.items()}
        around = ordinary.environment(str(Path.cwd())) | own
        os.execve(words[0] if words else program, words or [ordinary.MODULE], around)  # noqa: S606
