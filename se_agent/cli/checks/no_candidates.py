"""Whether a search would have anything to try: asked before a run spends time on a self-test.

Operators that need no model are asked what they have for the initial program; one that cannot
tell may have something. Not here: how much there is to try (`engine.search.search_space`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from se_agent.errors import ConfigError

if TYPE_CHECKING:
    from se_agent.engine.run.resolve import ResolvedRun
    from se_agent.problem.model import Problem
    from se_agent.values.observation import Observation

_MORE = (
    "name a model (`--set models.main.name=NAME`), mark constants with `# tune: 1..50`, or "
    "name operators of your own (`--set operators=MODULE:ATTRIBUTE`)"
)


def barren(resolved: ResolvedRun) -> ConfigError | None:
    """Return the error of a run that would try nothing; None where something is to be tried."""
    from se_agent.engine.search.search_space import mutations

    if _proposed(resolved) or _proposed(resolved, seen := _seen(resolved)):
        return None
    problem, operators = resolved.problem, resolved.operators
    why = f"none of {len(operators)} operators has a change of the initial program to propose"
    rules = mutations(resolved.rules)
    if not rules:
        why = f"no rule is there for programs in {problem.language}"
    hint = ", ".join([*_easier(resolved), *_hotter(resolved, seen), _MORE])
    told = f"{problem.name}: a run would have nothing to try: {why}"
    looked = [*_looked(problem, [rule.name for rule in rules], seen), *_unserved(resolved)]
    return ConfigError(told, hint=hint, said="\n".join(looked))


def _looked(problem: Problem, names: Collection[str], seen: Observation) -> Iterator[str]:
    """Yield where the time goes, and what was looked for in vain."""
    from se_agent.report.words.hot_lines import in_words
    from se_agent.report.words.searched import nothing_found

    yield from in_words(seen, of="CPU time" if problem.timed else "lines run")
    if names:
        yield from nothing_found(names)


def _unserved(resolved: ResolvedRun) -> Iterator[str]:
    """Yield a line for each slow spot that no rule changes."""
    from se_agent.program.editable import in_file
    from se_agent.program.language import Language
    from se_agent.report.words.searched import without_rule

    if resolved.problem.language is Language.PYTHON:
        for path, text in resolved.initial.files.items():
            yield from without_rule(text, in_file(resolved.problem.editable, path) or "")


def _proposed(resolved: ResolvedRun, observed: Observation | None = None) -> bool:
    """Say whether an operator proposes something; one that a model writes always may.

    Args:
        resolved: The run; its operators are asked about the initial program.
        observed: What it was seen to do: some operators know a program by that.
    """
    from se_agent.engine.search.search_space import offered
    from se_agent.values.observation import Observation

    brief = replace(resolved.first_brief, observed=observed or Observation())
    return bool(resolved.written) or offered(brief, resolved.rules)


def _easier(resolved: ResolvedRun) -> Iterator[str]:
    """Yield what costs a word only."""
    if resolved.given.operators or resolved.given.without:
        yield "let all operators try (no `operators`, no `without`)"
    programs, initial = resolved.problem.programs, resolved.initial
    others = [name for name, text in programs.items() if text not in initial.files.values()]
    if others:
        yield f"begin with another program (`--set program={others[0]}`: {', '.join(others)})"


def _hotter(resolved: ResolvedRun, seen: Observation) -> Iterator[str]:
    """Yield the function that takes the time, if another one than that may be named."""
    from se_agent.report.words.hot_lines import elsewhere
    from se_agent.user_function.function import is_plain
    from se_agent.values.objective import CPU_TIME

    editable = resolved.problem.editable
    if not editable or resolved.objective != CPU_TIME:
        return
    name, share = elsewhere(seen.hot, editable) or ("", 0.0)
    if name and is_plain(resolved.initial.all_text, name):
        yield f"name {name}() instead, where {share:.0%} of the CPU time is spent"


def _seen(resolved: ResolvedRun) -> Observation:
    """Return what the initial program is seen to do, as a run would see it."""
    from se_agent.abilities.evaluator import Observing
    from se_agent.engine.run.resolve import registered_evaluator
    from se_agent.values.observation import Observation

    evaluator = registered_evaluator(resolved.problem, resolved.config)
    try:
        if isinstance(evaluator, Observing):
            return evaluator.observe(resolved.initial)
        return Observation()
    finally:
        evaluator.close()
