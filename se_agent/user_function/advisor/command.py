"""A command of the user's own, run as they run it, with Python's profiler beside it.

Not here: what runs in the jail (`watching`).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from se_agent.environment.child_process import environment
from se_agent.errors import ProblemError
from se_agent.files import plain
from se_agent.user_function.advisor import launcher
from se_agent.user_function.advisor.costs import Costs, read_costs

_SCRIPT = 1 << 20  # bytes; a larger file is no script
_VALUED = ("-W", "-X")  # options of the interpreter that have a value
_HINT = "give one that runs Python: `-- python FILE.py ...`, `-- python -m MODULE ...`"


@dataclass(frozen=True)
class PythonCommand:
    """A command that runs Python.

    Attributes:
        interpreter: The interpreter and its options.
        words: What it runs: a file, `-m MODULE` or `-c CODE`, and the arguments of that.
    """

    interpreter: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class CommandRun:
    """What came of a command.

    Attributes:
        costs: What its functions cost.
        code: Its exit code, or minus the signal that ended it.
        interrupted: Whether Ctrl-C ended it.
    """

    costs: Costs
    code: int
    interrupted: bool = False


def python_command(words: Sequence[str]) -> PythonCommand:
    """Return what the words of a command run.

    Raises:
        ProblemError: There is no such program, or it is no Python.
    """
    first, *rest = words
    found = shutil.which(first)
    if found is None:
        raise ProblemError(f"-- {first}: there is no such program", hint=_HINT)
    if Path(first).name.startswith("python"):
        return _interpreted(found, rest)
    if (interpreter := _script_of(Path(found))) is None:
        raise ProblemError(f"-- {first}: it is no Python program", hint=_HINT)
    return PythonCommand(interpreter, (found, *rest))


def run_command(command: PythonCommand, out: int) -> CommandRun:
    """Run a command with all rights of the user, to its end or until Ctrl-C.

    Args:
        command: The command.
        out: Descriptor of what its standard output goes to.

    Raises:
        ProblemError: It ended without a profile.
    """
    with tempfile.TemporaryFile() as report:
        number = report.fileno()
        line = [*command.interpreter, launcher.__file__, str(number), *command.words]
        # It is the user's own command, so it has all that they would give it.
        process = subprocess.Popen(
            line, stdout=out, pass_fds=[number], env=environment(os.environ)
        )
        interrupted = False
        try:
            process.wait()
        except KeyboardInterrupt:  # it gets the signal, too
            interrupted = True
            _ended(process)
        report.seek(0)
        told = report.read()
    if not told:
        raise ProblemError(
            f"-- {' '.join(command.words[:2])}: it ended with {process.returncode}, "
            "without a profile",
            hint="let it end by itself: not by a signal, and not by os._exit()",
        )
    try:
        rows = json.loads(told)
    except ValueError:
        rows = None
    return CommandRun(read_costs(rows), process.returncode, interrupted)


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was interrupted; end one that does not heed it."""
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _interpreted(python: str, words: Sequence[str]) -> PythonCommand:
    options: list[str] = [python]
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] not in ("-m", "-c", "-"):
        options.append(rest.pop(0))
        if options[-1] in _VALUED and rest:
            options.append(rest.pop(0))
    if not rest or rest[0] == "-" or (rest[0] in ("-m", "-c") and len(rest) == 1):
        raise ProblemError(f"-- {' '.join([python, *words])}: it names no program", hint=_HINT)
    if rest[0] not in ("-m", "-c") and not Path(rest[0]).exists():
        raise ProblemError(f"-- {rest[0]}: No such file", hint=_HINT)
    return PythonCommand(tuple(options), tuple(rest))


def _script_of(path: Path) -> tuple[str, ...] | None:
    """Return the interpreter that the first line of a script names, if that is Python."""
    try:
        line = plain.content(path, most=_SCRIPT).partition(b"\n")[0].decode("utf-8", "replace")
    except OSError:
        return None
    if not line.startswith("#!"):
        return None
    words = line[2:].split()
    if words and Path(words[0]).name == "env":
        words = [each for each in words[1:] if not each.startswith("-")]
    if not words or not Path(words[0]).name.startswith("python"):
        return None
    found = shutil.which(words[0])
    return (found, *words[1:]) if found else None
