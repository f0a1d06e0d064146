"""Families of programs: what an operator may learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from se_agent.engine.journal.canonical import canonical
from se_agent.engine.run.start import resume, start
from se_agent.engine.state.trial_history import FAMILIES, TRIALS, Families
from se_agent.errors import SandboxError
from se_agent.events import Learned, Proposed
from se_agent.values.brief import Trial
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.solution import Solution
from tests import fakes
from tests.engine.runs import Crash, events_of, factory, ran


def child(number: int, base: str) -> Solution:
    files = {"main.py": f"x = {number}\n"}
    return Solution(id=f"Gen1_Sol_{number}", files=files, base=base)


def test_a_family_is_what_was_made_of_the_same_base() -> None:
    families, base = Families(), fakes.solution("x = 0\n")
    families.add(Trial(solution=base, effect=0.0))
    families.add(Trial(solution=child(1, base.id), effect=0.5))
    families.add(Trial(solution=child(2, ""), effect=0.7))
    families.add(Trial(solution=child(3, base.id), effect=None))
    effects = [trial.effect for trial in families.of(child(1, base.id))]
    assert effects == [0.0, 0.5, None]
    assert families.of(base) == families.of(child(1, base.id))
    assert [trial.effect for trial in families.of(child(2, ""))] == [0.7]
    assert families.of(child(4, "")) == ()


def test_who_is_withdrawn_was_not_right() -> None:
    families = Families()
    families.add(Trial(solution=child(1, "b"), effect=0.5))
    families.add(Trial(solution=child(2, "b"), effect=0.6))
    families.withdraw("Gen1_Sol_1")
    assert [trial.effect for trial in families.of(child(1, "b"))] == [None, 0.6]


@pytest.mark.parametrize("count", [TRIALS, TRIALS + 50])
def test_the_newest_trials_are_kept(count: int) -> None:
    families = Families()
    for number in range(count):
        families.add(Trial(solution=child(number, "b"), effect=float(number)))
    effects = [trial.effect for trial in families.of(child(0, "b"))]
    assert effects == [float(number) for number in range(count)][-TRIALS:]


def test_the_families_lately_tried_are_kept() -> None:
    families = Families()
    for number in range(FAMILIES):
        families.add(Trial(solution=child(number, f"b{number}"), effect=0.0))
    families.add(Trial(solution=child(500, "b0"), effect=0.0))
    families.add(Trial(solution=child(501, "new"), effect=0.0))
    assert len(families.of(child(0, "b0"))) == 2
    assert families.of(child(1, "b1")) == ()


LEARNING: dict[str, Any] = {"operators": [fakes.Learner.name], "budget": {"proposals": 30}}


def test_an_operator_is_given_all_trials_of_closed_steps(tmp_path: Path) -> None:
    events = events_of(ran(tmp_path, **LEARNING))
    told = [e.proposal.direction for e in events if isinstance(e, Proposed) and e.proposal]
    closed = [e.effect for e in events if isinstance(e, Learned) and e.verdict]
    assert told[0] == "Known: [0.0]"
    assert told[-1] == f"Known: {[0.0, *closed[: told[-1].count(',')]]}"
    assert None in closed


@pytest.mark.tier("runs")
@pytest.mark.parametrize("after", [9, 22, 63, 100])
def test_a_broken_run_gives_the_same_trials(tmp_path: Path, after: int) -> None:
    whole = ran(tmp_path, name="run", **LEARNING)
    with pytest.raises(SandboxError, match="gave up"):
        start(
            fakes.number_run(tmp_path / "broken", name="run", **LEARNING),
            problem=fakes.number_problem(),
            listeners=[Crash(after)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    resumed = resume(tmp_path / "broken" / "run", evaluators=factory(ComparisonKind.EXACT))
    kept = [
        [line for line in canonical(events_of(found)) if '"proposed"' in line]
        for found in (whole, resumed)
    ]
    assert kept[0] == kept[1]
    assert len(kept[0]) > 5
