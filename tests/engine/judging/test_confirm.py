"""The last word: who is measured for it, and who is passed over."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any  # arguments of a block, passed on

import pytest

from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.confirm import confirm
from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.state.population import Population
from se_agent.errors import SandboxError
from se_agent.events import Challenged, Confirmed, Event, Retested
from se_agent.protocols import Listener
from se_agent.values.evaluation import Block, ComparisonKind, Hunt, Status
from se_agent.values.observation import GROWS_FASTER, Growth, GrowthPair
from se_agent.values.solution import Solution
from se_agent.values.view import Member
from tests.engine.challengers import Doubter
from tests.engine.runs import Crash, new_state
from tests.fakes import number_run, solution


class Noting(Doubter):
    """Notes who is measured; whoever is above `limit` is wrong on final inputs."""

    def __init__(self, limit: float = math.inf) -> None:
        super().__init__(ComparisonKind.TIMED)
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


class Steep(Noting):
    """Finds that whoever is above `limit` grows faster than the initial program."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._most = limit

    def growth(self, old: Solution, new: Solution) -> GrowthPair:
        """Return a line, and either a line or a parabola."""
        line = Growth(exponent=1.0, low=0.9, high=1.1)
        bent = Growth(exponent=2.0, low=1.9, high=2.1)
        steep = int(new.text.removeprefix("x = ")) > self._most
        return GrowthPair(old=line, new=bent if steep else line, sizes=(10, 100))


def population(*values: int) -> Population:
    """Return one of proven solutions, the best of which is the incumbent."""
    made = Population.of(solution("x = 0"))
    for value in values:
        program = solution(f"x = {value}", id=f"Gen1_Sol_{value}")
        made.add(Member(solution=program, effect=value / 100, variance=0.0, proven=True))
    made.crown(f"Gen1_Sol_{max(values)}")
    return made


def confirmed(
    evaluator: Doubter,
    of: Population,
    left: float = math.inf,
    *,
    path: Path = Path(":memory:"),
    crash: Listener | None = None,
) -> Confirmed:
    """Confirm what a journal tells, which may know a part of it."""
    config = number_run(Path("unused"))
    with Journal(path) as journal:
        state = new_state(config)
        for event in journal.events():
            state.apply(event)
        arena = Arena([evaluator], Recorder(journal, state, [crash] if crash else []))
        return confirm(arena, of, config, ComparisonKind.TIMED, 0.0, lambda: left)


def recorded(path: Path) -> list[Event]:
    with Journal(path, write=False) as journal:
        return list(journal.events())


def test_who_is_refuted_is_no_try() -> None:
    evaluator = Noting()
    found = confirmed(evaluator, population(55, 45, 35, 24))
    assert (found.solution, found.status) == ("Gen1_Sol_24", "proven")
    assert evaluator.measured == ["x = 24"]
    assert len(evaluator.hunted) == 4


def test_what_refutes_one_is_a_test_of_all_others() -> None:
    """Whoever fails on it is not searched, and neither measured."""
    evaluator = Noting()
    found = confirmed(evaluator, population(50, 40, 35, 30, 24))
    assert (found.solution, found.status) == ("Gen1_Sol_24", "proven")
    assert evaluator.measured == ["x = 24"]
    assert evaluator.hunted == ["Gen1_Sol_50", "Gen1_Sol_35", "Gen1_Sol_24"]


def test_who_stood_a_search_of_its_own_is_held_to_what_refutes_another(
    tmp_path: Path,
) -> None:
    """A search finds what it happens to try: one that found nothing says nothing of this."""
    path, cleared = tmp_path / "run.db", Hunt(tried=100)
    with Journal(path) as journal:
        journal.append(Challenged(slot=3, solution="Gen1_Sol_40", hunt=cleared))
    evaluator = Noting()
    found = confirmed(evaluator, population(50, 40, 24), path=path)
    assert (found.solution, found.status) == ("Gen1_Sol_24", "proven")
    assert evaluator.measured == ["x = 24"]


def test_the_archive_is_held_to_it_and_the_run_keeps_the_test(tmp_path: Path) -> None:
    """Unproven programs, which nobody would confirm, are on record as wrong, too."""
    of, path = population(50, 24), tmp_path / "run.db"
    of.add(Member(solution=solution("x = 20", id="Gen1_Sol_20"), effect=0.2, variance=0.0))
    confirmed(Noting(), of, path=path)
    events, state = recorded(path), new_state(number_run(Path("unused")))
    for event in events:
        state.apply(event)
    retested = {e.solution: e.evaluation.status for e in events if isinstance(e, Retested)}
    assert retested == {"Gen1_Sol_24": Status.AC, "Gen1_Sol_20": Status.WA}
    assert [test.arguments for test in state.tests] == ["[10]"]


def test_broken_off_anywhere_it_ends_the_same(tmp_path: Path) -> None:
    of = population(50, 45, 40, 35, 30, 24)
    whole = confirmed(Noting(), of, path=tmp_path / "whole.db")
    wanted = canonical(recorded(tmp_path / "whole.db"))
    for after in range(1, len(wanted) + 1):
        path = tmp_path / f"{after}.db"
        with pytest.raises(SandboxError, match="gave up"):
            confirmed(Noting(), of, path=path, crash=Crash(after))
        again = confirmed(Noting(), of, path=path)
        assert (again.solution, again.gain) == (whole.solution, whole.gain)
        assert canonical(recorded(path)) == wanted


def test_three_are_measured_at_most_whoever_is_refuted_between() -> None:
    evaluator = Noting(limit=10)
    found = confirmed(evaluator, population(50, 48, 45, 44, 40, 38, 36, 9))
    assert (found.solution, found.status) == ("Gen0_Sol_0", "not_proven")
    assert evaluator.measured == ["x = 48", "x = 44", "x = 38"]


def test_who_grows_faster_is_passed_over_for_the_next_best() -> None:
    found = confirmed(Steep(limit=30), population(48, 24))
    assert (found.solution, found.status, found.reason) == ("Gen1_Sol_24", "proven", "")
    assert found.growth is not None
    assert found.growth.is_alike


def test_a_gain_that_grows_faster_is_refused_where_there_is_no_other() -> None:
    evaluator = Steep(limit=10)
    found = confirmed(evaluator, population(48, 24))
    assert (found.solution, found.status, found.reason) == (
        "Gen1_Sol_48",
        "not_proven",
        GROWS_FASTER,
    )
    assert (found.gain, found.low) == (1.0, 1.0)
    assert found.note == (
        "its time grows as n^1.00 (0.90 to 1.10) -> n^2.00 (1.90 to 2.10), n from 10 to 100"
    )
    assert evaluator.measured == ["x = 48", "x = 24"]


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
