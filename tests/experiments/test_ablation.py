"""The ablation: verdicts are had once for all arms, and its table tells what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any  # fields of a block, and what one is asked for

import pytest

from experiments.figures.ablation import (
    ARMS,
    FULL,
    NONE,
    Reached,
    SearchOnly,
    SearchOverError,
    is_short,
    table,
)
from experiments.figures.rows import Row
from experiments.figures.verdicts import Tabled
from se_agent.events import Event, Learned, SearchEnded
from se_agent.values.evaluation import Block, ComparisonKind
from se_agent.values.observation import Call, HotLine, Observation
from se_agent.values.solution import Solution
from tests import finished
from tests.engine.challengers import Doubter
from tests.fakes import solution

FIRST = solution("x = 1")
NOTHING = "No problem has a run of each arm yet."


class Watching(Doubter):
    """Sees what a program does, too."""

    def __init__(self) -> None:
        super().__init__(ComparisonKind.TIMED)
        self.watched: list[str] = []
        self.compared: list[tuple[str, str]] = []

    def block(self, reference: Solution, candidate: Solution, **asked: Any) -> Block:
        """Note the pair."""
        self.compared.append((reference.id, candidate.id))
        return super().block(reference, candidate, **asked)

    def observe(self, solution: Solution) -> Observation:
        """See one call and one hot line."""
        self.watched.append(solution.id)
        call = Call(given="[1]", gave="1")
        line = HotLine(function="f", line=1, text="x = 1", share=1.0, hits=1)
        return Observation(calls={"f": (call,)}, hot=(line,), cost_seconds=0.5)


def asked(tabled: Tabled) -> list[object]:
    """Ask all that a run may ask, of two programs."""
    first, other = FIRST, solution("x = 5", id="Gen1_Sol_1")
    hunt = tabled.hunt(other, seconds=5.0)
    assert hunt.found is not None
    return [
        tabled.evaluate(other),
        tabled.block(first, other, number=0, pairs=2),
        hunt,
        tabled.retest(first, [hunt.found]),
        tabled.observe(first),
    ]


def test_each_verdict_is_had_once_for_all_arms_and_seeds(tmp_path: Path) -> None:
    inner = Watching()
    first = asked(Tabled(inner, tmp_path / "new" / "table"))
    again = Watching()
    assert asked(Tabled(again, tmp_path / "new" / "table")) == first
    assert [inner.hunted, inner.retested, inner.watched] == [
        ["Gen1_Sol_1"],
        ["Gen0_Sol_0"],
        ["Gen0_Sol_0"],
    ]
    assert [again.hunted, again.retested, again.watched] == [[], [], []]


def test_another_content_or_other_tests_are_another_verdict(tmp_path: Path) -> None:
    inner = Watching()
    tabled = Tabled(inner, tmp_path / "table")
    asked(tabled)
    tabled.observe(solution("x = 2", id="Gen2_Sol_2"))
    tabled.hunt(solution("x = 5", id="Gen2_Sol_3"), seconds=9.0)
    tabled.retest(solution("x = 1"), [])
    assert inner.watched[1:] == ["Gen2_Sol_2"]
    assert inner.hunted[1:] == ["Gen2_Sol_3"]
    assert inner.retested[1:] == ["Gen0_Sol_0"]


def test_each_pair_is_measured_as_it_is_and_once(tmp_path: Path) -> None:
    inner = Watching()
    two, five = (solution(f"x = {n}", id=f"Gen1_Sol_{n}") for n in (2, 5))
    pairs = [(FIRST, two), (two, five), (five, two)]
    tabled = Tabled(inner, tmp_path / "table")
    found = [tabled.block(*pair, number=0, pairs=2) for pair in pairs]
    assert [tabled.block(*pair, number=0, pairs=2) for pair in pairs] == found
    assert inner.compared == [(one.id, other.id) for one, other in pairs]
    tabled.block(FIRST, two, number=1, pairs=2)
    assert len(inner.compared) == 4


def run(*course: tuple[int, float, float]) -> Row:
    return {"course": course, "evaluations": 60}


def quick(name: str) -> dict[str, Row]:
    """Return a run of each arm: all but the first have enough after half of the budget."""
    found = {f"{name}/{arm}/0": run((30, 40.0, 2.0), (60, 80.0, 2.0)) for arm in ARMS}
    found[f"{name}/{NONE}/0"] = run((30, 50.0, 1.0), (60, 90.0, 1.0))
    return found


def test_the_table_compares_arms_at_the_same_problems() -> None:
    """A hit at 30 of 60 against none at all; a problem without each arm is left out."""
    found = quick("quick")
    found[f"begun/{NONE}/0"] = run((60, 10.0, 1.0))
    lines = table(found).splitlines()
    assert lines[0] == "1 problems, 4 runs."
    assert lines[4].startswith("| none | 1.00 | too few problems | 1.00 ")
    assert lines[5].startswith("| LocalMemory | 0.50 | too few problems | 0.44 ")
    assert lines[5].endswith("| 1 of 1 |")


def test_what_is_enough_is_said_by_the_seeds_that_are_made_to_the_end() -> None:
    """A later seed that found more than they is no better for it."""
    found = quick("quick")
    for arm in ARMS:
        found[f"quick/{arm}/{FULL}"] = run((30, 50.0, 1.9), (60, 90.0, 9.0))
    row = next(line for line in table(found).splitlines() if line.startswith("| none "))
    assert row.endswith("| 1 of 2 |")
    assert table({key: row for key, row in found.items() if not key.endswith("/0")}) == NOTHING


def test_a_run_that_ended_at_a_lower_bar_counts_no_more() -> None:
    """It is made anew; one that spent its budget, or is past the new bar, stays."""
    ended = {**run((30, 50.0, 1.5)), "bar": 1.5}
    assert [is_short(ended, bar) for bar in (1.5, 1.6)] == [False, True]
    assert not is_short({**ended, "bar": 1.7}, 1.8)
    assert not is_short(run((30, 50.0, 1.5)), 1.6), "it was made to the end"
    found = {key: {**row, "bar": 0.1} for key, row in quick("quick").items()}
    later = {f"quick/{arm}/{FULL}": {**run((9, 5.0, 1.0)), "bar": 1.0} for arm in ARMS}
    assert table(quick("quick") | later).startswith("1 problems, 4 runs.")
    assert table(found | later).startswith("No problem")


def ending(bar: float) -> Event | None:
    """Return the event of a run at which a listener with this bar ends it."""
    listener = SearchOnly(bar)
    for event in finished.events(timed=True):
        try:
            listener.on_event(event)
        except SearchOverError:
            return event
    return None


def test_a_run_ends_with_the_step_that_is_enough_or_with_its_search() -> None:
    reached = Reached()
    steps = [(event, reached.after(event)) for event in finished.events(timed=True)]
    best = max(step[2] for _, step in steps if step is not None)
    enough = next(event for event, step in steps if step is not None and step[2] >= 0.5)
    assert ending(0.5) is enough
    assert isinstance(ending(best), Learned)
    assert isinstance(ending(best + 0.01), SearchEnded)


def test_a_step_is_told_once_it_is_closed() -> None:
    reached, events = Reached(), finished.events(timed=True)
    told = [reached.after(event) for event in events]
    steps = [step for step in told if step is not None]
    assert [step is not None for step in told] == [isinstance(e, Learned) for e in events]
    assert [step[0] for step in steps] == sorted(step[0] for step in steps)
    assert steps[-1][2] == max(step[2] for step in steps) > 0


def test_an_interval_is_over_five_problems_at_least() -> None:
    found = {key: row for n in range(5) for key, row in quick(f"quick-{n}").items()}
    assert "| LocalMemory | 0.50 | 0.50 to 0.50 | 0.44 " in table(found)


@pytest.mark.parametrize("found", [{}, {f"begun/{NONE}/0": run((60, 10.0, 1.0))}])
def test_a_table_of_nothing_says_so(found: dict[str, Row]) -> None:
    assert table(found) == NOTHING
