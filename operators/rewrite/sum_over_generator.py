"""A loop that adds up, counts, joins or collects -> one call that runs in C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import added
from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.handlers import tried
from operators.rewrite.loops import confined, elements, resolved
from operators.rewrite.program import Place, Program
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    comp_for,
    compared,
    index,
    integer,
    lines,
    named,
    names,
    only,
    same,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


_FUNCTIONS = frozenset(
    ["abs", "bool", "chr", "float", "int", "len", "max", "min", "ord", "repr", "sum"]
)
_TAKERS = frozenset(["all", "any", "list", "max", "min", "set", "sorted", "sum", "tuple"])


class SumOverGenerator(Rule):
    """Let `sum`, `max`, `min`, `count`, `join` or `map` do what a loop does step by step.

    Valid for loops with one step, of an element alone or of elements at the same place of
    two lists (checked). Only forms that run in C are made: a sum of elements, of calls of a
    builtin, or of products; the greatest and the least; the number of elements that equal a
    value; a text of pieces. A generator with a Python expression in it is no faster than
    the loop. Floats are taken one after the other from the total on, as the loop does; only
    that `sum` itself adds them more exactly from Python 3.12 on. Of a text single characters
    are counted, a sum of lengths has a second form for texts, the length of all of them joined,
    and where a loop takes the newer one of two that tie, as `max(x, best)` does, the older one
    stays (all left to the tests).
    """

    name = "sum_over_generator"
    relies_on = "values that tie are alike"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop, and each comprehension, that a call can replace."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                found = None if tried(program, node) else _loop(program, place, node)
                if found and confined(program, place, node, target_names(node.target)):
                    yield _change({node: found.code}, found)
                    yield from _joined({node: found.code}, found)
            elif isinstance(node, (cst.GeneratorExp, cst.ListComp)):
                yield from _comprehension(program, place, node)


class _Call(NamedTuple):
    """The code that replaces a loop, and its imports.

    Attributes:
        code: An expression, or a statement.
        imports: Imports that it needs.
        texts: What its lengths are of, where it is a sum of lengths.
    """

    code: str
    imports: tuple[str, ...] = ()
    texts: str = ""


def _joined(replaced: dict[cst.CSTNode, str], found: _Call) -> Iterator[TreeChange]:
    """Yield the second form of a sum of lengths."""
    if found.texts:
        lengths, joined = f"sum(map(len, {found.texts}))", f'len("".join({found.texts}))'
        new = {node: code.replace(lengths, joined) for node, code in replaced.items()}
        yield _change(new, found, (("by", "join"),))


def _change(
    replaced: dict[cst.CSTNode, str], found: _Call, way: tuple[tuple[str, str], ...] = ()
) -> TreeChange:
    return TreeChange(
        anchor=next(iter(replaced)),
        replaced=replaced,
        imports=found.imports,
        parameters=way,
        direction="Let one builtin call do what a loop does step by step",
        effect="the loop runs in C: two to ten times less an element",
    )


def _loop(program: Program, place: Place, loop: cst.For) -> _Call | None:
    body = lines(loop.body)
    step = _step(place, body[0]) if len(body) == 1 else None
    if step is None or step.total in names(step.value) | names(loop.iter):
        return None
    if step.equal is not None:
        counted = _counted(program, place, loop, step.equal)
        return _Call(f"{step.total} += {counted}") if counted else None
    found = _mapped(program, place, loop, step.value)
    if found is None:
        return None
    code, total = found.code, step.total
    if step.way == "join":
        # What is no text raises in both cases.
        return found._replace(code=f'{total} += "".join({code})')
    if step.way == "sum" and found.texts:
        return found._replace(code=f"{total} += sum({code})")  # lengths are integers
    if step.way == "sum":
        return found._replace(code=f"{total} = sum({code}, {total})")
    if step.way == "prod":
        product, imports = imported(program, "math", "prod")
        call = f"{total} = {product}({code}, start={total})"
    else:
        # One after the other from the total on, as the loop: a NaN counts for what it did.
        chain, imports = imported(program, "itertools", "chain")
        call = f"{total} = {step.way}({chain}(({total},), {code}))"
    return _Call(call, (*found.imports, *imports))


class _Step(NamedTuple):
    """What a loop does with each value: way and total; or the test of a count."""

    way: str
    total: str
    value: cst.BaseExpression
    equal: cst.BaseExpression | None = None


def _step(place: Place, line: cst.CSTNode) -> _Step | None:
    import libcst as cst

    if isinstance(line, cst.If):
        return _tested(place, line)
    small = only(line)
    adding = added(small)
    if adding:
        way = "sum" if _number(place, adding.name) else "join"
        fits = way == "sum" or _text(place, adding.name)
        return _Step(way, adding.name, adding.value) if fits else None
    if isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.MultiplyAssign):
        name = named(small.target)
        return _Step("prod", name, small.value) if _number(place, name) else None
    pair = assigned(small)
    if pair is None:
        return None
    for way in ("max", "min"):
        both = calls(pair[1], way) or []
        if len(both) == 2 and pair[0] in map(named, both):
            return _Step(way, pair[0], both[named(both[0]) == pair[0]])
    value = pair[1]
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):
        both = [value.left, value.right]
        if pair[0] in map(named, both) and _number(place, pair[0]):
            return _Step("prod", pair[0], both[named(both[0]) == pair[0]])
    return None


def _tested(place: Place, line: cst.If) -> _Step | None:
    """`if xs[i] > best: best = xs[i]`, or `if x == value: count += 1`."""
    import libcst as cst

    body = lines(line.body)
    small = only(body[0]) if len(body) == 1 else None
    if line.orelse or small is None:
        return None
    adding, pair = added(small), assigned(small)
    if adding and integer(adding.value) == 1 and _number(place, adding.name):
        equal = compared(line.test, "Equal")
        return _Step("count", adding.name, line.test, line.test) if equal else None
    if pair is None or isinstance(pair[1], cst.Name):
        return None  # A test of a name is as fast as `max`.
    for way, kind in (("max", "GreaterThan"), ("min", "LessThan")):
        sides = compared(line.test, kind)
        if sides and named(sides[1]) == pair[0] and same(sides[0], pair[1]):
            return _Step(way, pair[0], pair[1])
        other = compared(line.test, "LessThan" if way == "max" else "GreaterThan")
        if other and named(other[0]) == pair[0] and same(other[1], pair[1]):
            return _Step(way, pair[0], pair[1])
    return None


def _number(place: Place, name: str) -> bool:
    """Whether the name is set to a number somewhere in the function."""
    import libcst as cst

    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == name]
    return any(isinstance(value, (cst.Integer, cst.Float)) for value in given)


def _text(place: Place, name: str) -> bool:
    """Whether all that the name is set to is a text, or this with more behind it."""
    import libcst as cst

    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == name]
    texts = [value for value in given if isinstance(value, cst.BaseString)]
    sums = [value for value in given if isinstance(value, cst.BinaryOperation)]
    return bool(texts) and len(texts) + len(sums) == len(given)


def _counted(
    program: Program, place: Place, loop: cst.For | cst.CompFor, test: cst.BaseExpression
) -> str:
    """Return `values.count(value)` for a test of equality, or nothing."""
    found, sides = elements(program, place, loop), compared(test, "Equal")
    if found is None or not pure(found.sequence):
        return ""
    for mine, other in (sides, sides[::-1]) if sides else ():
        item = found.replaced.get(mine, named(mine)) == found.name
        if item and found.name not in names(other) and not names(other) & bound(loop):
            source = text(found.sequence)
            whole = source if source.isidentifier() else f"({source})"
            return f"{whole}.count({text(other)})" if computes(program, other) else ""
    return ""


def _mapped(
    program: Program, place: Place, loop: cst.For | cst.CompFor, value: cst.BaseExpression
) -> _Call | None:
    """Return the values as an iterable that runs in C: a sequence, or a `map` of one or two."""
    import libcst as cst

    if isinstance(value, cst.BinaryOperation):
        return _products(program, place, loop, value)
    name, call = named(loop.target), value if isinstance(value, cst.Call) else None
    item = value if call is None else (call.args[0].value if len(call.args) == 1 else None)
    if item is None or (call is not None and (call.args[0].star or call.args[0].keyword)):
        return None
    source = _source(place, loop, item, name)
    if not source:
        return None
    if call is None:
        return _Call(source)
    function = text(call.func)
    fits = named(call.func) in _FUNCTIONS or function.startswith("math.")
    texts = source if function == "len" else ""
    return _Call(f"map({function}, {source})", texts=texts) if fits else None


def _source(
    place: Place,
    loop: cst.For | cst.CompFor,
    item: cst.BaseExpression,
    name: str,
) -> str:
    """Return the sequence whose elements the item runs through, or nothing."""
    if named(item) == name and name:
        return text(loop.iter)
    found = index(item)
    span = calls(loop.iter, "range")
    if not found or not span or named(found[1]) != name or len(span) > 2:
        return ""
    if name in names(found[0]) or not pure(found[0]):
        return ""
    values, (*lower, upper) = text(found[0]), map(text, span)
    measured = calls(resolved(place, span[-1]), "len")
    whole = bool(measured) and same((measured or [])[0], found[0])
    start = lower[0] if lower and lower[0] != "0" else ""
    if any(bound_.startswith("-") for bound_ in (start, upper)):
        return ""
    if whole:
        return f"{values}[{start}:]" if start else values
    return f"{values}[{start}:{upper}]"


def _products(
    program: Program, place: Place, loop: cst.For | cst.CompFor, value: cst.BinaryOperation
) -> _Call | None:
    """Return `map(mul, xs, ys)` for products of elements at the same place."""
    import libcst as cst

    operator = {"Multiply": "mul", "Subtract": "sub", "Add": "add"}.get(
        type(value.operator).__name__
    )
    if operator is None:
        return None
    function, imports = imported(program, "operator", operator)
    both = (value.left, value.right)
    zipped = calls(loop.iter, "zip")
    if isinstance(loop.target, cst.Tuple) and zipped and len(zipped) == 2:
        own = [named(element.value) for element in loop.target.elements]
        if [named(side) for side in both] == own and len(set(own)) == 2:
            return _Call(f"map({function}, {text(zipped[0])}, {text(zipped[1])})", imports)
        return None
    name = named(loop.target)
    sources = [_source(place, loop, side, name) for side in both]
    span = calls(loop.iter, "range")
    if span and any(source.isidentifier() for source in sources):
        # `map` ends with the shorter one: the measured sequence, which stands whole.
        sources = [source.removesuffix(f"[:{text(span[-1])}]") for source in sources]
    if not all(sources) or not pure(loop.iter):
        return None
    return _Call(f"map({function}, {', '.join(sources)})", imports)


def _comprehension(
    program: Program, place: Place, comp: cst.GeneratorExp | cst.ListComp
) -> Iterator[TreeChange]:
    """The same within `sum(...)` and other calls that take any iterable."""
    import libcst as cst

    loop, argument = comp_for(comp), program.parent[comp]
    call = program.parent.get(argument)
    if loop.inner_for_in or loop.asynchronous or not isinstance(call, cst.Call):
        return
    if len(call.args) != 1 or not isinstance(argument, cst.Arg) or argument.keyword:
        return
    function = named(call.func)
    joined = isinstance(call.func, cst.Attribute) and call.func.attr.value == "join"
    if loop.ifs:
        one = (function == "sum" and integer(comp.elt) == 1) or function == "len"
        counted = _counted(program, place, loop, loop.ifs[0].test) if one else ""
        if counted and len(loop.ifs) == 1:
            yield _change({call: counted}, _Call(counted))
    elif function in _TAKERS or joined:
        found = _mapped(program, place, loop, comp.elt)
        if found:
            yield _change({comp: found.code}, found)
        if found and function == "sum":
            yield from _joined({call: f"sum({found.code})"}, found)
