"""`d = {**d, **more}` or `s = s | more` in a loop -> `update`, also where a helper copies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import READ_ONLY, pure
from operators.rewrite.handlers import tried
from operators.rewrite.in_place import growing_loop, own_objects
from operators.rewrite.loops import exchanged
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    body_of,
    calls,
    comp_for,
    compared,
    flat,
    lines,
    method,
    named,
    names,
    only,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_MAKERS = ("dict", "set", "list")
_OPERATORS = {"BitOr": "|=", "Subtract": "-="}
_METHODS = {"union": "update", "difference": "difference_update"}


class UpdateInPlace(Rule):
    """Put new entries into a dictionary or set that is there, not into a copy of it.

    Valid for one that is made in the same function and has no other name (checked as far as
    syntax tells), outside of what handles errors (checked): a copy is whole, or not made. A
    function of the program that copies its first argument, changes the copy and returns it,
    is written out without the copy. Known as accumulating in place.
    """

    name = "update_in_place"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each name and the outermost loop in which it is copied."""
        made = _made(program, place)
        found = {
            line: step
            for line in place.own
            if (step := _step(program, only(line))) and step.name in made
        }
        done = set()
        for line, step in found.items():
            mine = [other for other, each in found.items() if each.name == step.name]
            stored = _stored(place, step.name)
            loop = growing_loop(program, place, step.name, line, [*mine, *stored])
            if loop is None or (step.name, loop) in done:
                continue
            if any(tried(program, other) for other in mine):
                continue
            done.add((step.name, loop))
            inside = frozenset(walk(loop))
            yield TreeChange(
                anchor=line,
                replaced={other: found[other].code for other in mine if other in inside},
                direction=f"Change `{step.name}` in place instead of a copy",
                effect="no copy of all entries for each change: O(n^2) -> O(n)",
            )


class _Step(NamedTuple):
    """A line that gives a name a changed copy of its object, and what changes it in place."""

    name: str
    code: str


def _made(program: Program, place: Place) -> frozenset[str]:
    """Return the names that a function sets to new objects, and to no object of others."""

    def stepped(small: cst.CSTNode | None) -> str:
        step = _step(program, small)
        return step.name if step else ""

    return own_objects(program, place, _is_new, stepped)


def _stored(place: Place, name: str) -> list[cst.CSTNode]:
    """Return the lines `d[key] = value`, which change d in place already."""
    import libcst as cst

    found = []
    for line in place.own:
        small = only(line)
        if not isinstance(small, cst.Assign) or len(small.targets) != 1:
            continue
        target = small.targets[0].target
        if not isinstance(target, cst.Subscript) or named(target.value) != name:
            continue
        if name not in _names([*target.slice, small.value]):
            found.append(line)
    return found


def _is_new(value: cst.BaseExpression) -> bool:
    import libcst as cst

    kinds = (cst.Dict, cst.DictComp, cst.Set, cst.SetComp, cst.List, cst.ListComp)
    return isinstance(value, kinds) or named(getattr(value, "func", None)) in _MAKERS


def _step(program: Program, small: cst.CSTNode | None) -> _Step | None:
    name, value = assigned(small) or ("", None)
    if value is None:
        return None
    code = (
        _merged(program, name, value)
        or _made_of(program, name, value)
        or _combined(name, value)
        or _without(name, value)
        or _helped(program, name, value)
    )
    return _Step(name, code) if code else None


def _merged(program: Program, name: str, value: cst.BaseExpression) -> str:
    """Return what `{**d, **more, key: one}` adds to d."""
    import libcst as cst

    if not isinstance(value, cst.Dict) or len(value.elements) < 2:
        return ""
    first, *rest = value.elements
    if not isinstance(first, cst.StarredDictElement) or named(first.value) != name:
        return ""
    if name in _names(rest) and (len(rest) > 1 or not _only_read(program, name, rest)):
        return ""
    return "\n".join(_put(name, element) for element in rest)


def _put(name: str, element: cst.BaseDictElement) -> str:
    """Return what adds to d what one part of a dictionary has: a key comes before its value."""
    import libcst as cst

    if not isinstance(element, cst.DictElement):
        return f"{name}.update({text(element.value)})"
    key, value = text(element.key), text(element.value)
    if pure(element.key) or pure(element.value):
        return f"{name}[{key}] = {value}"
    return f"{name}.update({{{key}: {value}}})"


def _made_of(program: Program, name: str, value: cst.BaseExpression) -> str:
    """Return what `dict(d, **more)` or `dict(d, key=one)` adds to d."""
    import libcst as cst

    if not isinstance(value, cst.Call) or named(value.func) != "dict" or len(value.args) < 2:
        return ""
    first, *rest = value.args
    plain = first.star == "" and all(arg.keyword or arg.star == "**" for arg in rest)
    if named(first.value) != name or not plain or not _only_read(program, name, rest):
        return ""
    if len(rest) == 1 and rest[0].star:
        return f"{name}.update({text(rest[0].value)})"
    bare = (arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for arg in rest)
    return f"{name}.update({', '.join(map(text, bare))})"


def _only_read(program: Program, name: str, nodes: Iterable[cst.CSTNode]) -> bool:
    mine = [n for node in nodes for n in walk(node) if named(n) == name]
    return all(only_read(program, n) for n in mine)


def _combined(name: str, value: cst.BaseExpression) -> str:
    """Return `s |= more` for `s | more`, `s.update(more)` for `s.union(more)`."""
    import libcst as cst

    if isinstance(value, cst.BinaryOperation):
        sign = _OPERATORS.get(type(value.operator).__name__)
        fits = sign and named(value.left) == name and name not in names(value.right)
        return f"{name} {sign} {text(value.right)}" if fits else ""
    for making, changing in _METHODS.items():
        found = method(value, making)
        if found and named(found[0]) == name and name not in _names(found[1]):
            return f"{name}.{changing}({', '.join(map(text, found[1]))})"
    return ""


def _without(name: str, value: cst.BaseExpression) -> str:
    """Return what takes one key out for `{k: v for k, v in d.items() if k != key}`."""
    import libcst as cst

    if not isinstance(value, (cst.DictComp, cst.SetComp)):
        return ""
    loop = comp_for(value)
    sides = compared(loop.ifs[0].test, "NotEqual") if len(loop.ifs) == 1 else None
    if sides is None or loop.inner_for_in is not None:
        return ""
    if isinstance(value, cst.DictComp):
        key, kept = text(value.key), f"{flat(value.key)},{flat(value.value)}"
        whole = flat(loop.iter) == f"{name}.items()" and flat(loop.target) in (
            kept,
            f"({kept})",
        )
        gone = f"{name}.pop({{}}, None)"
    else:
        key, kept = text(value.elt), flat(value.elt)
        whole = flat(loop.iter) == name and flat(loop.target) == kept
        gone = f"{name}.discard({{}})"
    mine, other = sides if text(sides[0]) == key else sides[::-1]
    own = names(loop.target) | {name}
    fits = whole and text(mine) == key and not own & names(other)
    return gone.format(text(other)) if fits else ""


def _helped(program: Program, name: str, value: cst.BaseExpression) -> str:
    """Return what a function of the program does to a copy of d in `d = function(d, more)`."""
    function = named(getattr(value, "func", None))
    arguments = calls(value, function) or []
    if not arguments or named(arguments[0]) != name or name in _names(arguments[1:]):
        return ""
    found = [f for f in program.functions.get(function, ()) if f in program.module.body]
    steps = _copied(found[0]) if len(found) == 1 else None
    given = _given(found[0], arguments) if steps else None
    if steps is None or given is None:
        return ""
    return "\n".join(_written_out(steps, given, name))


class _Copied(NamedTuple):
    """What a function does to a copy of its first parameter, and what the copy is called."""

    copy: str
    steps: tuple[cst.CSTNode, ...]


def _copied(function: cst.FunctionDef) -> _Copied | None:
    """Return the steps of a function that copies, changes the copy and returns it."""
    import libcst as cst

    first, *_ = [param.name.value for param in function.params.params] or [""]
    body = body_of(function)
    if not body or function.decorators or function.asynchronous:
        return None
    last = only(body[-1])
    if not isinstance(last, cst.Return) or last.value is None:
        return None
    pair = assigned(only(body[0]))
    copies = {
        f"{first}.copy()",
        f"dict({first})",
        f"set({first})",
        f"{{**{first}}}",
        f"list({first})",
        f"{first}[:]",
    }
    if pair is None or flat(pair[1]) not in copies or named(last.value) != pair[0]:
        return None
    steps = tuple(body[1:-1])
    if not steps or any(first in names(line) for line in steps):
        return None
    return _Copied(pair[0], steps)


def _given(
    function: cst.FunctionDef, arguments: list[cst.BaseExpression]
) -> Mapping[str, list[str]] | None:
    """Return the arguments of a call by parameter; None where defaults or keywords count."""
    import libcst as cst

    params = function.params
    own = [param.name.value for param in params.params]
    if params.kwonly_params or params.posonly_params or params.star_kwarg:
        return None
    found = {own_name: [text(a)] for own_name, a in zip(own, arguments, strict=False)}
    rest = [text(argument) for argument in arguments[len(own) :]]
    if isinstance(params.star_arg, cst.Param):
        found[params.star_arg.name.value] = rest
    elif rest or len(arguments) < len(own):
        return None
    return found


def _written_out(copied: _Copied, given: Mapping[str, list[str]], name: str) -> list[str]:
    """Return the steps with the object itself in the place of the copy, or nothing.

    Each is a call of one of its methods, or sets one key; or a loop over all further
    arguments that does only this.
    """
    import libcst as cst

    found: list[str] = []
    asked: set[str] = set()
    for line in copied.steps:
        each, values = line, [""]
        if (
            isinstance(line, cst.For)
            and named(line.iter) in given
            and len(lines(line.body)) == 1
        ):
            (each,), values = lines(line.body), given[named(line.iter)]
        target = named(line.target) if isinstance(line, cst.For) else ""
        if not _changes_only(only(each), copied.copy):
            return []
        for argument in values:
            meant = {copied.copy: name, **{p: a[0] for p, a in given.items() if len(a) == 1}}
            meant |= {target: argument} if target else {}
            replaced: dict[cst.CSTNode, str] = {
                n: meant[n.value] for n in variables(each) if n.value in meant
            }
            uses = [named(n) for n in replaced if named(n) != copied.copy]
            asked |= {*uses, named(getattr(line, "iter", None))}
            if len(uses) != len(set(uses)) or names(each) - meant.keys() - READ_ONLY:
                return []
            found.append(text(exchanged(each, replaced)))
    return found if asked >= set(list(given)[1:]) else []


def _changes_only(small: cst.CSTNode | None, copy: str) -> bool:
    import libcst as cst

    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        function = small.value.func
        return isinstance(function, cst.Attribute) and named(function.value) == copy
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        target = small.targets[0].target
        return isinstance(target, cst.Subscript) and named(target.value) == copy
    return False


def _names(nodes: Iterable[cst.CSTNode]) -> frozenset[str]:
    return frozenset[str]().union(*map(names, nodes))
