"""What each edit of a champion is worth, in a world in which that is known."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from se_agent.engine.run.knock_outs import FILE, KnockOuts
from se_agent.errors import JournalError
from se_agent.report.words.knock_outs import verdict
from se_agent.values.evaluation import Block, ComparisonKind, Status
from se_agent.values.knock_out import KnockOut, KnockOutOutcome, KnockOutTable
from se_agent.values.solution import Solution
from tests.engine.runs import ran
from tests.engine.step.test_minimise import Leap, Many, Needed, Twice, Writer, Wrong
from tests.fakes import NumberEvaluator
from tests.finished import unfinished


def leapt(results: Path, operator: type[Leap] | type[Writer], *, timed: bool = True) -> Path:
    return Path(ran(results, operators=[operator.name], trim=False, timed=timed).run)


def evaluator() -> NumberEvaluator:
    return NumberEvaluator(ComparisonKind.TIMED)


def table_of(folder: Path, made: NumberEvaluator | None = None) -> KnockOutTable:
    known = KnockOuts(folder)
    (*_, last) = known.measured(made or evaluator(), known.table(1))
    return last


def by_number(table: KnockOutTable) -> dict[int, KnockOut]:
    return {int(dict(row.edit.parameters)["by"]): row for row in table.rows}


def test_an_edit_is_worth_what_the_program_loses_without_it(tmp_path: Path) -> None:
    """A program `x = N` takes 1 / (10 + N) seconds."""
    found = by_number(table_of(leapt(tmp_path, Needed)))
    assert found[1000].effect == pytest.approx(math.log(1110 / 110), abs=0.05)
    assert found[100].effect == pytest.approx(math.log(1110 / 1010), abs=0.05)
    assert {row.outcome for row in found.values()} == {KnockOutOutcome.GAIN}


def test_an_edit_that_brings_nothing_has_no_proven_effect(tmp_path: Path) -> None:
    found = by_number(table_of(leapt(tmp_path, Many)))
    assert {by: row.outcome for by, row in found.items()} == {
        1000: KnockOutOutcome.GAIN,
        3: KnockOutOutcome.UNSEEN,
        2: KnockOutOutcome.UNSEEN,
    }
    assert all(row.low <= row.effect <= row.high for row in found.values())  # type: ignore[operator]


def test_an_edit_without_which_the_program_is_wrong_is_needed(tmp_path: Path) -> None:
    """1001 is a multiple of seven."""
    found = by_number(table_of(leapt(tmp_path, Wrong)))
    assert (found[2].outcome, found[2].status) == (KnockOutOutcome.NEEDED, Status.WA)
    assert found[2].effect is None


class Stricter(NumberEvaluator):
    """Draws inputs on which the champion `x = 1110` is wrong."""

    def block(self, reference: Solution, candidate: Solution, **how: Any) -> Block:
        return replace(super().block(reference, candidate, **how), status=Status.WA)


def test_a_champion_that_is_wrong_on_these_inputs_makes_no_edit_needed(tmp_path: Path) -> None:
    table = table_of(leapt(tmp_path, Needed), Stricter(ComparisonKind.TIMED))
    assert {(row.outcome, row.status) for row in table.rows} == {
        (KnockOutOutcome.REFUTED, Status.WA)
    }
    assert verdict(table.rows[0]) == (
        "not measured: the champion itself gave a wrong answer on these inputs"
    )


def test_of_a_scored_program_an_edit_is_worth_points(tmp_path: Path) -> None:
    folder = leapt(tmp_path, Needed, timed=False)
    found = by_number(table_of(folder, NumberEvaluator()))
    assert {by: row.effect for by, row in found.items()} == {1000: 1000.0, 100: 100.0}
    assert {row.outcome for row in found.values()} == {KnockOutOutcome.GAIN}


def test_an_edit_that_was_made_twice_is_left_out_as_a_whole(tmp_path: Path) -> None:
    assert set(by_number(table_of(leapt(tmp_path, Twice)))) == {1000, 2}


def test_of_what_a_model_wrote_each_run_of_lines_is_left_out(tmp_path: Path) -> None:
    table = table_of(leapt(tmp_path, Writer))
    assert {row.edit.rule for row in table.rows} == {"change"}
    assert [row.outcome for row in table.rows].count(KnockOutOutcome.GAIN) == 1


def test_what_is_measured_is_kept_and_the_next_start_goes_on(tmp_path: Path) -> None:
    folder = leapt(tmp_path, Many)
    known = KnockOuts(folder)
    (first,) = islice(known.measured(evaluator(), known.table(7)), 1)
    again = KnockOuts(folder)
    table = again.table(None)
    assert (table.seed, table.rows) == (7, first.rows)
    log = tmp_path / "log"
    paid = NumberEvaluator(ComparisonKind.TIMED, log=log)
    (*_, last) = again.measured(paid, table)
    assert len(last.rows) == 3
    assert log.read_text().count("evaluate") == 2  # of three, one is on record
    assert again.table(None) == last
    assert list(again.measured(evaluator(), last)) == []


@pytest.mark.parametrize("change", ["seed", "blocks"])
def test_rows_of_another_measurement_are_not_taken_over(tmp_path: Path, change: str) -> None:
    folder = leapt(tmp_path, Needed)
    table_of(folder)
    known = KnockOuts(folder, blocks=9 if change == "blocks" else None)
    assert known.table(2 if change == "seed" else 1).rows == ()


def test_the_journal_stays_as_it_was(tmp_path: Path) -> None:
    folder = leapt(tmp_path, Needed)
    before = (folder / "run.db").read_bytes()
    table_of(folder)
    assert (folder / "run.db").read_bytes() == before


@pytest.mark.tier("runs")
def test_a_run_without_a_confirmed_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cut").mkdir()
    with pytest.raises(JournalError, match="no confirmed program"):
        KnockOuts(unfinished(tmp_path / "cut", 3))


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    folder = leapt(tmp_path, Needed)
    (folder / FILE).write_text("{")
    with pytest.raises(JournalError, match=FILE):
        KnockOuts(folder).table(None)
