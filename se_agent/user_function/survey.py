"""What the user's inputs are like, found out in the jail: how many, how large, how long.

Not here: the problem that is made of it (`task`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr
from se_agent.user_function.inputs import Source
from se_agent.user_function.jail_calls import (
    PACKAGES,
    PATIENCE,
    TOO_MUCH,
    Caller,
    CallResult,
    Look,
    first_line,
)

SIZES = tuple(k * 10**e for e in range(7) for k in (1, 3))[:-1]
"""Sizes that a generator of sizes is asked for."""

_INPUT = """
def _input(code, seed):
    import random
    random.seed(seed)
    globals()["rng"] = random.Random(seed)
    try:
        return eval(code, globals())
    except Exception as err:
        import os
        import traceback

        frames = traceback.extract_tb(err.__traceback__)[2:]  # without this and the expression
        theirs = [frame for frame in frames if frame.filename == frames[0].filename]
        if theirs:
            at = theirs[-1]
            where = f"{os.path.basename(at.filename)}, line {at.lineno}, in {at.name}"
            err.args = (f"{err} ({where})",)
        raise
"""
LONG = 0.15
"""CPU seconds of one call that need not be longer."""

GOOD = 0.2
"""CPU seconds that a final input should not take longer than."""

SEARCHED = 0.02
"""CPU seconds of a call that the search need not have longer."""

_HALVED = 2  # times that a size between a quick one and one that takes too long is tried
_BULKY = 1 << 17  # bytes of an input that need not be larger
LARGEST = 16_000_000
"""Bytes of an answer that are too many to measure with: all answers of a run have to fit."""

_TRIES = 8  # inputs of one kind, until the function answers one


@dataclass(frozen=True)
class Rung:
    """A size of input.

    Attributes:
        size: What the generator is asked for.
        seconds: CPU seconds of one call on it.
        bytes: Size of an input and its answer in wire form.
        failure: Why it cannot be measured; empty when it can.
        bulky: Whether its input alone is so large that no larger size was looked at.
    """

    size: int
    seconds: float
    bytes: int
    failure: str = ""
    bulky: bool = False


def _rung(size: int, look: Look) -> Rung:
    weight, bulky = look.bytes + look.answer, look.bytes >= _BULKY
    return Rung(size, look.seconds, weight, look.failure, bulky=bulky)


@dataclass(frozen=True)
class Survey:
    """Looks at the inputs of a function.

    Attributes:
        caller: Calls the function.
        source: Where its inputs come from.
    """

    caller: Caller
    source: Source

    def kind(self) -> tuple[str, int]:
        """Return `sized`, `seeded` or `listed`, and how many inputs are listed.

        Raises:
            ProblemError: The generator cannot be loaded, or takes other arguments.
        """
        called = self.caller.jail.call(
            self.source.text, "_survey", [wire.dumps(())], cpu_seconds=PATIENCE
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

    def can_make(self, exprs: Sequence[Expr], *, size: int) -> bool:
        """Say whether all of these inputs of a size can be made.

        Raises:
            ProblemError: The generator does not come to an end: no larger size would.
        """
        called = self._inputs(exprs)
        if called.failure.startswith("TLE"):
            raise ProblemError(
                f"--inputs {self.source.generator}: size {size} is not made in time: "
                f"{first_line(called.failure)}",
                hint="make the generator quicker, or let it raise on sizes that are too large",
            )
        return not called.failure and not any(answer.error for answer in called.answers)

    def answered(self, inputs: Sequence[bytes], names: Sequence[str]) -> Look:
        """Return a look at inputs in wire form, each with what people call it.

        One look may not last for all of them: then it is at one of them.

        Raises:
            ProblemError: The function raises on every one, one takes too long by itself, or
                it cannot be measured at all.
        """
        found = self.caller.look(inputs)
        if found.error:
            raise self.caller.unanswered(f"it raises {found.error} on every input")
        if not found.failure:
            return found
        place = min(found.answered, len(inputs) - 1)
        one = self.caller.look(inputs[place : place + 1])
        self.caller.require_quick(one, names[place])
        if found.failure.startswith(TOO_MUCH):
            raise self.caller.unanswered(
                f"all inputs together have an {found.failure}",
                hint="give fewer inputs, or smaller ones",
            )
        return one

    def seconds(self, inputs: Sequence[bytes]) -> list[float]:
        """Return the CPU seconds of a call on each input; infinite where that is not known."""
        return [self._alone(data) for data in inputs]

    def _alone(self, data: bytes) -> float:
        try:
            return self.caller.look([data]).seconds
        except ProblemError:  # a call that is short may seem to wait
            return math.inf

    def sample(self, exprs: Sequence[Expr]) -> Look:
        """Return a look at the first of some inputs that the function does not raise on.

        Raises:
            ProblemError: One cannot be made, the function raises on all that were tried, or
                takes too long.
        """
        found = self._tried(exprs)
        if found.error:
            raise self.caller.unanswered(f"it raises {found.error} on every input")
        self.caller.require_quick(found, f"the input of seed {exprs[0].seed}")
        return found

    def rungs(self) -> tuple[Rung, ...]:
        """Return the sizes worth measuring, up to the first that takes long enough.

        A size is left out where the generator makes no input of it, or the function raises on
        all that were tried. Only the last one may be too large to be measured.

        Raises:
            ProblemError: No size is left, or the smallest takes too long.
        """
        found: list[Rung] = []
        error, first = "", tuple[bytes, ...]()
        for size in self.source.sizes or SIZES:
            exprs = [sized(size, seed=size + more) for more in range(_TRIES)]
            if not self.can_make(exprs[:1], size=size):
                continue
            first = first or self.made(exprs[:1])
            look = self._tried(exprs, first)
            if not found:
                self.caller.require_quick(look, f"size {size}")
            if look.error:
                error = error or look.error
            else:
                found.append(_rung(size, look))
            if look.seconds >= LONG or look.bytes >= _BULKY or look.failure:
                break
        if error and not found:
            raise self.caller.unanswered(f"it raises {error} on every input, of every size")
        if not found:
            self.made([sized(10, seed=10)])  # raises, with the generator's own words
        if len(found) > 1 and not self.source.sizes:
            low, high = found[-2:]
            found += self._between(low, high, first)
        return tuple(sorted(found, key=lambda rung: rung.size))

    def _between(self, low: Rung, high: Rung, after: Sequence[bytes]) -> Iterator[Rung]:
        """Yield sizes between one that is quick and one that takes too long.

        From a size to the next a cubic program takes 27 times as long: a claim on calls of
        3 ms would leave out where the time goes.
        """
        for _ in range(_HALVED):
            if low.seconds >= SEARCHED or high.seconds <= GOOD:
                return
            size = math.isqrt(low.size * high.size)
            exprs = [sized(size, seed=size + more) for more in range(_TRIES)]
            if not low.size < size < high.size or not self.can_make(exprs[:1], size=size):
                return
            look = self._tried(exprs, after)
            if look.error:
                return
            rung = _rung(size, look)
            yield rung
            fit = not rung.failure and rung.seconds <= GOOD
            low, high = (rung, high) if fit else (low, rung)

    def _tried(self, exprs: Sequence[Expr], after: Sequence[bytes] = ()) -> Look:
        """Return a look at the first input that is answered; else at the first of all.

        An answer that is too large to measure with is a failure.
        """
        first = None
        for expr in exprs[:_TRIES]:
            found = self.caller.look(self.made([expr]), after)
            if found.answer > LARGEST:
                size = f"{found.answer / 1e6:.3g} MB"
                return replace(
                    found, failure=f"its answer has {size}, {LARGEST / 1e6:g} is the most"
                )
            if not found.error:
                return found
            first = first or found
        assert first is not None, "there is an input to try"
        return first

    def _inputs(self, exprs: Sequence[Expr]) -> CallResult:
        asked = [wire.dumps((expr.code, expr.seed)) for expr in exprs]
        text = self.source.text + _INPUT
        return self.caller.jail.call(text, "_input", asked, cpu_seconds=10 * PATIENCE)

    def _unmade(self, why: str, expr: Expr | None = None) -> ProblemError:
        self.caller.require_loaded()  # inputs may need the module: what it lacks comes first
        where = f"--inputs {self.source.generator}"
        for code, words in self.source.examples:
            if expr is not None and code == expr.code:
                where = f"--example {words!r}"
        hint = "correct the generator, or let it leave out sizes that it cannot make"
        if "PermissionError" in why:
            hint = "the jail shows a generator no file that it was not named: add --open PATH"
        if wire.is_refused(why):
            why = why.replace("$", "arguments", 1)
            hint = f"inputs are {wire.CROSSING}: let the function make anything else of them"
        elif "not a tuple of arguments" in why:
            hint = "let it give the arguments as a tuple, also a single one: `return (values,)`"
        elif "No module named" in why:
            hint = PACKAGES
        elif "NameError" in why and expr is not None and where.startswith("--example"):
            hint = "its names are those of the function's own module: define or import it there"
        return ProblemError(f"{where}: {first_line(why)}", hint=hint)


def sized(size: int, *, seed: int = 0, level: int = 0) -> Expr:
    """Return an input of a size."""
    return Expr(code=f"_tuple(_made(rng, {size}))", seed=seed, level=level)
