"""Problem folders: what loads, and what a newcomer is told when it does not."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import ProblemError
from se_agent.problem.loading import find_problems, fingerprint, load_problem
from se_agent.problem.model import Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.values.answer import Answer, Axis
from se_agent.values.evaluation import InputSet
from tests.problems.folders import GENERATOR, INITIAL, SCORED, STDIO, TOML, folder, told


def test_every_shipped_problem_loads_under_its_name() -> None:
    problems = {name: load_problem(name) for name in find_problems()}
    assert [p.name for p in problems.values()] == list(problems)
    kinds = [p.kind for p in problems.values()]
    assert {kind: kinds.count(kind) for kind in ProblemKind} == {
        ProblemKind.FUNCTION: 8,
        ProblemKind.STDIO: 5,
        ProblemKind.SCORE: 2,
        ProblemKind.COMMAND: 0,
        ProblemKind.WORKLOAD: 0,
    }
    functions = [p for p in problems.values() if p.kind is ProblemKind.FUNCTION]
    assert len({p.family for p in functions}) == 8
    assert all(p.statement for p in problems.values())
    assert len({fingerprint(p) for p in problems.values()}) == len(problems)


def test_shipped_problems_are_data_and_know_no_engine() -> None:
    for path in find_problems().values():
        for file in path.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                ours = {"se_agent", "operators", "evaluators", "tests"}
                assert ours.isdisjoint(name.split(".")[0] for name in names), file


def test_the_smallest_folder_works(tmp_path: Path) -> None:
    problem = load_problem(folder(tmp_path, {}))
    assert problem.name == tmp_path.name
    assert (problem.kind, problem.entry_point) == (ProblemKind.FUNCTION, "solve")
    assert problem.initial().text == INITIAL
    assert problem.limits == Limits()
    assert list(problem.ladder.rungs) == [
        ("generate(rng, 10)",),
        ("generate(rng, 100)",),
    ]
    assert (problem.ladder.search_level, problem.ladder.final_level) == (1, 1)
    assert [case.input.level for case in problem.cases] == [0, 1] * 4
    assert all(case.expected is None for case in problem.cases)


def test_a_path_may_name_the_file_or_the_folder(tmp_path: Path) -> None:
    folder(tmp_path, {})
    assert load_problem(tmp_path / "problem.toml") == load_problem(str(tmp_path))


EVERY_KEY = """
kind = "score"
title = "Toys in a line."
family = "toys"
entry_point = "drive"
statement = "what.md"
prelude = "before.py"
imports = ["numpy"]
needs = ["threads", "files", "threads"]
cases = "tests.toml"

[programs]
plain = "plain.py"
clever = "clever.py"

[inputs]
generator = "make.py"
sizes = [1, 5, 25]
search = 5
final = 25
visible = 1

[limits]
cpu_seconds = 2
memory_mb = 3
output_mb = 4

[check]
tolerance = 1e-6

[score]
file = "rate.py"
direction = "maximize"
unit = "points"

[answer]
coordinates = 2
positions = [1]
low = [-1.0]
high = [3.0]
"""


def test_every_key_arrives(tmp_path: Path) -> None:
    files = {
        "problem.toml": EVERY_KEY,
        "what.md": "Do it.",
        "before.py": "def drive(n):\n    return move(n)\n",
        "plain.py": "def move(n):\n    return n\n",
        "clever.py": "import numpy as np\n\n\ndef move(n):\n    return int(np.sqrt(n))\n",
        "make.py": "def generate(rng, size):\n    return (size,)\n",
        "rate.py": "def score(args, output):\n    return output\n",
        "tests.toml": '[[case]]\nname = "two"\nargs = "(2,)"\nseed = 9\nexpected = "{2}"\n',
        "initial.py": None,
        "generator.py": None,
    }
    problem = load_problem(folder(tmp_path, files))
    labels = (problem.title, problem.family, problem.statement)
    assert labels == ("Toys in a line.", "toys", "Do it.")
    assert (problem.entry_point, problem.prelude) == ("drive", files["before.py"])
    assert list(problem.programs) == ["plain", "clever"]
    assert problem.initial("clever").text == files["clever.py"]
    assert (problem.generator, problem.scorer) == (files["make.py"], files["rate.py"])
    assert (problem.direction, problem.unit) == ("maximize", "points")
    assert problem.answer == Answer(
        coordinates=2, axes=(Axis(1, -1.0, 3.0),), larger_is_better=True, cpu_seconds=2
    )
    assert (problem.imports, problem.tolerance) == (("numpy",), 1e-6)
    assert problem.needs == ("threads", "files")
    assert problem.limits == Limits(cpu_seconds=2, memory_bytes=3 << 20, output_bytes=4 << 20)
    assert (problem.ladder.search_level, problem.ladder.final_level) == (1, 2)
    written, generated = problem.cases
    assert (written.name, written.input.code, written.input.seed) == ("two", "(2,)", 9)
    assert written.expected == "{2}"
    assert generated.input.code == "generate(rng, 1)"


def test_a_stdio_case_is_plain_text(tmp_path: Path) -> None:
    cases = '[[case]]\nname = "hello"\nstdin = """\nÄ "x"\n"""\nstdout = "1\\n"\n'
    files = {"problem.toml": STDIO, "cases.toml": cases, "initial.py": "print(1)\n"}
    problem = load_problem(folder(tmp_path, files))
    assert ast.literal_eval(problem.cases[0].input.code) == 'Ä "x"\n'
    assert problem.cases[0].expected == "1\n"


def test_a_stdio_problem_may_say_which_texts_count(tmp_path: Path) -> None:
    inputs = '[inputs]\nsizes = [1, 2]\nvalid = "valid.py"\n'
    said = "def valid(text):\n    return text.isdigit()\n"
    files = {
        "problem.toml": STDIO.partition("[")[0] + inputs,
        "generator.py": GENERATOR,
        "initial.py": "print(1)\n",
        "valid.py": said,
    }
    assert load_problem(folder(tmp_path, files)).valid == said


BROKEN = [
    (
        "texts that nobody makes up",
        {"problem.toml": SCORED.replace("[inputs]", '[inputs]\nvalid = "generator.py"')},
        "problem.toml:5: inputs.valid: no inputs are made up for a score problem",
        "remove the key",
    ),
    (
        "no inputs",
        {"problem.toml": TOML.partition("[")[0]},
        "problem.toml: inputs: this section is missing",
        "add [inputs]",
    ),
    (
        "no entry point",
        {"problem.toml": TOML.replace('entry_point = "solve"', "")},
        "problem.toml: entry_point: this key is missing",
        "add entry_point",
    ),
    (
        "stdio entry point",
        {"problem.toml": 'entry_point = "f"\n' + STDIO},
        "problem.toml:1: entry_point: a stdio program is run whole",
        "remove the key",
    ),
    (
        "no scorer section",
        {"problem.toml": TOML.replace("function", "score")},
        "problem.toml: score: this section is missing",
        "add [score]",
    ),
    (
        "useless scorer",
        {"problem.toml": SCORED.replace('"score"', '"function"')},
        "problem.toml:7: score: a function problem has no score",
        "remove [score]",
    ),
    (
        "arguments for nobody",
        {"problem.toml": TOML + "shown = 1\n"},
        "problem.toml:6: inputs.shown: only a scorer sees more than the program",
        "remove the key",
    ),
    (
        "no visible test",
        {"problem.toml": TOML + "visible = 0\n"},
        "problem.toml:6: inputs.visible: there is no visible test",
        "write cases.toml",
    ),
    ("no program", {"initial.py": None}, "programs.initial: cannot read", "write initial.py"),
    (
        "misnamed generator",
        {"generator.py": None, "generater.py": GENERATOR},
        "problem.toml:4: inputs.generator: cannot read",
        "did you mean 'generater.py'?",
    ),
    (
        "outside",
        {"problem.toml": TOML + 'generator = "../g.py"\n'},
        "problem.toml:6: inputs.generator: '../g.py' lies outside",
        "move the file inside",
    ),
    (
        "no scorer",
        {"problem.toml": SCORED},
        "score.file: cannot read",
        "write scorer.py",
    ),
    (
        "case of another kind",
        {"cases.toml": '[[case]]\nname = "a"\nstdin = "1"\n'},
        "cases.toml:3: case[0].stdin: not in a function case",
        "write args and expected",
    ),
    (
        "case without input",
        {"cases.toml": '[[case]]\nname = "a"\n'},
        "cases.toml:1: case[0].args: this key is missing",
        "add args = ...",
    ),
    (
        "two ways to check",
        {"problem.toml": TOML + '[check]\nfile = "c.py"\ntolerance = 0.1\n'},
        "problem.toml:6: check: has a file and a tolerance",
        "keep one",
    ),
]


@pytest.mark.parametrize(
    ("files", "error", "hint"), [pytest.param(*row, id=name) for name, *row in BROKEN]
)
def test_a_broken_folder_is_told_in_two_lines(
    tmp_path: Path, files: dict[str, str | None], error: str, hint: str
) -> None:
    said, advice = told(tmp_path, files)
    assert error in said
    assert hint in advice
    assert "\n" not in said + advice


@pytest.mark.parametrize(
    ("name", "error", "hint"),
    [
        ("order_reprot", "unknown problem 'order_reprot'", "did you mean 'order_report'?"),
        (
            "zzz",
            "unknown problem 'zzz': neither a folder here nor shipped",
            "known: bin_packing, circle_packing",
        ),
        ("./no/such", "no/such: no such folder", "check the path"),
        (__file__, "not a problem folder", "give the folder"),
    ],
)
def test_an_unknown_problem_is_told(name: str, error: str, hint: str) -> None:
    with pytest.raises(ProblemError, match=error) as caught:
        load_problem(name)
    assert hint in caught.value.hint


def test_an_empty_folder_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"problem\.toml: No such file") as caught:
        load_problem(tmp_path)
    assert "problems/README.md" in caught.value.hint


def test_a_file_that_is_not_text_is_told(tmp_path: Path) -> None:
    folder(tmp_path, {})
    (tmp_path / "initial.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ProblemError, match="can't decode"):
        load_problem(tmp_path)


@given(st.text(max_size=200))
def test_any_text_loads_or_is_told(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = folder(tmp_path_factory.mktemp("any"), {})
    (path / "problem.toml").write_text(text, encoding="utf-8", errors="replace", newline="")
    with pytest.raises(ProblemError, match=r"problem\.toml"):
        load_problem(path)


def test_the_fingerprint_minds_what_matters_and_nothing_else() -> None:
    problem = load_problem("order_report")
    same = replace(problem, name="other", title="other", family="other", statement="other")
    assert fingerprint(same) == fingerprint(load_problem("order_report"))
    others = [
        replace(problem, entry_point="other"),
        replace(problem, tolerance=0.1),
        replace(problem, generator=problem.generator + "\n"),
        replace(problem, cases=problem.cases[1:]),
        replace(problem, limits=Limits(cpu_seconds=1)),
        replace(problem, ladder=replace(problem.ladder, final_level=0)),
        replace(problem, programs={"initial": problem.initial().text + "\n"}),
    ]
    assert len({fingerprint(p) for p in [problem, *others]}) == len(others) + 1
    words = replace(problem.terms, chosen=True)
    assert fingerprint(replace(problem, terms=words)) == fingerprint(problem)


def test_what_older_runs_know_not_leaves_their_fingerprints_as_they_are() -> None:
    problem = Problem(
        name="n",
        kind=ProblemKind.COMMAND,
        programs={"initial": "x = 1\n"},
        command=("python3", "{program}"),
        files={"a": "b"},
    )
    assert fingerprint(problem) == "8a30d88fe5502b15c17b213827467f06"
    assert fingerprint(replace(problem, blobs={"c": "AA=="})) != fingerprint(problem)


def test_visible_seeds_never_meet_those_of_measurements() -> None:
    for name in find_problems():
        problem = load_problem(name)
        visible = {case.input.seed for case in problem.cases}
        levels = range(len(problem.ladder.rungs))
        drawn = [
            problem.ladder.expr(which, index, level)
            for which in InputSet
            for index in range(50)
            for level in levels
        ]
        seeds = [expr.seed for expr in drawn if expr]
        assert len(set(seeds)) == 100 * len(levels)
        assert visible.isdisjoint(seeds)


@given(st.integers(0, 2**64), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 2))
def test_seeds_of_search_and_final_never_meet(
    salt: int, index: int, other: int, level: int
) -> None:
    ladder = Ladder(rungs=(("a",), ("b",), ("c",)))
    search = ladder.expr(InputSet.SEARCH, index, level, salt)
    final = ladder.expr(InputSet.FINAL, other, level, salt)
    again = ladder.expr(InputSet.SEARCH, index, level, salt + 1)
    assert search is not None
    assert final is not None
    assert again is not None
    assert len({search.seed, final.seed, again.seed}) == 3
    assert search == ladder.expr(InputSet.SEARCH, index, level, salt)


def test_listed_inputs_are_the_same_in_every_run() -> None:
    ladder = Ladder(fresh=False, search=(Expr(code="a"),), final=(Expr(code="b"),))
    for salt in (0, 7):
        assert ladder.expr(InputSet.FINAL, 0, salt=salt) == Expr(code="b")
