"""A costly pure call in a loop that meets the same arguments again -> a cache for the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import altered
from operators.rewrite.imports import imports
from operators.rewrite.kinds import takes_unhashable
from operators.rewrite.lending import lends
from operators.rewrite.library import library_names
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import bound, flat, named, names, root
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_COSTLY = frozenset(
    {
        "datetime.datetime.strptime", "email.utils.parsedate_to_datetime", "fnmatch.translate",
        "html.unescape", "inspect.signature", "ipaddress.ip_address", "ipaddress.ip_interface",
        "ipaddress.ip_network", "textwrap.dedent", "time.strptime", "uuid.UUID",
    }
)  # fmt: skip
"""Functions of the standard library: quick but not cheap, with results nobody can change."""


class CachedCalls(Rule):
    """Remember what a costly call in a loop came to, for the time of the loop.

    Valid for functions of the program that only compute, read nothing that the loop changes
    and no attributes, and whose results nobody changes (checked), and for some of the standard
    library that parse texts. Arguments have to be hashable, and equal ones alike: 1 and 1.0
    are told apart, but not within a tuple (both left to the tests). Whether any come again
    is not looked at: the measurement tells. Known as memoization.
    """

    name = "cached_calls"
    relies_on = "arguments are hashable, and equal ones are given equal answers"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each function that is called, and outermost loop around it."""
        import libcst as cst

        found: dict[tuple[str, cst.CSTNode], list[cst.Call]] = {}
        for node in place.own if place.name else ():
            loop = _loop(program, node) if isinstance(node, cst.Call) else None
            if loop is None or not isinstance(node, cst.Call) or _unhashable(node):
                continue
            if root(node.func) not in bound(place.node):
                found.setdefault((flat(node.func), loop), []).append(node)
        for (function, loop), calls in found.items():
            if not _COSTLY.isdisjoint(library_names(program, calls[0].func)) or _is_cacheable(
                program, place, loop, calls
            ):
                yield _change(program, function, loop, calls)


def _loop(program: Program, call: cst.Call) -> cst.CSTNode | None:
    """Return the outermost loop around a call, unless it stands in what is called later."""
    import libcst as cst

    around = list(program.loops(call))
    if any(isinstance(each, cst.Lambda) for each in around):
        return None
    return around[-1] if around else None


def _unhashable(call: cst.Call) -> bool:
    import libcst as cst

    made = (cst.List, cst.ListComp, cst.Dict, cst.DictComp, cst.Set, cst.SetComp)
    return not call.args or any(isinstance(arg.value, made) for arg in call.args)


def _is_cacheable(
    program: Program, place: Place, loop: cst.CSTNode, calls: list[cst.Call]
) -> bool:
    """Whether a function of the program gives the same for the same, and leaves no trace."""
    known = program.functions.get(named(calls[0].func), ())
    if len(known) != 1 or known[0] is place.node or known[0] not in program.module.body:
        return False
    (function,) = known
    read = names(function.body) - bound(function)
    return (
        _is_costly(function)
        and not takes_unhashable(program, function)
        and _reads_no_attributes(program, function)
        and not read & altered(program, loop)
        and all(computes(program, call) for call in calls)
        and not lends(program, function, calls)
    )


def _is_costly(function: cst.FunctionDef) -> bool:
    """Whether a look into a table may cost less: it has a loop, or several calls."""
    import libcst as cst

    found = list(walk(function.body))
    several = sum(isinstance(node, cst.Call) for node in found) > 2
    return several or any(isinstance(n, (cst.For, cst.While, cst.BaseComp)) for n in found)


def _reads_no_attributes(program: Program, function: cst.FunctionDef) -> bool:
    """Whether all attributes are methods that are called, or parts of modules."""
    import libcst as cst

    known = {each.name for each in imports(program)}
    return all(
        isinstance(program.parent[node], cst.Call) or root(node) in known
        for node in walk(function.body)
        if isinstance(node, cst.Attribute)
    )


def _change(
    program: Program, function: str, loop: cst.CSTNode, calls: list[cst.Call]
) -> TreeChange:
    cache, imports = imported(program, "functools", "lru_cache")
    name = program.fresh(f"cached_{function.rpartition('.')[2].strip('_')}")
    made = f"{name} = {cache}(maxsize=None, typed=True)({function})"
    return TreeChange(
        anchor=calls[0],
        replaced={call.func: name for call in calls},
        before={program.statement(loop): [made]},
        imports=imports,
        direction=f"Remember what `{function}` gave for the same arguments, during the loop",
        effect="one evaluation for each distinct argument",
    )
