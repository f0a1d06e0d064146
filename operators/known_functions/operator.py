"""The operator that lets a known function do the work of one that behaves like it.

Its candidates come from what the program was seen to do, the best match of the function that
costs most first. Not here: how calls are compared (`matching`), nor the new text (`body`).
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from operators.known_functions.adapter import Adapter, renamed
from operators.known_functions.apart import matches
from operators.known_functions.body import with_archetype
from operators.known_functions.library import library
from operators.known_functions.matching import Match
from operators.known_functions.site import (
    Site,
    constants,
    hidden_builtins,
    sites,
    standing_in,
)
from se_agent.program.editable import in_file, may_change, prefix_in
from se_agent.program.features import content_address
from se_agent.program.language import Language
from se_agent.program.side_effects import side_effects
from se_agent.values.brief import Brief
from se_agent.values.observation import Observation
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal
from se_agent.values.view import Offer

if TYPE_CHECKING:
    from se_agent.abilities.optional import Replaying
    from se_agent.protocols import Operator

_MATCHES = 3  # of one function that are tried
_RENAMED = 4  # one line in so many may differ of a known function that was put in a program


class _Candidate(NamedTuple):
    path: str
    site: Site
    match: Match


class _Made(NamedTuple):
    files: Mapping[str, str]
    edit: Edit
    candidate: _Candidate


class KnownFunctions:
    """Let a known function do the work of one that returned the same in every observed call."""

    name = "archetype"
    arity = 1
    language = Language.PYTHON
    guesses: ClassVar[bool] = True

    @staticmethod
    def said_of(edit: Edit) -> str:
        """Return what an edit does, with the name of the known function; see `Telling`."""
        name = dict(edit.parameters).get("archetype", "")
        if not name:
            return ""
        return (
            f"Let the known function `{name}` do the work: it returned the same in every "
            "observed call"
        )

    def offers(self, brief: Brief) -> Sequence[Offer]:
        """Return its candidates that were not tried yet; see `Offering`."""
        heat = brief.observed.functions
        return [
            Offer(edit=edit, content=content_address(files), heat=heat.get(edit.function))
            for files, edit, _ in self._new(brief)
        ]

    def propose(self, brief: Brief) -> Proposal | None:
        """Return candidate number `brief.slot.variant` that was not tried yet."""
        found = next(islice(self._new(brief), brief.slot.variant, None), None)
        return self._proposal(brief, *found) if found else None

    def _new(self, brief: Brief) -> Iterator[_Made]:
        """Yield what was not tried yet, each program once."""
        parent = brief.slot.parents[0]
        done = {edit.function for edit in parent.edits if edit.rule == self.name}
        known = {parent.content}
        for candidate in _candidates(parent.files, brief.observed, brief.editable, done):
            files = _with(parent.files, candidate, brief.editable)
            content = content_address(files)
            if content not in known and content not in brief.tried:
                known.add(content)
                name = f"{prefix_in(files, candidate.path)}{candidate.site.name}"
                yield _Made(files, self._edit(candidate, name), candidate)

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Return the files with one of this operator's edits; see `Replaying`."""
        chosen = dict(edit.parameters)
        known = library().get(chosen.get("archetype", ""))
        if edit.rule != self.name or known is None:
            return None
        for path, site in _sites(files, editable):
            name = f"{prefix_in(files, path)}{site.name}"
            if (name, site.address) == (edit.function, edit.node):
                match = Match(known, _read(chosen["adapter"]), 0, len(site.parameters), 0.0)
                return _with(files, _Candidate(path, site, match), editable)
        return None

    def _edit(self, candidate: _Candidate, name: str) -> Edit:
        match = candidate.match
        return Edit(
            rule=self.name,
            function=name,
            node=candidate.site.address,
            parameters=(
                ("archetype", match.archetype.name),
                ("adapter", _written(match.adapter)),
            ),
        )

    def _proposal(
        self, brief: Brief, files: Mapping[str, str], edit: Edit, candidate: _Candidate
    ) -> Proposal:
        parent, site, match = brief.slot.parents[0], candidate.site, candidate.match
        known = match.archetype
        like = _summary(site, match) if match.adapter.solved else known.name
        like = like.removeprefix("Term n of ").removesuffix(".")
        source = known.source if known.written(match.adapter).part else "a closed form"
        limits = f"; {known.limits}" if known.limits else ""
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=parent.root,
                edits=[*parent.edits, edit],
            ),
            direction=(
                f"`{site.name}` behaves like {like} ({match.agreeing} calls agree, "
                f"by chance once in 10^{match.bits * math.log10(2):.0f}): "
                f"let {source} do its work"
            ),
            expected_effect=(
                f"{known.complexity}{limits}; that it is right rests on the tests and on the "
                "search for counterexamples"
            ),
        )


def _is_of_library(site: Site) -> bool:
    """Say whether a function is a known one itself, whatever was put into it since.

    Another one in its place, such as its opposite, would be the same work in more lines.
    """
    known = library().get(re.sub(r"_\d+$", "", site.name))
    if known is None:
        return False
    lines = {ast.unparse(line) for line in site.body}
    others = sum(ast.unparse(line) not in lines for line in known.body)
    return _RENAMED * others <= len(known.body)  # imports may have other names there


def _candidates(
    files: Mapping[str, str], observed: Observation, editable: str, done: Container[str]
) -> list[_Candidate]:
    """Return what could be done: best matches first, hot functions first among them.

    Args:
        files: Files of the program.
        observed: What it was seen to do.
        editable: What may change, see `program.editable`; empty: all.
        done: Functions that a known one stands in for already.
    """
    found = []
    for path, site in _sites(files, editable):
        name = f"{prefix_in(files, path)}{site.name}"
        calls = () if name in done else observed.calls.get(name, ())
        if not calls or not site.suits or _is_of_library(site):
            continue
        if side_effects(files[path], site.name):
            continue  # what stands in for it would have none
        heat = observed.functions.get(name, 0.0)
        stands = standing_in(files[path], site)
        told = matches(calls, constants(files[path], site.name))
        hidden = hidden_builtins(files[path], site)
        told = tuple(match for match in told if not match.names & hidden)
        told = tuple(match for match in told if _summary(site, match) not in stands)
        for rank, match in enumerate(_fitting(site, told)):
            found.append((rank, -heat, _Candidate(path, site, match)))
    return [candidate for _, _, candidate in sorted(found, key=lambda entry: entry[:2])]


def _fitting(site: Site, found: tuple[Match, ...]) -> Iterator[Match]:
    """Yield matches for a function, unless it is one of the library itself."""
    arity = len(site.parameters)
    names = {_summary(site, match) for match in found}
    if site.summary in names:
        return
    fitting = [match for match in found if match.arity == arity]
    if fitting and not fitting[0].adapter.plainness:  # then no other explains it as well
        fitting = [match for match in fitting if not match.adapter.plainness]
    yield from fitting[:_MATCHES]


def _summary(site: Site, match: Match) -> str:
    """Return what says what stands in for a function: a docstring, or a formula."""
    written = match.archetype.written(match.adapter)
    if written.part:
        return written.summary
    return renamed(written.expression, {f"a{i}": p for i, p in enumerate(site.parameters)})


def _sites(files: Mapping[str, str], editable: str) -> Iterator[tuple[str, Site]]:
    """Yield the functions that may change, each with the path of its file."""
    for path in sorted(path for path in files if path.endswith(Language.PYTHON.suffix)):
        if (own := in_file(editable, path)) is not None:
            for site in sites(files[path]).values():
                if may_change(site.name, own):
                    yield path, site


def _with(files: Mapping[str, str], candidate: _Candidate, editable: str) -> Mapping[str, str]:
    path, site, match = candidate
    text = with_archetype(
        files[path], site, match.archetype, match.adapter, inside=bool(editable)
    )
    return {**files, path: text}


def _written(adapter: Adapter) -> str:
    return json.dumps({name: value for name, value in asdict(adapter).items() if value})


def _read(text: str) -> Adapter:
    fields = json.loads(text)
    return Adapter(**{**fields, "arguments": tuple(fields["arguments"])})


if TYPE_CHECKING:
    _: Operator = KnownFunctions()
    _again: Replaying = KnownFunctions()
