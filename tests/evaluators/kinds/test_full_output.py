"""What evaluators hand over of a failure: all that they saw, and not only what they tell."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evaluators.kinds.command import CommandEvaluator
from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.stdio import StdioEvaluator
from evaluators.languages.tool import installed
from evaluators.suite.suite import Suite
from se_agent.config.sections import Measure
from se_agent.problem.model import Gate
from se_agent.program.language import Language
from se_agent.values.evaluation import MOST_OUTPUT, Evaluation, Measurement, Status
from se_agent.values.solution import Solution
from tests.evaluators.kinds.test_command import command_problem
from tests.evaluators.kinds.test_function import BRIEF, FAST, function_problem
from tests.evaluators.kinds.test_stdio import stdio_problem
from tests.evaluators.languages.test_cpp_evaluator import problem as cpp_problem
from tests.evaluators.worlds import solution

RIGHT = Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.1), cost_seconds=0.1)


def called(text: str) -> Evaluation:
    evaluator = FunctionEvaluator(function_problem(), measure=BRIEF)
    try:
        return evaluator.evaluate(solution(text))
    finally:
        evaluator.close()


@pytest.mark.row("SQ-20")
def test_the_complaint_of_a_command_is_whole() -> None:
    text = "import sys\nfor n in range(20000): print('line', n, file=sys.stderr)\nsys.exit(3)\n"
    evaluator = CommandEvaluator(command_problem(), measure=Measure())
    found = evaluator.evaluate(solution(text))
    evaluator.close()
    assert len(found.feedback) <= 600
    assert found.full_output.startswith("standard error:\nline 0\nline 1\n")
    assert "line 19999" in found.full_output


@pytest.mark.row("SQ-20")
def test_a_long_wrong_answer_is_whole_beside_the_right_one() -> None:
    found = called("def distinct(xs):\n    return list(dict.fromkeys(xs)) + [7] * 5000\n")
    assert len(found.failing[0].got) <= 300
    assert found.full_output.startswith("input: ([2, 1, 2],)\nexpected: [2, 1]\ngot: [2, 1, 7,")
    assert found.full_output.count("7, 7, 7") > 1000


def test_a_short_wrong_answer_has_nothing_more_to_show() -> None:
    assert called("def distinct(xs):\n    return xs\n").full_output == ""


def test_a_right_program_has_no_output() -> None:
    assert called(FAST).full_output == ""


@pytest.mark.row("SQ-20")
def test_the_text_of_an_exception_is_whole() -> None:
    lines = "def distinct(xs):\n    raise ValueError('\\n'.join(map(str, range(9000))))\n"
    found = called(lines)
    assert found.status is Status.RE
    assert len(found.feedback) < 1000
    assert "\n8999" in found.full_output


def test_the_text_of_an_exception_is_bounded() -> None:
    found = called("def distinct(xs):\n    raise ValueError('x' * 10**7)\n")
    assert 10_000 < len(found.full_output) <= 1 << 16
    assert "bytes are left out here" in found.full_output
    assert found.feedback.startswith("ValueError: xxx")


@pytest.mark.parametrize(
    "text",
    [
        "class E(Exception):\n    def __str__(self):\n        raise self\n",
        "class E(Exception):\n    def __str__(self):\n        return '\\n\\0\\n' * 5000\n",
        "class E(Exception):\n    def __str__(self):\n        return '\\udcff' * 5000\n",
    ],
)
def test_an_exception_that_is_no_text_harms_nobody(text: str) -> None:
    found = called(f"{text}\ndef distinct(xs):\n    raise E\n")
    assert found.status is Status.RE
    assert len(found.full_output) <= 4 << 16


@pytest.mark.row("SQ-20")
def test_what_a_script_writes_before_it_fails_is_whole() -> None:
    text = "import sys\nfor n in range(9000): print('line', n, file=sys.stderr)\nsys.exit(3)\n"
    evaluator = StdioEvaluator(stdio_problem(), measure=BRIEF)
    found = evaluator.evaluate(solution(text))
    evaluator.close()
    assert found.status is Status.RE
    assert len(found.feedback) < 2200
    assert "line 0\n" in found.full_output
    assert "line 8999" in found.full_output


@pytest.mark.row("SQ-20")
def test_what_a_script_prints_before_it_fails_is_kept_beside_its_complaints() -> None:
    text = "print('so far 1')\nraise ValueError('here')\n"
    evaluator = StdioEvaluator(stdio_problem(), measure=BRIEF)
    found = evaluator.evaluate(solution(text))
    evaluator.close()
    assert "so far" not in found.feedback
    assert found.full_output == "standard output:\nso far 1\n"


@pytest.mark.row("SQ-20")
def test_of_a_long_output_of_a_script_both_ends_are_kept_and_the_gap_is_told() -> None:
    text = "for n in range(300_000): print('line', n)\nraise ValueError('here')\n"
    evaluator = StdioEvaluator(stdio_problem(), measure=BRIEF)
    found = evaluator.evaluate(solution(text))
    evaluator.close()
    assert len(found.full_output) <= MOST_OUTPUT
    assert "standard output:\nline 0\nline 1\n" in found.full_output
    assert found.full_output.endswith("line 299999\n")
    assert whole_size(found.full_output) == sum(len(f"line {n}\n") for n in range(300_000))


def whole_size(text: str) -> int:
    """Return how many bytes standard output had, by what is there and what the mark says."""
    printed = text.partition("standard output:\n")[2]
    (mark,) = re.findall(r"\n\[\.\.\. (\d+) bytes are left out here \.\.\.\]\n", printed)
    told = f"\n[... {mark} bytes are left out here ...]\n"
    return len(printed.encode()) - len(told) + int(mark)


@pytest.mark.row("SQ-20")
def test_of_3_mb_that_a_command_prints_both_ends_are_kept() -> None:
    text = "for n in range(400_000): print('line', n)\nimport sys\nsys.exit('nothing')\n"
    problem = command_problem()
    roomy = replace(problem, limits=replace(problem.limits, output_bytes=16 << 20))
    evaluator = CommandEvaluator(roomy, measure=Measure())
    found = evaluator.evaluate(solution(text))
    evaluator.close()
    assert MOST_OUTPUT - 6000 < len(found.full_output) <= MOST_OUTPUT
    assert found.full_output.startswith("standard error:\nnothing\n")
    assert "standard output:\nline 0\n" in found.full_output
    assert found.full_output.endswith("line 399999\n")
    assert whole_size(found.full_output) == sum(len(f"line {n}\n") for n in range(400_000))


@pytest.mark.tier("hunts")
@pytest.mark.row("SQ-20")
def test_of_3_mb_that_tests_print_both_ends_are_kept(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("def double(n):\n    return 2 * n\n")
    (tmp_path / "test_tools.py").write_text(
        "from tools import double\n\n"
        "def test_three():\n"
        "    for n in range(100000): print('this is a line of thirty bytes', n)\n"
        "    assert double(3) == 6\n"
    )
    gate = Gate(
        root=str(tmp_path),
        module="tools.py",
        tests="test_tools.py",
        path=(".",),
        python=sys.executable,
        seconds=30.0,
    )
    found = Suite(gate).judged("def double(n):\n    return 3 * n\n", RIGHT)
    assert found.status is Status.WA
    assert found.failing[0].name.endswith("test_three")
    assert len(found.feedback) < 400
    assert MOST_OUTPUT - 5000 < len(found.full_output) <= MOST_OUTPUT + 1000
    assert "this is a line of thirty bytes 0\n" in found.full_output
    assert "bytes are left out here" in found.full_output
    assert "this is a line of thirty bytes 99999" in found.full_output


@pytest.mark.tier("hunts")
@pytest.mark.row("SQ-20")
@pytest.mark.skipif(installed(Language.CPP) is None, reason="no compiler for C++")
def test_all_that_a_compiler_says_is_whole() -> None:
    text = "int main() {\n" + "".join(f"  missing_{n}();\n" for n in range(60)) + "}\n"
    evaluator = StdioEvaluator(cpp_problem(), measure=BRIEF)
    found = evaluator.evaluate(Solution(id="Gen1_Sol_1", files={"main.cpp": text}))
    evaluator.close()
    assert found.status is Status.CE
    assert "missing_59" not in found.feedback
    assert len(found.feedback) <= 1500
    assert "missing_59" in found.full_output
