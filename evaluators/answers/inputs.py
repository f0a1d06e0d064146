"""Inputs of a problem: expressions made real in the sandbox, once each.

Not here: which inputs a measurement takes (`evaluators.measure`), and the answers to them
(`evaluators.answers.oracle`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Generic, TypeVar, cast

from evaluators.running.runner import Runner, headline
from evaluators.sandbox.job import Job, JobOutcome, Sandbox
from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr, Limits, Problem
from se_agent.values.evaluation import Status

_DRIVER = """

def _make_input(code, seed, form):
    import random
    random.seed(seed)
    globals()["rng"] = random.Random(seed)
    value = eval(code, globals())
    if form == "tuple" and type(value) is list:
        value = tuple(value)
    if type(value).__name__ != form:
        raise TypeError(f"it gives {type(value).__name__}, not {form}")
    return value
"""

PATIENCE = 10.0
"""CPU seconds that trusted code of the problem gets at least, for all that a job asks."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Room:
    """What several caches share: when all is too heavy, the least recently used goes.

    Args:
        capacity: Weight of all together; bytes, where caches weigh bytes.
    """

    def __init__(self, capacity: int = 64 << 20) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Hashable) -> object:
        """Return the value and call it used, or None."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: Hashable, value: object, weight: int) -> None:
        """Keep a value, and drop old ones until all fit; the newest always stays."""
        if key not in self._kept:
            self._kept[key] = value, weight
            self._weight += weight
        while self._weight > self._capacity and len(self._kept) > 1:
            _, (_, dropped) = self._kept.popitem(last=False)
            self._weight -= dropped


class Cache(Generic[K, V]):
    """Values by key, in a room that may hold other caches.

    Args:
        weigh: Says what a key and its value weigh.
        room: Where they are kept.
    """

    def __init__(self, weigh: Callable[[K, V], int], room: Room) -> None:
        self._weigh = weigh
        self._room = room
        self._name = object()

    def get(self, key: K) -> V | None:
        """Return the value and call it used, or None."""
        return cast("V | None", self._room.get((self._name, key)))

    def put(self, key: K, value: V) -> None:
        """Keep a value for as long as there is room."""
        self._room.put((self._name, key), value, self._weigh(key, value))


@dataclass(frozen=True)
class InputPool:
    """Makes inputs real. The problem's code runs in the sandbox, never here.

    Attributes:
        problem: The problem that has the generator.
        sandbox: Where the generator runs.
        runner: Knows what an input looks like.
        cache: Inputs that were made.
    """

    problem: Problem
    sandbox: Sandbox
    runner: Runner
    cache: Cache[Expr, bytes]

    def real(self, exprs: Sequence[Expr]) -> tuple[bytes, ...]:
        """Return the inputs that the expressions stand for, in their order.

        Raises:
            ProblemError: An expression cannot be evaluated, or its value cannot cross
                the pipe.
        """
        known = {expr: self.cache.get(expr) for expr in exprs}
        missing = [expr for expr, data in known.items() if data is None]
        for expr, made in zip(missing, self._made(missing), strict=True):
            known[expr] = made
            self.cache.put(expr, made)
        return tuple(data for expr in exprs if (data := known[expr]) is not None)

    def remembered(self, exprs: Iterable[Expr]) -> Iterator[bytes]:
        """Yield those of the inputs that were made before and are still remembered."""
        return (data for expr in exprs if (data := self.cache.get(expr)) is not None)

    def distinct(
        self,
        exprs: Iterable[Expr],
        count: int,
        *,
        without: Callable[[bytes], bool] = lambda _: False,
    ) -> tuple[Expr, ...]:
        """Return the first `count` expressions whose inputs all differ, or fewer.

        A run that met an input twice would reward a program that remembers its answers.

        Args:
            exprs: What to choose from.
            count: How many are wanted.
            without: Says which inputs not to take.
        """
        seen: dict[bytes, Expr] = {}
        waiting = iter(exprs)
        while len(seen) < count:
            chunk = list(islice(waiting, count - len(seen)))
            if not chunk:
                break
            for expr, data in zip(chunk, self.real(chunk), strict=True):
                if not without(data):
                    seen.setdefault(data, expr)
        return tuple(seen.values())

    def _made(self, exprs: Sequence[Expr]) -> tuple[bytes, ...]:
        if not exprs:
            return ()
        job = Job(
            program=self.problem.generator + _DRIVER,
            entry_point="_make_input",
            path="generator.py",
            inputs=tuple(
                wire.dumps((expr.code, expr.seed, self.runner.form)) for expr in exprs
            ),
            limits=patient(self.problem.limits, answers=len(exprs)),
        )
        outcome = self.sandbox.run(job)
        if outcome.status is not Status.AC:
            raise _unmade(exprs[min(len(outcome.answers), len(exprs) - 1)], outcome)
        for expr, answer in zip(exprs, outcome.answers, strict=True):
            if self.problem.loading_counts and wire.holds_records(answer.value):
                raise _of_classes(expr)
        return tuple(self.runner.input(answer.value) for answer in outcome.answers)


def patient(limits: Limits, *, answers: int = 1) -> Limits:
    """Return wider limits, for code that is trusted to end but not to be quick."""
    return replace(
        limits,
        cpu_seconds=max(limits.cpu_seconds, PATIENCE),
        memory_bytes=max(limits.memory_bytes, 1 << 30),
        output_bytes=answers * max(limits.output_bytes, 64 << 20),
    )


def _of_classes(expr: Expr) -> ProblemError:
    return ProblemError(
        f"input {expr.code[:120]!r} holds a value of a class, which a program has only once it "
        "is loaded",
        hint="let the program make it of a tuple or a dict; `optimize` takes such inputs as "
        "they are",
    )


def _unmade(expr: Expr, outcome: JobOutcome) -> ProblemError:
    code = expr.code if len(expr.code) <= 120 else expr.code[:116] + " ..."
    where = f"input {code!r} with seed {expr.seed}"
    if wire.is_refused(outcome.feedback):
        return ProblemError(
            f"{where} cannot be sent to a program: {headline(outcome)}",
            hint=f"inputs are {wire.CROSSING}; convert it there",
        )
    return ProblemError(
        f"{where} cannot be made: {headline(outcome)}",
        hint="correct the generator; it runs in the sandbox, without files or network",
    )
