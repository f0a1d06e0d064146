"""Slow programs: their sizes, their folders and the table. No test depends on a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.figures import slow_programs
from experiments.figures.rows import Row
from experiments.figures.slow_clock import fitting, packages, seconds
from se_agent.problem.loading import load_problem

FILE = '''
PR = {}
words = lambda rng, size: ["".join(rng.choices("ab", k=3)) for _ in range(size)]


def held(name, family):
    def keep(make):
        source, generate = make()
        PR[name] = (family, source, generate, 6, 50)
    return keep


@held("ends", "text")
def _():
    return """def solve(words):
    return [word[-1] for word in words]
""", lambda rng, size: (words(rng, size),)


@held("frames", "tables")
def _():
    return """def solve(size):
    import surely_absent_package
""", lambda rng, size: (size,)
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of two programs."""
    path = tmp_path / "programs.py"
    path.write_text(FILE, encoding="utf-8")
    return path


def linear(size: int) -> float:
    return size / 1000


def doubling(size: int) -> float:
    return float(2.0 ** (size - 20))


def steep(size: int) -> float:
    return 0.001 if size <= 9 else math.inf


def slow(size: int) -> float:
    return 3.0


class TestFitting:
    @pytest.mark.parametrize(
        ("took", "start", "size"),
        [
            pytest.param(linear, 50, 50, id="stays"),
            pytest.param(linear, 3, 24, id="is doubled"),
            pytest.param(linear, 1000, 125, id="is halved"),
            pytest.param(doubling, 8, 16, id="grows fast"),
            pytest.param(doubling, 11, 16, id="the middle, where a step leads past both ends"),
            pytest.param(steep, 4, 9, id="the largest below"),
            pytest.param(slow, 8, 1, id="no size is quick enough"),
        ],
    )
    def test_finds(self, took: Callable[[int], float], start: int, size: int) -> None:
        assert fitting(took, start) == size

    def test_a_program_that_runs_too_deep_is_too_large(self) -> None:
        def deep(n: int) -> int:
            return 1 + deep(n)

        assert seconds(deep, lambda rng, size: (size,), 3) == math.inf


def test_packages_are_those_outside_of_the_standard_library() -> None:
    source = "import re, numpy.linalg\nfrom math import pi\nfrom pandas.core import frame\n"
    assert packages(source) == ("numpy", "pandas")


def test_absent_packages_are_known_before_anything_runs(path: Path) -> None:
    found = slow_programs.clock(path)
    assert {name: program["absent"] for name, program in found.items()} == {
        "ends": [],
        "frames": ["surely_absent_package"],
    }


def test_a_program_becomes_a_problem(path: Path, tmp_path: Path) -> None:
    program = slow_programs.clock(path)["ends"]
    slow_programs.written(tmp_path / "ends", FILE, "ends", program, 400)
    problem = load_problem(str(tmp_path / "ends"))
    assert problem.family == "text"
    assert [rung[0] for rung in problem.ladder.rungs] == [
        f"generate(rng, {size})" for size in (3, 6, 400)
    ]
    namespace: dict[str, object] = {}
    exec(problem.generator, namespace)
    assert callable(namespace["generate"])


def test_the_table_counts_what_is_not_proven_as_a_gain_of_one() -> None:
    ran = {"status": "proven", "cpu_seconds": 40.0, "family": "text"}
    found: dict[str, Row] = {
        "a": {"family": "text", "final": 9},
        "b": {"family": "tables", "absent": ["surely_absent_package"]},
        "a/0": {**ran, "seed": 0, "gain": 400.0, "gain_low": 300.0},
        "a/1": {**ran, "seed": 1, "status": "not_proven", "gain": 2.0},
        "c/1": {**ran, "family": "lists", "seed": 1, "gain": 1.6, "gain_low": 1.4},
    }
    text = slow_programs.table({key: {"key": key, **row} for key, row in found.items()})
    assert "| text | 1 | 2 | 1 (50 %) | 1 (50 %) | 3.16x | 40 |" in text
    assert "| lists | 1 | 1 | 1 (100 %) | 0 (0 %) | 1.60x | 40 |" in text
    assert "| all, seed 0 | 1 | 1 | 1 (100 %) | 1 (100 %) | 10.00x | 40 |" in text
    assert "Left out, for a package that is absent: b (surely_absent_package)." in text
