"""What a function does besides answering: it changes what its module holds, prints, logs.

Read off the text: nothing is run, and what is hidden (in C, in an object that was handed over)
is not seen. Changed arguments are no side effect here: they are compared like answers. Neither
is a cache that nobody else in the module reads.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from se_agent.program.changing import CHANGING_FUNCTIONS, CHANGING_METHODS
from se_agent.program.parsing import tree_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = _Function | ast.ClassDef
_Binding = _Definition | ast.ExceptHandler | ast.MatchAs | ast.MatchStar

PRINTS, LOGS = "prints", "logs"

_CHANGING = CHANGING_METHODS | {"put", "put_nowait", "write", "writelines"}
_CHANGING_FIRST = CHANGING_FUNCTIONS | {"delattr", "setattr"}

_LEVELS = frozenset({"critical", "debug", "error", "exception", "info", "log", "warning"})
_STREAMS = frozenset({"stdout", "stderr"})
_CACHES = frozenset({"cache", "cached", "caches", "dp", "memo", "memos", "visited"})


@lru_cache(maxsize=1024)
def side_effects(text: str, name: str) -> tuple[str, ...]:
    """Return what a function does besides answering, such as "changes `LOG`" or "prints".

    What it calls in its own module counts. Empty also for a text that is not Python.

    Args:
        text: The module.
        name: Name of a function or class at its top level, or of a method, `Class.method`.
    """
    module = _parsed(text)
    if module is None:
        return ()
    defined = {node.name for node in module.body if isinstance(node, _Definition)}
    told: dict[str, None] = {}
    for node in _reached(module, name):
        for path, act in _effects(node, _modules(module)):
            changed, _, part = path.partition(".")
            if act:
                told[act] = None
            elif changed in _held(module) and not _is_cache(changed, module):
                told[f"changes `{changed}`"] = None
            elif part and changed in defined and not _is_cache(path, module):
                told[f"changes `{path}`"] = None
    return tuple(told)


def lost_effects(old: str, new: str, name: str) -> list[str]:
    """Return the side effects of a function of which nothing is left in another text of it.

    A text that still names what is changed, a stream or a logger is believed: there are more
    ways to do a thing than can be read.
    """
    effects = side_effects(old, name)
    module = _parsed(new) if effects else None
    if module is None:
        return []
    code = [
        *_reached(module, name),
        *(n for n in module.body if not isinstance(n, _Definition)),
    ]
    nodes = [node for part in code for node in ast.walk(part)]
    used = {n.id for n in nodes if isinstance(n, ast.Name) and not _stored(n)}
    used |= {name for part in code for name in _declared_global(part)}
    asked = {n for n in nodes if isinstance(n, ast.Attribute)}
    held = {n.attr for n in asked - {n.func for n in nodes if isinstance(n, ast.Call)}}
    parts = {n.attr for n in asked} | used
    left = {
        PRINTS: bool(parts & {"print", "pprint", *_STREAMS}),
        LOGS: any("log" in part.lower() for part in parts),
    }
    for effect in effects:
        name, _, part = effect.partition("`")[2].rstrip("`").partition(".")
        left.setdefault(effect, part in held or "setattr" in used if part else name in used)
    return [effect for effect in effects if not left[effect]]


def listed_effects(effects: Sequence[str]) -> str:
    """Return side effects as one says them: "changes `LOG` and prints"."""
    *first, last = effects
    return f"{', '.join(first)} and {last}" if first else last


@lru_cache(maxsize=16)
def _parsed(text: str) -> ast.Module | None:
    try:
        return tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _reached(module: ast.Module, name: str) -> list[_Function]:
    """Return the functions that one names, and those that they name; of classes, methods.

    Any object may be of a class that is named, so its methods count that are named at all.
    """
    defined = {node.name: node for node in module.body if isinstance(node, _Definition)}
    top, _, method = name.partition(".")
    names, attributes = {top}, {method.partition(".")[0]}
    found: dict[_Function, None] = {}
    while new := [n for n in _named(defined, names, attributes) if n not in found]:
        for function in new:
            found[function] = None
            own = _own(function)
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and node.id not in own:
                    names.add(node.id)
                elif isinstance(node, ast.Attribute):
                    attributes.add(node.attr)
    return list(found)


def _named(
    defined: Mapping[str, _Definition], names: Collection[str], attributes: Collection[str]
) -> Iterator[_Function]:
    for name in [name for name in defined if name in names]:
        node = defined[name]
        if isinstance(node, _Function):
            yield node
            continue
        for part in node.body:
            if isinstance(part, _Function) and (
                part.name in attributes or part.name.startswith("__")
            ):
                yield part


@lru_cache(maxsize=16)
def _modules(module: ast.Module) -> frozenset[str]:
    """Return the names of imported modules: what is called of them changes none of them."""
    imports = (node for node in ast.walk(module) if isinstance(node, ast.Import))
    return frozenset(
        (each.asname or each.name).partition(".")[0] for node in imports for each in node.names
    )


@lru_cache(maxsize=16)
def _held(module: ast.Module) -> frozenset[str]:
    """Return the names of what a module holds, and of what it imports."""
    found = _declared_global(module)
    for statement in module.body:
        if not isinstance(statement, _Definition):
            found |= _bindings(statement).keys()
    return frozenset(found)


@lru_cache(maxsize=256)
def _is_cache(path: str, module: ast.Module) -> bool:
    """Whether a name is private or called like a cache, and who reads it also fills it.

    Or such an attribute, `f.cache`, whoever it is asked of.
    """
    name, _, part = path.partition(".")
    if not _sounds_like_a_cache(part or name):
        return False
    for node in module.body:
        for own in node.body if isinstance(node, ast.ClassDef) else [node]:
            if _reads(own, path) and not _fills(own, path, module):
                return False
    return True


def _reads(node: ast.AST, path: str) -> bool:
    part = path.partition(".")[2]
    return any(
        not _stored(n) and (n.attr == part if isinstance(n, ast.Attribute) else n.id == path)
        for n in ast.walk(node)
        if isinstance(n, ast.Attribute | ast.Name)
    )


def _fills(node: ast.AST, path: str, module: ast.Module) -> bool:
    if not isinstance(node, _Function):
        return False
    changed = (changed for changed, _ in _effects(node, _modules(module)))
    return any(path in (each, each.partition(".")[0]) for each in changed)


def _sounds_like_a_cache(name: str) -> bool:
    return name.startswith("_") or bool(_CACHES & set(name.lower().split("_")))


def _bindings(node: ast.AST) -> Counter[str]:
    """Return how often each name is bound in a statement, in whatever way."""
    found = Counter[str]()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and _stored(part):
            found[part.id] += 1
        elif isinstance(part, ast.arg):
            found[part.arg] += 1
        elif part is not node and isinstance(part, _Binding) and part.name:
            found[part.name] += 1
        elif isinstance(part, ast.Import | ast.ImportFrom):
            found.update((each.asname or each.name).partition(".")[0] for each in part.names)
    return found


def _own(function: _Function) -> frozenset[str]:
    """Return the names that a function binds itself."""
    return frozenset(_bindings(function).keys() - _declared_global(function))


def _declared_global(node: ast.AST) -> set[str]:
    return {name for n in ast.walk(node) if isinstance(n, ast.Global) for name in n.names}


def _effects(function: _Function, modules: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what a function changes around it, or nothing and what it does.

    What it changes is a name, with the first attribute that is asked of it: `Stats.calls`.
    """
    nodes, own = list(ast.walk(function)), _own(function)
    around = _Around(own, _aliases(function), modules)
    for node in nodes:
        if isinstance(node, ast.Name) and _stored(node) and node.id not in own:
            yield node.id, ""
        elif isinstance(node, ast.Attribute | ast.Subscript) and _stored(node):
            yield around.path(node), ""
        elif isinstance(node, ast.Call):
            yield from _called(node, around)


def _aliases(function: _Function) -> dict[str, ast.expr]:
    """Return names that are bound once, to what others hold: `log = LOG`, `row = ROWS[0]`.

    Or to one of its elements after the other: `for row in ROWS`.
    """
    bound = _bindings(function)
    return {
        target.id: value
        for target, value in _given(function)
        if isinstance(target, ast.Name) and bound[target.id] == 1 and _is_held(value)
    }


def _given(function: _Function) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            yield node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield node.target, node.value
        elif isinstance(node, ast.For):
            yield node.target, node.iter


def _is_held(value: ast.expr) -> bool:
    """Whether an expression stands for an object that something holds; a slice is new."""
    if isinstance(value, ast.Subscript):
        return not isinstance(value.slice, ast.Slice)
    return isinstance(value, ast.Name | ast.Attribute)


@dataclass(frozen=True)
class _Around:
    """What a function binds itself, which of its names stand for others, and the modules."""

    own: Collection[str]
    aliases: Mapping[str, ast.expr]
    modules: Collection[str]

    def meant_node(self, node: ast.expr) -> ast.expr:
        """Return what a name stands for, and all else as it is."""
        for _ in range(1 + len(self.aliases)):  # names may stand for each other
            if not (isinstance(node, ast.Name) and node.id in self.aliases):
                break
            node = self.aliases[node.id]
        return node

    def root(self, node: ast.expr) -> str:
        """Return the name around the function that `a[i].b` starts from, or nothing."""
        return self.path(node).partition(".")[0]

    def path(self, node: ast.expr) -> str:
        """Return that name with the first attribute that is asked of it, such as `a.b`."""
        first = ""
        for _ in range(1 + len(self.aliases)):  # `row` may stand for `table.rows[0]`
            while isinstance(node, ast.Attribute | ast.Subscript):
                first = node.attr if isinstance(node, ast.Attribute) else first
                node = node.value
            if not isinstance(node, ast.Name) or node.id not in self.aliases:
                break
            node = self.aliases[node.id]
        if not isinstance(node, ast.Name) or node.id in self.own:
            return ""
        return f"{node.id}.{first}" if first else node.id


def _called(call: ast.Call, around: _Around) -> Iterator[tuple[str, str]]:
    """Yield what a call changes, or does."""
    function = around.meant_node(call.func)
    if isinstance(function, ast.Attribute):
        name, root, parts = function.attr, around.root(function), set(_parts(function.value))
        of_module = isinstance(function.value, ast.Name) and root in around.modules
        if name in _LEVELS and any("log" in part.lower() for part in parts):
            yield "", LOGS
        elif name in _CHANGING and not of_module:
            yield around.path(function.value), PRINTS if parts & _STREAMS else ""
    else:
        name = around.root(function)
        if name == "print":
            yield "", PRINTS
    if name in _CHANGING_FIRST and call.args:
        yield around.path(call.args[0]), ""


def _parts(node: ast.AST) -> Iterator[str]:
    """Yield the names in an expression such as `logging.getLogger(name)` or `self.logger`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Name):
            yield part.id


def _stored(node: ast.Name | ast.Attribute | ast.Subscript) -> bool:
    return not isinstance(node.ctx, ast.Load)
