"""A run has the operators of its problem's language, unless it names some."""

from __future__ import annotations

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.run.resolve import operators_of
from se_agent.errors import ConfigError, UnknownPluginError
from se_agent.program.language import Language

PYTHON, CPP = {"set_membership", "tune"}, {"fast_io"}


def test_a_run_in_python_has_the_rules_for_python() -> None:
    names = set(operators_of(Run(problem="x")))
    assert names >= PYTHON | {"crossover"}
    assert not names & CPP


def test_a_run_in_cpp_has_the_rules_for_cpp() -> None:
    names = set(operators_of(Run(problem="x"), language=Language.CPP))
    assert names >= CPP | {"crossover"}
    assert not names & PYTHON


def test_flags_are_no_change_of_a_source() -> None:
    names = operators_of(Run(problem="x"), language=Language.CPP)
    assert "compiler_flags" not in names
    named = Run(problem="x", operators=("compiler_flags",))
    assert "compiler_flags" in operators_of(named, language=Language.CPP)


def test_a_language_without_rules_has_what_is_for_all() -> None:
    assert set(operators_of(Run(problem="x"), language=Language.RUST)) == {
        "crossover",
        "polish",
    }


def test_who_names_operators_gets_them() -> None:
    run = Run(problem="x", operators=("fast_io", "tune"))
    assert set(operators_of(run, language=Language.PYTHON)) == {"fast_io", "tune"}


def test_marks_for_unmarked_numbers_are_for_those_who_ask() -> None:
    assert "tune_literals" not in operators_of(Run(problem="x"))
    assert "tune_literals" in operators_of(Run(problem="x", operators=("tune_literals",)))


def test_what_a_run_is_without() -> None:
    every = operators_of(Run(problem="x"))
    fewer = operators_of(Run(problem="x", without=("seen_set", "crossover")))
    assert list(fewer) == [name for name in every if name not in ("seen_set", "crossover")]
    named = Run(problem="x", operators=("tune", "seen_set"), without=("seen_set",))
    assert list(operators_of(named)) == ["tune"]


def test_a_run_cannot_be_without_what_there_is_not() -> None:
    with pytest.raises(UnknownPluginError, match="seen_sets"):
        operators_of(Run(problem="x", without=("seen_sets",)))
    with pytest.raises(ConfigError, match="no operator is left"):
        operators_of(Run(problem="x", operators=("tune",), without=("tune",)))
