"""What earlier runs give to a run that begins: looked up once, and then on record (LF-99).

Nothing that is recalled is trusted: a program is evaluated, judged and confirmed as any other,
changes are proposed together as one candidate, and a refuting input is asked of the initial
program anew. Not here: who uses it, which is the engine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from se_agent.config.experience_section import ExperienceSection
from se_agent.memory.experience.champions import form_of
from se_agent.memory.experience.exposure_rows import ExposureLog
from se_agent.memory.experience.harvest import descriptive_words, family_of
from se_agent.memory.experience.item_credit import NOTHING_KNOWN
from se_agent.memory.experience.item_rows import ItemKind, ItemRow, ItemStatus
from se_agent.memory.experience.items import Items
from se_agent.memory.experience.long_term import KnownRun, KnownSolution, LongTerm
from se_agent.memory.experience.preferences import learned_preferences, preferences_of
from se_agent.memory.experience.promotion import is_lesson
from se_agent.memory.experience.traits import traits
from se_agent.memory.graph.related import around_item, related_errors
from se_agent.memory.graph.writing import Graph
from se_agent.memory_events import Recalled
from se_agent.problem.loading import fingerprint
from se_agent.problem.model import Problem
from se_agent.program.same_function import has_same_comments, transplanted_text
from se_agent.values.evaluation import Counterexample, TestKey
from se_agent.values.recall import (
    KnownProgram,
    LearnedPreferences,
    RecalledItem,
    RelatedFacts,
)
from se_agent.values.session import KnownFix
from se_agent.values.solution import Edit, Solution
from se_agent.wording import counted

MOST_ITEMS = 200
"""Items that a run takes with it at most."""

_PROGRAMS, _TESTS, _FIXES, _NEIGHBOURS = 1, 32, 10, 32
_EARLIER = "earlier run"


class _Past(NamedTuple):
    """The solutions of earlier runs that may be used, each with the run that proved it."""

    solutions: tuple[tuple[KnownSolution, KnownRun], ...]
    runs: tuple[KnownRun, ...]


def recall(
    items: Items,
    problem: Problem,
    initial: Solution,
    section: ExperienceSection,
    *,
    operators: Collection[str] = (),
    exclude_families: Collection[str] = (),
    with_graph: bool = True,
    with_neighbours: bool = False,
) -> Recalled | None:
    """Return what earlier runs give; None: nothing.

    Args:
        items: What they left, and all tables beside it.
        problem: The problem of the run.
        initial: The program that it begins with.
        section: Switches for the parts of it.
        operators: Names of those that the run has: changes of others are left out.
        exclude_families: Families whose runs are left out.
        with_graph: Whether what is related to errors is looked up.
        with_neighbours: Whether what the graph has around lessons is looked up.

    Raises:
        MemoryFileError: It cannot be read.
    """
    if not problem.trusted:
        return None
    long_term = LongTerm(items.db)
    past = _past(long_term, exclude_families)
    is_left_out = family_of(problem) in exclude_families
    programs = tuple(_programs(past, problem, initial)) if section.programs else ()
    edits: tuple[Edit, ...] = ()
    if section.edits or (section.programs and not programs):
        edits = _edits(past, problem, initial, operators, with_like=section.edits)
    uses_tests = section.tests and not is_left_out
    tests = tuple(_tests(long_term, past, problem, initial)) if uses_tests else ()
    fixes = tuple(_fixes(long_term, problem, exclude_families)) if section.executions else ()
    kinds = (ItemKind.LESSON, ItemKind.POLICY) if section.lessons else (ItemKind.POLICY,)
    said = tuple(_items(items, problem, initial, kinds, exclude_families))
    if with_neighbours:
        said = tuple(_with_neighbours(items, said))
    preferences = LearnedPreferences()
    if section.preferences:
        said = (*_preferences(items, problem), *said)
        if not is_left_out:
            preferences = learned_preferences(items.db, family_of(problem))
    found = Recalled(
        items=said,
        tests=tests,
        programs=programs,
        edits=edits,
        fixes=fixes,
        related=tuple(_related(items, problem, exclude_families)) if with_graph else (),
        preferences=preferences,
        source=f"{counted(len(past.runs), _EARLIER)} in {items.db.path}",
    )
    used = (found.items, found.tests, found.programs, found.edits, found.fixes, found.related)
    return found if any(used) or not preferences.empty else None


def _related(
    items: Items, problem: Problem, exclude_families: Collection[str]
) -> Iterator[RelatedFacts]:
    return related_errors(
        Graph(db=items.db),
        problem=problem.name,
        language=str(problem.language),
        exclude_families=exclude_families,
    )


def _past(long_term: LongTerm, exclude_families: Collection[str]) -> _Past:
    runs = {run.run: run for run in long_term.runs() if run.family not in exclude_families}
    kept = (one for one in long_term.solutions() if one.status != ItemStatus.RETIRED)
    solutions = ((one, runs[one.run]) for one in kept if one.run in runs)
    return _Past(tuple(solutions), tuple(runs.values()))


def _programs(past: _Past, problem: Problem, initial: Solution) -> Iterator[KnownProgram]:
    """Yield the best program that was proven from this very text, or else from its function."""
    known, form = fingerprint(problem), form_of(problem, initial)
    again = (one for one, run in past.solutions if _is_from(one, run, problem, known, initial))
    found = (
        *((one, one.files, one.edits) for one in again),
        *((one, _moved(one, problem, initial), ()) for one in _of_form(past, form)),
    )
    usable = ((one, files, edits) for one, files, edits in found if files)
    for one, files, edits in islice(usable, _PROGRAMS):
        yield KnownProgram(id=one.id, files=files, edits=edits, effect=one.effect, run=one.run)


def _is_from(
    one: KnownSolution, run: KnownRun, problem: Problem, known: str, initial: Solution
) -> bool:
    """Say whether a program was proven from this very text, whatever it is tested on.

    One that is made by changes of a text that is not quite this one is left to these changes:
    they keep the comments and the layout of what a person wrote. Of older runs nobody knows the
    text: there the problem has to be the same.
    """
    asked = (run.kind, run.language, one.function)
    if asked != (str(problem.kind), str(problem.language), problem.entry_point):
        return False
    if one.entry_content != initial.content or one.files.keys() != initial.files.keys():
        return False
    is_same_text = one.initial == initial.files if one.initial else run.fingerprint == known
    return is_same_text or not one.edits


def _of_form(past: _Past, form: str) -> Iterator[KnownSolution]:
    return (one for one, _ in past.solutions if form and one.form == form)


def _moved(one: KnownSolution, problem: Problem, initial: Solution) -> Mapping[str, str]:
    """Return the program with what was proven of its function, under its own names.

    Where a person has changed comments of that function, its changes are made instead: these
    leave the comments alone.
    """
    if len(one.initial) != 1 or len(one.files) != 1:
        return {}
    (old,), (better,) = one.initial.values(), one.files.values()
    entry = problem.entry_point
    if one.edits and not has_same_comments(old, one.function, initial.text, entry):
        return {}
    made = transplanted_text(old, better, one.function, initial.text, entry)
    return dict.fromkeys(initial.files, made) if made else {}


def _tests(
    long_term: LongTerm, past: _Past, problem: Problem, initial: Solution
) -> Iterator[Counterexample]:
    """Yield what refuted programs of this problem, then of others with this very function.

    A problem is another one as soon as its inputs are; its function may be the same, under
    other names and beside other functions. Each is asked of the initial program anew.
    """
    form = form_of(problem, initial)
    asked = (str(problem.kind), str(problem.language))
    same = [run for one, run in past.solutions if form and one.form == form]
    same += [run for run in past.runs if run.entry_content == initial.content]
    alike = (run.fingerprint for run in same if (run.kind, run.language) == asked)
    found = dict[TestKey, Counterexample]()
    for known in dict.fromkeys((fingerprint(problem), *alike)):
        for test in long_term.tests(known):
            found.setdefault(test.key, test)
    yield from islice(found.values(), _TESTS)


def _edits(
    past: _Past,
    problem: Problem,
    initial: Solution,
    operators: Collection[str],
    *,
    with_like: bool,
) -> tuple[Edit, ...]:
    """Return the changes of the best program of this function, or else of the most alike.

    Programs are alike where they have the same traits, and share the most words.
    """
    text, form = next(iter(initial.files.values())), form_of(problem, initial)
    own, words = traits(problem, text), set(descriptive_words(problem, text))

    def is_same(one: KnownSolution) -> bool:
        return one.entry_content == initial.content or bool(form and one.form == form)

    def nearness(one: tuple[KnownSolution, KnownRun]) -> tuple[bool, float, float]:
        solution, run = one
        both = len(words & set(run.words)) / max(1, len(words | set(run.words)))
        return is_same(solution), both, solution.effect

    like = [
        (solution, run)
        for solution, run in past.solutions
        if solution.edits
        and (run.kind, run.language) == (str(problem.kind), str(problem.language))
        and (is_same(solution) or (with_like and run.traits == own))
    ]
    if not like:
        return ()
    best, _ = max(like, key=nearness)
    return tuple(edit for edit in best.edits if not operators or edit.rule in operators)


def _fixes(
    long_term: LongTerm, problem: Problem, exclude_families: Collection[str]
) -> Iterator[KnownFix]:
    known = long_term.fixes(exclude_families)
    found = (fix for fix in known if fix.language == str(problem.language))
    for _, fix in zip(range(_FIXES), found, strict=False):
        yield KnownFix(
            error_pattern=fix.error_pattern,
            solution=fix.solution,
            source=_EARLIER,
            verified=fix.verified,
        )


def _items(
    items: Items,
    problem: Problem,
    initial: Solution,
    kinds: Collection[ItemKind],
    exclude_families: Collection[str],
) -> Iterator[RecalledItem]:
    """Yield lessons and policies that share words with the program; a switch is for lessons."""
    text = next(iter(initial.files.values()))
    query = (*descriptive_words(problem, text), problem.title)
    language = str(problem.language)
    hits = items.search(query, kinds=kinds, language=language, k=2 * MOST_ITEMS)
    rows = (hit.item for hit in hits)
    kept = (row for row in rows if is_lesson(row) and not _is_left_out(row, exclude_families))
    lifts = ExposureLog(items.db).lifts()
    for _, row in zip(range(MOST_ITEMS), kept, strict=False):
        yield recalled_item(row, lifts.get(row.id, NOTHING_KNOWN).lift)


def _preferences(items: Items, problem: Problem) -> Iterator[RecalledItem]:
    """Yield what people prefer in the problem's family: no word of it has to match."""
    for row in preferences_of(items, family_of(problem), str(problem.language)):
        yield recalled_item(row, 0.0)


def _with_neighbours(items: Items, found: Iterable[RecalledItem]) -> Iterator[RecalledItem]:
    """Yield items with what the graph has around them, the likeliest to be shown (AM-72)."""
    graph = Graph(db=items.db)
    for place, item in enumerate(found):
        is_near = place < _NEIGHBOURS and item.kind == ItemKind.LESSON
        yield replace(item, related=around_item(graph, item.id)) if is_near else item


def _is_left_out(row: ItemRow, exclude_families: Iterable[str]) -> bool:
    """Say whether an item is of a family that is left out, or may be of one."""
    left_out = set(exclude_families)
    return bool(left_out) and row.kind == ItemKind.LESSON and row.family in {"", *left_out}


def recalled_item(row: ItemRow, lift: float) -> RecalledItem:
    """Return an item as a run takes it with it, with what showing it was worth."""
    return RecalledItem(
        id=row.id,
        kind=row.kind,
        outcome=row.outcome,
        title=row.title,
        description=row.description,
        content=row.content,
        operator=row.operator,
        direction_key=row.direction_key,
        words=row.words,
        language=row.language,
        family=row.family,
        effect=row.effect,
        significant=row.significant,
        merged=row.merged,
        lift=lift,
    )
