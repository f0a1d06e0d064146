"""Watches a program from within: calls of its functions with values, what its lines cost.

The text of this module is sent into the jail in front of the program, so that it imports the
standard library only. What it reports may be made up by the program: `report` reads it with
care. Not here: what is run (`observer`).
"""

from __future__ import annotations

import _tracemalloc
import io
import opcode
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FrameType, ModuleType
from typing import Any  # values of candidates, and what a trace function returns

ROOM = 400
"""Parts of the values of a call that is kept; eight letters are one part."""

_DEPTH = 20
_LOOKS = 120  # calls of a function that are looked at while one input is answered
_KEPT = 32  # of these, distinct ones that are kept
_BOOKS = 512.0  # bytes that watching a line may take of its own, at most
_NO_VALUE = 0x20 | 0x80 | 0x200  # flags of code: generator, coroutine, asynchronous generator
_VARIADIC = 0x04 | 0x08  # flags of code: *args, **kwargs
_RETURNS = {
    opcode.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opcode.opmap
}

Trace = Callable[[FrameType, str, Any], Any]


class Enough(BaseException):
    """The program has been watched for long enough."""


class UnkeptError(Exception):
    """A value is too large to be kept, or no plain data."""


class Copying:
    """Copies plain data, as long as there is room."""

    def __init__(self) -> None:
        self._room = ROOM

    def copy(self, value: Any, depth: int = 0) -> Any:
        """Return a copy that nobody else can change; raise `UnkeptError` for what has none."""
        kind = type(value)
        self._room -= 1
        if kind is int:
            self._room -= value.bit_length() >> 6
        elif kind is str or kind is bytes:
            self._room -= len(value) >> 3
        elif kind in (list, tuple, set, frozenset, dict):
            if len(value) > self._room or depth > _DEPTH:
                raise UnkeptError(f"too large: {kind.__name__}")
            if kind is dict:
                pairs = value.items()
                return {self.copy(k, depth + 1): self.copy(v, depth + 1) for k, v in pairs}
            return kind([self.copy(part, depth + 1) for part in value])
        elif kind is not float and kind is not bool and value is not None:
            raise UnkeptError(f"no plain data: {kind.__name__}")
        if self._room < 0:
            raise UnkeptError(f"too large: {kind.__name__}")
        return value


def name_of(code: CodeType) -> str:
    """Return the qualified name of the function that holds the code: `solve.go`, or ""."""
    parts = code.co_qualname.split(".")
    return ".".join(part for part in parts if not part.startswith("<"))


class CallLog:
    """Collects calls of the functions of some files.

    Args:
        prefixes: What names of functions begin with, by the path of their file.

    Attributes:
        found: Name, arguments, result, and the arguments after it or None where they are the
            same.
    """

    def __init__(self, prefixes: dict[str, str]) -> None:
        self.found: list[tuple[str, tuple[Any, ...], Any, tuple[Any, ...] | None]] = []
        self._prefixes = prefixes
        self._looks: dict[CodeType, int] = {}
        self._known: dict[CodeType, set[str]] = {}

    def trace(self, frame: FrameType, event: str, arg: Any) -> Trace | None:
        """Take note of a call; see `sys.settrace`."""
        code = frame.f_code
        looks = self._looks.get(code, 0)
        if looks >= _LOOKS or code.co_filename not in self._prefixes:
            return None
        if looks == 0 and not _is_function(code):
            looks = _LOOKS
        self._looks[code] = looks + 1
        if looks >= _LOOKS:
            return None
        known = self._known.setdefault(code, set())
        try:
            given = _arguments(frame, code)
            name = repr(given)
        except Exception:  # noqa: BLE001 - whatever it is, it is not worth the program's end
            return None
        if name in known or len(known) >= _KEPT:
            return None
        known.add(name)
        frame.f_trace_lines = False
        values = tuple(frame.f_locals[name] for name in _names(code))
        prefix = self._prefixes[code.co_filename]
        return _Ending(self.found, prefix, given, values).trace


class _Ending:
    """Waits for the end of a call."""

    def __init__(
        self, found: list[Any], prefix: str, given: tuple[Any, ...], values: tuple[Any, ...]
    ) -> None:
        self._found = found
        self._prefix = prefix
        self._given = given
        self._values = values
        self._raised = False

    def trace(self, frame: FrameType, event: str, arg: Any) -> Trace:
        """Keep the call once it returns."""
        code = frame.f_code
        if event == "exception":
            self._raised = True
        elif event == "return":
            ended = self._raised and code.co_code[frame.f_lasti] not in _RETURNS
            with suppress(Exception):
                if not ended:
                    self._keep(self._prefix + name_of(code), arg)
        return self.trace

    def _keep(self, name: str, result: Any) -> None:
        after = Copying().copy(self._values)
        changed = after if repr(after) != repr(self._given) and after != self._given else None
        self._found.append((name, self._given, Copying().copy(result), changed))


def _is_function(code: CodeType) -> bool:
    if code.co_flags & (_NO_VALUE | _VARIADIC) or code.co_kwonlyargcount:
        return False
    return not code.co_name.startswith("<")


def _names(code: CodeType) -> tuple[str, ...]:
    return code.co_varnames[: code.co_argcount]


def _arguments(frame: FrameType, code: CodeType) -> tuple[Any, ...]:
    held = frame.f_locals
    copied: tuple[Any, ...] = Copying().copy(tuple(held[name] for name in _names(code)))
    return copied


class Lines:
    """Adds up what lines of some files cost, each without the functions that it calls.

    Args:
        prefixes: What names of functions begin with, by the path of their file.
        most: Lines that are run before it is enough.
        until: CPU time of the process at which it is, too.

    Attributes:
        costs: By function and number of the line: hits, CPU seconds, and how many pieces these
            were read in.
        whole: By function: hits and CPU seconds, of what it calls as well.
        least: CPU seconds of the shortest piece: what reading the clock adds to each.
    """

    def __init__(self, prefixes: dict[str, str], most: int, until: float) -> None:
        self.costs: dict[tuple[str, int], list[float]] = {}
        self.whole: dict[str, list[float]] = {}
        self.least = 1.0
        self._prefixes = prefixes
        self._left = most
        self._until = until
        self._hits = 0
        self._seconds = 0.0
        self._names: dict[CodeType, str] = {}
        self._active: dict[str, int] = {}
        self._stack: list[tuple[str, int, float]] = []
        self._running: list[list[float] | None] = []
        self._clock = time.thread_time
        self._mark = self._clock()

    def trace(self, frame: FrameType, event: str, arg: Any) -> Trace | None:
        """Take note of a call; see `sys.settrace`."""
        code = frame.f_code
        if code.co_filename not in self._prefixes:
            return None
        self._charge()
        name = self._names.get(code)
        if name is None:
            name = self._names[code] = self._prefixes[code.co_filename] + name_of(code)
        self._active[name] = self._active.get(name, 0) + 1
        self._stack.append((name, self._hits, self._seconds))
        self._running.append(None)
        self._mark = self._clock()
        return self._inside

    def close(self) -> None:
        """End all calls that have not ended."""
        while self._stack:
            self._leave()

    def _inside(self, frame: FrameType, event: str, arg: Any) -> Trace:
        self._charge()
        if event == "line":
            key = self._stack[-1][0], frame.f_lineno
            cost = self.costs.get(key)
            if cost is None:
                cost = self.costs[key] = [0, 0.0, 0]
            cost[0] += 1
            self._hits += 1
            self._running[-1] = cost
            if self._hits > self._left or self._mark > self._until:
                raise Enough
        elif event == "return":
            self._leave()
        self._mark = self._clock()
        return self._inside

    def _charge(self) -> None:
        """Charge what has passed to the line that runs."""
        passed = self._passed()
        running = self._running[-1] if self._running else None
        if running is not None:
            running[1] += passed
            running[2] += 1
            self._seconds += passed
            self.least = min(self.least, passed)

    def _passed(self) -> float:
        return self._clock() - self._mark

    def _leave(self) -> None:
        name, hits, seconds = self._stack.pop()
        self._running.pop()
        self._active[name] -= 1
        if not self._active[name]:
            whole = self.whole.setdefault(name, [0, 0.0])
            whole[0] += self._hits - hits
            whole[1] += self._seconds - seconds


class Allocations(Lines):
    """Adds up what memory lines of some files take, each without the functions that it calls.

    Bytes stand where `Lines` has seconds: how far memory in use rose while a line ran, be they
    given back or not. Python's own books are kept while it is open.
    """

    def __init__(self, prefixes: dict[str, str], most: int) -> None:
        _tracemalloc.start(1)
        super().__init__(prefixes, most, float("inf"))
        self.least = _BOOKS
        self._clock = _in_use
        self._mark = self._clock()

    def close(self) -> None:
        """End all calls that have not ended."""
        super().close()
        _tracemalloc.stop()

    def _passed(self) -> float:
        return max(0.0, _tracemalloc.get_traced_memory()[1] - self._mark)


def _in_use() -> float:
    """Return the bytes in use, from which on a new peak counts."""
    _tracemalloc.reset_peak()
    return float(_tracemalloc.get_traced_memory()[0])


class TracedCode:
    """A program that is watched, one input after the other.

    Args:
        program: Its text.
        path: Its file.
        prelude: Text that is run in front of it.
        entry: Name of its entry point; empty for one that reads standard input.
        watched: What names of functions begin with, by the path of their file, where the
            program loads these as modules; none: the program itself is watched.
        most: Lines of it that are run under watch, in all.
        seconds: CPU seconds that this may take, in all.
    """

    def __init__(
        self,
        program: str,
        path: str,
        prelude: str,
        entry: str,
        *,
        most: int,
        seconds: float,
        watched: dict[str, str] | None = None,
    ) -> None:
        self._code = compile(program, path, "exec", dont_inherit=True)
        self._prefixes = watched or {path: ""}
        self._prelude = compile(prelude, "prelude", "exec", dont_inherit=True)
        self._entry = entry
        self._left = most
        self._loaded = self._load("candidate") if entry else None
        self._until = time.thread_time() + seconds

    def calls(self, *arguments: Any) -> list[Any]:
        """Return the calls that are made to answer an input, its own among them."""
        watch = CallLog(self._prefixes)
        self._run(watch.trace, arguments)
        return watch.found

    def lines(self, *arguments: Any) -> list[Any]:
        """Return what lines cost to answer an input: whether to the end, and the sums."""
        return self._costs(Lines(self._prefixes, self._left, self._until), arguments)

    def memory(self, *arguments: Any) -> list[Any]:
        """Return what memory lines take to answer an input, in bytes; as `lines` does."""
        return self._costs(Allocations(self._prefixes, self._left), arguments)

    def _costs(self, watch: Lines, arguments: tuple[Any, ...]) -> list[Any]:
        ended = self._left > 0 and self._run(watch.trace, arguments)
        watch.close()
        self._left -= int(sum(hits for hits, *_ in watch.costs.values()))
        costs = [(*key, *cost) for key, cost in watch.costs.items()]
        whole = [(name, *cost) for name, cost in watch.whole.items()]
        return [ended, costs, whole, watch.least]

    def _run(self, trace: Trace, arguments: tuple[Any, ...]) -> bool:
        """Run the program on an input; say whether it came to an end by itself."""
        run = self._script if self._loaded is None else self._loaded.__dict__[self._entry]
        sys.settrace(trace)
        try:
            run(*arguments)
        except Enough:
            return False
        except (Exception, SystemExit):  # noqa: BLE001 - an answer like any other
            return True
        finally:
            sys.settrace(None)
        return True

    def _script(self, text: str) -> None:
        held = sys.stdin, sys.stdout
        data = text.encode("utf-8", "surrogateescape")
        sys.stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8", "surrogateescape")
        sys.stdout = io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape")
        try:
            self._load("__main__")
        finally:
            sys.stdin, sys.stdout = held

    def _load(self, name: str) -> ModuleType:
        module = sys.modules[name] = ModuleType(name)
        exec(self._prelude, module.__dict__)  # noqa: S102
        exec(self._code, module.__dict__)  # noqa: S102
        return module
