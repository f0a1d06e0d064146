"""A library function with what must be known of it: kinds, cost, source, limits.

Not here: how observed calls are compared with it (`matching`), nor the functions (`library`).
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import (  # arguments and results are plain data of any type
    Any,
    NamedTuple,
    NotRequired,
    TypedDict,
    TypeVar,
    Unpack,
)

from operators.known_functions.adapter import Adapter, renamed
from operators.known_functions.solving import Points, Solved
from se_agent.program.parsing import signature_of, tree_of

_Function = TypeVar("_Function", bound=Callable[..., Any])
_MARK = "archetype"


class FunctionText(NamedTuple):
    """A function that enters a program.

    Attributes:
        name: Its name.
        text: Its source.
        uses: Names of archetypes that it calls.
        imports: Import statements that it needs, one a string.
    """

    name: str
    text: str
    uses: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


class Written(NamedTuple):
    """What stands in a program for a call of a known function.

    Attributes:
        expression: Its value is that of the call.
        part: A function of its own that it calls; None: it calls none.
        uses: Names of archetypes that it calls besides.
    """

    expression: str
    part: FunctionText | None = None
    uses: tuple[str, ...] = ()

    @property
    def calls(self) -> bool:
        """Whether it calls a function, which may refuse its arguments."""
        return bool(self.part or self.uses)

    @property
    def summary(self) -> str:
        """The first line of the docstring of its function, or else the expression."""
        return self.part.text.split('"""')[1] if self.part else self.expression


class Solver(NamedTuple):
    """What finds all arguments of a known function but the last, and how it is then written.

    Attributes:
        solve: Finds them from the observed calls.
        write: Returns what stands in a program for a call with them, over `n`.
    """

    solve: Callable[[Points], Solved | None]
    write: Callable[..., Written]


@dataclass(frozen=True, kw_only=True)
class Archetype:
    """A function that everybody writes, in its best practical form.

    Attributes:
        function: The function itself. For arguments that do not suit it, it raises
            `ValueError` or `TypeError` at once; it leaves its arguments as they are.
        family: What it belongs to, such as "number theory".
        complexity: Complexity of this form, such as "O(n log n)".
        source: Usual name of the algorithm.
        limits: What it does not do; empty: nothing worth saying.
        takes: Kind of each argument, in order (see `fits`).
        gives: Kind of the result.
        imports: Import statements that its text needs, one a string.
        uses: Names of other archetypes that its text calls.
        tried_below: Observed calls with an int of this size or larger are not tried: it
            would take long, or its result grow beyond all bounds.
        items_below: The same for the ints in a list, where work grows with their size; None
            where it does not.
        length_below: Observed calls with a list or a text of this length or longer are not
            tried: the work grows exponentially with it; None where it does not.
        solver: What solves all arguments but the last from the observed calls; None: nothing.
    """

    function: Callable[..., Any]
    family: str
    complexity: str
    source: str
    limits: str = ""
    takes: tuple[str, ...]
    gives: str
    imports: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    tried_below: int = 10**6
    items_below: int | None = None
    length_below: int | None = None
    solver: Solver | None = None

    def __post_init__(self) -> None:
        arity = len(self.parameters)
        if arity != len(self.takes):
            raise ValueError(f"{self.name}: {arity} parameters, takes={self.takes}")

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of its parameters."""
        return tuple(signature_of(self.function).parameters)

    @property
    def summary(self) -> str:
        """First line of its docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def searches(self) -> bool:
        """Whether it only compares, and few items of a list at that: items may be anything."""
        return self.complexity == "O(log n)" and "list" in self.takes

    def tried_with(self, arguments: Sequence[Any]) -> bool:
        """Say whether some arguments are small and short enough to try it."""
        if self.length_below is not None and any(
            len(x) >= self.length_below for x in arguments if isinstance(x, list | tuple | str)
        ):
            return False
        lists = (x for x in arguments if isinstance(x, list | tuple))
        limits = [(arguments, self.tried_below)]
        if self.items_below is not None:
            limits += [(items, self.items_below) for items in lists]
        return not any(
            type(x) is int and abs(x) >= below for items, below in limits for x in items
        )

    @cached_property
    def text(self) -> str:
        """Source of the function without its decorator, as it enters a program."""
        whole = textwrap.dedent(inspect.getsource(self.function))
        node = tree_of(whole).body[0]
        assert isinstance(node, ast.FunctionDef)
        return "".join(whole.splitlines(keepends=True)[node.lineno - 1 :])

    @cached_property
    def body(self) -> list[ast.stmt]:
        """Statements of its function, without the docstring."""
        node = tree_of(self.text).body[0]
        assert isinstance(node, ast.FunctionDef)
        return node.body[1:]

    @property
    def part(self) -> FunctionText:
        """What a program gets that calls it."""
        return FunctionText(self.name, self.text, self.uses, self.imports)

    def written(self, adapter: Adapter) -> Written:
        """Return what stands in a program for a call of it, over `a0`, `a1` ..."""
        if self.solver is None or not adapter.solved:
            return Written(f"{self.name}({', '.join(adapter.arguments)})", self.part)
        written = self.solver.write(*adapter.solved)
        named = {"n": adapter.arguments[-1]}
        return written._replace(expression=renamed(written.expression, named))


class ArchetypeFacts(TypedDict):
    """What is said of an archetype where its function stands; see the attributes there."""

    family: str
    complexity: str
    source: str
    limits: NotRequired[str]
    takes: tuple[str, ...]
    gives: str
    imports: NotRequired[tuple[str, ...]]
    uses: NotRequired[tuple[str, ...]]
    tried_below: NotRequired[int]
    items_below: NotRequired[int | None]
    length_below: NotRequired[int | None]
    solver: NotRequired[Solver]


def archetype(**facts: Unpack[ArchetypeFacts]) -> Callable[[_Function], _Function]:
    """Mark a function of the library; the facts are those of `Archetype`.

    Raises:
        ValueError: `takes` does not fit the function's parameters.
    """

    def mark(function: _Function) -> _Function:
        known = Archetype(function=function, **facts)
        setattr(function, _MARK, known)
        return function

    return mark


def marked(module: ModuleType) -> Iterator[Archetype]:
    """Yield the archetypes that a module defines, in its order."""
    for value in vars(module).values():
        known = getattr(value, _MARK, None)
        if isinstance(known, Archetype) and known.function.__module__ == module.__name__:
            yield known


def fits(value: Any, kind: str) -> bool:
    """Say whether a value is of a kind.

    Kinds are `int`, `float`, `number` (either), `str`, `bool`, `none`, `list`, `tuple`, `set`,
    `dict`, `any`, `pairs` (a list of lists or tuples of two), `list[KIND]`, `tuple[KIND]`,
    `set[KIND]`, and `KIND | KIND`. A bool is no int. An empty list is a list of everything.

    Raises:
        ValueError: There is no such kind.
    """
    if " | " in kind:
        return any(fits(value, one) for one in kind.split(" | "))
    outer, _, inner = kind.partition("[")
    if inner:
        return isinstance(value, _OUTER[outer]) and all(fits(x, inner[:-1]) for x in value)
    if kind == "pairs":
        return isinstance(value, list) and all(_is_pair(x) for x in value)
    if kind == "any":
        return True
    if kind not in _KINDS:
        raise ValueError(f"{kind!r}: no kind of value")
    return isinstance(value, _KINDS[kind]) and (kind == "bool" or not isinstance(value, bool))


_KINDS: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "float": float,
    "number": (int, float),
    "str": str,
    "bool": bool,
    "none": type(None),
    "list": list,
    "tuple": tuple,
    "set": (set, frozenset),
    "dict": dict,
}
_OUTER: dict[str, type[Collection[Any]] | tuple[type[Collection[Any]], ...]] = {
    "list": list,
    "tuple": tuple,
    "set": (set, frozenset),
}


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2
