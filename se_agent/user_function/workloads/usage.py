"""What a model is told of a workload: its code, what it sends in, and the hot path of its time.

Not here: how the path is found (`hot_path`), nor the words of the prompt.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from pathlib import Path

from se_agent.errors import ProblemError
from se_agent.files import plain
from se_agent.files.kept_back import is_key
from se_agent.user_function.advisor.watching import profile_of
from se_agent.user_function.survey import Survey
from se_agent.user_function.workloads.hot_path import hot_path, sent_in
from se_agent.user_function.workloads.targets import Target
from se_agent.values.usage import WorkloadUsage


def usage_of(
    survey: Survey, targets: Sequence[Target], inputs: Sequence[bytes]
) -> WorkloadUsage:
    """Return how a workload uses its targets; what cannot be watched is left out.

    Args:
        survey: Looks at the workload, in a jail that is open.
        targets: What is to be faster.
        inputs: In wire form, the largest last.
    """
    function, jail = survey.caller.target, survey.caller.jail
    file = str(function.module.path)
    try:
        path = hot_path(profile_of(survey, inputs[-1:]), targets, file, _reader(targets))
        sent = sent_in(jail, function, targets, inputs)
    except ProblemError:  # a workload that leaves the profiler no chance
        path, sent = (), ()
    nodes = [node for node in function.module.tree.body if isinstance(node, ast.FunctionDef)]
    own = next((node for node in nodes if node.name == function.function), None)
    source = ast.get_source_segment(function.module.text, own) if own else None
    return WorkloadUsage(
        file=function.module.path.name, workload=source or "", sent=sent, path=path
    )


def _reader(targets: Sequence[Target]) -> Callable[[str], str | None]:
    """Return what reads Python files beside the targets; a profile may name any other."""
    roots = {target.module.root.resolve() for target in targets}

    def read(file: str) -> str | None:
        path = Path(file)
        try:
            whole = path.resolve()
            beside = any(whole.is_relative_to(root) for root in roots)
            if path.suffix != ".py" or not beside or is_key(whole.name):
                return None
            return plain.content(path).decode("utf-8-sig")
        except (OSError, ValueError):  # not UTF-8 is a ValueError
            return None

    return read
