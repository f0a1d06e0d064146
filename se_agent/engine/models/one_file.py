"""A program of several files, as an operator sees it that writes one text: a file at a time.

What is written takes the place of that file, and the others ride along as they are. Pure. Not
here: what is asked and read (`operators.written`), which knows of a single file only.
"""

from __future__ import annotations

from dataclasses import replace

from se_agent.program.editable import in_file, names_of
from se_agent.values.brief import Brief
from se_agent.values.search_context import Failure, Repeat, SearchContext
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal


def one_file_of(brief: Brief) -> Brief:
    """Return a brief of the file that is to be changed; itself where there is only one.

    A program that failed is mended in the file in which it differs from its parent. Else files
    take turns, slot by slot, the hottest first.
    """
    if len(_base(brief).files) == 1:
        return brief
    path = _path(brief)
    own = in_file(brief.editable, path) or ""
    return replace(
        brief,
        slot=replace(brief.slot, parents=tuple(_only(path, one) for one in brief.slot.parents)),
        search=_narrowed(path, brief.search),
        observed=brief.observed.in_file(path),
        editable=own,
        entry_point=next(iter(names_of(own)), ""),
        path=path,
    )


def whole_proposal(brief: Brief, proposal: Proposal | None) -> Proposal | None:
    """Return a proposal of one file as one of the program: the other files are as they were.

    Args:
        brief: The brief of the program.
        proposal: What was made of one of its files.
    """
    if proposal is None:
        return None
    files = {**_base(brief).files, **proposal.solution.files}
    return replace(proposal, solution=replace(proposal.solution, files=files))


def _base(brief: Brief) -> Solution:
    """Return the program that is changed."""
    failure = brief.search.failure
    return brief.slot.parents[0] if failure is None else failure.solution


def _path(brief: Brief) -> str:
    base, parent = _base(brief).files, brief.slot.parents[0].files
    for path in sorted(base):
        if base[path] != parent.get(path):
            return path
    open_ = [path for path in base if in_file(brief.editable, path) is not None]
    heat = {path: sum(line.share for line in brief.observed.in_file(path).hot) for path in base}
    paths = sorted(open_ or base, key=lambda path: (-heat[path], path))
    return paths[brief.slot.number % len(paths)]


def _only(path: str, solution: Solution) -> Solution:
    return replace(solution, files={path: solution.files.get(path, "")})


def _narrowed(path: str, search: SearchContext) -> SearchContext:
    failure, repeat, diverse = search.failure, search.repeat, search.diverse
    return replace(
        search,
        failure=failure
        and Failure(solution=_only(path, failure.solution), evaluation=failure.evaluation),
        repeat=repeat
        and Repeat(times=repeat.times, known=repeat.known, program=_only(path, repeat.program)),
        diverse=diverse and _only(path, diverse),
    )
