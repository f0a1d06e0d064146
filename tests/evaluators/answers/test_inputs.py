from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.answers.inputs import Cache, InputPool, Room
from evaluators.running.runner import CallRunner, StdioRunner
from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr, Problem
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import timed_problem


def pool(generator: str = "", *, sandbox: ScriptedSandbox | None = None) -> InputPool:
    problem = timed_problem(generator=generator)
    cache: Cache[Expr, bytes] = Cache(lambda _, data: len(data), Room())
    return InputPool(problem, sandbox or ScriptedSandbox(), CallRunner(problem), cache)


def values(made: tuple[bytes, ...]) -> list[object]:
    return [wire.loads(data) for data in made]


class TestReal:
    def test_expressions_see_the_generator_and_two_seeded_sources(self) -> None:
        source = "import random\ndef pick(rng): return rng.random(), random.random()"
        one = Expr(code="pick(rng)", seed=1)
        first, again, other = pool(source).real([one, one, replace(one, seed=2)])
        assert first == again != other
        drawn = wire.loads(first)
        assert drawn[0] == drawn[1]

    def test_inputs_do_not_depend_on_their_neighbours(self) -> None:
        source = "def pick(rng): return (rng.random(),)"
        exprs = [Expr(code="pick(rng)", seed=seed) for seed in range(4)]
        assert pool(source).real(exprs[2:3]) == pool(source).real(exprs)[2:3]

    def test_each_is_made_once(self) -> None:
        making = pool(sandbox=(sandbox := ScriptedSandbox()))
        exprs = [Expr(code=f"({n},)") for n in range(3)]
        assert values(making.real(exprs)) == values(making.real(exprs)) == [(0,), (1,), (2,)]
        assert len(sandbox.jobs) == 1

    def test_what_was_made_is_remembered_and_nothing_is_made_for_that(self) -> None:
        making = pool(sandbox=(sandbox := ScriptedSandbox()))
        exprs = [Expr(code=f"({n},)") for n in range(3)]
        made = making.real(exprs[1:])
        assert tuple(making.remembered(exprs)) == made
        assert len(sandbox.jobs) == 1

    def test_a_list_of_arguments_is_as_good_as_a_tuple(self) -> None:
        assert values(pool().real([Expr(code="[[1, 2], 3]")])) == [([1, 2], 3)]

    @pytest.mark.parametrize(
        ("generator", "code", "message"),
        [
            pytest.param("", "1 / 0", r"input '1 / 0' with seed 0 .*ZeroDivision", id="raises"),
            pytest.param(
                "from collections import namedtuple\nPoint = namedtuple('Point', 'x')",
                "([Point(1)],)",
                r"holds a value of a class, which a program has only once it is loaded",
                id="class",
            ),
            pytest.param("", "5", r"it gives int, not tuple", id="no-arguments"),
            pytest.param("def f(:", "()", r"cannot be made", id="does-not-compile"),
            pytest.param("", "(object(),)", r"cannot be sent.* type object", id="odd-type"),
        ],
    )
    def test_a_broken_generator_is_named(self, generator: str, code: str, message: str) -> None:
        with pytest.raises(ProblemError, match=message) as caught:
            pool(generator).real([Expr(code="(1,)"), Expr(code=code)])
        assert caught.value.hint

    def test_standard_input_is_text(self) -> None:
        problem: Problem = timed_problem(generator="")
        cache: Cache[Expr, bytes] = Cache(lambda _, data: len(data), Room())
        making = InputPool(problem, ScriptedSandbox(), StdioRunner(problem), cache)
        assert making.real([Expr(code="'1 2\\n'")]) == (b"1 2\n",)
        with pytest.raises(ProblemError, match="it gives tuple, not str"):
            making.real([Expr(code="()")])


class TestDistinct:
    def test_equal_inputs_count_once(self) -> None:
        exprs = [Expr(code=f"({n % 3},)", seed=n) for n in range(20)]
        assert pool().distinct(exprs, 2) == tuple(exprs[:2])
        assert pool().distinct(exprs, 9) == tuple(exprs[:3])

    def test_none_is_passed_over(self) -> None:
        exprs = [Expr(code=f"({n},)") for n in (0, 0, 1, 2, 2, 3)]
        assert pool().distinct(exprs, 3) == (exprs[0], exprs[2], exprs[3])

    def test_some_can_be_left_out(self) -> None:
        exprs = [Expr(code=f"({n},)") for n in range(6)]
        odd = pool().distinct(exprs, 2, without=lambda data: wire.loads(data)[0] % 2 == 0)
        assert odd == (exprs[1], exprs[3])

    def test_it_makes_no_more_than_it_needs(self) -> None:
        making = pool(sandbox=(sandbox := ScriptedSandbox()))
        making.distinct((Expr(code=f"({n},)") for n in range(1000)), 4)
        assert sum(len(job.inputs) for job in sandbox.jobs) == 4


class TestCache:
    def test_the_least_recently_used_go_first(self) -> None:
        cache: Cache[str, int] = Cache(lambda _, weight: weight, Room(10))
        for key in "abc":
            cache.put(key, 4)
            cache.get("a")
        assert [cache.get(key) for key in "abc"] == [4, None, 4]

    def test_one_that_is_too_heavy_is_kept_until_the_next(self) -> None:
        cache: Cache[str, int] = Cache(lambda _, weight: weight, Room(10))
        cache.put("a", 50)
        assert cache.get("a") == 50
        cache.put("b", 1)
        assert cache.get("a") is None
        assert cache.get("b") == 1

    def test_two_share_a_room_but_no_value(self) -> None:
        room = Room(10)
        one, two = (Cache[str, int](lambda _, weight: weight, room) for _ in range(2))
        one.put("a", 6)
        assert two.get("a") is None
        two.put("a", 4)
        assert (one.get("a"), two.get("a")) == (6, 4)
        two.put("b", 1)
        assert (one.get("a"), two.get("a")) == (None, 4)
