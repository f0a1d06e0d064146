"""What the user's inputs are like, found out in the jail: how many, how large, how long.

Not here: the problem that is made of it (`target.problem`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem import Expr
from se_agent.target.context import program
from se_agent.target.function import Target
from se_agent.target.inputs import Source

SIZES = tuple(k * 10**e for e in range(7) for k in (1, 3))[:-1]
"""Sizes that a generator of sizes is asked for."""

ENTRY = "entry"

_INPUT = """
def _input(code, seed):
    import random
    random.seed(seed)
    globals()["rng"] = random.Random(seed)
    return eval(code, globals())
"""
_IDLE = f"\n\ndef {ENTRY}(*arguments):\n    return None\n"
_PATIENCE = 3.0  # CPU seconds for one look
_LONG = 0.15  # CPU seconds of one call that need not be longer
_BULKY = 1 << 17  # bytes of an input that need not be larger
_TRIES = 8  # inputs of one kind, until the function answers one


@dataclass(frozen=True)
class Answered:
    """What a call gave: its value in wire form, or the exception that it raised."""

    data: bytes = b""
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Called:
    """What came of some calls in one process.

    Attributes:
        answers: Of the calls that were made, in order.
        cpu_seconds: Of the process.
        failure: Why it ended before its time; empty when it did not.
    """

    answers: tuple[Answered, ...]
    cpu_seconds: float
    failure: str = ""


class Jail(Protocol):
    """Calls a function of a program, once for each tuple of arguments, in a process jailed."""

    def call(
        self, program: str, entry_point: str, arguments: Sequence[bytes], *, cpu_seconds: float
    ) -> Called:
        """Return what came of it; `arguments` are in wire form."""
        ...


@dataclass(frozen=True)
class Rung:
    """A size of input: CPU seconds of one call on it, and its bytes in wire form."""

    size: int
    seconds: float
    bytes: int


@dataclass(frozen=True)
class Look:
    """Calls on some inputs: their CPU seconds, the bytes of one, and what all of them raised.

    The seconds are infinite where they took too long, or needed too much memory.
    """

    seconds: float
    bytes: int
    error: str = ""


@dataclass(frozen=True)
class Survey:
    """Looks at the inputs of a function.

    Attributes:
        jail: Where the user's code runs.
        target: The function.
        source: Where its inputs come from.
    """

    jail: Jail
    target: Target
    source: Source

    def require_loaded(self) -> None:
        """Load the module of the function, and call nothing.

        Raises:
            ProblemError: It cannot be loaded.
        """
        text = program(self.target, ENTRY) + _IDLE
        loaded = self.jail.call(text, ENTRY, [wire.dumps(())], cpu_seconds=_PATIENCE)
        if loaded.failure:
            raise self._unanswered(loaded.failure)

    def kind(self) -> tuple[str, int]:
        """Return `sized`, `seeded` or `listed`, and how many inputs are listed.

        Raises:
            ProblemError: The generator cannot be loaded, or takes other arguments.
        """
        called = self.jail.call(
            self.source.text, "_survey", [wire.dumps(())], cpu_seconds=_PATIENCE
        )
        if called.failure or called.answers[0].error:
            raise self._unmade(called.failure or called.answers[0].error)
        kind, count = wire.loads(called.answers[0].data)
        return str(kind), int(count)

    def made(self, exprs: Sequence[Expr]) -> tuple[bytes, ...]:
        """Return inputs in wire form.

        Raises:
            ProblemError: One cannot be made or cannot cross the pipe; says which.
        """
        called = self._inputs(exprs)
        for expr, answer in zip(exprs, called.answers, strict=False):
            if answer.error:
                raise self._unmade(answer.error, expr)
        if called.failure:
            raise self._unmade(called.failure, exprs[len(called.answers)])
        return tuple(answer.data for answer in called.answers)

    def can_make(self, exprs: Sequence[Expr]) -> bool:
        """Say whether all of these inputs can be made.

        Raises:
            ProblemError: The generator does not come to an end: no other size would.
        """
        called = self._inputs(exprs)
        if called.failure.startswith("TLE"):
            raise self._unmade(called.failure, exprs[0])
        return not called.failure and not any(answer.error for answer in called.answers)

    def require_answers(self, inputs: Sequence[bytes]) -> None:
        """Call the function on inputs in wire form.

        Raises:
            ProblemError: The function raises on every one, or cannot be loaded.
        """
        found = self._looked(inputs)
        if found.error:
            raise self._unanswered(f"it raises {found.error} on every input")

    def sample(self, exprs: Sequence[Expr]) -> Look:
        """Return a look at the first of some inputs that the function does not raise on.

        Raises:
            ProblemError: One cannot be made, or the function raises on all that were tried.
        """
        found = self._tried(exprs)
        if found.error:
            raise self._unanswered(f"it raises {found.error} on every input")
        return found

    def rungs(self) -> tuple[Rung, ...]:
        """Return the sizes worth measuring, up to the first that takes long enough.

        A size is left out where the generator makes no input of it, or the function raises on
        all that were tried.

        Raises:
            ProblemError: No size is left.
        """
        found: list[Rung] = []
        error = ""
        for size in SIZES:
            exprs = [sized(size, seed=size + more) for more in range(_TRIES)]
            if not self.can_make(exprs[:1]):
                continue
            look = self._tried(exprs)
            if found and look.seconds == float("inf"):
                break
            if look.error:
                error = error or look.error
            else:
                found.append(Rung(size, look.seconds, look.bytes))
            if look.seconds >= _LONG or look.bytes >= _BULKY:
                break
        if error and not found:
            raise self._unanswered(f"it raises {error} on every input, of every size")
        if not found:
            self.made([sized(10, seed=10)])  # raises, with the generator's own words
        return tuple(found)

    def _tried(self, exprs: Sequence[Expr]) -> Look:
        """Return a look at the first input that is answered; else at the first of all."""
        first = None
        for expr in exprs[:_TRIES]:
            found = self._looked(self.made([expr]))
            if not found.error:
                return found
            first = first or found
        assert first is not None, "there is an input to try"
        return first

    def _looked(self, inputs: Sequence[bytes]) -> Look:
        """Call the function; loading its module does not count."""
        text, size = program(self.target, ENTRY), len(inputs[0])
        done = self.jail.call(text, ENTRY, inputs, cpu_seconds=_PATIENCE)
        if done.failure.startswith(("TLE", "MLE")):
            return Look(float("inf"), size)
        if done.failure:
            raise self._unanswered(done.failure)
        idle = self.jail.call(text + _IDLE, ENTRY, inputs, cpu_seconds=_PATIENCE)
        seconds = max(0.0, done.cpu_seconds - idle.cpu_seconds)
        raised = done.answers[0].error if all(a.error for a in done.answers) else ""
        return Look(seconds, size, raised)

    def _inputs(self, exprs: Sequence[Expr]) -> Called:
        asked = [wire.dumps((expr.code, expr.seed)) for expr in exprs]
        text = self.source.text + _INPUT
        return self.jail.call(text, "_input", asked, cpu_seconds=10 * _PATIENCE)

    def _unmade(self, why: str, expr: Expr | None = None) -> ProblemError:
        where = f"--inputs {self.source.generator}"
        for code, words in self.source.examples:
            if expr is not None and code == expr.code:
                where = f"--example {words!r}"
        hint = "inputs are made in the jail, from your code, without files to write or network"
        if "unsupported value" in why:
            hint = "inputs are built-in types, collections and numpy arrays"
        return ProblemError(f"{where}: {_last(why)}", hint=hint)

    def _unanswered(self, why: str) -> ProblemError:
        return ProblemError(
            f"{self.target.module.path.name}:{self.target.function}: {_last(why)}",
            hint="packages of a virtual environment are found with --python VENV"
            if "No module named" in why
            else "give it inputs that it can answer, without files to write or network",
        )


def sized(size: int, *, seed: int = 0, level: int = 0) -> Expr:
    """Return an input of a size."""
    return Expr(code=f"_tuple(_made(rng, {size}))", seed=seed, level=level)


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "no reason given"
