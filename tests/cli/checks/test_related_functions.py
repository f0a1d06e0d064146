"""Errors of candidates lead to other functions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from se_agent.cli.checks.related_functions import related_lines
from se_agent.events import Started
from se_agent.values.evaluation import Status
from tests.finished import events
from tests.memory.graph.test_triples import BROKEN, INITIAL, WRONG, a_program, a_step


@pytest.mark.tier("runs")
def test_an_error_leads_to_the_functions_that_call_where_it_came_up() -> None:
    (begun,) = (event for event in events(timed=True) if isinstance(event, Started))
    begun = begun.model_copy(update={"name": "sums", "initial": a_program(0, INITIAL)})
    told = [begun, *a_step(0, a_program(1, BROKEN), WRONG)]
    (line,) = related_lines(told, "solve")
    assert line == (
        "a candidate's error leads to total(), which solve() calls: "
        "ZeroDivisionError: division by zero"
    )
    assert list(related_lines(told[:1], "solve")) == []


def test_a_wrong_answer_leads_nowhere() -> None:
    (begun,) = (event for event in events(timed=True) if isinstance(event, Started))
    begun = begun.model_copy(update={"name": "sums", "initial": a_program(0, INITIAL)})
    said = "seven: expected 7, got raises KeyError"
    wrong = replace(WRONG, status=Status.WA, feedback=said)
    assert list(related_lines([begun, *a_step(0, a_program(1, BROKEN), wrong)], "solve")) == []
