"""Problems whose programs are modules of a package, called by a workload.

What runs is a text that holds all of them: for the rest of the evaluators it is a program that
is called. Not here: how the modules are put in their places (`problem.packed`).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluators.kinds.function import FunctionEvaluator, lost
from evaluators.running.runner import Runner, WorkloadRunner
from evaluators.suite.suite import ModuleTexts
from se_agent.problem.model import Problem
from se_agent.program.editable import in_file, in_words, names_of
from se_agent.program.features import changed_outside
from se_agent.program.parsing import tree_of
from se_agent.program.side_effects import listed_effects, lost_effects
from se_agent.program.source_check import defined_names
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.solution import Solution


class WorkloadEvaluator(FunctionEvaluator):
    """Calls a workload, which calls the program; takes what `TimedEvaluator` takes."""

    def runner(self, problem: Problem) -> Runner:
        """Return what calls the workload."""
        return WorkloadRunner(problem)

    def refused(self, solution: Solution) -> Evaluation | None:
        """Return the evaluation of files that may not run; None: they may."""
        return refused(self._problem, solution.files)

    def tested(self, solution: Solution) -> ModuleTexts:
        """Return the files as the user's own tests find them."""
        return in_project(self._problem, solution.files)


def in_project(problem: Problem, files: Mapping[str, str]) -> dict[str, str]:
    """Return texts by their paths below the folder that the tests are run on a copy of."""
    workload, gate = problem.workload, problem.gate
    if workload is None or gate is None:
        return {}
    root = Path(gate.root)
    return {
        str(Path(workload.modules[path].file).relative_to(root)): text
        for path, text in files.items()
    }


def refused(problem: Problem, files: Mapping[str, str]) -> Evaluation | None:
    """Return the evaluation of files that are no Python, or change what may not change."""
    initial = problem.initial().files
    if files.keys() != initial.keys():
        return Evaluation(status=Status.REJECTED, feedback="it has other files")
    for path, text in files.items():
        if (told := _uncompiled(path, text)) is not None:
            return Evaluation(status=Status.CE, feedback=told)
        own = in_file(problem.editable, path)
        if own is None and text != initial[path]:
            return Evaluation(status=Status.REJECTED, feedback=f"it changes {path}")
        if own and changed_outside(initial[path], text, own):
            told = f"it changes more than {in_words(own)} of {path}"
            return Evaluation(status=Status.REJECTED, feedback=told)
        for name in _held(own, initial[path], text):
            if gone := lost_effects(initial[path], text, name):
                return lost(listed_effects(gone))
    return None


def _held(own: str | None, old: str, new: str) -> Sequence[str]:
    """Return whose side effects are asked for; of a whole module, what both texts define."""
    if own != "":
        return names_of(own or "")
    first, second = (defined_names(tree_of(text)) for text in (old, new))
    return [name for name in first if name in second]


def _uncompiled(path: str, text: str) -> str | None:
    """Return what is wrong with a text that is no Python; None for one that is."""
    try:
        tree: ast.Module = tree_of(text, path)
        compile(tree, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as err:
        line = getattr(err, "lineno", None)
        place = f" ({path}:{line})" if line else ""
        return f"{type(err).__name__}: {getattr(err, 'msg', None) or err}{place}"
    return None
