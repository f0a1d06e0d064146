"""Whoever reads a journal says what of it, so that a long one is not read for nothing."""

from __future__ import annotations

from pathlib import Path

from se_agent.engine.journal.journal import Journal
from se_agent.events import Proposed
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from tests.engine.journal.test_journal import block, learned


def proposed(number: int) -> Proposed:
    made = Solution(id=f"Gen1_Sol_{number}", files={"main.py": ""}, parents=("Gen0_Sol_0",))
    return Proposed(slot=number, proposal=Proposal(solution=made, direction="try"))


def test_kinds_alone_are_read_and_proposals_that_became_the_best(tmp_path: Path) -> None:
    better, worse, nothing = proposed(1), proposed(2), Proposed(slot=3)
    wins = learned(2).model_copy(update={"best": "Gen1_Sol_1"})
    with Journal(tmp_path / "run.db") as journal:
        journal.append(better, worse, nothing, block(1), wins)
        assert list(journal.events(kinds=["proposed"])) == [better, worse, nothing]
        read = list(journal.events(kinds=["proposed", "learned"], bests=True))
    assert read == [better, wins]
