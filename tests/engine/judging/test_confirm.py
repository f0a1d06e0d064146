"""The last word: who is measured for it, and who is passed over."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any  # arguments of a block, passed on

import pytest

from se_agent.engine.judging.arena import Arena, Recorder
from se_agent.engine.judging.confirm import confirm
from se_agent.engine.record.journal import Journal
from se_agent.engine.state.population import Population
from se_agent.engine.wiring import new_state
from se_agent.events import Confirmed
from se_agent.types import Block, Kind, Member, Solution, Status
from tests.engine.challengers import Doubter
from tests.fakes import number_run, solution


class Noting(Doubter):
    """Notes who is measured; whoever is above `limit` is wrong on final inputs."""

    def __init__(self, limit: float = math.inf) -> None:
        super().__init__(Kind.TIMED)
        self.measured: list[str] = []
        self._limit = limit

    def block(self, reference: Solution, candidate: Solution, **how: Any) -> Block:
        """Compare as ever."""
        self.measured += [candidate.text] if candidate.text not in self.measured else []
        found = super().block(reference, candidate, **how)
        if int(candidate.text.removeprefix("x = ")) <= self._limit:
            return found
        return Block(
            number=found.number,
            effect=found.effect,
            reference=found.reference,
            candidate=found.candidate,
            pairs=found.pairs,
            status=Status.WA,
        )


def population(*values: int) -> Population:
    """Return one of proven solutions, the best of which is the incumbent."""
    made = Population.of(solution("x = 0"))
    for value in values:
        program = solution(f"x = {value}", id=f"Gen1_Sol_{value}")
        made.add(Member(solution=program, effect=value / 100, variance=0.0, proven=True))
    made.crown(f"Gen1_Sol_{max(values)}")
    return made


def confirmed(evaluator: Doubter, of: Population, left: float = math.inf) -> Confirmed:
    config = number_run(Path("unused"))
    with Journal(Path(":memory:")) as journal:
        arena = Arena([evaluator], Recorder(journal, new_state(config), ()))
        return confirm(arena, of, config, Kind.TIMED, 0.0, lambda: left)


def test_who_is_refuted_is_no_try() -> None:
    evaluator = Noting()
    found = confirmed(evaluator, population(50, 45, 40, 35, 30, 24))
    assert (found.solution, found.status) == ("Gen1_Sol_24", "proven")
    assert evaluator.measured == ["x = 24"]
    assert len(evaluator.hunted) == 6


def test_three_are_measured_at_most_whoever_is_refuted_between() -> None:
    evaluator = Noting(limit=10)
    found = confirmed(evaluator, population(50, 48, 45, 44, 40, 38, 36, 9))
    assert (found.solution, found.status) == ("Gen0_Sol_0", "not_proven")
    assert evaluator.measured == ["x = 48", "x = 44", "x = 38"]


@pytest.mark.parametrize(("best", "status"), [(51, "proven"), (50, "not_proven")])
def test_the_champion_faces_its_search_whatever_is_left(best: int, status: str) -> None:
    """The reserve holds it; the next best ones need time, and the lack of it is told."""
    evaluator = Noting()
    found = confirmed(evaluator, population(best, 24), left=0.0)
    assert (found.status, len(evaluator.hunted)) == (status, 1)
    assert ("no time was left" in found.note) == (status == "not_proven")


def test_all_may_be_refuted() -> None:
    found = confirmed(Noting(), population(50, 45))
    assert (found.solution, found.status, found.note) == ("Gen0_Sol_0", "not_proven", "")
