"""Folders of `command` problems: what loads, what is told, and the example that people copy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluators.kinds.command import CommandEvaluator
from se_agent.config.sections import Measure
from se_agent.problem.loading import fingerprint, load_problem
from se_agent.problem.model import ProblemKind
from tests.problems.folders import folder, told
from tests.problems.test_readme import TEXT

COMMAND = '[command]\nrun = ["cat", "{program}"]\n'
SCORE = '[score]\ndirection = "maximize"\n'
WHOLE = f'kind = "command"\n\n{COMMAND}\n{SCORE}'
PLAIN: dict[str, str | None] = {
    "generator.py": None,
    "initial.py": "import no_such_package\n",
}


def test_a_command_a_score_and_a_program_are_enough(tmp_path: Path) -> None:
    problem = load_problem(folder(tmp_path, PLAIN | {"problem.toml": WHOLE}))
    assert (problem.kind, problem.command) == (ProblemKind.COMMAND, ("cat", "{program}"))
    assert (problem.timed, problem.trusted) == (False, False)
    assert (problem.direction, problem.path) == ("maximize", "main.py")


def test_files_are_read_and_decide(tmp_path: Path) -> None:
    text = WHOLE.replace("[score]", 'files = ["judge.py"]\n\n[score]')
    prints = []
    for judge in ("print(1)", "print(2)"):
        files = PLAIN | {"problem.toml": text, "judge.py": judge}
        problem = load_problem(folder(tmp_path, files))
        assert problem.files == {"judge.py": judge}
        prints.append(fingerprint(problem))
    assert prints[0] != prints[1]


def test_the_program_has_the_suffix_of_its_language(tmp_path: Path) -> None:
    text = WHOLE.replace("\n", '\nlanguage = "c"\n', 1)
    made: dict[str, str | None] = {
        "problem.toml": text,
        "initial.c": "int main() { }",
        "initial.py": None,
    }
    problem = load_problem(folder(tmp_path, PLAIN | made))
    assert problem.path == "main.c"


@pytest.mark.parametrize(
    ("text", "error", "hint"),
    [
        (WHOLE.replace(COMMAND, ""), "command: this section is missing", "add [command]"),
        (WHOLE.replace(SCORE, ""), "score: this section is missing", "add [score]"),
        (WHOLE + 'file = "scorer.py"\n', ":8: score.file: the command rates", "remove the key"),
        (WHOLE + "\n[inputs]\nsizes = [1]\n", ":9: inputs: a command problem has", "remove it"),
        ('entry_point = "f"\n' + WHOLE, ":1: entry_point: a command problem", "remove it"),
        (WHOLE.replace('"cat", "{program}"', ""), ":4: command.run: ", "README"),
        (WHOLE.replace("[score]", "fils = []\n[score]"), "fils: unknown key", "'files'?"),
        (WHOLE.replace("[score]", 'files = ["x"]\n[score]'), "cannot read", "write x"),
        (WHOLE.replace("command", "score", 1), "entry_point: this key is missing", "add"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, text: str, error: str, hint: str) -> None:
    said, advice = told(tmp_path, PLAIN | {"problem.toml": text})
    assert error in said
    assert hint in advice


def test_other_kinds_have_no_command(tmp_path: Path) -> None:
    plain = 'kind = "function"\nentry_point = "solve"\n\n[inputs]\nsizes = [3]\n\n'
    said, _ = told(tmp_path, {"problem.toml": plain + COMMAND})
    assert ":7: command: a function problem has no command" in said


def test_the_example_works_as_it_stands(tmp_path: Path) -> None:
    section = TEXT.partition("## Any program that prints a score")[2]
    toml, judge = re.findall(r"```(?:toml|py)\n(.*?)```", section, re.DOTALL)[:2]
    initial = "def squares(n):\n    return ' '.join(str(i * i) for i in range(n))\n"
    files = {"problem.toml": toml, "judge.py": judge, "initial.py": initial}
    problem = load_problem(folder(tmp_path, files))
    evaluator = CommandEvaluator(problem, measure=Measure())
    assert evaluator.evaluate(problem.initial()).score == len(initial)
