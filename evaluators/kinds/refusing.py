"""Programs that are refused before they run: those that change what has to stay. Pure.

Not here: what the sandbox refuses.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluators.suite.suite import ModuleTexts
from se_agent.problem.model import Problem
from se_agent.program.editable import in_file, in_words, names_of
from se_agent.program.features import changed_outside
from se_agent.program.parsing import tree_of
from se_agent.program.side_effects import listed_effects, lost_effects
from se_agent.program.source_check import defined_names
from se_agent.values.evaluation import Evaluation, FailedCase, Status
from se_agent.values.solution import Solution


def tested_texts(problem: Problem, solution: Solution) -> ModuleTexts:
    """Return what the tests of the user's own are run on: a text, or files by their paths."""
    workload, gate = problem.workload, problem.gate
    if workload is None or gate is None:
        return solution.text
    root = Path(gate.root)
    return {
        str(Path(workload.modules[path].file).relative_to(root)): text
        for path, text in solution.files.items()
    }


def refused(problem: Problem, solution: Solution) -> Evaluation | None:
    """Return the evaluation of a program that changes what has to stay; None: it may run."""
    if problem.workload is not None:
        return _refused_files(problem, solution.files)
    initial, name = problem.initial().text, problem.entry_point
    if name and (gone := lost_effects(initial, solution.text, name)):
        return _lost(listed_effects(gone))
    if problem.editable and changed_outside(initial, solution.text, problem.editable):
        told = f"it changes more than {problem.editable!r}"
        return Evaluation(status=Status.REJECTED, feedback=told)
    return None


def _refused_files(problem: Problem, files: Mapping[str, str]) -> Evaluation | None:
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
                return _lost(listed_effects(gone))
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


def _lost(effects: str) -> Evaluation:
    """Return the evaluation of a program that does something no longer, in words."""
    failed = FailedCase(name="side effects", expected=effects, got="nothing of the kind")
    return Evaluation(status=Status.WA, failing=(failed,), feedback=f"it no longer {effects}")
