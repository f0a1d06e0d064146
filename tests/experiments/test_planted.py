"""The planted wrong programs: they can be made, and the table counts them."""

from __future__ import annotations

import ast

import pytest

from experiments.figures.planted import Plant, plants, table
from se_agent.problem.loading import load_problem
from se_agent.program.language import Language


def test_there_are_thirty_and_each_changes_its_program() -> None:
    found = plants()
    assert len(found) >= 30
    assert len({(plant.problem, plant.name) for plant in found}) == len(found)
    for plant in found:
        problem = load_problem(plant.problem)
        text = problem.initial().text
        assert plant.applied(text) != text
        if problem.language is Language.PYTHON:
            assert ast.dump(ast.parse(plant.applied(text))) != ast.dump(ast.parse(text))


def test_a_text_that_stands_twice_is_no_place_for_a_plant() -> None:
    plant = Plant("any", "twice", "any", (("x", "y"),))
    with pytest.raises(ValueError, match="stands 2 times"):
        plant.applied("x = x")


def test_the_table_counts_what_is_refuted_and_what_should_not_be() -> None:
    known = {"visible": "AC", "tried": 9, "seconds": 1.0, "characters": 4}
    text = table(
        {
            "wrong/p/one (ties)": {**known, "input": "(1,)"},
            "wrong/p/two (zero)": {**known, "input": ""},
            "wrong/p/no plant (zero)": {"visible": "WA"},
            "right/p/rule": {**known, "input": ""},
        }
    )
    assert "1 of 2 refuted; of 1 right rewrites 0." in text
    assert "| p/one | ties | `(1,)` | 1.0 |" in text
    assert "| p/two | zero | not refuted | 1.0 |" in text
