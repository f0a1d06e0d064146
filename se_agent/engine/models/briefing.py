"""What a brief tells an operator that can read, and what a run file leaves out of it.

Pure. Rules and tuners are told none of it: they could not make use of it. Not here: what is
known (`state.search_context`), nor the words (`operators`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from se_agent.config.run_file import Run
from se_agent.config.sections import Prompt
from se_agent.engine.judging.terms import goal_of
from se_agent.engine.state.population import Population
from se_agent.engine.state.search_context import SearchFindings
from se_agent.problem.model import Problem
from se_agent.program.editable import in_file, names_of, prefix_in, prefix_of
from se_agent.program.source_check import called_name
from se_agent.values.brief import Brief, Conditions
from se_agent.values.evaluation import Status
from se_agent.values.observation import Allocation, HotLine, Observation
from se_agent.values.search_context import Failure, SearchContext, StrategyRecord
from se_agent.values.solution import Solution
from se_agent.values.step import Slot

_Line = TypeVar("_Line", HotLine, Allocation)
_VERSION = "{}.{}".format(*sys.version_info)


def brief_of(problem: Problem, config: Run, slot: Slot) -> Brief:
    """Return what any operator is told of a slot: the problem, the goal and how programs run.

    Args:
        problem: The problem.
        config: With the level that was chosen for the problem.
        slot: What to try.
    """
    return Brief(
        problem=problem.statement,
        goal=goal_of(problem, config),
        language=problem.language,
        imports=tuple(filter(_is_installed, problem.imports)),
        entry_point=_called(problem, config),
        usage=problem.usage,
        is_library=problem.workload is not None,
        editable=problem.editable,
        conditions=conditions_of(problem, config),
        slot=slot,
        answer=problem.answer,
        seed=config.seed,
    )


def _is_installed(name: str) -> bool:
    """Say whether a package is none of the standard library, of which nobody has to be told."""
    return name.partition(".")[0] not in sys.stdlib_module_names


def _called(problem: Problem, config: Run) -> str:
    if problem.workload is not None:  # it calls what may change
        own = names_of(in_file(problem.editable, problem.path) or "")
        return own[0] if own else ""
    if not problem.prelude or problem.language != "python":
        return problem.entry_point
    initial = problem.initial(config.program)
    return called_name(problem.entry_point, problem.prelude, initial.text)


def for_reader(
    brief: Brief,
    knowledge: SearchFindings,
    population: Population,
    prompt: Prompt,
    reading_rounds: int = 0,
) -> Brief:
    """Return the brief with all that is known for its slot.

    Args:
        brief: As any operator gets it.
        knowledge: What is known from the closed steps that the slot may see.
        population: Population after the same steps.
        prompt: What to tell; each switch leaves out what it names, and nothing else.
        reading_rounds: Replies of a call that may ask for parts of a large output.
    """
    seen = seen_in(brief.observed, brief.slot.parents[0]) if prompt.profile else Observation()
    known = knowledge.of(brief.slot, population)
    return replace(
        brief,
        observed=seen,
        search=_left_in(known, prompt),
        room=prompt.room,
        reading_rounds=reading_rounds,
    )


def for_mender(brief: Brief, failure: Failure | None) -> Brief:
    """Return the brief with what it shall mend, and nothing else of what is known.

    What a run file keeps from prompts is not kept from it: it shows nobody anything.
    """
    return replace(brief, search=SearchContext(failure=failure))


def conditions_of(problem: Problem, config: Run) -> Conditions:
    """Return how programs are run.

    Args:
        problem: The problem; its limits hold.
        config: With the level that was chosen for the problem.
    """
    ladder = problem.ladder
    return Conditions(
        confined=config.sandbox.isolation == "jail",
        cpu_seconds=problem.limits.cpu_seconds,
        memory_bytes=problem.limits.memory_bytes,
        version=_VERSION if problem.language == "python" else "",
        levels=tuple(rung[0] for rung in ladder.rungs if rung) if ladder.fresh else (),
        level=ladder.search_level,
        final_level=ladder.final_level,
    )


def seen_in(observed: Observation, program: Solution) -> Observation:
    """Return what was seen of a program or its ancestor, as far as it holds for the program.

    Lines get the numbers that they have in its text; lines that it lacks are left out. Where
    one is, it is another program, and how that scales is not known.
    """
    texts = {
        prefix_in(program.files, path): [line.strip()[:100] for line in text.splitlines()]
        for path, text in program.files.items()
    }
    hot = tuple(_found(observed.hot, texts))
    return replace(
        observed,
        hot=hot,
        allocations=tuple(_found(observed.allocations, texts)),
        scaling=observed.scaling if len(hot) == len(observed.hot) else None,
    )


def _found(lines: Iterable[_Line], texts: Mapping[str, Sequence[str]]) -> Iterator[_Line]:
    """Yield the lines that are at their place, or whose text is at a single other one.

    Args:
        lines: As they were seen.
        texts: The lines that there are now, by what names in their file begin with.
    """
    for one in lines:
        here = texts.get(prefix_of(one.function), ())
        if here[one.line - 1 : one.line] == [one.text]:
            yield one
        elif here.count(one.text) == 1:
            yield replace(one, line=here.index(one.text) + 1)


def _left_in(known: SearchContext, prompt: Prompt) -> SearchContext:
    failure = known.failure
    return replace(
        known,
        cards=known.cards if prompt.contrast else (),
        siblings=known.siblings if prompt.siblings else (),
        diverse=known.diverse if prompt.diverse else None,
        lead=known.lead if prompt.diverse else None,
        ledger=known.ledger if prompt.profile else tuple(map(_unwatched, known.ledger)),
        failure=failure if prompt.cases or failure is None else _without_cases(failure),
    )


def _unwatched(record: StrategyRecord) -> StrategyRecord:
    """Leave how a strategy fared, without how its best program was seen to scale."""
    return replace(record, scaling=None)


def _without_cases(failure: Failure) -> Failure:
    """Leave how it failed; the words on a wrong answer are words on a case."""
    found = failure.evaluation
    words = "" if found.status is Status.WA else found.feedback
    return replace(failure, evaluation=replace(found, failing=(), feedback=words, output=None))
