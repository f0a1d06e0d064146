"""What compiler flags gain beyond the source, which alone is claimed. It claims nothing.

All programs are compared at the flags of their problem. What others would gain is measured
once, for the confirmed program, and told beside the proof.
"""

from __future__ import annotations

import math

from se_agent.abilities.evaluator import Flagging
from se_agent.config.run_file import Run
from se_agent.engine.judging.evaluator_pool import RUN, Arena
from se_agent.engine.judging.terms import final_rule_of
from se_agent.errors import ProblemError, SandboxError
from se_agent.values.evaluation import ComparisonKind, FlagsGain, InputSet, Status
from se_agent.values.solution import Solution

LEAST = 30.0
"""Seconds of a budget that have to be left for it."""


def flags_gain(
    arena: Arena,
    solution: Solution,
    config: Run,
    kind: ComparisonKind,
    *,
    spread: float,
    left: float,
) -> FlagsGain | None:
    """Return what flags gain over the flags of the problem, for one program.

    None where its language has none, no time is left, or it fails with them.

    Args:
        arena: Measures.
        solution: The program.
        config: `measure.confirm_blocks` and `measure.confirm_inputs`.
        kind: Kind of the problem's comparisons.
        spread: From the self-test.
        left: Seconds of the budget that are left.
    """
    if kind is not ComparisonKind.TIMED or left < LEAST:
        return None
    flagged = _flagged(arena, solution)
    if flagged is None:
        return None
    rule = final_rule_of(config, kind, spread)
    try:
        found = arena.compare(RUN, solution, flagged, rule, InputSet.FINAL)
    except (ProblemError, SandboxError):
        return None
    if not found.status is found.reference_status is Status.AC:
        return None
    low, high = found.interval
    _, _, flags = flagged.id.partition(", compiled with ")
    return FlagsGain(
        flags=flags, gain=math.exp(found.effect), low=math.exp(low), high=math.exp(high)
    )


def _flagged(arena: Arena, solution: Solution) -> Solution | None:
    """Return the program with more flags, known to all evaluators; None where one has none."""
    able = [one for one in arena.evaluators if isinstance(one, Flagging)]
    made = [one.flagged(solution) for one in able]
    return made[0] if made and len(made) == len(arena.evaluators) else None
