"""A run of the user's tests with a program in place of one of their modules.

The tests run in the program's own process: a program that set out to deceive them could, by
reading and changing what pytest holds. So they come on top of the cases, which are compared
from outside, and never in their stead.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evaluators.sandbox.ends import ends_of_file
from evaluators.sandbox.folder import fresh_folder
from evaluators.sandbox.isolation import ordinary
from evaluators.sandbox.tools.confined_process import Order, ends, reaped, shut_in
from evaluators.suite.copied import LEFT_OUT, copy_project
from se_agent import wire
from se_agent.environment.child_process import environment
from se_agent.errors import ProblemError, SandboxError
from se_agent.files import plain
from se_agent.files.kept_back import KeptBack, beyond
from se_agent.files.kept_back import hint as kept_back_hint
from se_agent.problem.model import Gate
from se_agent.values.evaluation import MOST_OUTPUT, Evaluation, FailedCase, Status

if TYPE_CHECKING:
    from resource import struct_rusage

_MEMORY = 8 << 30
_FILE = 256 << 20
_KEEPER = Path(__file__).with_name("keeper.py")
_TAIL = 4000
_NO_PYTEST = "No module named 'pytest'"
_WHOLE = "the tests"
_NO_TESTS = "no tests ran"
_UNFINISHED = "the program ended pytest before the tests were through"
_PATIENCE = 10.0  # seconds on the wall, on top of three times the CPU seconds
_GRACE = 5.0  # seconds on the wall until who keeps the processes has ended them all
_CLOSED = "the sandbox is closed"
_PLUGIN = "se_agent_plugin"
_PYTEST = """
import sys

def main():
    word = sys.stdin.readline().strip()
    import pytest

    code = int(pytest.main(sys.argv[1:]))
    print()
    print(word, code, flush=True)
    sys.exit(code)

main()
"""
"""Becomes pytest, and says with a word that only we know that it came to its end."""


ModuleTexts = str | Mapping[str, str]
"""Text of the module of a gate, or texts of several by their paths below its root."""


@dataclass(frozen=True)
class SuiteRun:
    """How a run of the tests ended.

    Attributes:
        status: AC when all tests passed, WA when one failed, RE when they could not be
            run, TLE when they took too long.
        output: The end of what pytest printed.
        cpu_seconds: CPU seconds of pytest and of all that it started and waited for.
        calls: What the program wrote to the file of calls.
        full_output: All that pytest printed, or a MiB of it: both ends.
    """

    status: Status
    output: str
    cpu_seconds: float
    calls: str = ""
    full_output: str = ""


@dataclass(frozen=True)
class Suite:
    """Runs the tests of a gate, each time on a fresh copy of the project.

    Attributes:
        gate: What is run, and where.
        isolation: `jail`: files, network and system calls are restricted; `none`: only
            time, memory and the size of files are.
        opened: Paths of the project that are copied although they are `kept_back`, and others
            that may be read.
        plugin: Text of a plugin of pytest that is loaded besides; empty: none.
    """

    gate: Gate
    isolation: str = "jail"
    opened: tuple[str, ...] = ()
    plugin: str = ""
    _stopped: threading.Event = field(
        default_factory=threading.Event, repr=False, compare=False
    )

    def stop(self) -> None:
        """End the run that is under way, from any thread, and start none any more."""
        self._stopped.set()

    def require(self, text: ModuleTexts, *, recording: bool = False) -> SuiteRun:
        """Return a run of the module as it is now; it passes.

        Args:
            text: Text of the module, or of several.
            recording: See `run`.

        Raises:
            ProblemError: It does not, or the tests cannot be run.
        """
        done = self.run(text, recording=recording)
        if done.status is not Status.AC:
            raise self._unpassed(done)
        return done

    def _unpassed(self, done: SuiteRun) -> ProblemError:
        said = _first(done)
        if said.endswith(_NO_PYTEST):
            return ProblemError(
                f"{self.gate.tests}: the tests cannot be run: pytest is not installed",
                hint=f"`{shlex.join([self.gate.python, '-m', 'pip', 'install', 'pytest'])}`"
                ", or name a VENV with it: --python",
            )
        if said.startswith(f"{_WHOLE}: {_NO_TESTS}"):
            return ProblemError(
                f"{self.gate.tests}: no tests were found there",
                hint="give a file or folder where pytest finds some: functions `test_...`, and "
                "in a folder files `test_....py`",
            )
        told = _of_original(done.output, self.gate.root)
        if hint := kept_back_hint([self._kept_back], told, self.gate.path):
            return ProblemError(
                f"{self.gate.tests}: the tests do not pass as the code is now: {said}",
                hint=hint,
            )
        if path := _denied(done.output):
            return ProblemError(
                f"{self.gate.tests}: the tests may not use {path}: {said}",
                hint=f"they run on a copy of {self.gate.root}, and read nothing else of yours; "
                "put what they read there, and let them write to `tmp_path`",
            )
        return ProblemError(
            f"{self.gate.tests}: the tests do not pass as the code is now: {said}",
            hint="mend the tests or the code first; they run on a copy of the project, with "
            "packages of --python VENV, without network, home, or files to write but in "
            "temporary folders",
        )

    def judged(self, text: ModuleTexts, evaluation: Evaluation) -> Evaluation:
        """Return the evaluation of a program that was right so far, after its tests."""
        done = self.run(text)
        cost = evaluation.cost_seconds + done.cpu_seconds
        if done.status is Status.AC:
            return replace(evaluation, cost_seconds=cost)
        name, said = _failed(done)
        return Evaluation(
            status=done.status,
            failing=(FailedCase(name=name, expected="the test passes", got=said),),
            feedback=f"{name}: {said}",
            cost_seconds=cost,
            full_output=_of_original(done.full_output, self.gate.root),
        )

    def run(self, text: ModuleTexts, *, recording: bool = False) -> SuiteRun:
        """Run all tests with `text` in place of the module.

        Args:
            text: Text of the module, or of several.
            recording: Whether the text writes down calls, for which it needs `wire`.

        Raises:
            ProblemError: The project cannot be copied.
            SandboxError: This was stopped.
        """
        self._require_open()
        with fresh_folder() as folder:
            scratch = folder / "scratch"
            scratch.mkdir()
            copy_project(self._kept_back, folder / "project")
            texts = {self.gate.module: text} if isinstance(text, str) else text
            for path, one in texts.items():
                (folder / "project" / path).write_bytes(one.encode())
            if recording:
                _support(folder / "support" / "se_agent")
            if self.plugin:
                (folder / "support").mkdir(exist_ok=True)
                (folder / "support" / f"{_PLUGIN}.py").write_bytes(self.plugin.encode())
            status, output, cpu = self._pytest(folder)
            self._require_open()
            known = _calls_in(scratch)
        output = _repeatable(output)
        return SuiteRun(status, output[-_TAIL:], cpu, known, output)

    @property
    def _kept_back(self) -> KeptBack:
        root = self.gate.root
        named = [f"{root}/{path}" for path in (self.gate.module, self.gate.tests)]
        closed = KeptBack(root, self.opened)
        return KeptBack(root, (*self.opened, *filter(closed.holds, named)))

    def _require_open(self) -> None:
        if self._stopped.is_set():
            raise SandboxError(_CLOSED, hint="start again")

    def _pytest(self, folder: Path) -> tuple[Status, str, float]:
        command = shut_in(self._order(folder), one_session=False)
        word = secrets.token_hex(8)
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_KEEPER), *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment(),
                start_new_session=True,
            )
        by_itself = False
        try:
            _tell(process, word)
            patience = 3 * self.gate.seconds + _PATIENCE
            by_itself = ends(process.pid, patience, self._stopped)
        finally:
            usage = _end(process)
        cpu = usage.ru_utime + usage.ru_stime
        said = ends_of_file(folder / "output", MOST_OUTPUT)
        status, through = _status(process.returncode, late=not by_itself), f"\n{word} 0\n"
        if status is Status.AC and through not in said:
            return Status.RE, f"{said}\n{_UNFINISHED}\n", cpu
        return status, re.sub(rf"\n{word} \d+\n", "", said), cpu

    def _order(self, folder: Path) -> Order:
        project, scratch = folder / "project", folder / "scratch"
        python = Path(self.gate.python)
        places = [python.parent.parent, *_installation(python.resolve())]
        paths = [*(project / path for path in self.gate.path), project, folder / "support"]
        # Sockets and processes are refused: what shares tests out would fail at its start.
        plugins = ["-p", "no:cacheprovider", "-p", "no:xdist"]
        if self.plugin:  # it has what pytest-benchmark has
            plugins += ["-p", "no:benchmark", "-p", _PLUGIN]
        options = ["-q", "-x", "--no-header", *plugins]
        base = f"--basetemp={scratch / 'basetemp'}"
        besides = beyond(self.opened, [self.gate.root])
        return Order(
            command=[self.gate.python, "-c", _PYTEST, *options, base, self.gate.tests],
            isolation=self.isolation,
            folder=project,
            scratch=scratch,
            readable=[*map(str, (folder / "support", *places)), *besides],
            environment={
                **ordinary.environment(str(project), home=str(scratch)),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONPATH": os.pathsep.join(map(str, paths)),
                "SE_AGENT_CALLS": str(scratch / "calls"),
                "TMPDIR": str(scratch),
            },
            cpu_seconds=self.gate.seconds,
            memory_bytes=_MEMORY,
            file_bytes=_FILE,
            shared_memory=True,
        )


def _installation(python: Path) -> tuple[Path, ...]:
    """Return what a Python reads that lies in no virtual environment."""
    prefix = python.parent.parent
    return python, prefix / "lib", prefix / "lib64"


def _calls_in(scratch: Path) -> str:
    """Return what the program wrote down; nothing of a link, or of more than it may write."""
    try:
        found = plain.content(scratch / "calls", inside=scratch, most=_FILE)
    except OSError:
        return ""
    return found.decode("ascii", "replace")


def _support(target: Path) -> None:
    """Put what writes calls down where the tests can import it, and nothing else of ours."""
    source = Path(wire.__file__).parents[1]
    shutil.copytree(source / "wire", target / "wire", ignore=LEFT_OUT)
    shutil.copy(source / "errors.py", target)
    (target / "__init__.py").touch()


def _tell(process: subprocess.Popen[bytes], word: str) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
        stdin.write(f"{word}\n".encode())


def _end(process: subprocess.Popen[bytes]) -> struct_rusage:
    """End pytest and all that it started: its keeper does, unless it is gone itself."""
    os.kill(process.pid, signal.SIGTERM)  # `terminate` could reap it, and what it used is lost
    ends(process.pid, _GRACE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return reaped(process)


def _status(code: int, *, late: bool) -> Status:
    if late or code in (128 + signal.SIGXCPU, 128 + signal.SIGKILL, -signal.SIGKILL):
        return Status.TLE
    return {0: Status.AC, 1: Status.WA}.get(code, Status.RE)


def _failed(done: SuiteRun) -> tuple[str, str]:
    """Return the name of the first test that failed, and what was said of it."""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)(?: - (.*))?$", done.output, re.MULTILINE)
    if found:
        return found[1], (found[2] or _of_collection(done.output))[:300]
    lines = [line for line in done.output.splitlines() if line.strip()]
    return _WHOLE, (lines[-1] if lines else str(done.status))[:300]


def _of_collection(output: str) -> str:
    """Return why a file of tests could not be loaded: pytest's summary does not say it."""
    said = re.findall(r"^E +(\S.*)$", output, re.MULTILINE)
    return said[-1] if said else "failed"


def _denied(output: str) -> str:
    """Return the file that tests were refused, if any; within the copy, its relative path."""
    found = re.search(r"PermissionError: \[Errno 13\] [^:\n]*: (['\"])(.+?)\1", output)
    return re.sub(r"^.*/se-agent-\w+/project/", "", found[2]) if found else ""


def _of_original(output: str, root: str) -> str:
    """Return what was said of the copy as it would have been said of the project."""
    return re.sub(r"(?:/[^/\s'\"]+)*/se-agent-\w+/project(?=/)", lambda _: root, output)


def _repeatable(output: str) -> str:
    """Return what was said without what another run of the same would say otherwise.

    That are times, addresses of objects, and the name of the folder for temporary files.
    """
    output = re.sub(r" in \d+\.\d+s\b(?: \(\d+:\d\d:\d\d\))?", "", output)
    address = r"(?<=\bat )0x[0-9a-f]+(?:\.\.\.)?|\b0x[0-9a-f]{6,}\b"  # pytest cuts some short
    scratch = r"(?:/[^/\s'\"]+)*/se-agent-\w+(?!\w|/project)(?:/scratch\b)?"
    return re.sub(scratch, "TMPDIR", re.sub(address, "0x...", output))


def _first(done: SuiteRun) -> str:
    if done.status is Status.TLE:
        return "they take too long"
    name, said = _failed(done)
    return f"{name}: {said}"
