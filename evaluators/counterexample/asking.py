"""Programs asked in the jail, many inputs at a time; none of them can end the whole.

Not here: which inputs (`function.strategies`), and whether an answer is right
(`evaluators.answers.check`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any  # values of any type that may cross the wire

from evaluators.answers.bench import Bench
from evaluators.counterexample.allowance import ENDLESS
from evaluators.counterexample.function.values import Links, linked, links_of
from evaluators.counterexample.loading import Loading, granted
from evaluators.sandbox.child import caller
from evaluators.sandbox.job import Job, JobAnswer, JobOutcome
from se_agent import wire
from se_agent.errors import WireError
from se_agent.values.evaluation import Calls, Counterexample, Status
from se_agent.wire.spelling import as_bytes, as_text

PIECE = 64
"""Inputs that one process answers, and that have one limit of CPU time, loading apart."""

_STARTS = 16  # inputs that have one limit, where each has a process of its own

LARGEST = 32 << 10
"""Bytes of an input that is worth asking about."""

_FAILURES = 3  # inputs of a piece that may end the process before the rest is given up
_SHORTEST = 0.02  # CPU seconds that another process is worth starting for
_LONG = 0.1  # CPU seconds of loading from which on one process is asked all it can answer
_VALID = """

def _is_valid(given):
    return bool(valid(given))
"""
_REPEATED = """

def _repeatedly(*copies, _caller={{}}):
    return _caller["repeatedly"]({entry}, *copies)

__builtins__["exec"]({text!r}, _repeatedly.__kwdefaults__["_caller"])
_repeatedly.__module__ = __builtins__["getattr"]({entry}, "__module__", "")
"""
_LINKED = """

def _with_links(arguments, links):
    def at(path):
        value = arguments
        for step in path:
            value = value[step]
        return value

    for source, target in links:
        at(target[:-1])[target[-1]] = at(source)
    return {entry}(*arguments)

_with_links.__module__ = __builtins__["getattr"]({entry}, "__module__", "")
"""
_DRIVERS = {"_repeatedly": _REPEATED, "_with_links": _LINKED}
_CALLER = inspect.getsource(caller)
_NOTHING = JobAnswer()
_YES = wire.dumps(True)


@dataclass(frozen=True)
class Input:
    """Arguments or a text, as they are sent: what one object was is two on the wire.

    Attributes:
        data: Wire form of the tuple of arguments, or the text in bytes.
        links: Parts of the arguments that are one object.
        calls: How a function is called with them; `REPEATED` ones have no links.
    """

    data: bytes
    links: Links = ()
    calls: Calls = Calls.SINGLE

    @classmethod
    def of(cls, arguments: tuple[Any, ...], largest: int = LARGEST) -> Input | None:
        """Return the input; None for one that cannot cross, or has too many bytes."""
        try:
            data = wire.dumps(arguments)
        except WireError:
            return None
        return _crossing(cls(data, links_of(arguments))) if len(data) <= largest else None

    def arguments(self) -> tuple[Any, ...]:
        """Return the arguments."""
        found: tuple[Any, ...] = wire.loads(self.data)
        return linked(found, self.links)

    @classmethod
    def again(cls, test: Counterexample) -> Input:
        """Return the input of a counterexample that is on record; see `told`."""
        links = tuple(wire.loads(as_bytes(test.links)))
        return cls(as_bytes(test.arguments), links, test.calls)

    @property
    def repeated(self) -> Input | None:
        """The same for a caller who keeps answers; None where it cannot cross."""
        return _crossing(replace(self, links=(), calls=Calls.REPEATED))

    @property
    def told(self) -> str:
        """The data as a text that can be recorded."""
        return as_text(self.data)

    @property
    def sent(self) -> bytes:
        """What the program's process is sent."""
        if self.calls is Calls.REPEATED:  # no object stands in two of the copies
            return wire.dumps((wire.loads(self.data),) * 3)
        if not self.links:
            return self.data
        return wire.dumps((list(wire.loads(self.data)), self.links))

    @property
    def driver(self) -> str:
        """Name of the function that calls the entry point with these data; empty: itself."""
        if self.calls is Calls.REPEATED:
            return "_repeatedly"
        return "_with_links" if self.links else ""


def _crossing(made: Input) -> Input | None:
    """Return an input; None where what is sent, a level deeper, is nested too deep."""
    try:
        made.sent  # noqa: B018
    except WireError:
        return None
    return made


@dataclass(frozen=True)
class ProgramReply:
    """What a program did with an input: an answer, or how it ended without one."""

    status: Status
    answer: JobAnswer = _NOTHING
    feedback: str = ""


def _spread(places: Sequence[int]) -> list[int]:
    """Return places in an order of which any beginning is of all of them: time may end it."""
    return [place for first in range(_STARTS) for place in places[first::_STARTS]]


UNASKED = ProgramReply(Status.REJECTED, feedback="it was not asked")
"""The reply for an input that no time was left for."""


@dataclass(frozen=True)
class InputRunner:
    """Asks programs of one problem.

    Attributes:
        bench: Where they run.
        more: Whether there is time for another process.
        loading: What theirs take before they are of use.
    """

    bench: Bench
    loading: Loading
    more: Callable[[], bool] = ENDLESS

    @classmethod
    def on(cls, bench: Bench) -> InputRunner:
        """Return what asks on a bench, however long it takes."""
        return cls(bench, Loading(bench))

    def replies(
        self, program: str, inputs: Sequence[Input], *, cpu_seconds: float
    ) -> list[ProgramReply]:
        """Return what a program does with each input.

        Args:
            program: Its text.
            inputs: What it is asked.
            cpu_seconds: Limit for a piece of inputs, on top of what each process takes to load
                the program; what does not fit in is not asked.
        """
        if not inputs or not self.more():
            return [UNASKED] * len(inputs)
        shortest = min((one.data for one in inputs), key=len)
        loading = self.loading.seconds(program, shortest)
        whole = self._together and loading > _LONG
        most = len(inputs) if whole else self._limited
        known: dict[int, ProgramReply] = {}
        for driver in ("", *_DRIVERS):
            chosen = [i for i, one in enumerate(inputs) if one.driver == driver]
            chosen = chosen if self._together else _spread(chosen)
            for start in range(0, len(chosen), most):
                piece = chosen[start : start + most]
                sent = [inputs[i].sent for i in piece]
                replies = self._piece(program, sent, driver, cpu_seconds, loading)
                known.update(zip(piece, replies, strict=True))
        return [known[i] for i in range(len(inputs))]

    def _typed(self, given: Input) -> object:
        return self.bench.runner.typed(given.data)

    def valid(self, inputs: Sequence[Input]) -> list[bool]:
        """Return what the problem's own `valid` says of inputs; what it cannot tell is not."""
        said: list[bool] = []
        for start in range(0, len(inputs), PIECE):
            piece = inputs[start : start + PIECE]
            job = Job(
                program=self.bench.problem.valid + _VALID,
                entry_point="_is_valid",
                path="valid.py",
                inputs=tuple(wire.dumps((self._typed(one),)) for one in piece),
                limits=self.bench.problem.limits,
                keep_errors=True,
                as_records=True,
            )
            answers = self.bench.sandbox.run(job).answers
            found = [not a.error and a.value == _YES for a in answers]
            said += found + [False] * (len(piece) - len(found))
        return said

    @property
    def _together(self) -> bool:
        """Whether one process answers many inputs."""
        return self.bench.runner.most > 1

    @property
    def _limited(self) -> int:
        return PIECE if self._together else _STARTS

    def _piece(
        self,
        program: str,
        sent: Sequence[bytes],
        driver: str,
        cpu_seconds: float,
        loading: float,
    ) -> Iterator[ProgramReply]:
        done = failures = 0
        left = cpu_seconds
        at_once = len(sent) if self._together else 1
        while done < len(sent):
            if failures == _FAILURES or left < _SHORTEST or not self.more():
                yield from (UNASKED for _ in sent[done:])
                return
            outcome = self._run(program, sent[done : done + at_once], driver, left, loading)
            left -= max(outcome.cpu_seconds - loading, 0.0)
            yield from (ProgramReply(Status.AC, answer) for answer in outcome.answers)
            done += len(outcome.answers)
            if done < len(sent) and outcome.status is not Status.AC:
                failures += self._together
                yield ProgramReply(outcome.status, feedback=outcome.feedback)
                done += 1

    def _run(
        self,
        program: str,
        sent: Sequence[bytes],
        driver: str,
        cpu_seconds: float,
        loading: float,
    ) -> JobOutcome:
        bench, problem = self.bench, self.bench.problem
        most = granted(loading) + min(cpu_seconds, problem.limits.cpu_seconds)
        limits = replace(problem.limits, cpu_seconds=most)
        if not driver:
            run = bench.runner.run
            return run(bench.sandbox, program, sent, limits, keep_errors=True, ties=True)
        job = Job(
            program=program + _DRIVERS[driver].format(entry=problem.entry_point, text=_CALLER),
            entry_point=driver,
            path=problem.sent_path,
            prelude=problem.prelude,
            inputs=tuple(sent),
            limits=limits,
            keep_errors=True,
        )
        return bench.sandbox.run(job)
