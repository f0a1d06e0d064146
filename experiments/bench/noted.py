"""`se-agent` that notes when its first trial begins and ends: that of the initial program.

A trial runs a program on its tests and checks the answers. From outside it looks like what
comes before it, the generator's job and the initial program's own answers: a child of a fork
server.

Usage: python -m experiments.bench.noted FILE ARGUMENTS-OF-SE-AGENT
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from evaluators.answers.bench import Bench
from se_agent.cli.app import main
from se_agent.environment import process_files

P = ParamSpec("P")
R = TypeVar("R")
Moment = tuple[float, float]
"""Wall seconds since 1970, and CPU seconds of the process and of all below it."""


def noted(work: Callable[P, R], note: Path) -> Callable[P, R]:
    """Return the work, the first of which leaves a note of the moments it began and ended."""

    @functools.wraps(work)
    def noting(*args: P.args, **named: P.kwargs) -> R:
        if note.exists():
            return work(*args, **named)
        begun = _now()
        done = work(*args, **named)
        note.write_text(json.dumps([begun, _now()]), encoding="ascii")
        return done

    return noting


def moments(note: Path) -> list[Moment]:
    """Return when the first trial began and ended; nothing before it has ended."""
    text = note.read_text(encoding="ascii") if note.exists() else ""
    return [(wall, cpu) for wall, cpu in json.loads(text or "[]")]


def _now() -> Moment:
    return time.time(), process_files.cpu_seconds(os.getpid())


if __name__ == "__main__":
    Bench.trial = noted(Bench.trial, Path(sys.argv.pop(1)))  # type: ignore[method-assign]
    main()
