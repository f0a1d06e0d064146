"""Runs a Python command under the profiler: `python launcher.py DESCRIPTOR COMMAND...`.

The profile is written to an open file, whose descriptor is given.

The command is what follows the interpreter: a file, `-m MODULE` or `-c CODE`, and arguments.
This file is run by the user's own Python, which need not have any package. Not here: which
commands are Python commands (`command`).
"""

from __future__ import annotations

import importlib.util
import json
import os
import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run the command; whatever its end, write down what was seen."""
    report, *words = sys.argv[1:]
    place = Path(__file__).with_name("profiler.py")
    spec = importlib.util.spec_from_file_location("_se_agent_profiler", place)
    assert spec is not None
    assert spec.loader is not None
    profiler = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(profiler)
    watch, process = profiler.Profiler(), os.getpid()
    try:
        watch.call(_run, (words,))
    finally:
        if os.getpid() == process:  # a fork of it ends here, too
            os.write(int(report), json.dumps(watch.rows()).encode())


def _run(words: list[str]) -> None:
    kind, *rest = words
    if kind == "-m":
        sys.path[0] = str(Path.cwd())
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.path[0] = ""
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102
    else:
        sys.path[0] = str(Path(kind).resolve().parent)
        sys.argv = words
        runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    main()
