"""The confirmed program against the reference that its problem names. It claims nothing.

It is measured once more beside the proof, so that shares of a reference's figures can be told.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from se_agent.config.run_file import Run
from se_agent.engine.judging.evaluator_pool import RUN, Arena
from se_agent.errors import ProblemError
from se_agent.problem.model import Problem
from se_agent.stats.sequential import FixedRule, Once, SequentialRule
from se_agent.stats.summary import merged_medians
from se_agent.values.evaluation import ComparisonKind, Figure, InputSet, Status
from se_agent.values.solution import Solution

ID = "reference"
"""Stands for the reference in the journal."""

NO_TIME = "no time was left to measure the reference"
"""Why there are no figures where the time limit was reached meanwhile."""

_BLOCKS = 2


class ReferenceComparison(NamedTuple):
    """What was read of reference and solution, or why nothing was."""

    figures: tuple[Figure, ...] = ()
    why_not: str = ""


def against_reference(
    arena: Arena, problem: Problem, solution: Solution, config: Run, kind: ComparisonKind
) -> ReferenceComparison:
    """Return the figures of reference and solution on final inputs, however slow the latter.

    There are none where the problem names no reference, and none but a reason where one of the
    two fails, or where the final inputs cannot be measured: a proof stands without them.
    """
    if not problem.reference or kind is ComparisonKind.EXACT:
        return ReferenceComparison()
    reference = replace(problem.initial(problem.reference), id=ID)
    rule: SequentialRule = FixedRule(blocks=_BLOCKS, per_block=config.measure.confirm_inputs)
    if kind is ComparisonKind.COUNTED:
        rule = Once()
    try:
        found = arena.compare(RUN, reference, solution, rule, InputSet.FINAL, patient=True)
    except ProblemError as err:
        return ReferenceComparison(why_not=f"the reference cannot be measured: {err}")
    ended = (("reference", found.reference_status), ("confirmed program", found.status))
    for who, status in ended:
        if status is not Status.AC:
            return ReferenceComparison(
                why_not=f"measured on final inputs, the {who} ends as {status}"
            )
    return ReferenceComparison(merged_medians([block.figures for block in found.blocks]))
