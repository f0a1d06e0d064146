"""What a function returns: objects made anew, which may be changed, or others.

What cannot be seen counts as new. Not here: what is done with results (`lending`), how much of
an object is new (`freshness`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import QUERIES, READ_ONLY
from operators.rewrite.freshness import bindings
from operators.rewrite.library import PLAIN_RESULTS, is_match, library_names
from operators.rewrite.owners import first_parameter
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import named, targets

if TYPE_CHECKING:
    import libcst as cst

_LAZY = frozenset(
    ["accumulate", "chain", "combinations", "enumerate", "filter", "islice", "iter", "map",
     "permutations", "product", "repeat", "reversed", "zip"]
)  # fmt: skip
_COPYING = _LAZY | {
    "Counter", "OrderedDict", "bytearray", "copy", "deque", "dict", "difference",
    "intersection", "items", "keys", "list", "most_common", "rsplit", "set", "sorted", "split",
    "splitlines", "symmetric_difference", "union", "values",
}  # fmt: skip
_CHOOSING = frozenset(["get", "heappop", "max", "min", "pop", "popleft", "setdefault"])
_KEEPING = frozenset(["frozenset", "tuple"])
_MATH = frozenset(
    ["ceil", "comb", "cos", "dist", "exp", "factorial", "floor", "gcd", "hypot", "isqrt", "lcm",
     "log", "log10", "log2", "perm", "prod", "sin", "sqrt", "tan"]
)  # fmt: skip
_FUNCTIONS = (READ_ONLY - _COPYING - _CHOOSING - _KEEPING - {"sum"}) | _MATH | {
    "Decimal", "Fraction", "ascii", "bin", "bisect", "bisect_left", "bisect_right", "bytes",
    "callable", "complex", "format", "hasattr", "heapify", "heappush", "hex", "insort", "oct",
}  # fmt: skip
_STORING = frozenset(["add", "append", "appendleft", "heappush", "insert", "setdefault"])
_METHODS = (QUERIES - _COPYING - _CHOOSING - {"__getitem__"}) | _STORING - {"setdefault"} | {
    "as_integer_ratio", "bit_count", "bit_length", "capitalize", "casefold", "clear", "discard",
    "encode", "extend", "extendleft", "isascii", "isdecimal", "isidentifier",
    "isnumeric", "istitle", "ljust", "partition", "remove", "reverse", "rfind", "rindex",
    "rjust", "rotate", "rpartition", "sort", "swapcase", "title", "translate", "update",
    "zfill",
}  # fmt: skip


class Results(NamedTuple):
    """What a function returns.

    Attributes:
        new: Whether a result may be made anew, and changed.
        deep: Whether one may hold others that are.
        once: Whether one may be an iterator, which can be read once.
    """

    new: bool
    deep: bool
    once: bool


def results(program: Program, function: cst.FunctionDef) -> Results:
    """Return what a function returns; its own results are what the others of it are.

    Args:
        program: The program that the function is in; other functions are looked up by name.
        function: The one asked about.
    """
    return _results(program, function, frozenset(), False)


def called(call: cst.Call) -> str:
    """Return the last name of what a call calls, or nothing."""
    import libcst as cst

    return call.func.attr.value if isinstance(call.func, cst.Attribute) else named(call.func)


@lru_cache(maxsize=128)  # each holds a whole program: no more than are parsed at a time
def _results(
    program: Program, function: cst.FunctionDef, asked: frozenset[str], lent: bool
) -> Results:
    """As `results`; `asked` are functions being looked at, `lent`: it is given new objects."""
    import libcst as cst

    if any(isinstance(node, (cst.Yield, cst.Await)) for node in walk(function.body)):
        return Results(new=True, deep=True, once=True)
    made = _Made(program, function, asked | {function.name.value}, lent)
    values = [n.value for n in walk(function.body) if isinstance(n, cst.Return) and n.value]
    new = any(made.new(value) for value in values)
    return Results(new, made.deep, any(made.once(value) for value in values))


class _Made:
    """Says which values in a function are new. A name is, once it is given a new value."""

    def __init__(
        self, program: Program, function: cst.FunctionDef, asked: frozenset[str], lent: bool
    ) -> None:
        self._program, self._asked = program, asked
        self._object = first_parameter(function) or "self"
        self._given = [*bindings(function.body), *_added(function.body)]
        self._names = {p.name.value for p in function.params.params} if lent else set[str]()
        self._names |= _starred(function.body)
        self.deep = lent
        before = (-1, False)
        while before != (len(self._names), self.deep):
            before = (len(self._names), self.deep)
            self._names |= {
                name
                for name, value, below in self._given
                if value and (self._within(value) if below else self.new(value))
            }
            self.deep = self.deep or any(self.new(value) for value in stored(function.body))
            self.deep = self.deep or any(self._opaque(call) for call in walk(function.body))

    def new(self, value: cst.CSTNode) -> bool:
        """Whether a value is a list or the like made here, or a tuple that holds one."""
        import libcst as cst

        if isinstance(value, cst.Name):
            return value.value in self._names
        if isinstance(value, cst.Call):
            return self._called_new(value)
        if isinstance(value, cst.Subscript):
            cut = any(isinstance(part.slice, cst.Slice) for part in value.slice)
            return self.new(value.value) if cut else self._within(value.value)
        return _displayed(value) or any(self.new(part) for part in _choices(value))

    def once(self, value: cst.CSTNode) -> bool:
        """Whether a value may be an iterator."""
        import libcst as cst

        todo, seen = [value], set[str]()
        while todo:
            value = todo.pop()
            if isinstance(value, cst.Name) and value.value not in seen:
                seen.add(value.value)
                given = (
                    v for name, v, below in self._given if name == value.value and not below
                )
                todo += filter(None, given)
            elif isinstance(value, cst.GeneratorExp) or self._called_once(value):
                return True
            todo += _choices(value)
        return False

    def _called_once(self, value: cst.CSTNode) -> bool:
        import libcst as cst

        if not isinstance(value, cst.Call):
            return False
        helper = self._helper(value)
        return helper.once if helper else called(value) in _LAZY

    def _within(self, value: cst.CSTNode) -> bool:
        """Whether an element of a value may be new."""
        import libcst as cst

        if isinstance(value, (cst.Tuple, cst.List, cst.Set)):
            return any(self.new(element.value) for element in value.elements)
        if isinstance(value, (cst.ListComp, cst.SetComp, cst.GeneratorExp)):
            return self.new(value.elt)
        return self.deep and self.new(value)

    def _called_new(self, call: cst.Call) -> bool:
        import libcst as cst

        name, values = called(call), [arg.value for arg in call.args]
        helper = self._helper(call)
        if helper:
            return helper.new
        if name in _CHOOSING and isinstance(call.func, cst.Attribute):
            return self._within(call.func.value) or any(map(self.new, values))
        if name in _CHOOSING or name in _KEEPING:
            single = len(values) == 1 or bool(call.args and call.args[1].keyword)
            found = self._within(values[0]) if single else False
            return found or any(map(self.new, values[1 if single else 0 :]))
        if name == "sum" and not isinstance(call.func, cst.Attribute):
            return any(map(self.new, values[1:]))
        return not _fixed(self._program, call)

    def _helper(self, call: cst.Call) -> Results | None:
        """Return what a function of the program returns, None if it is none of it."""
        name = called(call) if self._is_own(call) else named(call.func)
        if name and name in self._asked:
            return Results(new=False, deep=False, once=False)
        found = self._program.functions.get(name, ())
        if len(found) != 1 or found[0].decorators:
            return None
        lent = any(self.new(arg.value) for arg in call.args)
        return _results(self._program, found[0], self._asked, lent)

    def _is_own(self, call: cst.Call) -> bool:
        """Whether a call is one of a method of the same object."""
        import libcst as cst

        return isinstance(call.func, cst.Attribute) and named(call.func.value) == self._object

    def _opaque(self, call: cst.CSTNode) -> bool:
        """Whether what a call returns may hold what can be changed, as far as one sees."""
        import libcst as cst

        if not isinstance(call, cst.Call):
            return False
        helper = self._helper(call)
        if helper:
            return helper.new and helper.deep
        if called(call) == "map":
            return named(call.args[0].value) not in _FUNCTIONS if call.args else True
        known = _COPYING | _CHOOSING | _KEEPING | {"sum"}
        return called(call) not in known and not _fixed(self._program, call)


def is_fixed(program: Program, value: cst.CSTNode | None) -> bool:
    """Whether a value is a number, a text or the like by its form: nobody can change it."""
    import libcst as cst

    if isinstance(value, cst.UnaryOperation):
        return isinstance(value.operator, cst.Not) or is_fixed(program, value.expression)
    if isinstance(value, cst.BinaryOperation):
        sides = [is_fixed(program, side) for side in (value.left, value.right)]
        return all(sides) if isinstance(value.operator, cst.Multiply) else any(sides)
    if isinstance(value, cst.Call):
        added = named(value.func) == "sum" and len(value.args) == 1
        return called(value) not in program.functions and (added or _fixed(program, value))
    plain = isinstance(value, (cst.BaseNumber, cst.BaseString, cst.Comparison))
    return plain or named(value) in ("False", "None", "True")


def _fixed(program: Program, call: cst.Call) -> bool:
    """Whether a call is known to return what cannot be changed."""
    import libcst as cst

    if not PLAIN_RESULTS.isdisjoint(library_names(program, call.func)):
        return True
    if not isinstance(call.func, cst.Attribute):
        return named(call.func) in _FUNCTIONS
    name = call.func.attr.value
    if name in ("end", "group", "span", "start"):
        return is_match(program, named(call.func.value))
    modules = ("bisect", "heapq", "math")
    return name in (_FUNCTIONS if named(call.func.value) in modules else _METHODS)


def _displayed(value: cst.CSTNode) -> bool:
    import libcst as cst

    comprehensions = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
    return isinstance(value, (cst.List, cst.Set, cst.Dict, *comprehensions))


def _choices(value: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the parts that decide what an expression is."""
    import libcst as cst

    if isinstance(value, cst.Tuple):
        yield from (element.value for element in value.elements)
    elif isinstance(value, (cst.BinaryOperation, cst.BooleanOperation)):
        yield from (value.left, value.right)
    elif isinstance(value, cst.IfExp):
        yield from (value.body, value.orelse)
    elif isinstance(value, cst.NamedExpr):
        yield value.value


def _added(body: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode, int]]:
    """Yield what is added to names, as `bindings` does."""
    import libcst as cst

    for node in walk(body):
        if isinstance(node, cst.AugAssign) and named(node.target):
            yield named(node.target), node.value, 0


def _starred(body: cst.CSTNode) -> set[str]:
    """Return the names that get what is left of an unpacked value: always a new list."""
    import libcst as cst

    parts = (part for target in targets(body) for part in walk(target))
    return {named(part.value) for part in parts if isinstance(part, cst.StarredElement)} - {""}


def stored(body: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what is put into other values."""
    import libcst as cst

    for node in walk(body):
        if isinstance(node, (cst.Element, cst.DictElement)):
            yield node.value
        elif isinstance(node, (cst.ListComp, cst.SetComp, cst.GeneratorExp)):
            yield node.elt
        elif isinstance(node, cst.DictComp):
            yield node.value
        elif isinstance(node, cst.Call) and called(node) in _STORING:
            yield from (arg.value for arg in node.args)
        elif isinstance(node, cst.Assign):
            places = [target.target for target in node.targets]
            yield from [node.value] if any(isinstance(p, cst.Subscript) for p in places) else []
