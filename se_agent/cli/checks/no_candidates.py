"""Whether a search would have anything to try: asked before a run spends time on a self-test.

Operators that need no model are asked what they have for the initial program; one that cannot
tell may have something. Not here: how much there is to try (`engine.search.search_space`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from se_agent.errors import ConfigError

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.problem.model import Problem
    from se_agent.values.observation import Observation
    from se_agent.values.solution import Solution

_MORE = (
    "name a model (`--set models.main.name=NAME`), mark constants with `# tune: 1..50`, or "
    "name operators of your own (`--set operators=MODULE:ATTRIBUTE`)"
)


def barren(run: Run, problem: Problem) -> ConfigError | None:
    """Return the error of a run that would try nothing; None where something is to be tried."""
    from se_agent.engine.models.endpoints import is_written
    from se_agent.engine.run.resolve import initial_of, operators_of
    from se_agent.engine.search.search_space import mutations

    if _proposed(run, problem) or _proposed(run, problem, seen := _seen(run, problem)):
        return None
    operators = operators_of(run, language=problem.language)
    why = f"none of {len(operators)} operators has a change of the initial program to propose"
    rules = mutations(o for o in operators.values() if not is_written(o))
    if not rules:
        why = f"no rule is there for programs in {problem.language}"
    easier = (*_easier(run, problem, initial_of(problem, run)), *_hotter(run, problem, seen))
    hint = ", ".join([*easier, _MORE])
    told = f"{problem.name}: a run would have nothing to try: {why}"
    return ConfigError(
        told, hint=hint, said="\n".join(_looked(problem, [rule.name for rule in rules], seen))
    )


def _looked(problem: Problem, names: Collection[str], seen: Observation) -> Iterator[str]:
    """Yield where the time goes, and what was looked for in vain."""
    from se_agent.report.words.hot_lines import in_words
    from se_agent.report.words.searched import nothing_found

    yield from in_words(seen, of="CPU time" if problem.timed else "lines run")
    if names:
        yield from nothing_found(names)


def _proposed(run: Run, problem: Problem, observed: Observation | None = None) -> bool:
    """Say whether an operator proposes something; one that a model writes always may.

    Args:
        run: Names the operators.
        problem: The problem; they are asked about its initial program.
        observed: What it was seen to do: some operators know a program by that.
    """
    from se_agent.engine.models.endpoints import is_written
    from se_agent.engine.run.resolve import initial_of, operators_of
    from se_agent.engine.search.search_space import offered
    from se_agent.values.observation import Observation

    rules = []
    for operator in operators_of(run, language=problem.language).values():
        if is_written(operator):
            return True
        rules.append(operator)
    return offered(problem, initial_of(problem, run), rules, observed=observed or Observation())


def _easier(run: Run, problem: Problem, initial: Solution) -> Iterator[str]:
    """Yield what costs a word only."""
    if run.operators or run.without:
        yield "let all operators try (no `operators`, no `without`)"
    others = [name for name, text in problem.programs.items() if text != initial.text]
    if others:
        yield f"begin with another program (`--set program={others[0]}`: {', '.join(others)})"


def _hotter(run: Run, problem: Problem, seen: Observation) -> Iterator[str]:
    """Yield the function that takes the time, if another one than that may be named."""
    from se_agent.engine.judging.terms import objective_of
    from se_agent.engine.run.resolve import initial_of
    from se_agent.report.words.hot_lines import elsewhere
    from se_agent.user_function.function import is_plain
    from se_agent.values.objective import CPU_TIME

    if not problem.editable or objective_of(problem, run) != CPU_TIME:
        return
    name, share = elsewhere(seen.hot, problem.editable) or ("", 0.0)
    if name and is_plain(initial_of(problem, run).text, name):
        yield f"name {name}() instead, where {share:.0%} of the CPU time is spent"


def _seen(run: Run, problem: Problem) -> Observation:
    """Return what the initial program is seen to do, as a run would see it."""
    from se_agent.abilities.evaluator import Observing
    from se_agent.engine.run.resolve import initial_of, registered
    from se_agent.values.observation import Observation

    evaluator = registered(problem, run)
    try:
        if isinstance(evaluator, Observing):
            return evaluator.observe(initial_of(problem, run))
        return Observation()
    finally:
        evaluator.close()
