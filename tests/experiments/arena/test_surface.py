"""When a win counts: over the cells, at equal calls, tokens and CPU; and the agent beside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.arena import surface
from experiments.arena.judge import Judge, judging
from experiments.arena.peers import agent
from experiments.arena.recorded import Recorded
from experiments.arena.runs import spent_by_call
from experiments.arena.server import Market, serving
from experiments.figures.rows import Row
from tests.experiments.arena.test_recorded import evaluator as evaluator


def row(gains: list[float], tokens: int, cpu: float) -> Row:
    """Return the row of a run that has these gains after each call."""
    course = [gains[min(n, len(gains) - 1)] for n in range(40)]
    return {"course": course, "tokens": [tokens] * 40, "cpu": [cpu] * 40, "top": 1.0}


@pytest.mark.parametrize(
    ("cells", "word"),
    [
        pytest.param([0.1] * 8 + [-0.1] * 2, "8 of 10 (+0.060): a win", id="just-enough"),
        pytest.param([0.9] * 7 + [-0.1] * 3, "7 of 10 (+0.600): no win", id="one-too-few"),
        pytest.param([-0.1] * 9 + [0.5], "1 of 10 (-0.040): a loss", id="loss"),
        pytest.param([0.0] * 4, "0 of 4 (+0.000): no win", id="equal"),
        pytest.param([], "not run", id="none"),
    ],
)
def test_a_win_counts_on_four_fifths_of_the_cells(cells: list[float], word: str) -> None:
    assert surface.verdict(cells) == word


def test_each_seed_and_number_of_calls_is_a_cell() -> None:
    early, late = row([0.5], 10, 1.0), row([0.0] * 20 + [1.0], 10, 1.0)
    found = {
        f"{name}/{arm}/{seed}": early if arm == "relay" else late
        for name in "ab"
        for arm in ("relay", "agent")
        for seed in range(3)
    }
    cells = [*surface.leads(found, "relay", "agent", "equal calls")]
    assert cells == pytest.approx([0.5, 0.5, 0.0] * 3)
    assert "| agent | 0.500 |" in surface.table(found)


def test_tokens_and_cpu_are_made_equal_where_the_thriftier_one_stops() -> None:
    dear, cheap = row([0.0] * 10 + [1.0], 100, 1.0), row([0.0] * 10 + [1.0], 10, 2.0)
    found = {"a/relay/0": cheap, "a/agent/0": dear}
    (*_, tokens) = surface.leads(found, "relay", "agent", "equal tokens")
    (*_, cpu) = surface.leads(found, "relay", "agent", "equal CPU")
    assert tokens > 0.5, "the other has made four calls by then"
    assert cpu < 0


def test_cpu_is_told_by_call() -> None:
    assert spent_by_call([(1, 0.5), (1, 0.25), (3, 1.0), (9, 9.0)], 3) == [0.75, 0.0, 1.0]


def test_the_agent_keeps_its_history_and_builds_on_its_best_program(
    evaluator: Recorded, tmp_path: Path
) -> None:
    market = Market(3)
    judge, folder = Judge(evaluator, market), evaluator.lot.folder
    with serving(market) as url, judging(judge) as verdicts:
        words = [url, verdicts, str(folder / "statement.md"), str(folder / "initial.py")]
        command = [sys.executable, agent.__file__, *words, "6", "3", str(tmp_path)]
        subprocess.run(command, check=True, timeout=60)
    assert market.calls.total() == 6
    assert market.tokens == sorted(market.tokens), "each prompt holds all before it"
    assert judge.course
    assert len(judge.cpu) == len(judge.course)


def test_what_came_of_a_try_is_told_in_words() -> None:
    verdict = json.loads('{"right": true, "gain": 0.2, "feedback": ""}')
    assert agent.evaluator_turn("Other order", verdict, 0.3).startswith(
        "## This did not help\n- Other"
    )
    assert agent.evaluator_turn("Other order", verdict | {"right": False}, 0.0).startswith(
        "## This fail"
    )
