"""A table of patterns that is compiled for each call or object -> compiled beside it, once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.loops import confined
from operators.rewrite.patterns import compiled, constant, imports_re, is_above, is_text_above
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    flat,
    method,
    named,
    names,
    only,
    target_names,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst


class CompiledTable(Rule):
    """Compile the patterns of a table once, where the module begins, not in each call.

    Valid for a table of the module that is set once and only read, in loops that ask nothing
    of its patterns but one question each; a table of compiled patterns that each object
    makes is copied instead (all checked). Where the table is an argument, its patterns pass
    as they are once they are compiled, and the tables of the module that hold some compiled
    ones hold only such; or a table of the module is known by itself, and its compiled copy is
    at hand. That nobody else changes that table is left to the tests. Known as hoisting
    compiled patterns to module level.
    """

    name = "compiled_table"
    relies_on = "nobody else changes the table"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop over a table, and each that is given one."""
        import libcst as cst

        if not place.name or not imports_re(program):
            return
        for node in place.own:
            if isinstance(node, (cst.For, cst.CompFor)):
                change = _walked(program, place, node) or _given(program, place, node)
                if change is not None:
                    yield change
                if isinstance(node, cst.CompFor):
                    yield from _recognised(program, node)


class _Table(NamedTuple):
    """A table of the module: its mention, which name gets the pattern, and its keys' names."""

    mention: cst.Name
    pattern: str
    target: str
    items: bool


def _walked(program: Program, place: Place, loop: cst.For | cst.CompFor) -> TreeChange | None:
    """Return the change of a loop over a table of the module."""
    import libcst as cst

    table = _table(program, loop)
    scope = loop.body if isinstance(loop, cst.For) else program.parent[loop]
    inside = {n for n in variables(scope) if table and n.value == table.pattern}
    found = {n: use for n in walk(scope) if (use := compiled(n))}
    uses = {n: use for n, use in found.items() if inside & set(walk(use.pattern))}
    asked = {n for use in uses.values() for n in walk(use.pattern)} | set(walk(loop.target))
    if table is None or not uses or not inside <= asked:
        return None
    if isinstance(loop, cst.For) and not confined(program, place, loop, {table.pattern}):
        return None
    made = {use.compiled for use in uses.values()}
    first = next(iter(uses.values()))
    own = {table.pattern, "re"}
    others = names(cst.parse_expression(first.compiled)) - own
    if len(made) > 1 or not all(is_text_above(program, name, loop) for name in others):
        return None
    source, top = table.mention.value, [*program.above(loop)][-2]
    name = program.fresh(
        f"{'COMPILED' if source.isupper() else 'compiled'}_{source.lstrip('_')}"
    )
    whole = f"[{first.compiled} for {table.pattern} in {source}]"
    if table.items:
        key = table.target.partition(",")[0]
        whole = f"{{{key}: {first.compiled} for {table.target} in {source}.items()}}"
    replaced: dict[cst.CSTNode, str] = {table.mention: name}
    replaced |= {n: f"{table.pattern}{use.asked}" for n, use in uses.items()}
    if copied := _copied(scope, uses):
        replaced = {scope: f"{copied}({name})"}
    return TreeChange(
        anchor=loop if isinstance(loop, cst.For) else scope,
        replaced=replaced,
        before={top: [f"{name} = {whole}"]},
        parameters=(("table", "of the module"),),
        direction="Compile the patterns of a table once",
        effect="no look-up, or compiling, of each pattern for each call",
    )


def _copied(comp: cst.CSTNode, uses: Collection[cst.CSTNode]) -> str:
    """Return what copies the table where a comprehension does nothing but compile it."""
    import libcst as cst

    if isinstance(comp, cst.ListComp) and comp.elt in uses:
        return "" if comp.for_in.ifs or not _compiles(comp.elt) else "list"
    if isinstance(comp, cst.DictComp) and comp.value in uses:
        whole = flat(comp.for_in.target).strip("()").partition(",")[0] == flat(comp.key)
        return "dict" if whole and not comp.for_in.ifs and _compiles(comp.value) else ""
    return ""


def _compiles(node: cst.CSTNode) -> bool:
    import libcst as cst

    return isinstance(node, cst.Call) and flat(node.func) == "re.compile"


def _table(program: Program, loop: cst.For | cst.CompFor) -> _Table | None:
    """Return the table of patterns that a loop walks over, if nobody changes it."""
    import libcst as cst

    source, items = loop.iter, method(loop.iter, "items")
    counted = calls(source, "enumerate") or []
    if items:
        source = items[0]
    elif len(counted) == 1:
        source = counted[0]
    bound = list(target_names(loop.target))
    if not isinstance(source, cst.Name) or len(bound) != (1 if source is loop.iter else 2):
        return None
    given = constant(program, source.value)
    tables = (cst.Dict,) if items else (cst.List, cst.Tuple)
    if not isinstance(given, tables) or not is_above(program, source.value, loop):
        return None
    mentions = [n for n in variables(program.module) if n.value == source.value]
    if not all(only_read(program, n) or _set(program, n) for n in mentions):
        return None
    return _Table(source, bound[-1], ", ".join(bound), items is not None)


def _set(program: Program, node: cst.CSTNode) -> bool:
    import libcst as cst

    above = program.parent[node]
    items = isinstance(above, cst.Attribute) and above.attr.value in ("items", "keys", "values")
    return items or isinstance(above, (cst.AssignTarget, cst.AnnAssign))


def _given(program: Program, place: Place, loop: cst.For | cst.CompFor) -> TreeChange | None:
    """Return the change of a comprehension that compiles what a parameter holds."""
    import libcst as cst

    comp, function = program.parent[loop], place.node
    if isinstance(comp, cst.DictComp):
        element = comp.value
    elif isinstance(comp, (cst.ListComp, cst.GeneratorExp)):
        element = comp.elt
    else:
        return None
    use, items = compiled(element), method(loop.iter, "items") or method(loop.iter, "values")
    pattern, source = named(use.pattern) if use else "", items[0] if items else loop.iter
    if not isinstance(function, cst.FunctionDef) or pattern not in target_names(loop.target):
        return None
    params = (*function.params.params, *function.params.kwonly_params)
    strings = _strings(program)
    if named(source) not in {p.name.value for p in params} or not strings:
        return None
    if flat(element) != f"re.compile({pattern})":
        return None
    code = f"{pattern} if isinstance({pattern}, re.Pattern) else re.compile({pattern})"
    return TreeChange(
        anchor=comp,
        replaced={element: code, **{n: f"re.compile({text(n)})" for n in strings}},
        parameters=(("table", "an argument"),),
        direction="Compile the patterns of a table once",
        effect="compiled patterns pass as they are: no look-up for each call",
    )


def _recognised(program: Program, loop: cst.CompFor) -> Iterator[TreeChange]:
    """Yield changes of a comprehension over an argument: a table of the module is known."""
    import libcst as cst

    comp, items = program.parent[loop], method(loop.iter, "items")
    use = compiled(comp.value) if isinstance(comp, cst.DictComp) else None
    if items is None or not named(items[0]) or use is None or use.asked:
        return
    bound = list(target_names(loop.target))
    if not _copied(comp, [use.node]) or named(use.pattern) != bound[-1]:
        return
    around = [comp, *program.above(comp)]
    function = next((n for n in around if isinstance(n, cst.FunctionDef)), None)
    params = (*function.params.params, *function.params.kwonly_params) if function else ()
    if named(items[0]) not in {p.name.value for p in params}:
        return
    for table in _tables(program, comp):
        name = program.fresh(f"COMPILED_{table}" if table.isupper() else f"compiled_{table}")
        made = f"{{{bound[0]}: {use.compiled} for {', '.join(bound)} in {table}.items()}}"
        whole = f"{{{bound[0]}: {use.compiled} for {', '.join(bound)} in {flat(loop.iter)}}}"
        known = f"{name}.copy() if {named(items[0])} is {table} else {whole}"
        yield TreeChange(
            anchor=comp,
            replaced={comp: known},
            before={around[-2]: [f"{name} = {made}"]},
            parameters=(("table", table),),
            direction="Compile the patterns of a table once",
            effect="no look-up, or compiling, of each pattern for each object",
        )


def _tables(program: Program, node: cst.CSTNode) -> Iterator[str]:
    """Yield the tables of patterns of the module that are set once, above a node, and whole."""
    import libcst as cst

    for line in program.module.body:
        name, value = assigned(only(line)) or ("", None)
        if not isinstance(value, cst.Dict) or constant(program, name) is not value:
            continue
        patterns = [element.value for element in value.elements]
        strings = any(isinstance(p, cst.SimpleString) for p in patterns)
        mentions = [n for n in variables(program.module) if n.value == name]
        free = all(only_read(program, n) or _handed(program, n) for n in mentions)
        whole = all(isinstance(p, cst.SimpleString) or _compiles(p) for p in patterns)
        if whole and strings and free and is_above(program, name, node):
            yield name


def _strings(program: Program) -> list[cst.BaseExpression]:
    """Return what is not compiled yet in tables of the module that hold compiled patterns."""
    import libcst as cst

    found: list[cst.BaseExpression] = []
    for line in program.module.body:
        pair = assigned(only(line))
        if (
            pair
            and isinstance(pair[1], (cst.Dict, cst.List, cst.Tuple))
            and constant(program, pair[0])
        ):
            values = [element.value for element in pair[1].elements]
            plain = [
                v for v in values if isinstance(v, (cst.SimpleString, cst.ConcatenatedString))
            ]
            rest = [v for v in values if v not in plain]
            mentions = [n for n in variables(program.module) if n.value == pair[0]]
            free = all(_handed(program, n) for n in mentions)
            if plain and rest and free and all(flat(v).startswith("re.compile(") for v in rest):
                found += plain
    return found


def _handed(program: Program, node: cst.CSTNode) -> bool:
    """Whether a table is set, or handed on as a whole."""
    import libcst as cst

    above = program.parent[node]
    return isinstance(above, (cst.AssignTarget, cst.AnnAssign, cst.Arg, cst.Param))
