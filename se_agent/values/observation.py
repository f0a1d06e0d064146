"""What a right program was seen to do: calls of its functions, hot lines, memory, scaling.

Values only. Not here: how a program is watched, which is an evaluator's business, nor when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar  # values may be of any type that crosses the wire

from se_agent.errors import WireError
from se_agent.program.editable import prefix_of

_HALF = "a text with half a letter"


@dataclass(frozen=True)
class Call:
    """One call of a function of the program, in wire form: what is kept can change no more.

    Each access to the values decodes them anew, so that whoever asks may change what it gets.

    Attributes:
        given: The tuple of arguments as they were before the call, defaults filled in.
        gave: The result.
        left: The arguments as they were after it; empty where they are the same.
    """

    given: str
    gave: str
    left: str = ""

    @classmethod
    def of(
        cls, arguments: tuple[Any, ...], result: object, after: tuple[Any, ...] | None = None
    ) -> Call:
        """Return a call, given its values.

        Args:
            arguments: Before the call.
            result: What it returned.
            after: The arguments after it, where it changed them.

        Raises:
            WireError: One of them cannot cross the wire, or is a text that is no UTF-8.
        """
        left = "" if after is None else _told(after)
        return cls(_told(arguments), _told(result), left)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments before the call."""
        found: tuple[Any, ...] = _read(self.given)
        return found

    @property
    def result(self) -> Any:
        """What it returned."""
        return _read(self.gave)

    @property
    def changed(self) -> bool:
        """Whether the call changed an argument."""
        return bool(self.left)

    @property
    def after(self) -> tuple[Any, ...]:
        """The arguments after the call."""
        found: tuple[Any, ...] = _read(self.left or self.given)
        return found

    @property
    def size(self) -> int:
        """Characters of all that is kept."""
        return len(self.given) + len(self.gave) + len(self.left)


@dataclass(frozen=True, kw_only=True)
class HotLine:
    """A line of the program that costs much.

    Attributes:
        function: Qualified name of the function it is in, such as `solve.go`; empty at module
            level.
        line: Number in the text of the program, from 1.
        text: Text of the line, without its indentation, cut to a hundred characters.
        share: Its share of what all lines cost, without the functions of the program that it
            calls.
        hits: How often it was reached while the program was watched.
    """

    function: str
    line: int
    text: str
    share: float
    hits: int


@dataclass(frozen=True, kw_only=True)
class Allocation:
    """A line of the program that takes much memory.

    Attributes:
        function: Qualified name of the function it is in; empty at module level.
        line: Number in the text of the program, from 1.
        text: Text of the line, without its indentation, cut to a hundred characters.
        share: Its share of what all lines took, without the functions of the program that it
            calls.
        bytes: Bytes that it took while the program was watched, each time anew, given back or
            not.
    """

    function: str
    line: int
    text: str
    share: float
    bytes: int


@dataclass(frozen=True, kw_only=True)
class Untaken:
    """A branch of the program that no watched input takes.

    Attributes:
        function: Qualified name of the function it is in.
        line: Number of the line that decides, from 1.
        text: Text of that line, without its indentation.
        way: What that line never was: `true`, `false`, `entered`, `taken`, or `left` by `else`.
    """

    function: str
    line: int
    text: str
    way: str


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """How CPU time was measured to grow with the input: `time ~ n^exponent`.

    Attributes:
        exponent: Slope of a straight line through the logarithms.
        sizes: n, ascending: what the problem calls the size of an input, else its bytes.
        seconds: Net CPU seconds of an input of each size.
    """

    exponent: float
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]


GROWS_FASTER = "grows_faster"
"""Why a program that is faster on the sizes that were measured is no improvement."""

_CLEARLY = 0.3  # by which exponents differ that say more than a factor


@dataclass(frozen=True, kw_only=True)
class Growth:
    """An exponent with its 99 % interval."""

    exponent: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class GrowthPair:
    """How CPU time of two programs grows with the size of the input, on the same inputs.

    Attributes:
        old: Growth of the reference.
        new: Growth of the other program.
        sizes: Sizes that the lines go through, ascending.
        steeper: Whether the new one takes more for each step to a larger size, too, or more and
            more against the old one. Who only leaves out what each call took whatever its size
            does not, though his exponent is larger.
    """

    old: Growth
    new: Growth
    sizes: tuple[int, ...]
    steeper: bool = True

    @property
    def is_alike(self) -> bool:
        """Whether nothing tells the two apart: their intervals overlap."""
        return self.new.low <= self.old.high and self.old.low <= self.new.high

    @property
    def is_worse(self) -> bool:
        """Whether the new one clearly grows faster: on larger inputs it will be slower."""
        apart = self.new.exponent - self.old.exponent
        return self.steeper and self.new.low > self.old.high and apart >= _CLEARLY


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What was seen of a program; empty where it could not be watched.

    Where the program has several files, each name begins with that of its file, as in
    `pkg/mod.py:solve`, and numbers of lines are those of that file.

    Attributes:
        calls: Distinct calls by qualified name of the function, small and different ones first.
            Only such whose values are plain data, and that returned.
        hot: The most expensive lines first.
        functions: Share of the cost by qualified name (empty: module level), what it calls
            included.
        allocations: The lines that take most memory, the worst first.
        scaling: None where it cannot be told.
        untaken: Branches that no watched input takes; told of the initial program only.
        cost_seconds: CPU seconds that watching took.
    """

    calls: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)
    hot: tuple[HotLine, ...] = ()
    functions: Mapping[str, float] = field(default_factory=dict)
    allocations: tuple[Allocation, ...] = ()
    scaling: Scaling | None = None
    untaken: tuple[Untaken, ...] = ()
    cost_seconds: float = 0.0

    def __bool__(self) -> bool:
        """Say whether anything was seen."""
        return bool(self.calls or self.hot)

    def in_file(self, path: str) -> Observation:
        """Return what was seen in one of several files, by names as they are in it.

        Of a program with a single file it is all.
        """
        names = {*self.calls, *self.functions, *(line.function for line in self.hot)}
        if not any(map(prefix_of, names)):
            return self
        prefix = f"{path}:"
        return replace(
            self,
            calls=dict(_named_in(prefix, self.calls)),
            functions=dict(_named_in(prefix, self.functions)),
            hot=tuple(_placed_in(prefix, self.hot)),
            allocations=tuple(_placed_in(prefix, self.allocations)),
            untaken=tuple(_placed_in(prefix, self.untaken)),
        )


_Place = TypeVar("_Place", HotLine, Allocation, Untaken)
_Seen = TypeVar("_Seen")


def _placed_in(prefix: str, places: Iterable[_Place]) -> Iterator[_Place]:
    for one in places:
        if prefix_of(one.function) == prefix:
            yield replace(one, function=one.function.removeprefix(prefix))


def _named_in(prefix: str, seen: Mapping[str, _Seen]) -> Iterator[tuple[str, _Seen]]:
    for name, found in seen.items():
        if prefix_of(name) == prefix:
            yield name.removeprefix(prefix), found


def growth_told(growth: GrowthPair) -> str:
    """Return `grows as n^1.98 (1.95 to 2.01) -> n^1.03 (1.01 to 1.05), n from 100 to 1,000`.

    Exponents whose intervals overlap are not told: they would look like a change.
    """
    old, new = (
        f"n^{g.exponent:.2f} ({g.low:.2f} to {g.high:.2f})" for g in (growth.old, growth.new)
    )
    how = "grows alike" if growth.is_alike else f"grows as {old} -> {new}"
    return f"{how}, n from {growth.sizes[0]:,} to {growth.sizes[-1]:,}"


def _told(value: object) -> str:
    from se_agent import wire  # `import se_agent` costs next to nothing without it

    try:
        return wire.dumps(value).decode()
    except UnicodeDecodeError:  # neither can it be written into a journal
        raise WireError(_HALF) from None


def _read(told: str) -> Any:
    from se_agent import wire

    return wire.loads(told.encode())
