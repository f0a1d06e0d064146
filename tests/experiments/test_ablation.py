"""The ablation: verdicts are had once for all arms, and its table tells what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any  # fields of a block, and what one is asked for

import pytest

from experiments.figures.ablation import ARMS, NONE, table
from experiments.figures.rows import Row
from experiments.figures.verdicts import Tabled, composed
from se_agent.types import Block, Call, HotLine, Kind, Observation, Solution, Status
from tests.engine.challengers import Doubter
from tests.fakes import solution

FIRST = solution("x = 1")


class Watching(Doubter):
    """Sees what a program does, too."""

    def __init__(self) -> None:
        super().__init__(Kind.TIMED)
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
    first = asked(Tabled(inner, tmp_path / "new" / "table", FIRST))
    again = Watching()
    assert asked(Tabled(again, tmp_path / "new" / "table", FIRST)) == first
    assert [inner.hunted, inner.retested, inner.watched] == [
        ["Gen1_Sol_1"],
        ["Gen0_Sol_0"],
        ["Gen0_Sol_0"],
    ]
    assert [again.hunted, again.retested, again.watched] == [[], [], []]


def test_another_content_or_other_tests_are_another_verdict(tmp_path: Path) -> None:
    inner = Watching()
    tabled = Tabled(inner, tmp_path / "table", FIRST)
    asked(tabled)
    tabled.observe(solution("x = 2", id="Gen2_Sol_2"))
    tabled.hunt(solution("x = 5", id="Gen2_Sol_3"), seconds=9.0)
    tabled.retest(solution("x = 1"), [])
    assert inner.watched[1:] == ["Gen2_Sol_2"]
    assert inner.hunted[1:] == ["Gen2_Sol_3"]
    assert inner.retested[1:] == ["Gen0_Sol_0"]


def block(effect: float, **said: Any) -> Block:
    """One that ran pairs on inputs of level 3."""
    given: dict[str, Any] = {"level": 3, "pair_effects": (effect - 0.1, effect + 0.1)} | said
    return Block(number=2, effect=effect, reference=8.0, candidate=2.0, **given)


def test_the_block_of_two_candidates_is_the_difference_of_theirs() -> None:
    """One is e^1 times as fast as the first program, the other e^1.5 times."""
    found = composed(block(1.0, cost_seconds=5.0), block(1.5, cost_seconds=3.0))
    assert found is not None
    assert (found.number, found.effect, found.reference, found.candidate) == (2, 0.5, 2.0, 2.0)
    assert found.pair_effects == pytest.approx((0.4, 0.6))
    assert found.cost_seconds == 3.0


def test_blocks_on_inputs_of_two_sizes_say_nothing_of_each_other() -> None:
    assert composed(block(1.0), block(1.5, level=4)) is None
    assert composed(block(1.0, status=Status.TLE), block(1.5)) is None


def test_a_candidate_that_was_cut_short_or_failed_loses_at_any_size() -> None:
    short = block(-1.2, level=0, pair_effects=())
    found = composed(block(1.0), short)
    assert found is not None
    assert found.effect == pytest.approx(-2.2)
    wrong = block(0.0, level=0, status=Status.WA)
    assert composed(block(1.0), wrong) is wrong


def test_pairs_of_candidates_share_what_was_measured_against_the_first(tmp_path: Path) -> None:
    inner = Watching()
    tabled = Tabled(inner, tmp_path / "table", FIRST)
    two, five = (solution(f"x = {n}", id=f"Gen1_Sol_{n}") for n in (2, 5))
    direct = {
        n: tabled.block(FIRST, one, number=0, pairs=2) for n, one in ((2, two), (5, five))
    }
    assert tabled.block(two, five, number=0, pairs=2).effect == pytest.approx(
        direct[5].effect - direct[2].effect
    )
    assert inner.compared == [(FIRST.id, two.id), (FIRST.id, five.id)]


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


def test_an_interval_is_over_five_problems_at_least() -> None:
    found = {key: row for n in range(5) for key, row in quick(f"quick-{n}").items()}
    assert "| LocalMemory | 0.50 | 0.50 to 0.50 | 0.44 " in table(found)


@pytest.mark.parametrize("found", [{}, {f"begun/{NONE}/0": run((60, 10.0, 1.0))}])
def test_a_table_of_nothing_says_so(found: dict[str, Row]) -> None:
    assert table(found) == "No problem has a run of each arm yet."
