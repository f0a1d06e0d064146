"""`sum(lists, [])`, which copies the total for each of them -> a chain of their elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import calls, flat, named, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_STARTS = {"[]": "list", "list()": "list", "()": "tuple", "tuple()": "tuple"}
_TAKING = ("set", "frozenset", "sorted", "list", "tuple", "Counter", "max", "min", "any", "all")
_ADDING = ("operator.add", "operator.iadd", "operator.concat", "add", "iadd", "concat")


class ChainedSum(Rule):
    """Chain the elements of many lists or tuples instead of adding one after the other.

    Valid where all that is added is of the kind of the start, as `sum` itself asks (what
    raised before is left to the tests). Where the elements are only taken out, as by `set`,
    no list of them is made. Known as flattening in linear time.
    """

    name = "chained_sum"
    relies_on = "what is added is of the type of the start"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each sum that begins with an empty list or tuple."""
        for node in place.own:
            found = _summed(node)
            if found is None:
                continue
            chain, imports = imported(program, "itertools", "chain")
            code = f"{chain}.from_iterable({found.parts})"
            yield TreeChange(
                anchor=node,
                replaced={node: code if _taken(program, node) else f"{found.kind}({code})"},
                imports=imports,
                direction="Chain lists instead of adding one after the other",
                effect="no copy of the total for each list: O(n^2) -> O(n)",
            )


class _Summed(NamedTuple):
    """Code of what is added up, and what the total is."""

    parts: str
    kind: str


def _summed(node: cst.CSTNode) -> _Summed | None:
    import libcst as cst

    if not isinstance(node, cst.Call) or any(arg.star for arg in node.args):
        return None
    values = [arg.value for arg in node.args]
    if named(node.func) == "sum" and len(values) == 2:
        keyword = named(node.args[1].keyword)
        parts, start = values if keyword in ("", "start") else (None, None)
    elif flat(node.func) in ("reduce", "functools.reduce") and len(values) == 3:
        parts, start = values[1:] if _adds(values[0]) else (None, None)
    else:
        return None
    kind = _STARTS.get(flat(start)) if start else None
    return _Summed(text(parts), kind) if parts and kind else None


def _adds(function: cst.BaseExpression) -> bool:
    """Whether a function of two values returns their sum."""
    import libcst as cst

    if not isinstance(function, cst.Lambda):
        return flat(function) in _ADDING
    given = [param.name.value for param in function.params.params]
    return len(given) == 2 and flat(function.body) == f"{given[0]}+{given[1]}"


def _taken(program: Program, node: cst.CSTNode) -> bool:
    """Whether all that is done with the total is to take its elements, once."""
    import libcst as cst

    call = program.parent[program.parent[node]]
    if not isinstance(call, cst.Call) or call.args[0].value is not node:
        return False
    return any(calls(call, taker) is not None for taker in _TAKING) and len(call.args) == 1
