"""Mistakes in the Python files and cases of a problem, found without running them."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.problem.loading import load_problem
from se_agent.program.source_check import called_name, changed_functions, changed_names
from tests.problems.folders import INITIAL, TOML, folder, told

BROKEN = [
    (
        "program syntax",
        {"initial.py": "def solve(xs):\n    return xs +\n"},
        "initial.py:2: not valid Python: invalid syntax",
        "py_compile initial.py",
    ),
    (
        "generator syntax",
        {"generator.py": "def generate(rng, size:\n"},
        "generator.py:1: not valid Python",
        "py_compile generator.py",
    ),
    (
        "entry point misspelt",
        {"initial.py": INITIAL.replace("solve", "slove")},
        "initial.py: the entry point 'solve' is not defined",
        "did you mean 'slove'?",
    ),
    (
        "entry point inside a class",
        {"initial.py": "class A:\n    def solve(self):\n        pass\n"},
        "initial.py: the entry point 'solve' is not defined",
        "the file defines A",
    ),
    (
        "no generate",
        {"generator.py": "def make(rng, size):\n    return ()\n"},
        "generator.py: the function 'generate' is not defined",
        "the file defines make",
    ),
    (
        "unlisted import",
        {"initial.py": "import math\nimport scipy.optimize\n" + INITIAL},
        "initial.py:2: imports 'scipy', which the problem does not list",
        'add imports = ["scipy"]',
    ),
    (
        "case that is no expression",
        {"cases.toml": '[[case]]\nname = "a"\nargs = "([1"\n'},
        "cases.toml:3: case[0].args: not a Python expression",
        "(1,)",
    ),
    (
        "expected that is no literal",
        {"cases.toml": '[[case]]\nname = "a"\nargs = "()"\nexpected = "f(1)"\n'},
        "cases.toml:4: case[0].expected: not a Python literal",
        "leave the key out",
    ),
]


@pytest.mark.parametrize(
    ("files", "error", "hint"), [pytest.param(*row, id=name) for name, *row in BROKEN]
)
def test_a_mistake_is_told_with_its_place(
    tmp_path: Path, files: dict[str, str | None], error: str, hint: str
) -> None:
    said, advice = told(tmp_path, files)
    assert error in said
    assert hint in advice
    assert "\n" not in said + advice


def test_a_listed_module_allows_its_package(tmp_path: Path) -> None:
    toml = 'imports = ["scipy.optimize"]\n' + TOML
    program = "from scipy import linalg\n" + INITIAL
    path = folder(tmp_path, {"problem.toml": toml, "initial.py": program})
    assert load_problem(path).imports == ("scipy.optimize",)


@pytest.mark.parametrize(
    ("prelude", "program", "name"),
    [
        pytest.param(
            "def tables(n):\n    return [rank(i) for i in n]",
            "K = 1\n\ndef rank(i):\n    return K",
            "rank",
            id="a prelude that calls the program",
        ),
        pytest.param(
            "def helper():\n    return 1",
            "def tables(n):\n    return helper()",
            "tables",
            id="a prelude that helps the program",
        ),
        pytest.param(
            "def tables(n):\n    return n",
            "def rank(i):\n    return i",
            "",
            id="a prelude that needs nothing",
        ),
    ],
)
def test_what_a_program_has_to_define(prelude: str, program: str, name: str) -> None:
    assert called_name("tables", prelude, program) == name


def test_changed_functions_are_told_by_name_and_others_are_not() -> None:
    old = "class A:\n    def f(self): return 1\n    def g(self): return 1\ndef h(): return 1\n"
    new = old.replace("g(self): return 1", "g(self): return 2").replace("def h()", "def h(x=1)")
    assert changed_functions(old, f"# first\n{new}def added(): pass\n") == ("A.g", "h")
    assert changed_functions(old, old) == ()


def test_of_several_names_those_are_told_under_which_code_changed() -> None:
    old = {"a.py": "class A:\n    def f(self): return 1\n", "b.py": "def g(): return 1\n"}
    new = {**old, "a.py": old["a.py"].replace("1", "2")}
    names = ("a.py:A", "a.py:A.f", "a.py:h", "a.py:", "b.py:g", "b.py:", "A.f", "g")
    assert changed_names(names, old, new) == ("a.py:A", "a.py:A.f", "a.py:", "A.f")
