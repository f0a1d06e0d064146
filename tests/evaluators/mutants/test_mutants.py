from __future__ import annotations

import ast

import pytest

from evaluators.mutants.mutants import sample
from se_agent.problem.loading import find_problems, load_problem

TEXT = '''"""Doc."""
import sys

LIMIT = 3  # used
UNUSED = 5

def used(xs):
    return [x for x in xs if x < LIMIT]

def unused(xs):
    return xs[1:]

class Box:
    def size(self):
        return 1

def solve(xs):
    box = Box()
    return used(xs) + [box.size()]
'''
DEEP = "def f(x):\n    return x" + " + 1" * 900


def functions(text: str, entry_point: str) -> set[str]:
    return {each.function for each in sample(text, entry_point, count=100).mutants}


class TestReach:
    def test_only_what_the_entry_point_comes_by_is_changed(self) -> None:
        found = sample(TEXT, "solve", count=100).mutants
        assert {each.function for each in found} == {"", "used", "Box.size", "solve"}
        assert any("LIMIT = 4" in each.text for each in found)
        assert not any("UNUSED = 6" in each.text for each in found)

    def test_a_program_that_is_run_whole_is_its_own_entry_point(self) -> None:
        script = TEXT + "\nprint(unused([1, 2]))\n"
        assert functions(script, "") == {"", "unused"}

    def test_of_a_program_that_only_a_prelude_calls_everything_is_changed(self) -> None:
        assert functions(TEXT, "tables") == {"", "used", "unused", "Box.size", "solve"}

    def test_functions_within_functions(self) -> None:
        text = "def f(x):\n    def g(y):\n        return y + x\n    return g(2)\n"
        assert functions(text, "f") == {"f", "f.g"}

    def test_a_definition_in_a_block_counts(self) -> None:
        text = "if True:\n    def g(x): return x + 1\n\ndef f(x): return g(x)\n"
        assert "g" in functions(text, "f")


class TestSample:
    def test_the_same_seed_draws_the_same(self) -> None:
        draws = [sample(TEXT, "solve", count=5, seed=seed) for seed in (1, 1, 2)]
        assert draws[0] == draws[1] != draws[2]
        assert [len(draw.mutants) for draw in draws] == [5, 5, 5]

    @pytest.mark.tier("hunts")
    @pytest.mark.parametrize("name", find_problems())
    def test_all_are_programs_and_differ_in_one_place(self, name: str) -> None:
        problem = load_problem(name)
        text = problem.initial().text
        found = sample(text, problem.entry_point, count=15, seed=3)
        assert len(found.mutants) <= found.places
        assert len({each.text for each in found.mutants}) == len(found.mutants)
        for each in found.mutants:
            ast.parse(each.text)
            before, after = text.splitlines(), each.text.splitlines()
            assert len(before) == len(after)
            assert sum(a != b for a, b in zip(before, after, strict=True)) == 1

    def test_what_compiles_to_the_same_is_the_same(self) -> None:
        # Whatever nothing is taken times is nothing; `0 // 5` is another way to say it.
        found = sample("def f(): return 0 * 5\n", "f", count=100)
        assert [each.text for each in found.mutants if "0 * " in each.text] == []

    @pytest.mark.parametrize("text", ["int main() { return 0; }", "", "x = (", "\x00", DEEP])
    def test_nothing_is_planted_in_what_cannot_be_walked(self, text: str) -> None:
        assert sample(text, "f", count=9).mutants == ()
