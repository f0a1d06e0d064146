"""Wrappers: a search around the program's own solver, put at the end of its text.

A program takes part when its problem declares what answers are made of (`[answer]`), and when
it marks two functions of its own: where the solver starts, and how good an answer is, in the
problem's direction. The scorer stays out of it, and rates the answer in the end.

    def start(n):  # answer: start
    def total(answer):  # answer: objective

Not here: the search (`around`), and its settings, which are marked for tuning.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from operators.tuning.constants import marked
from operators.tuning.tuner import changed, tuned
from se_agent.program.features import content_address, evolve_lines, node_hash
from se_agent.program.language import Language
from se_agent.program.parsing import tree_of
from se_agent.values.answer import Answer
from se_agent.values.brief import Brief
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal
from se_agent.values.view import Offer

_MARK = re.compile(r"#\s*answer:\s*(start|objective)\s*$")
_SETTINGS = "SEARCH_AROUND"

_WRAPPER = '''

{settings}
_{start}_once, _{entry}_once = {start}, {entry}
_{entry}_starts = []


def {start}(*arguments):
    """Give the start that the search wants, or the first one."""
    return _{entry}_starts[-1] if _{entry}_starts else _{start}_once(*arguments)


def {entry}(*arguments):
    """Return the best answer of a search around `_{entry}_once`."""

    def solve(start):
        _{entry}_starts[:] = [] if start is None else [start]
        return _{entry}_once(*arguments)

    return search_around(
        solve,
        lambda answer: {sign}{objective}(answer),
        _{start}_once(*arguments),
        ({size}, {axes}),
        {name},
    )
'''


class _Marked(NamedTuple):
    """The functions that a program marks."""

    start: str
    objective: str


class Wrapping:
    """Base of the wrappers; what a round does is what they differ in."""

    name: ClassVar[str]
    arity: ClassVar[int] = 1
    language: ClassVar[Language] = Language.PYTHON
    rounds: ClassVar[str]
    """What the search does, in words."""
    fresh: ClassVar[float] = 0.0
    """Share of the rounds that begin at random positions."""
    relocate: ClassVar[float] = 0.0
    """Share of the other rounds that move elements into holes."""

    def offers(self, brief: Brief) -> Sequence[Offer] | None:
        """Return nothing where no search can be put around the parent; else asking tells."""
        has_one = self._again(brief) if self._around(brief) else self._wrapped(brief)
        return None if has_one else ()

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the first parent with a search around it; None where it cannot be had.

        One that has this search already gets another seed for it.
        """
        if self._around(brief):
            return self._again(brief)
        made = self._wrapped(brief)
        if made is None or brief.slot.variant or content_address(made[0]) in brief.tried:
            return None
        parent, (files, edit) = brief.slot.parents[0], made
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=parent.root,
                edits=(*parent.edits, edit),
            ),
            direction=f"Search around `{brief.entry_point}`: {self.rounds}",
            expected_effect="the best of many answers is better than the first",
        )

    def _around(self, brief: Brief) -> bool:
        """Whether the first parent has this search already."""
        return any(edit.rule == self.name for edit in brief.slot.parents[0].edits)

    def _wrapped(self, brief: Brief) -> tuple[Mapping[str, str], Edit] | None:
        edit = self._edit(brief.entry_point, brief.answer)
        files = self.replay(brief.slot.parents[0].files, edit, editable=brief.editable)
        return None if files is None else (files, edit)

    def _again(self, brief: Brief) -> Proposal | None:
        """Return a parent that is wrapped already, with another seed of its search."""
        parent = brief.slot.parents[0]
        seeds = [one for one in marked(parent.files) if one.name == "seed"]
        if not seeds or brief.editable:
            return None
        rng = rng_at(brief.seed, brief.slot.number, Purpose.OPERATOR, brief.slot.variant)
        files, values = changed(parent.files, seeds[-1:], [float(rng.random())])
        if not values or content_address(files) in brief.tried:
            return None
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=parent.root,
                edits=tuned(parent.edits, values),
            ),
            direction=f"Search around `{brief.entry_point}` again, with another seed",
            expected_effect="a search that depends on luck may have more of it",
        )

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Put the search around another program that marks its functions; see `Replaying`."""
        told = dict(edit.parameters)
        if editable or len(files) != 1 or not told:
            return None
        ((path, text),) = files.items()
        own = _marked(text, told["entry"])
        if own is None:
            return None
        return {path: wrapped(text, own, told, self._settings(float(told["seconds"])))}

    def _edit(self, entry: str, answer: Answer | None) -> Edit:
        """Return the edit, which holds all that the text depends on."""
        told: dict[str, str] = {}
        if answer is not None and entry:
            told = {
                "entry": entry,
                "size": str(answer.coordinates),
                "axes": repr([tuple(axis) for axis in answer.axes]),
                "sign": "" if answer.larger_is_better else "-",
                "seconds": repr(answer.cpu_seconds),
            }
        return Edit(
            rule=self.name,
            function=entry,
            node=node_hash(entry or "None"),
            parameters=tuple(told.items()),
        )

    def _settings(self, seconds: float) -> str:
        """Return the constants of the search, marked; most of the CPU limit is a fence."""
        most = seconds * 0.8
        lines = [
            f"{_SETTINGS} = {{",
            '    "seed": 1,  # tune: 0..9999',
            '    "rounds": 200,  # tune: 50..800 log',
            f'    "seconds": {most * 0.75!r},  # tune: {most / 10!r}..{most!r}',
            f'    "fresh": {self.fresh!r},',
            f'    "relocate": {self.relocate!r},  # tune: 0.0..1.0',
            '    "moved": 2,  # tune: 1..3',
            '    "holes": 100,  # tune: 30..300 log',
            '    "step": 0.03,  # tune: 0.01..0.1 log',
            '    "slack": 0.001,  # tune: 0.0003..0.01 log',
            '    "patience": 40,  # tune: 20..200 log',
            "}",
        ]
        return "\n".join(lines)


def wrapped(text: str, own: _Marked, told: Mapping[str, str], settings: str) -> str:
    """Return a program with the search and its own functions put behind it."""
    tail = _WRAPPER.format(
        settings=settings,
        name=_SETTINGS,
        start=own.start,
        objective=own.objective,
        **{key: told[key] for key in ("entry", "size", "axes", "sign")},
    )
    return f"{text.rstrip()}\n\n\n{_search()}{tail}"


def _marked(text: str, entry: str) -> _Marked | None:
    """Return what a program marks; None where a wrapper would not do, or stands already."""
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError):
        return None
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if entry not in functions or evolve_lines(text) is not None:
        return None
    lines, found = text.splitlines(), dict[str, str]()
    for name, node in functions.items():
        if node.lineno <= len(lines) and (mark := _MARK.search(lines[node.lineno - 1])):
            found[mark[1]] = name
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if len(found) < 2 or (names | functions.keys()) & _names():
        return None
    return _Marked(found["start"], found["objective"])


@cache
def _search() -> str:
    """Return the text of the search, without what the module says of itself."""
    text = (Path(__file__).parent / "around.py").read_text(encoding="utf-8")
    first = next(n for n in tree_of(text).body if isinstance(n, ast.FunctionDef))
    return "\n".join(text.splitlines()[first.lineno - 1 :]).rstrip() + "\n"


@cache
def _names() -> frozenset[str]:
    """Return what a program must not use already."""
    functions = (n for n in tree_of(_search()).body if isinstance(n, ast.FunctionDef))
    return frozenset({_SETTINGS, *(node.name for node in functions)})
