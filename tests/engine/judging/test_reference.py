"""The confirmed program beside the reference of its problem: told where both are measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any  # arguments of a block, passed on

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import Result
from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.judging.reference import ID, ReferenceComparison, against_reference
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import ProblemError, SandboxError
from se_agent.events import BlockMeasured, Confirmed
from se_agent.problem.model import Problem
from se_agent.stats.summary import reached_share
from se_agent.values.evaluation import Block, ComparisonKind, Figure, InputSet, Status
from se_agent.values.objective import Quantity
from se_agent.values.solution import Solution
from tests.engine.runs import CrashAt, events_of, new_state
from tests.fakes import NumberEvaluator, number_problem, number_run, solution


class Figured(NumberEvaluator):
    """Tells the time of both as a figure; `odd` is what becomes of blocks on final inputs."""

    def __init__(
        self,
        kind: ComparisonKind = ComparisonKind.TIMED,
        *,
        odd: Callable[[Solution, Block], Block] | None = None,
    ) -> None:
        super().__init__(kind)
        self._odd = odd or (lambda reference, block: block)

    def block(self, reference: Solution, candidate: Solution, **how: Any) -> Block:
        """Compare as ever, and tell the figures."""
        found = super().block(reference, candidate, **how)
        told = replace(found, figures=(Figure(Quantity.CPU, found.reference, found.candidate),))
        final = how.get("inputs") is InputSet.FINAL
        return self._odd(reference, told) if final else told


def problem_with(reference: str = "known") -> Problem:
    found = number_problem(timed=True)
    return replace(found, programs={**found.programs, "known": "x = 30"}, reference=reference)


def figures(
    evaluator: Figured,
    *,
    problem: Problem | None = None,
    kind: ComparisonKind = ComparisonKind.TIMED,
) -> tuple[ReferenceComparison, list[BlockMeasured]]:
    config = number_run(Path("unused"))
    with Journal(Path(":memory:")) as journal:
        arena = Arena([evaluator], Recorder(journal, new_state(config), ()))
        found = against_reference(
            arena, problem or problem_with(), solution("x = 10"), config, kind
        )
        return found, [e for e in journal.events() if isinstance(e, BlockMeasured)]


def test_the_reference_is_measured_on_final_inputs_and_kept_on_record() -> None:
    ((found,), why_not), blocks = figures(Figured())
    assert why_not == ""
    assert found.quantity is Quantity.CPU
    assert (found.reference, found.candidate) == pytest.approx((1 / 40, 1 / 20))
    assert {(b.slot, b.reference, b.inputs) for b in blocks} == {(-1, ID, InputSet.FINAL)}
    assert [b.block.number for b in blocks] == [0, 1]


class Capped(Figured):
    """Cuts every loser short, unless it is to wait for one."""

    def block(self, reference: Solution, candidate: Solution, **how: Any) -> Block:
        """Tell no figures of a program that is slower than its reference."""
        found = super().block(reference, candidate, **how)
        if found.effect >= -0.1:
            return found
        return replace(found, status=Status.TLE, figures=())

    def patient_block(self, reference: Solution, candidate: Solution, **how: Any) -> Block:
        """Wait for it."""
        return super().block(reference, candidate, **how)


def test_a_program_far_behind_the_reference_is_measured_to_the_end() -> None:
    evaluator = Capped()
    cut = evaluator.block(solution("x = 30"), solution("x = 10"), number=0, pairs=1)
    assert cut.status is Status.TLE
    ((found,), why_not), _ = figures(evaluator)
    assert why_not == ""
    assert reached_share(found) == pytest.approx(0.5)


def test_one_count_is_enough_where_counts_are_exact() -> None:
    ((found,), _), blocks = figures(
        Figured(ComparisonKind.COUNTED), kind=ComparisonKind.COUNTED
    )
    assert (found.quantity, len(blocks)) == (Quantity.CPU, 1)


def test_nothing_is_measured_without_a_reference_or_for_a_score() -> None:
    assert figures(Figured(), problem=problem_with("")) == (ReferenceComparison(), [])
    assert figures(Figured(ComparisonKind.EXACT), kind=ComparisonKind.EXACT) == (
        ReferenceComparison(),
        [],
    )


@pytest.mark.parametrize(
    ("who", "told"), [("status", "confirmed program"), ("reference_status", "reference")]
)
def test_there_are_no_figures_where_one_of_the_two_fails(who: str, told: str) -> None:
    wrong: dict[str, Any] = {who: Status.WA}
    found, blocks = figures(Figured(odd=lambda reference, block: replace(block, **wrong)))
    assert (found.figures, len(blocks)) == ((), 1)
    assert f"the {told} ends as WA" in found.why_not


def without_finals(reference: Solution, block: Block) -> Block:
    raise ProblemError("no final input is left", hint="give more")


def without_finals_of_the_reference(reference: Solution, block: Block) -> Block:
    return without_finals(reference, block) if reference.id == ID else block


def ran(results: Path, evaluator: Figured, *listeners: CrashAt, name: str = "run") -> Result:
    return start(
        number_run(results, name=name),
        problem=problem_with(),
        evaluators=lambda problem, config: evaluator,
        listeners=listeners,
    )


@pytest.mark.tier("runs")
def test_final_inputs_that_cannot_be_measured_end_no_run(tmp_path: Path) -> None:
    result = ran(tmp_path, Figured(odd=without_finals))
    (last,) = [e for e in events_of(result) if isinstance(e, Confirmed)]
    assert (result.status, last.against_reference) == ("not_proven", ())
    assert "no final input is left" in last.note


@pytest.mark.tier("runs")
def test_a_proof_is_kept_where_the_reference_cannot_be_measured(tmp_path: Path) -> None:
    result = ran(tmp_path, Figured(odd=without_finals_of_the_reference))
    assert result.status == "proven"
    assert result.gain_low is not None
    assert result.gain_low > 1
    (last,) = [e for e in events_of(result) if isinstance(e, Confirmed)]
    assert "no final input is left" in last.no_reference
    assert (result.et, result.mp, result.mi) == (None, None, None)


@pytest.mark.tier("runs")
def test_a_reference_that_fails_leaves_the_shares_unknown(tmp_path: Path) -> None:
    def failing(reference: Solution, block: Block) -> Block:
        return replace(block, reference_status=Status.TLE) if reference.id == ID else block

    result = ran(tmp_path, Figured(odd=failing))
    (last,) = [e for e in events_of(result) if isinstance(e, Confirmed)]
    assert (result.status, result.et) == ("proven", None)
    assert last.no_reference == "measured on final inputs, the reference ends as TLE"
    assert replay(tmp_path / "run").differences == ()


@pytest.mark.tier("runs")
def test_a_run_that_broke_off_beside_the_reference_ends_the_same(tmp_path: Path) -> None:
    whole = ran(tmp_path, Figured(), name="whole")
    with pytest.raises(SandboxError, match="gave up"):
        ran(tmp_path, Figured(), CrashAt("confirmed"), name="broken")
    again = resume(tmp_path / "broken", evaluators=lambda problem, config: Figured())
    assert (again.et, again.gain) == (whole.et, whole.gain)
    for name in ("whole", "broken"):
        assert replay(tmp_path / name).differences == ()
