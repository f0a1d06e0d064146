"""Places of a text that iterate over a set where its order can reach a result.

The order of a set changes with the hash seed, or with addresses: two processes differ. A reader
of syntax trees, not a type checker: what is a set is told by displays, calls, assignments of
the same function, and annotations by name, those of the whole project.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_KINDS = {"set", "frozenset", "Set", "AbstractSet", "FrozenSet", "MutableSet"}
_NEW = {"union", "intersection", "difference", "symmetric_difference", "copy"}
_CALM = {"any", "all", "len", "set", "frozenset", "bool", "isinstance", "sorted", "min", "max"}
"""Calls whose result is the same in any order; with a `key` the last three are none."""

_KEYED = {"sorted", "min", "max"}
_JOINING = {"isdisjoint", "issubset", "issuperset"}  # of anything with anything
_CHANGING = {
    *("update", "difference_update", "intersection_update", "symmetric_difference_update"),
}  # calm for a set that is changed, not for a dictionary
_BUSY = {
    *(
        "list",
        "tuple",
        "iter",
        "enumerate",
        "zip",
        "map",
        "filter",
        "reversed",
        "sum",
        "reduce",
    ),
    *("fromkeys", "join", "deque", "Counter", "OrderedDict", "chain", "islice", "extend"),
    *("choice", "shuffle", "permutation", "sample"),
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = _Function | ast.ClassDef | ast.Module


def is_set_type(annotation: ast.expr | None) -> bool:
    """Say whether an annotation names a set, or a set or something else."""
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return is_set_type(left) or is_set_type(right)
        case ast.Subscript(value=ast.Name(id="Annotated" | "ClassVar" | "Final"), slice=inner):
            first = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
            return is_set_type(first)
        case ast.Subscript(value=value):
            return is_set_type(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _KINDS
    return False


@dataclass
class Known:
    """What annotations of a project say by name; a name stands for sets if all of them do.

    Attributes:
        attributes: Attributes of classes, properties included: whether each is a set.
        results: Results of functions and methods: whether each is a set.
        iterables: Positions of the parameters of a function that anything may be given to
            which can be iterated over.
    """

    attributes: dict[str, set[bool]] = field(default_factory=lambda: defaultdict(set))
    results: dict[str, set[bool]] = field(default_factory=lambda: defaultdict(set))
    iterables: dict[str, list[frozenset[int]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    @classmethod
    def of(cls, trees: Iterable[ast.Module]) -> Known:
        """Read the annotations of all modules."""
        known = cls()
        for tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    known._note_class(node)
                elif isinstance(node, _Function):
                    known.results[node.name].add(is_set_type(node.returns))
                    known.iterables[node.name].append(_iterables(node))
        return known

    def _note_class(self, node: ast.ClassDef) -> None:
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                self.attributes[part.target.id].add(is_set_type(part.annotation))
            elif isinstance(part, _Function):
                made = [ast.unparse(each) for each in part.decorator_list]
                if any(each.endswith("property") for each in made):
                    self.attributes[part.name].add(is_set_type(part.returns))
                for inner in ast.walk(part):
                    match inner:
                        case ast.AnnAssign(target=ast.Attribute(attr=name), annotation=told):
                            self.attributes[name].add(is_set_type(told))


def _iterables(node: _Function) -> frozenset[int]:
    arguments = [*node.args.posonlyargs, *node.args.args]
    if arguments and arguments[0].arg in ("self", "cls"):
        del arguments[0]
    given = {
        place: each.arg
        for place, each in enumerate(arguments)
        if each.annotation and ast.unparse(each.annotation).startswith("Iterable[")
    }
    calm = _given_to_calm_calls(node) if given else set()
    return frozenset(place for place, name in given.items() if name not in calm)


def _given_to_calm_calls(node: _Function) -> set[str]:
    """Return the names that a function does nothing with but make sets of them and the like."""
    read = Counter(each.id for each in ast.walk(node) if isinstance(each, ast.Name))
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    calm = Counter(
        each.id
        for call in calls
        if _name(call.func) in _CALM and not any(map(_decides, call.keywords))
        for each in call.args
        if isinstance(each, ast.Name)
    )
    return {name for name, times in read.items() if calm[name] == times}


def places(tree: ast.Module, known: Known) -> list[tuple[int, str]]:
    """Return line and code of each place that is in the order of a set, by line."""
    return sorted(set(_Reader(known).places(tree, {})))


class _Reader:
    """Reads one module, scope by scope."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def places(self, scope: _Scope, above: dict[str, bool]) -> Iterator[tuple[int, str]]:
        """Yield the places of a scope and all below it.

        Args:
            scope: A module, a class or a function.
            above: Names of the scopes around: whether each is a set.
        """
        own = list(_own(scope))
        names = {**above, **self._names(scope, own, above)}
        around = {child: node for node in own for child in ast.iter_child_nodes(node)}
        for node in own:
            for found in self._found(node, names, around):
                yield found.lineno, ast.unparse(found)
            if node is not scope and isinstance(node, _Scope):
                yield from self.places(node, names)

    def _names(
        self, scope: _Scope, own: list[ast.AST], above: dict[str, bool]
    ) -> dict[str, bool]:
        """Return which names that a scope binds are sets: those that are set to one once."""
        found: dict[str, bool] = {}
        if isinstance(scope, _Function):
            for each in _arguments(scope):
                found[each.arg] = is_set_type(each.annotation)
        for _ in range(2):  # a name may be set from one that is set further down, in a loop
            for name, value, told in _bindings(own):
                is_set = is_set_type(told) or (
                    told is None and value is not None and self._is_set(value, above | found)
                )
                found[name] = found.get(name, False) or is_set
        return found

    def _found(
        self, node: ast.AST, names: dict[str, bool], around: dict[ast.AST, ast.AST]
    ) -> Iterator[ast.expr]:
        """Yield what of a node is iterated over in the order of a set."""
        match node:
            case ast.For(iter=source) | ast.YieldFrom(value=source):
                yield from [source] if self._is_set(source, names) else []
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp():
                if not self._is_calm(around.get(node), names):
                    yield from (
                        each.iter for each in node.generators if self._is_set(each.iter, names)
                    )
            case ast.Starred(value=source) if self._is_set(source, names):
                above = around.get(node)
                if not isinstance(above, ast.Set) and not self._is_calm(above, names):
                    yield source
            case ast.Call():
                yield from self._called(node, names, around)

    def _called(
        self, node: ast.Call, names: dict[str, bool], around: dict[ast.AST, ast.AST]
    ) -> Iterator[ast.expr]:
        name = _name(node.func)
        match node.func:
            case ast.Attribute(value=value, attr="pop") if self._is_set(value, names):
                yield node
        sets = [place for place, each in enumerate(node.args) if self._is_set(each, names)]
        if name in _KEYED and any(map(_decides, node.keywords)) and 0 in sets:
            yield node
        if self._is_calm(around.get(node), names):
            return
        taken = self._known.iterables[name]
        given = taken and all(any(place in told for place in sets) for told in taken)
        if sets and (name in _BUSY or given):
            yield node

    def _is_calm(self, node: ast.AST | None, names: dict[str, bool]) -> bool:
        """Say whether a call takes what it is given in any order."""
        if not isinstance(node, ast.Call):
            return False
        name = _name(node.func)
        if name in _KEYED and any(map(_decides, node.keywords)):
            return False
        if name == "sum":
            return _counts(node)
        if name in _CHANGING | _NEW:
            assert isinstance(node.func, ast.Attribute)
            return self._is_set(node.func.value, names)
        return name in _CALM | _JOINING

    def _is_set(self, node: ast.expr, names: dict[str, bool]) -> bool:
        """Say whether an expression is a set, as far as names tell."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Name(id=name):
                return names.get(name, False)
            case ast.Attribute(attr=name):
                return self._known.attributes.get(name) == {True}
            case ast.NamedExpr(value=value):
                return self._is_set(value, names)
            case ast.IfExp(body=first, orelse=second):
                return self._is_set(first, names) or self._is_set(second, names)
            case ast.BoolOp(values=values):
                return any(self._is_set(each, names) for each in values)
            case ast.BinOp(
                left=left, op=ast.BitOr() | ast.BitAnd() | ast.BitXor(), right=right
            ):
                sides = (left, right)
                return any(self._is_set(each, names) or _is_keys(each) for each in sides)
            case ast.BinOp(left=left, op=ast.Sub()):
                return self._is_set(left, names) or _is_keys(left)
            case ast.Call(func=func):
                return self._makes_set(func, names)
        return False

    def _makes_set(self, func: ast.expr, names: dict[str, bool]) -> bool:
        match func:
            case ast.Subscript(value=value):
                return self._makes_set(value, names)
            case ast.Name(id="set" | "frozenset"):
                return True
            case ast.Attribute(value=value, attr=name) if name in _NEW:
                return self._is_set(value, names)
        return self._known.results.get(_name(func)) == {True}


def _own(scope: _Scope) -> Iterator[ast.AST]:
    """Yield the nodes of a scope; of inner scopes the heads alone."""
    todo: list[ast.AST] = [*ast.iter_child_nodes(scope)]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _Scope):
            todo += ast.iter_child_nodes(node)


def _arguments(node: _Function) -> list[ast.arg]:
    given = node.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _bindings(own: list[ast.AST]) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """Yield each name that is set, with its value and its annotation."""
    for node in own:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=told, value=value):
                yield name, value, told
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield name, value, None
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                yield name, ast.BinOp(ast.Name(name), node.op, value), None
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _pairs(target, value)


def _pairs(
    target: ast.expr, value: ast.expr
) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value, None
        case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
            for one, each in zip(names, values, strict=True):
                yield from _pairs(one, each)


def _name(func: ast.expr) -> str:
    match func:
        case ast.Subscript(value=value):
            return _name(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _decides(keyword: ast.keyword) -> bool:
    """Say whether equal keys may leave an order open: not where the element is part of it."""
    match keyword:
        case ast.keyword(arg="key", value=ast.Lambda(args=told, body=ast.Tuple(elts=parts))):
            return ast.unparse(parts[-1]) != told.args[0].arg
    return keyword.arg == "key"


def _counts(node: ast.Call) -> bool:
    """Say whether a sum is one of whole numbers: of ones, or of answers yes and no."""
    match node.args:
        case [ast.GeneratorExp(elt=ast.Compare() | ast.Constant(value=int()))]:
            return True
    return False


def _is_keys(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="keys" | "items")):
            return True
    return False
