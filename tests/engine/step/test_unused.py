"""What edits brought and nothing uses is found; what is the author's, or may be used, stays."""

from __future__ import annotations

import pytest

from se_agent.engine.step.unused import tidied_files

INITIAL = "import os\n\n\ndef old():\n    pass\n\n\ndef solve(xs):\n    return sum(xs)\n"


def left(new: str, initial: str = INITIAL) -> tuple[str, ...]:
    """Return the names that go from a program."""
    return tidied_files({"main.py": initial}, {"main.py": new}).names


@pytest.mark.parametrize(
    ("brought", "names"),
    [
        pytest.param("def helper():\n    return 1\n\n\n", ("helper",), id="function"),
        pytest.param("@cache\ndef helper():\n    return 1\n\n\n", ("helper",), id="cached"),
        pytest.param(
            "def helper(n):\n    return helper(n - 1)\n\n\n", ("helper",), id="recursive"
        ),
        pytest.param("import json\n", ("json",), id="import"),
        pytest.param("import numpy as np\n", ("np",), id="import-as"),
        pytest.param("from math import pi\n", ("pi",), id="from-import"),
        pytest.param("TABLE = [n * n for n in range(9)]\n", ("TABLE",), id="table"),
        pytest.param("TABLE: list[int] = []\n", ("TABLE",), id="annotated-table"),
        pytest.param("ROW = [1]\nTABLE = [ROW]\n", ("TABLE", "ROW"), id="one-for-the-other"),
    ],
)
def test_what_nothing_uses_goes(brought: str, names: tuple[str, ...]) -> None:
    found = tidied_files({"main.py": INITIAL}, {"main.py": brought + INITIAL})
    assert found.names == names
    assert found.files == {"main.py": INITIAL}


@pytest.mark.parametrize(
    "brought",
    [
        pytest.param(
            "SIZES = {}\n\n\ndef put(n):\n    SIZES[n] = n\n\n\nput(1)\n", id="called"
        ),
        pytest.param(
            "def helper():\n    pass\n\n\n__all__ = ['helper']\n", id="named-in-a-text"
        ),
        pytest.param("import sys\n\nsys.setrecursionlimit(9999)\n", id="an-effect"),
        pytest.param("@register\ndef helper():\n    pass\n\n\n", id="decorated"),
        pytest.param("def helper():\n    pass\n\n\nglobals()\n", id="who-sees-all"),
        pytest.param("a, b = 1, 2\nprint(a)\n", id="two-at-once"),
        pytest.param("OLD = os.umask(0)\n", id="a-value-with-an-effect"),
        pytest.param("def helper(at=os.umask(0)):\n    pass\n\n\n", id="a-default-with-one"),
        pytest.param("from __future__ import annotations\n", id="future"),
        pytest.param("from math import *\nsqrt(4)\n", id="star"),
        pytest.param("import json; import math\nmath.pi\n", id="two-on-a-line"),
        pytest.param(
            "from typing import List\n\n\ndef f(x: 'List[int]'):\n    pass\n\n\nf(1)\n",
            id="within-a-text",
        ),
        pytest.param("def op_a():\n    pass\n\n\nos.__dict__\n", id="who-sees-a-module"),
    ],
)
def test_what_may_be_used_stays(brought: str) -> None:
    assert left(brought + INITIAL) == ()


def test_what_the_author_does_not_use_stays() -> None:
    assert left(INITIAL) == ()
    assert left(INITIAL.replace("sum(xs)", "max(xs)")) == ()


def test_of_an_import_what_is_used_stays() -> None:
    new = f"from math import pi, tau as turn\n{INITIAL}turn\n"
    found = tidied_files({"main.py": INITIAL}, {"main.py": new})
    assert found.names == ("pi",)
    assert found.files["main.py"].startswith("from math import tau as turn\n")


@pytest.mark.parametrize(
    ("initial", "now"),
    [
        pytest.param("if True:\n    import re\n", "import re\n", id="import-in-a-branch"),
        pytest.param("A, B = 1, 2\n", "A = 1\nB = 2\n", id="two-at-once"),
        pytest.param("class Old:\n    pass\n", "def Old():\n    pass\n", id="class"),
    ],
)
def test_what_the_author_bound_in_another_way_stays(initial: str, now: str) -> None:
    assert left(now + INITIAL, initial + INITIAL) == ()


@pytest.mark.parametrize("mark", ["\x0c\n", "NOTE = 'a\x1cb\u2028'\n"])
def test_other_lines_stay_where_a_text_has_marks_that_end_none(mark: str) -> None:
    initial = mark + INITIAL
    new = initial.replace("def solve", "def helper():\n    return 1\n\n\ndef solve")
    assert tidied_files({"main.py": initial}, {"main.py": new}).files == {"main.py": initial}


def test_a_name_in_documentation_is_no_use_of_it() -> None:
    new = f"def helper():\n    pass\n\n\ndef f():\n    'A helper.'\n\n\nf()\n{INITIAL}"
    assert left(new) == ("helper",)


def test_what_another_file_uses_stays() -> None:
    files = {
        "main.py": f"def helper():\n    pass\n\n\n{INITIAL}",
        "b.py": "import main\nmain.helper()\n",
    }
    assert tidied_files({"main.py": INITIAL, "b.py": files["b.py"]}, files).names == ()
    alone = {**files, "b.py": "import main\n"}
    assert tidied_files({"main.py": INITIAL, "b.py": alone["b.py"]}, alone).names == ("helper",)


def test_a_program_in_another_language_stays() -> None:
    files = {"main.cpp": "int helper() { return 1; }\nint main() {}\n"}
    assert tidied_files({"main.cpp": "int main() {}\n"}, files) == (files, ())
