"""`memory`: what earlier runs found out, as a table."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from se_agent.memory.experience import schema
from se_agent.memory.experience.operator_counts import OperatorCounts
from tests.cli.calls import call, two_lines


@pytest.fixture
def results(tmp_path: Path) -> Path:
    rows = {
        "timed": OperatorCounts(rule="seen_set", tries=4, wins=2, gain=2 * math.log(3.0)),
        "scored": OperatorCounts(rule="tune_tpe", tries=5, wins=3, gain=0.0, cpu_seconds=2.0),
        "both": OperatorCounts(
            rule="tune_tpe", family="sums", tries=1, wins=1, gain=math.log(1.5)
        ),
    }
    for run, trials in rows.items():
        schema.write(tmp_path / schema.FILE, run, [trials])
    return tmp_path


def test_gains_are_ratios_and_scores_have_none(results: Path) -> None:
    told = call("memory", "--results", results).out.splitlines()
    assert told[0] == f"{results / schema.FILE}: 3 runs"
    assert told[1].split() == [
        "rule",
        "runs",
        "tries",
        "better",
        "mean",
        "effect",
        "CPU",
        "time",
    ]
    assert told[2].split() == ["tune_tpe", "2", "6", "4", "(67%)", "1.50x", "2", "s"]
    assert told[3].split() == ["seen_set", "1", "4", "2", "(50%)", "3.00x", "0", "us"]


def test_of_one_rule_each_family_is_told(results: Path) -> None:
    told = call("memory", "tune_tpe", "--results", results).out
    (none,) = (line.split() for line in told.splitlines() if line.startswith("none"))
    assert none == ["none", "1", "5", "3", "(60%)", "2", "s"]
    assert "sums" in told


def test_its_rows_are_for_others(results: Path) -> None:
    rows = json.loads(call("memory", "--results", results, "--json").out)
    assert {row["rule"] for row in rows} == {"tune_tpe", "seen_set"}


def test_a_mistyped_rule_is_told(results: Path) -> None:
    error, hint = two_lines(call("memory", "seen_st", "--results", results))
    assert error.endswith("has tried 'seen_st'")
    assert "seen_set" in hint
