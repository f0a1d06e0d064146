"""Questions about nodes: what is written here, what is called, what may change.

Answers are syntactic and lean to the safe side: what cannot be seen to be untouched counts
as changed. Not here: how a program is laid out (`program`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from operators.rewrite.program import Program, walk

if TYPE_CHECKING:
    import libcst as cst

READ_ONLY = frozenset(
    {
        "Counter", "abs", "all", "any", "bool", "chr", "dict", "divmod", "enumerate",
        "filter", "float", "frozenset", "hash", "id", "int", "isinstance", "iter", "len",
        "list", "map", "max", "min", "ord", "pow", "print", "range", "repr", "reversed",
        "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
    }
)  # fmt: skip
"""Builtins that leave their arguments as they are."""

QUERIES = frozenset(
    {
        "__contains__", "__getitem__", "copy", "count", "difference", "endswith", "find",
        "format", "get", "index", "intersection", "isalnum", "isalpha", "isdigit", "islower",
        "isspace", "issubset",
        "issuperset", "isupper", "items", "join", "keys", "lower", "lstrip", "most_common",
        "replace", "rstrip", "split", "startswith", "strip", "union", "upper", "values",
    }
)  # fmt: skip
"""Methods that leave their object as it is."""


def text(node: cst.CSTNode) -> str:
    """Return the code of an expression."""
    import libcst as cst

    return cst.Module([]).code_for_node(node).strip()


def grouped(node: cst.BaseExpression) -> str:
    """Return the code of an expression, in parentheses where it is no single term."""
    import libcst as cst

    atom = isinstance(node, (cst.Name, cst.Integer, cst.Subscript, cst.Attribute, cst.Call))
    return text(node) if atom or node.lpar else f"({text(node)})"


def named(node: cst.CSTNode | None) -> str:
    """Return the name that the node is, or nothing."""
    import libcst as cst

    return node.value if isinstance(node, cst.Name) else ""


def positional(call: cst.Call) -> list[cst.BaseExpression] | None:
    """Return the arguments of a call that has only plain positional ones, else None."""
    if any(arg.keyword or arg.star for arg in call.args):
        return None
    return [arg.value for arg in call.args]


def calls(node: cst.CSTNode | None, function: str) -> list[cst.BaseExpression] | None:
    """Return the arguments if the node is a plain call of the named function, else None."""
    import libcst as cst

    if isinstance(node, cst.Call) and named(node.func) == function:
        return positional(node)
    return None


def method(
    node: cst.CSTNode | None, name: str
) -> tuple[cst.BaseExpression, list[cst.BaseExpression]] | None:
    """Return receiver and arguments if the node is a plain call of the method, else None."""
    import libcst as cst

    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    arguments = positional(node)
    if node.func.attr.value != name or arguments is None:
        return None
    return node.func.value, arguments


def integer(node: cst.CSTNode | None) -> int | None:
    """Return the value of a plain integer literal, else None."""
    import libcst as cst

    return int(node.value, 0) if isinstance(node, cst.Integer) else None


def only(statement: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """Return the small statement of a line that holds just one, else None."""
    import libcst as cst

    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        return statement.body[0]
    return None


def lines(body: cst.BaseSuite) -> tuple[cst.CSTNode, ...]:
    """Return the statements of an indented block; nothing for one on the same line."""
    import libcst as cst

    return tuple(body.body) if isinstance(body, cst.IndentedBlock) else ()


def assigned(node: cst.CSTNode | None) -> tuple[str, cst.BaseExpression] | None:
    """Return name and value if the node is `name = value` or `name: type = value`."""
    import libcst as cst

    if isinstance(node, cst.Assign) and len(node.targets) == 1:
        name = named(node.targets[0].target)
        return (name, node.value) if name else None
    if isinstance(node, cst.AnnAssign) and node.value and named(node.target):
        return named(node.target), node.value
    return None


def names(node: cst.CSTNode) -> frozenset[str]:
    """Return every variable that an expression mentions; attributes are not variables."""
    return frozenset(_variables(node))


def _variables(node: cst.CSTNode) -> Iterator[str]:
    import libcst as cst

    skipped: set[cst.CSTNode] = set()
    for found in walk(node):
        if isinstance(found, cst.Attribute):
            skipped.add(found.attr)
        elif isinstance(found, cst.Arg) and found.keyword:
            skipped.add(found.keyword)
        elif isinstance(found, cst.Name) and found not in skipped:
            yield found.value


def bound(node: cst.CSTNode) -> frozenset[str]:
    """Return every name that the code below may bind anew."""
    return frozenset(name for target in targets(node) for name in target_names(target))


def targets(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what the code below assigns to: names, subscripts, attributes, tuples of them."""
    import libcst as cst

    assigning = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.Del)
    looping = (cst.For, cst.CompFor)
    naming = (cst.AsName, cst.FunctionDef, cst.ClassDef, cst.Param)
    for found in walk(node):
        if isinstance(found, (*assigning, *looping)):
            yield found.target
        elif isinstance(found, naming):
            yield found.name


def target_names(target: cst.CSTNode) -> Iterator[str]:
    """Yield the names that an assignment target binds; a subscript binds none."""
    import libcst as cst

    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from target_names(element.value)
    elif isinstance(target, cst.StarredElement):
        yield from target_names(target.value)


def root(node: cst.CSTNode) -> str:
    """Return the variable that an expression such as `a[i].b` starts from, or nothing."""
    import libcst as cst

    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return named(node)


@lru_cache(maxsize=1024)
def changed(node: cst.CSTNode) -> frozenset[str]:
    """Return the names that the code below may bind anew or whose objects it may change."""
    import libcst as cst

    found = set(bound(node))
    for target in targets(node):
        found |= {root(part) for part in _parts(target)}
    for call in walk(node):
        if isinstance(call, cst.Call):
            found |= _touched(call)
    return frozenset(found - {""})


@lru_cache(maxsize=1024)
def altered(program: Program, node: cst.CSTNode) -> frozenset[str]:
    """Return what `changed` does, and what is changed by functions that the code names.

    Those are functions of the program, and names that stand for a lambda or a method: who
    names one may call it, or hand it to somebody who does. While a generator or a coroutine
    waits, others may change all that it did not make itself.
    """
    found, known, told = changed(node), frozenset[str](), names(node)
    if _waits(node):
        found |= told - _made_here(program, node)
    while new := (told & _functions(program).keys()) - known:
        known |= new
        for body in (body for name in new for body in _functions(program)[name]):
            found |= _leaked(body)
            told |= names(body)
    return found


def _waits(node: cst.CSTNode) -> bool:
    import libcst as cst

    return any(
        isinstance(found, (cst.Yield, cst.Await)) or getattr(found, "asynchronous", None)
        for found in walk(node)
    )


def _made_here(program: Program, node: cst.CSTNode) -> frozenset[str]:
    import libcst as cst

    around = (n for n in program.above(node) if isinstance(n, cst.FunctionDef))
    function = next(around, None)
    return bound(function.body) if function else frozenset()


@lru_cache(maxsize=128)
def _functions(program: Program) -> dict[str, list[cst.CSTNode]]:
    """Return definitions by name, and what is assigned that may be called."""
    import libcst as cst

    found: dict[str, list[cst.CSTNode]] = {}
    for node in program.nodes:
        pair = assigned(node)
        if isinstance(node, cst.FunctionDef):
            found.setdefault(node.name.value, []).append(node)
        elif pair and isinstance(pair[1], (cst.Lambda, cst.Attribute)):
            found.setdefault(pair[0], []).append(pair[1])
    return found


def _leaked(function: cst.CSTNode) -> frozenset[str]:
    """Return the names around a function whose objects it may change, or that it binds."""
    import libcst as cst

    if isinstance(function, cst.Attribute):
        queried = function.attr.value in QUERIES
        return frozenset() if queried else frozenset({root(function.value)} - {""})
    outer = {
        item.name.value
        for node in walk(function)
        if isinstance(node, (cst.Global, cst.Nonlocal))
        for item in node.names
    }
    return changed(function) - (bound(function) - outer)


def _parts(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the names, subscripts and attributes of a target; what an index reads is none."""
    import libcst as cst

    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _parts(element.value)
    else:
        yield target


def invariant_loop(
    program: Program, node: cst.CSTNode, value: cst.CSTNode | None = None
) -> cst.CSTNode | None:
    """Return the outermost loop around `node` in which `value` stays as it is.

    None also for a comprehension in the test of a `while` whose passes change the value.

    Args:
        program: That both are in.
        node: Where to start.
        value: Expression in question; None: the node itself.
    """
    used, outermost = names(value or node), None
    for loop in program.loops(node):
        if used & altered(program, loop):
            break
        outermost = loop
    return outermost if outermost is None or _can_precede(program, outermost) else None


def _can_precede(program: Program, loop: cst.CSTNode) -> bool:
    """Whether a line before a loop's statement runs whenever the loop begins."""
    import libcst as cst

    line = program.statement(loop)
    return line is loop or not isinstance(line, cst.While)


def _touched(call: cst.Call) -> set[str]:
    """Return the names whose objects a call may change: receiver and bare arguments."""
    import libcst as cst

    methods = [call.func, *handed(call)]
    found = {
        root(one.value)
        for one in methods
        if isinstance(one, cst.Attribute) and one.attr.value not in QUERIES
    }
    if isinstance(call.func, cst.Attribute) or named(call.func) in READ_ONLY:
        # What is appended or joined is stored, not changed.
        return found
    return {named(arg.value) for arg in call.args}


def handed(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """Yield what a builtin is given to call: the function of `map`, the key of `sorted`."""
    import libcst as cst

    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else named(call.func)
    if name in ("map", "filter") and call.args and named(call.args[0].value) != "None":
        yield call.args[0].value
    for arg in call.args if name in ("max", "min", "sort", "sorted") else ():
        if arg.keyword and arg.keyword.value == "key" and named(arg.value) != "None":
            yield arg.value


def pure(node: cst.CSTNode) -> bool:
    """Whether evaluating an expression twice, or elsewhere, is the same as once."""
    import libcst as cst

    effects = (cst.Await, cst.Yield, cst.NamedExpr, cst.Lambda, cst.GeneratorExp)
    for found in walk(node):
        if isinstance(found, effects):
            return False
        if isinstance(found, cst.Call) and not all(map(_asks, (found.func, *handed(found)))):
            return False
    return True


def _asks(function: cst.CSTNode) -> bool:
    """Whether a function is known to look at things only, each time in the same way."""
    import libcst as cst

    if isinstance(function, cst.Attribute):
        return function.attr.value in QUERIES
    return named(function) in READ_ONLY - {"print", "id", "iter", "map", "filter", "zip"}


def same(first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether two nodes are the same code, layout aside."""
    return first is second or first.deep_equals(second) or flat(first) == flat(second)


def flat(node: cst.CSTNode) -> str:
    """Return code without blanks, to compare it with other code."""
    return "".join(text(node).split())


def conjuncts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Yield the parts of a test that are joined by `and`."""
    import libcst as cst

    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        yield from conjuncts(test.left)
        yield from conjuncts(test.right)
    else:
        yield test


def compared(
    node: cst.CSTNode, *operators: str
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return both sides if the node compares two values by one of the named operators.

    Args:
        node: Any node.
        operators: Names of node types, such as `Equal`, `In`, `LessThan`.
    """
    import libcst as cst

    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
        return None
    (target,) = node.comparisons
    if type(target.operator).__name__ not in operators:
        return None
    return node.left, target.comparator


def index(node: cst.CSTNode) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return value and index of `value[index]`, else None."""
    import libcst as cst

    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    found = node.slice[0].slice
    return (
        (node.value, found.value) if isinstance(found, cst.Index) and not found.star else None
    )


def comp_for(node: cst.CSTNode) -> cst.CompFor:
    """Return the first `for` of a comprehension of any kind."""
    return cast("cst.CompFor", node.for_in)  # type: ignore[attr-defined]  # all four have it
