"""The initial program is read, and a pack of knowledge, before the first step of a run.

What is found becomes one event. From then on a run reads its journal, and no file of a pack:
live, resumed and replayed. Not here: how packs are read, and what prompts show of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from se_agent.config.run_file import Run
from se_agent.events import Event
from se_agent.memory import (
    Pack,
    TokenCounter,
    archetype_of,
    excerpt_of,
    found_pack,
    workspace_folder,
)
from se_agent.memory_events import Surveyed
from se_agent.problem.model import Problem
from se_agent.program.features import features
from se_agent.program.interface import (
    changed_parameters,
    parameters,
    raised_exceptions,
    type_phrase,
)
from se_agent.program.parsing import literal_of
from se_agent.program.shape import shape
from se_agent.store.blobs import digest_of
from se_agent.values.knowledge import KnowledgeExcerpt
from se_agent.values.session import ArchetypeRecord, Constraint, KnownFix, SessionUpdates
from se_agent.values.solution import Solution

SURVEY = "survey"
"""Source of what is read from the program, from its problem's cases, or from a pack."""


class SurveyFindings(NamedTuple):
    """The event, and the texts of documents that it names by digest."""

    event: Surveyed
    texts: tuple[str, ...] = ()


Surveyor = Callable[[], SurveyFindings]


def knowledge_folders(results: Path, path: str = "") -> tuple[Path, ...]:
    """Return the folders beside runs in which people keep packs of their own.

    Args:
        results: The folder that holds the run folders.
        path: `memory.workspace.path` of a run.
    """
    workspace = workspace_folder(path, results)
    return () if workspace is None else (workspace / "knowledge",)


def packs_of(config: Run, problem: Problem, folders: Sequence[Path]) -> tuple[Pack, ...]:
    """Return the packs that a run uses; none where its memory is off.

    Args:
        config: Its `memory.knowledge`.
        problem: Packs for other languages than its are left out.
        folders: Folders that hold packs beside those of the package.

    Raises:
        PackError: A pack is unknown, or cannot be used as it stands.
    """
    if not config.memory.enabled:
        return ()
    named = (found_pack(name, folders) for name in config.memory.knowledge.packs)
    return tuple(pack for pack in named if pack.language == problem.language)


def surveyor(
    config: Run,
    problem: Problem,
    initial: Solution,
    counter: TokenCounter,
    packs: Sequence[Pack],
    *,
    analysed: bool = False,
) -> Surveyor | None:
    """Return what makes the survey of a run; None: its memory is off.

    Args:
        config: Its `memory`.
        problem: The problem.
        initial: The program that is read.
        counter: Counts the tokens of excerpts.
        packs: Those in use; see `packs_of`.
        analysed: Whether a role of the run may name another archetype.
    """
    if not config.memory.enabled:
        return None
    limit = config.memory.knowledge.token_limit
    taken = partial(excerpt_of, limit=limit, counter=counter, analysed=analysed)
    return partial(_survey, problem, initial.all_text, packs, taken)


def _survey(
    problem: Problem,
    text: str,
    packs: Sequence[Pack],
    excerpt: Callable[[Pack, str], KnowledgeExcerpt],
) -> SurveyFindings:
    began = time.process_time()
    pack, archetype = _chosen(text, packs)
    found = Surveyed(
        updates=SessionUpdates(
            api_constraints=tuple(interface_of(problem, text)), archetype=archetype
        )
    )
    documents: Mapping[str, str] = {}
    if pack is not None:
        chosen = archetype.type if archetype else ""
        documents = pack.documents_of(chosen)
        brought = {
            "updates": found.updates.model_copy(update={"known_fixes": tuple(fixes_of(pack))}),
            "pack": pack.title,
            "documents": {name: digest_of(told) for name, told in documents.items()},
            "excerpt": excerpt(pack, chosen),
        }
        found = found.model_copy(update=brought)
    cost = {"cost_seconds": time.process_time() - began}
    return SurveyFindings(found.model_copy(update=cost), tuple(documents.values()))


def fixes_of(pack: Pack) -> Iterator[KnownFix]:
    """Yield what a pack says of errors: nothing of it was seen to help in this run yet."""
    for template, change in pack.fixes.items():
        yield KnownFix(error_pattern=template, solution=change, source=f"pack {pack.name}")


def _chosen(text: str, packs: Sequence[Pack]) -> tuple[Pack | None, ArchetypeRecord | None]:
    """Return the first pack that knows such a program, or the first one, with the archetype."""
    for pack in packs:
        archetype = archetype_of(features(text), shape(text), pack)
        if archetype is not None:
            return pack, archetype
    return (packs[0] if packs else None), None


def recorded_survey(events: Sequence[Event], text: Callable[[str], str]) -> Surveyor | None:
    """Return the survey that a run has on record, for its replay; None: it has none.

    Args:
        events: Events of the run.
        text: Gives the text of a digest.
    """
    for event in events:
        if isinstance(event, Surveyed):
            found = event
            return lambda: SurveyFindings(found, tuple(map(text, found.documents.values())))
    return None


def interface_of(problem: Problem, text: str) -> Iterator[Constraint]:
    """Yield what callers of the initial program rely on: read from its code and its cases.

    Args:
        problem: Names the function that is called; of a program without one nothing is known.
        text: The program.
    """
    name = problem.entry_point
    if problem.language != "python" or not name:
        return
    for changed in changed_parameters(text, name):
        yield _read(f"`{name}` changes its argument `{changed}`")
    for kind in raised_exceptions(text, name):
        yield _read(f"`{name}` raises {kind} for some arguments")
    seen = _types_seen(problem)
    for parameter, types in zip(parameters(text, name), seen, strict=False):
        if types:
            yield _read(f"argument `{parameter}` is {' or '.join(types)} in the visible tests")


def _types_seen(problem: Problem) -> list[tuple[str, ...]]:
    """Return the types of each argument in the cases that are written as literals."""
    seen: list[dict[str, None]] = []
    for case in problem.cases:
        try:
            given = literal_of(case.input.code)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        for place, value in enumerate(given if isinstance(given, tuple) else ()):
            seen += [{}] * (place >= len(seen))
            seen[place] = {**seen[place], type_phrase(value): None}
    return [tuple(types) for types in seen]


def _read(constraint: str) -> Constraint:
    return Constraint(constraint=constraint, source=SURVEY, confidence="high", verified=True)
