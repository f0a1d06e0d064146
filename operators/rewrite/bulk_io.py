"""Lines that are read and written one by one -> all input at once, all output at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.handlers import caught
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import calls_own
from operators.rewrite.reading import bound, flat, named, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_ENDS = frozenset({"exit", "quit", "_exit", "abort"})


class BulkIo(Rule):
    """Read standard input whole, and write what a loop prints with one call.

    Valid for programs that read with `input()` alone, without a prompt, and do not wait for
    its end (checked), and for loops that print plain values and can only end as a whole, or
    with the program by an error (checked): what was printed stays in its order before and
    after. A dialogue would notice; a program on a pipe does not.
    """

    name = "bulk_io"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for the input of the program, and one for each printing loop."""
        import libcst as cst

        if place.node is program.module:
            yield from _reading(program)
        done: set[cst.CSTNode] = set()
        for node in place.own:
            if isinstance(node, (cst.For, cst.While)) and node not in done:
                prints = _prints(program, place, node)
                if prints:
                    done |= set(walk(node))
                    yield _written(program, node, prints)


def _reading(program: Program) -> Iterator[TreeChange]:
    import libcst as cst

    asked = [
        node
        for node in program.nodes
        if isinstance(node, cst.Call) and named(node.func) == "input"
    ]
    mentions = sum(1 for node in program.nodes if named(node) == "input")
    repeated = any(True for call in asked for _ in program.loops(call))
    if not repeated or mentions != len(asked) or any(call.args for call in asked):
        return
    if program.names & {"stdin", "EOFError", "open", "fileinput"} or _bare(program):
        return
    source, imports = imported(program, "sys", "stdin")
    first = next(s for s in program.module.body if set(walk(s)) & set(asked))
    yield TreeChange(
        anchor=asked[0],
        before={first: [f'input = iter({source}.read().split("\\n")).__next__']},
        imports=imports,
        parameters=(("end", "input"),),
        direction="Read all input at once",
        effect="one call of the system instead of one a line",
    )


def _bare(program: Program) -> bool:
    """Whether a handler might be there for the end of the input."""
    import libcst as cst

    return any(
        isinstance(node, cst.ExceptHandler)
        and (node.type is None or flat(node.type) in ("Exception", "BaseException"))
        for node in program.nodes
    )


def _prints(
    program: Program, place: Place, loop: cst.For | cst.While
) -> dict[cst.CSTNode, str] | None:
    """Return what each printed line becomes, or None if the loop does more than print."""
    import libcst as cst

    found: dict[cst.CSTNode, str] = {}
    strange = (cst.Return, cst.Raise, cst.Yield, cst.Await, cst.Try, cst.With, cst.Assert)
    within = any(isinstance(node, (cst.Try, cst.With)) for node in program.above(loop))
    if within or caught(program, loop):
        return None
    for node in walk(loop):
        if isinstance(node, strange) or named(node) in ("stdout", "stderr", "print_function"):
            return None
        if not isinstance(node, cst.Call):
            continue
        if named(node.func) == "print":
            line = _line(node)
            if line is None or not isinstance(program.parent[node], cst.Expr):
                return None
            found[node] = line
        elif named(node.func) in _ENDS or _last(node) in _ENDS:
            return None
    if not found:
        return None
    if calls_own(program, loop) and (_elsewhere(program, place) or _may_end(program)):
        return None
    return found if "print" not in bound(program.module) else None


def _elsewhere(program: Program, place: Place) -> bool:
    """Whether another function prints too."""
    others = [p for p in program.places[1:] if p.node is not place.node]
    return any(named(node) in ("print", "stdout") for p in others for node in p.own)


def _may_end(program: Program) -> bool:
    """Whether something in the program ends it, perhaps a function that the loop calls."""
    return bool(program.names & (_ENDS | {"SystemExit"}))


def _last(call: cst.Call) -> str:
    import libcst as cst

    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


def _line(call: cst.Call) -> str | None:
    """Return an expression of the text that a call prints."""
    gap, end, parts = '" "', '"\\n"', []
    for arg in call.args:
        option = named(arg.keyword)
        if option in ("sep", "end") and _is_text(arg.value):
            gap, end = (text(arg.value), end) if option == "sep" else (gap, text(arg.value))
        elif option or arg.star == "**":
            return None
        elif arg.star:
            parts.append(f"{gap}.join(map(str, {text(arg.value)}))")
        else:
            parts.append(text(arg.value) if _is_text(arg.value) else f"str({text(arg.value)})")
    if any(arg.star for arg in call.args) and len(parts) > 1:
        return None
    joined = f" + {gap} + ".join(parts)
    return f"{joined} + {end}" if joined else end


def _is_text(node: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(node, (cst.SimpleString, cst.FormattedString))


def _written(program: Program, loop: cst.CSTNode, prints: dict[cst.CSTNode, str]) -> TreeChange:
    stdout, imports = imported(program, "sys", "stdout")
    name = program.fresh("printed")
    return TreeChange(
        anchor=loop,
        replaced={call: f"{name}.append({line})" for call, line in prints.items()},
        before={loop: [f"{name} = []"]},
        after={loop: [f'{stdout}.write("".join({name}))']},
        imports=imports,
        parameters=(("end", "output"),),
        direction="Collect what the loop prints and write it once",
        effect="one write instead of one or two a line",
    )
