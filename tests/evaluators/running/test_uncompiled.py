"""What the author of a program that does not compile is told."""

from __future__ import annotations

import pytest

from evaluators.languages.tool import installed
from evaluators.running.uncompiled import uncompiled
from se_agent.problem.model import Problem, ProblemKind
from se_agent.program.language import Language

FEEDBACK = "main.cpp:3:9: error: no x\n    3 | return x;\n      |        ^"


def problem(language: Language, **programs: str) -> Problem:
    return Problem(name="sums", kind=ProblemKind.STDIO, programs=programs, language=language)


def test_the_lines_of_a_compiler_stay_lines() -> None:
    told = uncompiled(problem(Language.CPP, initial="text"), "text", FEEDBACK)
    said = "the initial program of 'sums' does not compile: initial.cpp:3:9: error: no x"
    assert str(told) == said
    assert told.said == "    3 | return x;\n      |        ^"


def test_places_bear_the_name_of_the_program_that_was_chosen() -> None:
    told = uncompiled(problem(Language.CPP, initial="text", begin="other"), "other", FEEDBACK)
    assert "compile: begin.cpp:3:9: error" in str(told)
    assert told.hint.startswith("correct begin.cpp")


def test_a_class_that_must_be_called_main_is_a_file_of_its_author() -> None:
    feedback = "Main.java:1: error: class MainPart is missing\n1 error"
    told = uncompiled(problem(Language.JAVA, initial="text"), "text", feedback)
    assert str(told).endswith(": initial.java:1: error: class MainPart is missing")


@pytest.mark.skipif(installed(Language.CPP) is None, reason="no compiler for C++ here")
def test_the_hint_has_the_command_that_compiles_it() -> None:
    told = uncompiled(problem(Language.CPP, initial="text"), "text", FEEDBACK)
    assert "by `g++ -std=gnu++20 -O2 -static" in told.hint.replace("clang++", "g++")


def test_what_is_not_compiled_by_a_tool_has_no_command() -> None:
    told = uncompiled(problem(Language.PYTHON, initial="text"), "text", "invalid syntax")
    assert (told.hint, told.said) == ("correct initial.py", "")
