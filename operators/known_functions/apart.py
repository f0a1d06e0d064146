"""Comparison in a process of its own, whose memory and CPU time have an end.

Lines of Python are counted where a function is called (`bounded`), but one line may ask C code
for all orders of twenty values. Here such a function costs a part of a second and is passed
over; without this it takes the machine's memory, and the run with it.
Not here: the comparison itself (`matching`).
"""

from __future__ import annotations

import resource
import select
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from multiprocessing.connection import Connection, Pipe

from operators.known_functions.archetype import Archetype
from operators.known_functions.bounded import KnownResults
from operators.known_functions.library import library
from operators.known_functions.matching import Compared, Match, convincing, matches_among
from se_agent.environment.child_process import PYTHON, USUAL, environment
from se_agent.environment.process_files import SELF, address_bytes, own_cpu_seconds
from se_agent.errors import SandboxError
from se_agent.stats import side_processes
from se_agent.values.observation import Call

MEMORY = 512 * 2**20
"""Bytes that a comparison may take beyond what the library itself does."""

SECONDS = 2.0
"""CPU seconds for one function; those that end by themselves take hundredths."""

LOST = 5
"""Functions without an end after which the rest is not asked: the arguments are to blame."""

_GLANCE = 0.25  # seconds between two looks at the clock of a process that says nothing

Constants = tuple[int | str, ...]
Answer = tuple[str, Compared]


@lru_cache(maxsize=256)
def matches(calls: tuple[Call, ...], constants: Constants = ()) -> tuple[Match, ...]:
    """Return the best match of each known function that convinces, the plainest first.

    Args:
        calls: Distinct calls of one function.
        constants: Constants in the program: they may be arguments, or moduli.
    """
    return _apart.matches(calls, constants)


def compared(calls: Sequence[Call], constants: Constants = ()) -> list[Compared]:
    """Return what came of each known function, whether it convinces or not; see `matches`."""
    return _apart.compared(calls, constants)


class Worker:
    """The other process, and the line to it."""

    def __init__(self, load: str, memory: int) -> None:
        self.line, theirs = Pipe()
        self._polled = select.poll()  # `Connection.poll` makes a new one each time
        self._polled.register(self.line, select.POLLIN)
        code = (
            f"import sys; sys.path[:] = {sys.path!r}\n"
            "from operators.known_functions.apart import serve\n"
            f"serve({theirs.fileno()}, {load!r}, {memory})"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment(USUAL + PYTHON),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C is for the run; this ends with its line
        )
        theirs.close()
        self.close = weakref.finalize(self, _end, self._process, self.line)

    def speaks(self, seconds: float) -> bool:
        """Wait for a word, for so many CPU seconds of its own after a first glance."""
        if self._polled.poll(1000 * _GLANCE):
            return True  # nearly always: the clock is not even looked at
        begin = self.cpu_seconds
        while not self._polled.poll(1000 * _GLANCE):
            if self.cpu_seconds - begin > seconds:
                return False
        return True

    @property
    def cpu_seconds(self) -> float:
        """User and system time; a dead one has taken more than enough."""
        try:
            return own_cpu_seconds(self._process.pid)
        except OSError:
            return float("inf")


@dataclass
class ComparisonProcess:
    """Compares calls with a library in another process; used by any number of threads.

    1. A function that takes too long, or kills the process, matches nothing; the others go on,
       unless that happens again and again.
    2. The process ends with this object, or with the program that it belongs to.

    Attributes:
        load: `module:function` that gives the library, here and there.
        seconds: CPU seconds for one function.
        memory: Bytes, beyond what the library takes.
    """

    load: str = f"{library.__module__}:library"
    seconds: float = SECONDS
    memory: int = MEMORY
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _worker: Worker | None = None

    def matches(self, calls: Sequence[Call], constants: Constants = ()) -> tuple[Match, ...]:
        """Return the matches that convince, in order; functions without an end have none.

        Raises:
            SandboxError: The other process does not even start.
        """
        return convincing(self.compared(calls, constants))

    def compared(self, calls: Sequence[Call], constants: Constants = ()) -> list[Compared]:
        """Return what came of each known function that ends, whether it convinces or not."""
        found: list[Compared] = []
        with self._guard:
            left, lost = list(_loaded(self.load)), 0
            while left and lost < LOST:
                for name, compared in self._asked((tuple(calls), constants, tuple(left))):
                    left.remove(name)
                    found.append(compared)
                del left[:1]  # the one that did not end, unless all are done
                lost += 1
        return found

    def _asked(self, question: Question) -> Iterator[Answer]:
        """Yield what comes of each name, in their order, until one does not end."""
        worker = self._ready()
        begin = worker.cpu_seconds
        try:
            worker.line.send(question)
            for _ in question[2]:
                if not worker.speaks(self.seconds):
                    break
                yield worker.line.recv()
            else:
                side_processes.add(worker.cpu_seconds - begin)
                return
        except (OSError, EOFError):
            pass
        side_processes.add(self.seconds)
        worker.close()
        self._worker = None

    def _ready(self) -> Worker:
        if self._worker is None:
            worker = Worker(self.load, self.memory)
            try:
                worker.line.recv()
            except (OSError, EOFError):
                worker.close()
                raise SandboxError(
                    f"the process that compares with {self.load} does not start",
                    hint="what it said is above; leave `archetype` out of operators to go on",
                ) from None
            self._worker = worker
        return self._worker


Question = tuple[tuple[Call, ...], Constants, tuple[str, ...]]

_apart = ComparisonProcess()


def _end(process: subprocess.Popen[bytes], line: Connection) -> None:
    line.close()
    process.kill()
    process.wait()


def _loaded(load: str) -> Mapping[str, Archetype]:
    module, _, name = load.partition(":")
    function: Callable[[], Mapping[str, Archetype]] = getattr(import_module(module), name)
    return function()


def _asked(line: Connection) -> Question:
    """Return the next question, or raise EOFError: who asks has ended, perhaps within it."""
    try:
        question: Question = line.recv()
    except OSError as err:
        raise EOFError from err
    return question


def serve(line: int, load: str, memory: int) -> None:
    """Answer questions until the line ends: the other process.

    Args:
        line: Its descriptor.
        load: `module:function` that gives the library.
        memory: Bytes that comparisons may take.
    """
    sys.set_int_max_str_digits(0)  # results are told apart by their texts
    known, connection, remembered = _loaded(load), Connection(line), KnownResults()
    size = address_bytes(SELF)
    resource.setrlimit(resource.RLIMIT_AS, (size + memory, size + memory))
    try:
        connection.send("ready")
        while True:
            calls, constants, names = _asked(connection)
            asked = [known[name] for name in names]
            found = matches_among(asked, calls, constants, remembered)
            for name in names:
                connection.send((name, next(found, Compared(None, 0))))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the program that asked has ended, perhaps before we had begun
