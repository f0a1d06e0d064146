"""The hot path of a workload: who calls what is to be faster, and whom that calls in turn.

A model that sees one file guesses at what it is given and what it may leave to others. Pure but
for `sent_in`, which calls the workload in the jail. Not here: the profile (`advisor.watching`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from se_agent import wire
from se_agent.chat.escaping import inline
from se_agent.program.editable import holder, joined_names
from se_agent.program.parsing import tree_of
from se_agent.user_function.advisor.costs import (
    Cost,
    Costs,
    FunctionPlace,
    Owner,
    owner_of,
    total,
)
from se_agent.user_function.function import UserFunction
from se_agent.user_function.jail_calls import ENTRY, PATIENCE, CallJail
from se_agent.user_function.workloads.targets import Target
from se_agent.user_function.workloads.workload import workload_program
from se_agent.values.usage import PathFunction, PathRole

TextOf = Callable[[str], str | None]

_CALLERS, _CALLEES = 4, 6  # functions of each kind that are told
_LEAST = 0.03  # share of the time below which one is no part of the path
_SOURCE = 4000  # characters of a function's source
_SENT, _WIDTH = 6, 300  # calls that are told, and characters of each
_PATIENCE = 4 * PATIENCE  # watching makes calls slower
_TELLING = f"""

def _sent(*arguments):
    import sys

    found, plain = {{}}, (str, bytes, bytearray, list, tuple, dict, set, frozenset, range)

    def told(value):
        kind = type(value)
        if value is None or kind in (bool, int, float):
            return repr(value) if kind is not int or value.bit_length() < 128 else "large int"
        if kind not in plain:
            return kind.__name__
        inner = sorted({{type(each).__name__ for each in list(value)[:50]}})
        told_of = inner and kind not in (str, bytes, bytearray)
        of = f" of {{', '.join(inner)}}" if told_of else ""
        return f"{{kind.__name__}}, length {{len(value)}}{{of}}"

    def watch(frame, event, argument):
        code = frame.f_code
        if event != "call" or code.co_filename not in _sources:
            return
        key = code.co_filename, code.co_qualname.replace("<locals>.", "")
        calls = found.setdefault(key, [])
        if len(calls) < {_SENT}:
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            held = frame.f_locals
            given = [f"{{name}}: {{told(held[name])}}" for name in names if name in held]
            line = ", ".join(given)
            if line not in calls:
                calls.append(line)

    sys.setprofile(watch)
    try:
        {ENTRY}(*arguments)
    except Exception:
        pass
    finally:
        sys.setprofile(None)
    return [(file, name, calls) for (file, name), calls in found.items()]
"""


def sent_in(
    jail: CallJail, function: UserFunction, targets: Sequence[Target], inputs: Sequence[bytes]
) -> tuple[str, ...]:
    """Return what arrives at the targets, such as `find(words: list, length 40 of str)`.

    Args:
        jail: Where the workload runs.
        function: The workload.
        targets: What is to be faster.
        inputs: In wire form, the largest last; those that are not answered say nothing.
    """
    text = workload_program(function, targets) + _TELLING
    done = jail.call(text, "_sent", inputs, cpu_seconds=_PATIENCE)
    names = {target.path: joined_names(target.names) for target in targets}
    found: dict[str, None] = {}
    for answer in reversed(done.answers):
        for line in _told(wire.loads(answer.data) if answer.data else [], names):
            found[inline(line)[:_WIDTH]] = None
    return tuple(found)[:_SENT]


def _told(report: object, names: dict[str, str]) -> Iterator[str]:
    """Yield the calls of a report that are of the targets; it may say anything."""
    for row in report if isinstance(report, list) else ():
        file, name, calls = row if isinstance(row, tuple) and len(row) == 3 else ("", "", ())
        if file not in names or type(name) is not str or not isinstance(calls, list):
            continue
        if not names[file] or holder(name, names[file]):
            yield from (f"{name}({call})" for call in calls if type(call) is str)


def hot_path(
    costs: Costs, targets: Sequence[Target], workload: str, text_of: TextOf
) -> tuple[PathFunction, ...]:
    """Return the functions that the time of the targets goes through, callers first.

    Args:
        costs: A profile of the workload.
        targets: What is to be faster.
        workload: File of the workload, which is no part of the path.
        text_of: Returns the text of a file, or None.
    """
    seconds = max((cost.whole for cost in costs.values()), default=0.0) or total(costs)
    if not seconds:
        return ()
    middle = [place for place in costs if _is_target(place, targets)]
    roots = [str(target.module.root) for target in targets]
    shown = {str(target.module.path) for target in targets}

    def told(place: FunctionPlace, relation: PathRole) -> PathFunction:
        cost = costs[place]
        text = None if place.file in shown else text_of(place.file)
        return PathFunction(
            file=_below(place.file, roots),
            name=place.name,
            line=cost.line,
            relation=relation,
            share=min(1.0, cost.whole / seconds),
            calls=cost.calls,
            text=_source(text, cost.line) if text else "",
        )

    return (
        *(told(one, PathRole.CALLER) for one in _above(costs, middle, workload)),
        *(told(one, PathRole.TARGET) for one in _dearest(costs, middle)),
        *(told(one, PathRole.CALLEE) for one in _under(costs, middle, workload, seconds)),
    )


def _is_target(place: FunctionPlace, targets: Sequence[Target]) -> bool:
    return any(
        place.file == str(target.module.path)
        and (not target.names or bool(holder(place.name, joined_names(target.names))))
        for target in targets
    )


def _dearest(costs: Costs, places: Sequence[FunctionPlace]) -> list[FunctionPlace]:
    return sorted(places, key=lambda one: (-costs[one].whole, one.name))[:_CALLEES]


def _above(costs: Costs, middle: Sequence[FunctionPlace], workload: str) -> list[FunctionPlace]:
    """Return the callers from the workload inwards: each time the one that spends most."""
    found: list[FunctionPlace] = []
    inner = {*middle}
    while len(found) < _CALLERS:
        known = {*middle, *found}
        callers = {
            place: sum(took for callee, took in cost.below.items() if callee in inner)
            for place, cost in costs.items()
            if place not in known and _is_shown(place, workload)
        }
        dearest = max(callers, key=lambda one: (callers[one], one.name), default=None)
        if dearest is None or not callers[dearest]:
            break
        found.append(dearest)
        inner = {dearest}
    return found[::-1]


def _under(
    costs: Costs, middle: Sequence[FunctionPlace], workload: str, seconds: float
) -> list[FunctionPlace]:
    """Return what the targets call, and what that calls, as far as it takes time."""
    known, layer, took = {*middle}, [*middle], dict[FunctionPlace, float]()
    for _ in range(2):
        below = {
            callee: spent
            for place in layer
            for callee, spent in _cost(costs, place).below.items()
            if callee not in known and callee in costs and _is_shown(callee, workload)
        }
        layer = [one for one, spent in below.items() if spent >= _LEAST * seconds]
        took |= {one: below[one] for one in layer}
        known |= {*layer}
    return sorted(took, key=lambda one: (-took[one], one.name))[:_CALLEES]


def _cost(costs: Costs, place: FunctionPlace) -> Cost:
    return costs.get(place) or Cost(0)


def _is_shown(place: FunctionPlace, workload: str) -> bool:
    owner = owner_of(place.file, workload)
    return owner in (Owner.PROJECT, Owner.PACKAGE) and not place.name.startswith("<")


def _below(file: str, roots: Sequence[str]) -> str:
    root = next((root for root in roots if file.startswith(f"{root}/")), "")
    return file.removeprefix(f"{root}/") if root else file.rpartition("/")[2]


def _source(text: str, line: int) -> str:
    """Return the source of the function that begins at a line, cut at whole lines."""
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    lines = text.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if line in (first, node.lineno):
                return _cut(lines[first - 1 : node.end_lineno])
    return ""


def _cut(lines: Sequence[str]) -> str:
    room, kept = _SOURCE, list[str]()
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*kept, f"[... {len(lines) - len(kept)} more lines ...]"])
        kept.append(line)
    return "\n".join(kept)
