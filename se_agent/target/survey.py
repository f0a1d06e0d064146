"""What the user's inputs are like, found out in the jail: how many, how large, how long.

Not here: the problem that is made of it (`target.problem`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem import Expr
from se_agent.target.inputs import Source
from se_agent.target.look import PATIENCE, Called, Caller, Look, first_line

SIZES = tuple(k * 10**e for e in range(7) for k in (1, 3))[:-1]
"""Sizes that a generator of sizes is asked for."""

_INPUT = """
def _input(code, seed):
    import random
    random.seed(seed)
    globals()["rng"] = random.Random(seed)
    return eval(code, globals())
"""
_LONG = 0.15  # CPU seconds of one call that need not be longer
_BULKY = 1 << 17  # bytes of an input that need not be larger
_TRIES = 8  # inputs of one kind, until the function answers one


@dataclass(frozen=True)
class Rung:
    """A size of input: CPU seconds of one call on it, and its bytes in wire form."""

    size: int
    seconds: float
    bytes: int


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

    def require_answers(self, inputs: Sequence[bytes], names: Sequence[str]) -> None:
        """Call the function on inputs in wire form, each with what people call it.

        Raises:
            ProblemError: The function raises on every one, one takes too long by itself, or
                it cannot be measured at all.
        """
        found = self.caller.look(inputs)
        if found.error:
            raise self.caller.unanswered(f"it raises {found.error} on every input")
        if found.failure:  # all of them may well take longer than one look
            place = min(found.answered, len(inputs) - 1)
            self.caller.require_quick(self.caller.look(inputs[place : place + 1]), names[place])

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
        all that were tried.

        Raises:
            ProblemError: No size is left, or the smallest takes too long.
        """
        found: list[Rung] = []
        error = ""
        for size in SIZES:
            exprs = [sized(size, seed=size + more) for more in range(_TRIES)]
            if not self.can_make(exprs[:1], size=size):
                continue
            look = self._tried(exprs)
            if found and look.failure:
                break
            self.caller.require_quick(look, f"size {size}")
            if look.error:
                error = error or look.error
            else:
                found.append(Rung(size, look.seconds, look.bytes))
            if look.seconds >= _LONG or look.bytes >= _BULKY:
                break
        if error and not found:
            raise self.caller.unanswered(f"it raises {error} on every input, of every size")
        if not found:
            self.made([sized(10, seed=10)])  # raises, with the generator's own words
        return tuple(found)

    def _tried(self, exprs: Sequence[Expr]) -> Look:
        """Return a look at the first input that is answered; else at the first of all."""
        first = None
        for expr in exprs[:_TRIES]:
            found = self.caller.look(self.made([expr]))
            if not found.error:
                return found
            first = first or found
        assert first is not None, "there is an input to try"
        return first

    def _inputs(self, exprs: Sequence[Expr]) -> Called:
        asked = [wire.dumps((expr.code, expr.seed)) for expr in exprs]
        text = self.source.text + _INPUT
        return self.caller.jail.call(text, "_input", asked, cpu_seconds=10 * PATIENCE)

    def _unmade(self, why: str, expr: Expr | None = None) -> ProblemError:
        where = f"--inputs {self.source.generator}"
        for code, words in self.source.examples:
            if expr is not None and code == expr.code:
                where = f"--example {words!r}"
        hint = "inputs are made in the jail, from your code, without files to write or network"
        if "unsupported value" in why:
            why = why.replace("$", "arguments", 1)
            hint = f"inputs are {wire.CROSSING}: let the function make anything else of them"
        elif "NameError" in why and expr is not None and where.startswith("--example"):
            hint = "its names are those of the function's own module: define or import it there"
        return ProblemError(f"{where}: {first_line(why)}", hint=hint)


def sized(size: int, *, seed: int = 0, level: int = 0) -> Expr:
    """Return an input of a size."""
    return Expr(code=f"_tuple(_made(rng, {size}))", seed=seed, level=level)
