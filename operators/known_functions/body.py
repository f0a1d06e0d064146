"""A program in which a library function does the work of one of its functions.

The signature, the decorators, the docstring and the old body stay: what the old body refuses
or answers at once, what the library function refuses, and what a guard leaves out, is answered
as before. All else stays byte for byte.
Not here: which library function (`matching`), nor where (`site`).
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator, Sequence
from functools import reduce

from operators.editing.edits import fresh
from operators.known_functions.adapter import Adapter, mentions, renamed
from operators.known_functions.archetype import Archetype, FunctionText, Written
from operators.known_functions.library import library
from operators.known_functions.present import Present
from operators.known_functions.site import Site
from operators.rewrite.change import with_import
from se_agent.program.parsing import tree_of

_POWER = re.compile(r"\b(\w+) \*\* (\w+)\b")


def with_archetype(
    text: str, site: Site, known: Archetype, adapter: Adapter, *, inside: bool = False
) -> str:
    """Return the program with a call of a library function at the head of a function.

    Args:
        text: Text of the program.
        site: The function.
        known: What does its work.
        adapter: How it is called.
        inside: Whether the library function goes into the body: nothing else may change.
    """
    new = _Inserted(text, known.written(adapter), inside=inside)
    lines = io.StringIO(text).readlines()  # as Python counts them: a form feed ends none
    place, margin = _place(lines, site)
    head = [*_head(site, adapter, new)]
    if inside:
        head = [*new.imports, *new.text.splitlines(), *head]
    lines[place:place] = [f"{margin}{line}".rstrip() + "\n" for line in head]
    if inside:
        return "".join(lines)
    top = _above(lines, site.top)
    lines[top:top] = [f"{new.text}\n\n"] if new.text else []
    return reduce(with_import, new.imports, "".join(lines))


class _Inserted:
    """What stands for a call, and all that it uses, as far as a program does not have it.

    What an earlier edit has brought is used again under the name that it has there. All else
    gets a name that the program has not.

    Args:
        text: Text of the program.
        written: What stands for the call.
        inside: Whether the text goes into a body: what is there is used by that body alone.
    """

    def __init__(self, text: str, written: Written, *, inside: bool) -> None:
        self.taken = frozenset(re.findall(r"\w+", text))
        there = Present.of("" if inside else text)
        parts = {part.name: part for part in _parts(written.part, written.uses)}
        names, new = dict[str, str](), list[str]()
        for name, part in parts.items():
            if found := there.function(part, names):
                names[name] = found
            else:
                names[name] = fresh(name, self.taken)
                new.append(name)
        statements = dict.fromkeys(line for name in new for line in parts[name].imports)
        self.imports: list[str] = []
        present = set(text.splitlines())
        for statement in (each for each in statements if each not in present):
            line, bound = there.imported(statement) or _imported(statement, self.taken)
            self.imports += [line] if line else []
            names |= bound
        self.imports.sort()
        texts = (parts[name].text.strip() for name in new)
        self.text = _renamed("\n\n\n".join(texts), names) + "\n" if new else ""
        self.calls = written.calls
        self.expression = renamed(written.expression, names)


def _parts(part: FunctionText | None, uses: Sequence[str]) -> Iterator[FunctionText]:
    """Yield functions, each behind those that it calls."""
    for used in (library()[name].part for name in (*(part.uses if part else ()), *uses)):
        yield from _parts(used, ())
    if part:
        yield part


def _imported(statement: str, taken: frozenset[str]) -> tuple[str, dict[str, str]]:
    """Return an import statement of one name, and new names for what it binds."""
    node = tree_of(statement).body[0]
    assert isinstance(node, ast.Import | ast.ImportFrom)
    bound = {}
    for alias in node.names:
        name = alias.asname or alias.name
        if name in taken:
            alias.asname = bound[name] = fresh(f"{name}_", taken)
    return ast.unparse(node), bound


def _renamed(text: str, names: dict[str, str]) -> str:
    """Return the text with new names; what documentation calls them are words, not names."""
    other = {old: new for old, new in names.items() if old != new}
    if not other:
        return text
    named = re.compile(rf"(?<![.\w])({'|'.join(other)})\b")
    told = set(_documentation(text))
    return "".join(
        line if number in told else named.sub(lambda m: other[m[0]], line)
        for number, line in enumerate(text.splitlines(keepends=True), 1)
    )


def _documentation(text: str) -> Iterator[int]:
    """Yield the numbers of the lines that docstrings take."""
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False):
            yield from range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)


def _place(lines: list[str], site: Site) -> tuple[int, str]:
    """Return the line before which new statements of the body go, and their indentation.

    A body on the line of the `def` moves to a line of its own.
    """
    first = site.work[0]
    starts: list[int] = [
        first.lineno,
        *(d.lineno for d in getattr(first, "decorator_list", ())),
    ]
    row = min(starts) - 1
    line = lines[row]
    head = line.encode()[: first.col_offset].decode()
    if row != first.lineno - 1 or not head.strip():
        return row, line[: len(line) - len(line.lstrip())]
    above = lines[site.node.lineno - 1]
    margin = above[: len(above) - len(above.lstrip())] + "    "
    lines[row : row + 1] = [head.rstrip() + "\n", margin + line[len(head) :]]
    return row + 1, margin


def _above(lines: list[str], top: ast.stmt) -> int:
    """Return the line above a statement, its decorators and the comments that belong to it."""
    starts: list[int] = [top.lineno, *(d.lineno for d in getattr(top, "decorator_list", ()))]
    row = min(starts) - 1
    while row and lines[row - 1].startswith("#") and "EVOLVE-BLOCK" not in lines[row - 1]:
        row -= 1
    return row


def _head(site: Site, adapter: Adapter, new: _Inserted) -> Iterator[str]:
    """Yield the lines that answer instead of the old body."""
    names = {f"a{i}": parameter for i, parameter in enumerate(site.parameters)}
    margin = ""
    if guard := " and ".join(filter(None, (adapter.types, adapter.guard))):
        yield f"if {renamed(guard, names)}:"
        margin = "    "
    target = names.get(adapter.target, "")
    found = fresh("found", new.taken)
    answer = _answer(adapter, renamed(new.expression, names), target, found)
    if not new.calls:
        yield from (margin + _laid_out(line) for line in answer)
        return
    yield f"{margin}try:"
    for line in answer:
        yield f"{margin}    {line}"
    yield f"{margin}except (TypeError, ValueError):"
    yield f"{margin}    pass  # other arguments: as before"


def _laid_out(line: str) -> str:
    """Return a line of a formula as formatters have it; a text in it stays as it is."""
    return line if "'" in line or '"' in line else _POWER.sub(r"\1**\2", line)


def _answer(adapter: Adapter, call: str, target: str, found: str) -> Iterator[str]:
    """Yield the lines that call the library function, and change and return what it gave."""
    if not adapter.effect and mentions(adapter.result, "r") == 1:
        yield f"return {renamed(adapter.result, {'r': call})}"
        return
    yield f"{found} = {call}"
    if adapter.effect:
        yield f"{target}[:] = {renamed(adapter.effect, {'r': found})}"
    same = adapter.effect and adapter.result == adapter.effect
    yield f"return {target if same else renamed(adapter.result, {'r': found})}"
