"""A total that a loop asks for again and again, of what it changes step by step.

For each change of a list, deque or dictionary: what it does to the sum of its elements, or to
the number of those that pass a test. Not here: extrema, and parts of a sequence
(`running_aggregate`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.aliases import changed_elsewhere, touched
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import READ_ONLY, changed, pure
from operators.rewrite.freshness import bindings
from operators.rewrite.handlers import tried
from operators.rewrite.invariants import is_new
from operators.rewrite.kinds import mapping
from operators.rewrite.loops import substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    comp_for,
    flat,
    index,
    integer,
    method,
    named,
    names,
    only,
    positional,
    text,
)
from operators.rewrite.uses import free, only_read, truth_only

if TYPE_CHECKING:
    import libcst as cst

_ADDING = {"append": 1, "appendleft": 1, "insert": 2}
"""Methods that add their last argument, by how many they take."""


class _Total(NamedTuple):
    """What is asked for.

    Attributes:
        call: The question, such as `sum(d.values())`.
        name: Name of the list, deque or dictionary.
        keyed: Whether its values are added up, not the elements themselves.
        item: What an element is called in `part` and `test`; empty: it is added as it is.
        part: What is added for an element; None: one.
        tests: What holds for the elements that count.
        bounded: Whether it is a deque that drops elements by itself.
    """

    call: cst.Call
    name: str
    keyed: bool
    item: str = ""
    part: cst.BaseExpression | None = None
    tests: tuple[cst.BaseExpression, ...] = ()
    bounded: bool = False

    def step(self, running: str, sign: str, element: str, *known: str) -> str:
        """Return the line that adds what an element adds, or takes it away.

        Args:
            running: What the total is called.
            sign: `+` or `-`.
            element: Code of the element.
            known: Tests that come first.
        """
        tests = [*known, *(self._with(test, element) for test in self.tests)]
        part = (self._with(self.part, element) if self.part else "1") if self.item else element
        line = f"{running} {sign}= {part}"
        test = tests[0] if len(tests) == 1 else " and ".join(f"({each})" for each in tests)
        return f"if {test}:\n    {line}" if tests else line

    def _with(self, code: cst.BaseExpression, element: str) -> str:
        mine = (node for node in walk(code) if named(node) == self.item)
        return substituted(code, dict.fromkeys(mine, element))


def running_totals(program: Program, place: Place) -> Iterator[TreeChange]:
    """Yield one change for each total and the outermost loop in which all steps are known."""
    import libcst as cst

    if any(isinstance(node, cst.Float) or named(node) == "float" for node in place.own):
        return  # in another order the sum is another
    bounded = {name for name, value, _ in bindings(place.node) if value and _is_bounded(value)}
    done = set()
    for node in place.own:
        total = _total(program, node)
        if total is None:
            continue
        if not total.keyed and mapping(program, place, cst.Name(total.name)):
            continue  # its keys are added up
        made = [value for name, value, _ in bindings(place.node) if name == total.name]
        mine = all(value and (is_new(value) or _is_bounded(value)) for value in made)
        if "maxlen" in program.code and not mine:
            continue  # perhaps a deque of others, which drops elements by itself
        total = total._replace(bounded=total.name in bounded)
        loop = _loop(program, place, total)
        key = (flat(total.call), loop)
        if loop is None or key in done:
            continue
        done.add(key)
        yield _change(program, total, loop)


def _is_bounded(value: cst.CSTNode) -> bool:
    """Whether a value is a deque that drops elements by itself."""
    import libcst as cst

    return isinstance(value, cst.Call) and (
        any(named(arg.keyword) == "maxlen" for arg in value.args)
        or (calls(value, "deque") is not None and len(value.args) > 1)
    )


def _total(program: Program, node: cst.CSTNode) -> _Total | None:
    """Return what `sum(xs)`, `sum(f(x) for x in xs)` or `len([x for x in xs if ..])` asks."""
    import libcst as cst

    for function in ("sum", "len"):
        (values,) = given if len(given := calls(node, function) or []) == 1 else (None,)
        if values is None or not isinstance(node, cst.Call):
            continue
        if isinstance(values, (cst.ListComp, cst.GeneratorExp)):
            loop = comp_for(values)
            source = _source(loop.iter)
            item = named(loop.target)
            tests = tuple(each.test for each in loop.ifs)
            if source is None or not item or loop.inner_for_in or loop.asynchronous:
                return None
            part = values.elt if function == "sum" else None
            if not all(map(pure, [*tests, *([part] if part else [])])):
                return None
            return _Total(node, *source, item, part, tests)
        if function == "sum" and (mapped := _mapped(program, values)):
            return _Total(node, *mapped)
        source = _source(values) if function == "sum" else None
        return _Total(node, *source) if source else None
    return None


def _mapped(
    program: Program, values: cst.BaseExpression
) -> tuple[str, bool, str, cst.BaseExpression] | None:
    """Return what `map(len, xs)` adds up."""
    import libcst as cst

    given = calls(values, "map") or []
    source = _source(given[1]) if len(given) == 2 else None
    if source is None or named(given[0]) not in READ_ONLY:
        return None
    item = program.fresh("each")
    return *source, item, cst.parse_expression(f"{named(given[0])}({item})")


def _source(values: cst.BaseExpression) -> tuple[str, bool] | None:
    """Return the name of what is added up, and whether its values are."""
    asked = method(values, "values")
    if asked and named(asked[0]):
        return named(asked[0]), True
    return (named(values), False) if named(values) else None


def _loop(program: Program, place: Place, total: _Total) -> cst.CSTNode | None:
    """Return the outermost loop in which every step is known, and there is one."""
    import libcst as cst

    outermost, own = None, frozenset(place.own)
    first = next(n for n in walk(place.node) if named(n) == total.name)
    if any(named(n) == total.name and n not in own for n in walk(place.node)):
        return None
    for loop in program.loops(total.call):
        mine = [node for node in walk(loop) if named(node) == total.name]
        steps = {node: _step(program, node, total, "") for node in mine}
        if not isinstance(loop, (cst.For, cst.While)):
            break
        if not all(steps[node] or _reads(program, node) for node in mine):
            break
        if first in mine and total.name in bound(loop):
            break  # there is none before it
        changes = any(steps.values()) and not changed_elsewhere(
            program, place, total.name, loop
        )
        lines = [program.statement(node) for node in mine if steps[node]]
        if changes and _stays(program, total, loop, lines):
            outermost = loop
    return None if outermost is None or tried(program, outermost) else outermost


def _stays(
    program: Program, total: _Total, loop: cst.CSTNode, steps: list[cst.CSTNode]
) -> bool:
    """Whether what an element adds is the same when it comes and when it goes."""
    codes = [*total.tests, *([total.part] if total.part else [])]
    used = frozenset[str]().union(*map(free, codes)) - {total.item}
    if total.name in used or used & changed(loop):
        return False
    others = frozenset(touched(program, loop)) - {total.name}
    return not total.item or not any(names(line) & others for line in steps)


def _reads(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention only reads, by a view as well, or gives away what is then replaced."""
    import libcst as cst

    above = program.parent[node]
    call = program.parent[above]
    if isinstance(above, cst.Attribute) and above.attr.value in ("items", "keys", "values"):
        return isinstance(call, cst.Call) and only_read(program, call)
    if only_read(program, node) or truth_only(program, node):
        return True
    line = program.statement(node)
    small, block = only(line), program.block(line)
    if not isinstance(small, cst.Expr) or line not in block:
        return False
    value = small.value
    given = method(value, "append")
    given_away = isinstance(value, cst.Yield) and value.value is node
    if not given_away and (given is None or given[1] != [node]):
        return False
    name, after = named(node), block[block.index(line) + 1 :]
    pair = next((assigned(only(each)) for each in after if name in names(each)), None)
    return pair is not None and pair[0] == name and is_new(pair[1])


class _Step(NamedTuple):
    """What becomes of a line that changes a total: lines before and after, or in its place."""

    before: str = ""
    after: str = ""
    instead: str = ""


def _step(program: Program, node: cst.CSTNode, total: _Total, running: str) -> _Step | None:
    """Return what the line of a mention does to a total; None: it does nothing, or is strange.

    Args:
        program: The program.
        node: The mention of what is added up.
        total: The total.
        running: What it is called.
    """
    import libcst as cst

    small, above = only(program.statement(node)), program.parent[node]
    pair = assigned(small)
    if isinstance(above, cst.AssignTarget) and pair and pair[0] == total.name:
        fits = is_new(pair[1]) and total.name not in names(pair[1])
        empty = flat(pair[1]) in ("[]", "{}", "list()", "dict()")
        again = "0" if empty else text(total.call)
        return _Step(after=f"{running} = {again}") if fits else None
    if isinstance(above, cst.Attribute):
        call = program.parent[above]
        if not isinstance(call, cst.Call) or call.func is not above:
            return None
        plain = positional(call)
        return None if plain is None else _called(program, call, plain, total, running)
    element = index(above)
    if small is None or element is None or element[0] is not node or not pure(element[1]):
        return None
    if isinstance(small, cst.Del) and small.target is above:
        return _Step(before=total.step(running, "-", text(above)))
    if any(flat(each) == flat(total.call) for each in walk(small) if type(each) is cst.Call):
        return None  # it is asked for between the two halves of a step
    found = _stored(small, above, element[1], total, running)
    return None if found and found.before and tried(program, small) else found


def _called(
    program: Program,
    call: cst.Call,
    given: list[cst.BaseExpression],
    total: _Total,
    running: str,
) -> _Step | None:
    """Return what a method in a line of its own does to a total."""
    import libcst as cst

    assert isinstance(call.func, cst.Attribute)
    small, name, how = only(program.statement(call)), total.name, call.func.attr.value
    alone = isinstance(small, cst.Expr) and small.value is call
    if how in _ADDING and alone and len(given) == _ADDING[how] and not total.keyed:
        end = {"append": f"{name}[-1]", "appendleft": f"{name}[0]"}.get(how, "")
        new = text(given[-1]) if _is_atom(given[-1]) else end
        if not new or (total.bounded and how == "insert"):
            return None
        full, gone = (
            f"len({name}) == {name}.maxlen",
            name + ("[-1]" if "left" in how else "[0]"),
        )
        first = total.step(running, "-", gone, full) if total.bounded else ""
        return _Step(first, total.step(running, "+", new))
    if how == "remove" and alone and len(given) == 1 and _is_atom(given[0]):
        return _Step(after=total.step(running, "-", text(given[0])))
    if how == "clear" and alone:
        return _Step(after=f"{running} = 0")
    if how not in ("pop", "popleft") or len(given) > 1:
        return None
    pair = assigned(small)
    if pair and pair[1] is call and pair[0] != name:
        return _Step(after=total.step(running, "-", pair[0]))
    if not alone:
        return None
    if not total.item:
        return _Step(instead=f"{running} -= {text(call)}")
    gone = program.fresh("gone")
    taken = f"{gone} = {text(call)}\n{total.step(running, '-', gone)}"
    return _Step(instead=taken)


def _stored(
    small: cst.CSTNode,
    target: cst.CSTNode,
    at: cst.BaseExpression,
    total: _Total,
    running: str,
) -> _Step | None:
    """Return what `xs[i] = value` or `xs[i] += value` does to a total."""
    import libcst as cst

    element, value = text(target), getattr(small, "value", None)
    known = [f"{text(at)} in {total.name}"] if total.keyed else []
    found = _Step(total.step(running, "-", element, *known), total.step(running, "+", element))
    if isinstance(small, cst.AugAssign) and small.target is target:
        sign = _sign(small.operator)
        more = sign and not total.item and _is_atom(small.value)
        return _Step(after=f"{running} {sign}= {text(small.value)}") if more else found
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    if small.targets[0].target is not target:
        return None
    old = (element, f"{total.name}.get({text(at)}, 0)")
    if isinstance(value, cst.BinaryOperation) and not total.item and _is_atom(value.right):
        sign = _sign(value.operator)
        if sign and text(value.left) in old:
            return _Step(after=f"{running} {sign}= {text(value.right)}")
    if total.keyed and not total.item:
        return found._replace(before=f"{running} -= {old[1]}")
    return found


def _sign(operator: cst.CSTNode) -> str:
    import libcst as cst

    if isinstance(operator, (cst.Add, cst.AddAssign)):
        return "+"
    return "-" if isinstance(operator, (cst.Subtract, cst.SubtractAssign)) else ""


def _is_atom(value: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(value, (cst.Name, cst.Integer))


def _change(program: Program, total: _Total, loop: cst.CSTNode) -> TreeChange:
    import libcst as cst

    word = "sum" if (total.part and not integer(total.part)) or not total.item else "count"
    running = program.fresh(f"{total.name}_{word}")
    replaced: dict[cst.CSTNode, str] = {}
    before: dict[cst.CSTNode, list[str]] = {loop: [f"{running} = {text(total.call)}"]}
    after: dict[cst.CSTNode, list[str]] = {}
    for node in walk(loop):
        if isinstance(node, cst.Call) and flat(node) == flat(total.call):
            replaced[node] = running
        step = _step(program, node, total, running) if named(node) == total.name else None
        if step is None:
            continue
        line = program.statement(node)
        replaced |= {line: step.instead} if step.instead else {}
        before |= {line: [step.before]} if step.before else {}
        after |= {line: [step.after]} if step.after else {}
    return TreeChange(
        anchor=total.call,
        replaced=replaced,
        before=before,
        after=after,
        direction=f"Keep `{text(total.call)}` up to date",
        effect="O(n) -> O(1) a question, for one step more with each change",
        parameters=(("form", "steps"),),
    )
