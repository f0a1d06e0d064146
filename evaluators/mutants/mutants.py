"""Mutants of a program: one small fault each, all of them different programs. Pure.

Only what can matter is changed: the entry point, and what it calls. Not here: which faults
there are (`faults`), and whether tests find them (`strength`).
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from evaluators.mutants.faults import Fault, Swap, swaps
from evaluators.mutants.slips import patches
from se_agent.program.clike.functions import function_at
from se_agent.program.clike.tokens import source
from se_agent.program.language import Language
from se_agent.program.parsing import is_deep
from se_agent.values.randomness import Purpose, rng_at

if TYPE_CHECKING:
    import libcst as cst


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A program with a fault.

    Attributes:
        fault: What was done wrong.
        function: Qualified name of the function it is in; empty at module level.
        text: The whole program.
    """

    fault: Fault
    function: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Some of the mutants of a program.

    Attributes:
        mutants: In the order in which they were drawn.
        places: How many faults could have been planted, duplicates among them included.
    """

    mutants: tuple[Mutant, ...]
    places: int


class _Site(NamedTuple):
    swap: Swap
    function: str


def sample(
    text: str,
    entry_point: str | None,
    *,
    count: int,
    seed: int = 0,
    language: Language = Language.PYTHON,
) -> Sample:
    """Draw mutants of a program; none does the same as another, or as the program, to the eye.

    Python programs that compile to the same instructions are one program. There may still be
    mutants that differ and answer alike. Those in other languages may not compile.

    Args:
        text: The program; nothing can be planted in one that cannot be read.
        entry_point: Function that is called; empty for a program that is run whole, None where
            any function may be called. Of Python: elsewhere the whole program is changed.
        count: Mutants that are wanted; fewer come of a program with fewer places.
        seed: Seed of the draw.
        language: Language of the program.
    """
    if language is not Language.PYTHON:
        return _slipped(text, language, count=count, seed=seed)
    import libcst as cst

    try:
        module = cst.parse_module("" if is_deep(text) else text)
    except (cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError):
        return Sample(mutants=(), places=0)
    sites = list(_sites(module, entry_point))
    order = rng_at(seed, 0, Purpose.MUTANTS).permutation(len(sites))
    seen, drawn = {_instructions(text)}, list[Mutant]()
    for index in order:
        if len(drawn) >= count:
            break
        mutant = _planted(module, sites[index])
        form = _instructions(mutant.text)
        if form and form not in seen:
            seen.add(form)
            drawn.append(mutant)
    return Sample(mutants=tuple(drawn), places=len(sites))


def _slipped(text: str, language: Language, *, count: int, seed: int) -> Sample:
    """Draw mutants of a program in a language that is known by its tokens only."""
    parsed = source(text, language)
    sites = list(patches(parsed, language)) if parsed else []
    order = rng_at(seed, 0, Purpose.MUTANTS).permutation(len(sites))
    drawn: dict[str, Mutant] = {}
    for patch in (sites[index] for index in order):
        if parsed is None or len(drawn) >= count:
            break
        new = text[: patch.start] + patch.new + text[patch.end :]
        where = function_at(parsed, patch.start)
        drawn.setdefault(new, Mutant(fault=patch.fault, function=where, text=new))
    return Sample(mutants=tuple(drawn.values()), places=len(sites))


def _planted(module: cst.Module, site: _Site) -> Mutant:
    import libcst as cst

    changed = module.deep_replace(site.swap.old, site.swap.new)
    assert isinstance(changed, cst.Module)
    return Mutant(fault=site.swap.fault, function=site.function, text=changed.code)


def _instructions(text: str) -> str:
    """Return what a program compiles to, without its layout; empty if it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _form(compile(text, "main.py", "exec", dont_inherit=True))
    except (SyntaxError, ValueError, RecursionError):
        return ""


def _form(code: types.CodeType) -> str:
    constants = [
        _form(const) if isinstance(const, types.CodeType) else repr(const)
        for const in code.co_consts
    ]
    return repr((code.co_name, code.co_code, constants, code.co_names, code.co_varnames))


def _sites(module: cst.Module, entry_point: str | None) -> Iterator[_Site]:
    for statement in _reached(module, entry_point):
        yield from _below(statement, "", None)


def _below(node: cst.CSTNode, name: str, function: cst.FunctionDef | None) -> Iterator[_Site]:
    """Yield the sites at a node and below it; annotations say nothing and are left alone."""
    import libcst as cst

    if isinstance(node, cst.Annotation | cst.Decorator):
        return
    if isinstance(node, cst.FunctionDef | cst.ClassDef):
        name = f"{name}.{node.name.value}".lstrip(".")
        function = node if isinstance(node, cst.FunctionDef) else function
    yield from (_Site(swap, name) for swap in swaps(node, function))
    for child in node.children:
        yield from _below(child, name, function)


def _reached(module: cst.Module, entry_point: str | None) -> list[cst.CSTNode]:
    """Return the statements of a module that the entry point comes by.

    By name, so that rather too much is taken than too little. Of a program that is run whole,
    all that is no definition is an entry point; of one that only a prelude calls, everything.
    """
    import libcst as cst

    definitions = (cst.FunctionDef, cst.ClassDef)
    if entry_point is None:
        return list(module.body)
    wanted = {entry_point}
    if entry_point and not any(_defined(each) & wanted for each in module.body):
        return list(module.body)
    if not entry_point:
        for statement in module.body:
            if not isinstance(statement, definitions):
                wanted |= _names(statement)
    reached: list[cst.CSTNode] = []
    waiting: list[cst.CSTNode] = list(module.body)
    while found := [each for each in waiting if _defined(each) & wanted]:
        reached += found
        waiting = [each for each in waiting if each not in found]
        wanted = wanted.union(*map(_names, found))
    if not entry_point:
        reached += [each for each in waiting if not isinstance(each, definitions)]
    return [statement for statement in module.body if statement in reached]


def _defined(statement: cst.CSTNode) -> set[str]:
    """Return the names that a top-level statement gives a meaning; of a block, all in it."""
    import libcst as cst

    if isinstance(statement, cst.FunctionDef | cst.ClassDef):
        return {statement.name.value}
    targets = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For)
    assigned = (each.target for each in _walk(statement) if isinstance(each, targets))
    inner = (each for each in _walk(statement) if isinstance(each, cst.FunctionDef))
    return {name for target in assigned for name in _names(target)} | {
        each.name.value for each in inner
    }


def _names(node: cst.CSTNode) -> set[str]:
    import libcst as cst

    return {each.value for each in _walk(node) if isinstance(each, cst.Name)}


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _walk(child)
