"""What a closed step keeps of its stages."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from se_agent.engine.state.open_steps import OpenSlot, closed_step
from se_agent.events import Evaluated, Learned, Proposed
from se_agent.memory.local.edit_credit import TRACED, UNKNOWN, Credit
from se_agent.values.evaluation import (
    Block,
    Branch,
    Calls,
    Evaluation,
    InputSet,
    Measurement,
    Status,
    Verdict,
)
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal, Slot

F, G = (Edit(rule=name, function=name, node=name) for name in "fg")
RAISED = "IndexError: list index out of range\n  main.py:9 in f: g(x)\n  main.py:2 in g: x[3]"
TIME = Measurement(cpu_seconds=1.0, peak_bytes=1)
PARENT = Solution(id="Gen0_Sol_0", files={"main.py": "p"})
CHILD = Solution(id="Gen1_Sol_0", files={"main.py": "c"}, base="Gen0_Sol_0", edits=(F, G))


def stages() -> OpenSlot:
    """A slot whose candidate was right at first."""
    proposal = Proposal(solution=CHILD, direction="", expected_effect="")
    return OpenSlot(
        slot=Slot(number=1, generation=1, child=CHILD.id, parents=(PARENT,), operator="polish"),
        proposed=Proposed(slot=1, proposal=proposal),
        evaluated=Evaluated(
            slot=1,
            solution=CHILD.id,
            content=CHILD.content,
            evaluation=Evaluation(status=Status.AC, measurement=TIME),
        ),
    )


def measured(opened: OpenSlot) -> None:
    opened.blocks[PARENT.id, CHILD.id, InputSet.SEARCH] = [
        Block(
            number=0,
            effect=0.0,
            reference=0.0,
            candidate=0.0,
            status=Status.RE,
            feedback=RAISED,
        )
    ]


def retested(opened: OpenSlot) -> None:
    failed = Evaluation(status=Status.RE, feedback=RAISED)
    opened.retested[CHILD.id, ("(9,)", "", Calls.SINGLE)] = failed


@pytest.mark.parametrize("fails", [measured, retested])
def test_memory_reads_how_a_candidate_failed_after_its_tests(
    fails: Callable[[OpenSlot], None],
) -> None:
    opened = stages()
    fails(opened)
    verdict = Verdict(
        status=Status.RE,
        perf_diff=0.0,
        effect=-math.inf,
        interval=(0.0, 0.0),
        significant=False,
        branch=Branch.FAILURE,
    )
    step = closed_step(opened, Learned(slot=1, best=PARENT.id, verdict=verdict))
    assert step is not None
    assert step.evaluation is not None
    assert step.evaluation.feedback == RAISED
    blames = {edit: said.blame for edit, said in Credit().after(step).beliefs.items()}
    assert blames == {F: UNKNOWN, G: TRACED}
