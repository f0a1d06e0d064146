"""From what the user said of inputs to the inputs of a problem."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr
from se_agent.user_function.function import find
from se_agent.user_function.inputs import source
from se_agent.user_function.jail_calls import Caller
from se_agent.user_function.plan import ProofPlan, plan
from se_agent.user_function.survey import Survey
from se_agent.values.evaluation import InputSet
from tests.user_function.jails import OpenJail

TOOLS = """\
def f(values):
    if values is None: raise ValueError("no values")
    if values and values[0] == "odd": raise LookupError("an odd one")
    if values and str(values[0]).isdecimal(): return "x" * int(values[0]) * len(values)
    return sorted(values)
def cost(values):
    return {cost}
"""
CASES = """\
def sized(rng, size): return ([rng.random() for _ in range(size)],)
def picky(rng, size): return ([1 // (size - 1)] * size,)
def mixed(rng, size): return ([rng.choice(["odd", "even"])] * size,)
def odd_at_first(rng, size): return (["odd" if size < 30 else "even"] * size,)
def odd(rng, size): return (["odd"] * (size + 1),)
def mixed_seeds(rng): return ([rng.choice(["odd", "odd", "even"])],)
def narrow(rng, size): return ([-size],)
def short(rng, size): return ([-[1][size // 100]],)
def wide(rng, size): return (["200000"] * size,)
def vast(rng, size): return (["30000000"] * size,)
def wide_seeds(rng): return (["4000000"],)
WIDE = [(["30000000"] * n,) for n in (1, 1, 2)]
def seeded(rng): return ([rng.random() for _ in range(9)],)
def listed():
    for size in range(80): yield (list(range(size)),)
UNEVEN = [([1] * 9,), ([1],), ([2] * 9,)]
FEW = [([1],), ([2],), ([1],)]
NONE = [(None,)]
EMPTY = []
def untupled(rng): return [rng.random()]
BARE = [[1], [2]]
def three(a, b, c): pass
def raises(rng): raise LookupError("no luck")
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "cases.py").write_text(CASES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def planned(
    shop: Path,
    generator: str = "",
    *,
    examples: tuple[str, ...] = (),
    recorded: tuple[bytes, ...] = (),
    cost: str = "0.01",
    split: bool = True,
    waiting: float = 0.0,
    late: float = 0.0,
    crowded: float = 1.0,
    may_wait: bool = False,
) -> ProofPlan:
    (shop / "tools.py").write_text(TOOLS.format(cost=cost), encoding="utf-8")
    target = find(f"{shop / 'tools.py'}:f")
    given = source(target, generator and f"cases.py:{generator}", examples, recorded)
    jail = OpenJail(waiting, late, crowded)
    return plan(Survey(Caller(jail, target, may_wait), given), split=split)


class TestSized:
    def test_the_largest_size_that_is_quick_enough_is_measured(self, shop: Path) -> None:
        found = planned(shop, "sized", cost="len(values) * 1e-3")
        sizes = [code for (code,) in found.ladder.rungs]
        assert sizes[found.ladder.final_level] == "_tuple(_made(rng, 100))"
        assert sizes[-1] == "_tuple(_made(rng, 300))"
        assert [Expr(code=code).size for code in sizes] == [1, 3, 10, 30, 100, 300]
        assert found.ladder.fresh

    @pytest.mark.parametrize(("cost", "size"), [("1e-3", 30), ("1e-2", 3), ("1e-6", 10000)])
    def test_the_search_begins_where_a_call_takes_long_enough_or_on_the_largest(
        self, shop: Path, cost: str, size: int
    ) -> None:
        ladder = planned(shop, "sized", cost=f"len(values) * {cost}").ladder
        assert ladder.rungs[ladder.search_level] == (f"_tuple(_made(rng, {size}))",)
        assert ladder.search_level <= ladder.final_level

    def test_what_only_the_first_call_takes_says_nothing_of_sizes(self, shop: Path) -> None:
        first = "0.13 * (not globals().setdefault('seen', []) and not seen.append(1))"
        ladder = planned(shop, "sized", cost=f"{first} + len(values) * 1e-3").ladder
        assert ladder == planned(shop, "sized", cost="len(values) * 1e-3").ladder

    def test_edge_sizes_come_first_and_every_size_has_several_seeds(self, shop: Path) -> None:
        found = planned(shop, "sized", cost="len(values) * 1e-4")
        names = [case.name for case in found.cases]
        assert names[:2] == ["size 0, seed 0", "size 0, seed 1"]
        assert {"size 1, seed 3", "size 2, seed 0", "size 100, seed 0"} <= set(names)
        assert len({case.input for case in found.cases}) == len(names)

    def test_a_size_that_the_generator_cannot_make_is_left_out(self, shop: Path) -> None:
        found = planned(shop, "picky", cost="len(values) * 1e-3")
        assert not [case for case in found.cases if case.name.startswith("size 1,")]
        assert [case for case in found.cases if case.name.startswith("size 0,")]

    def test_a_function_that_takes_long_at_once_is_not_asked_for_more(self, shop: Path) -> None:
        found = planned(shop, "sized", cost="10.0 ** len(values) / 1000")
        assert [code for (code,) in found.ladder.rungs] == [
            "_tuple(_made(rng, 1))",
            "_tuple(_made(rng, 3))",
        ]
        assert found.ladder.final_level == 0

    def test_sizes_between_a_quick_one_and_one_that_takes_too_long_are_tried(
        self, shop: Path
    ) -> None:
        found = planned(shop, "sized", cost="1e-16 * len(values) ** 8")
        assert [code for (code,) in found.ladder.rungs] == [
            f"_tuple(_made(rng, {size}))" for size in (1, 3, 10, 30, 54, 73, 100)
        ]
        assert found.ladder.final_level == 5
        assert "measured on inputs of size 73" in found.choice

    def test_a_size_needs_one_input_among_several_that_is_answered(self, shop: Path) -> None:
        found = planned(shop, "mixed", cost="len(values) * 1e-3")
        assert [code for (code,) in found.ladder.rungs] == [
            f"_tuple(_made(rng, {size}))" for size in (1, 3, 10, 30, 100, 300)
        ]

    def test_a_size_on_which_it_only_raises_is_compared_but_not_measured(
        self, shop: Path
    ) -> None:
        found = planned(shop, "odd_at_first", cost="len(values) * 1e-3")
        assert [code for (code,) in found.ladder.rungs] == [
            f"_tuple(_made(rng, {size}))" for size in (30, 100, 300)
        ]
        assert "size 8, seed 0" in {case.name for case in found.cases}

    def test_a_size_whose_answer_is_too_large_is_told_and_not_measured(
        self, shop: Path
    ) -> None:
        found = planned(shop, "wide", cost="len(values) * 1e-4")
        assert [code for (code,) in found.ladder.rungs] == [
            f"_tuple(_made(rng, {size}))" for size in (1, 3, 10, 30)
        ]
        assert found.ladder.final_level == 3
        assert found.choice == (
            "measured on inputs of size 30, 3 ms of CPU time a call; "
            "size 100 is too large: its answer has 20 MB, 16 is the most"
        )

    def test_the_answers_to_all_cases_fit_into_one_run(self, shop: Path) -> None:
        sizes = [
            int(case.name.split()[1].rstrip(","))
            for case in planned(shop, "wide", cost="0.001").cases
        ]
        assert {0, 1, 2, 3, 5, 8, 10} <= set(sizes)
        assert 200_000 * sum(sizes) < 48_000_000

    def test_no_case_is_larger_than_what_was_looked_at(self, shop: Path) -> None:
        found = planned(shop, "sized", cost="10.0 ** len(values) / 1000")
        assert {case.name.partition(",")[0] for case in found.cases} == {
            "size 0",
            "size 1",
            "size 3",
        }

    @pytest.mark.parametrize(
        ("generator", "cost", "told"),
        [
            pytest.param(
                "sized",
                "len(values) * 1e-3",
                "size 100, 100 ms of CPU time a call; size 300 takes 300 ms",
                id="time",
            ),
            pytest.param(
                "sized", "len(values) * 16e-4", "size 100, 160 ms of CPU time a call", id="good"
            ),
            pytest.param(
                "sized",
                "len(values) * 1e-8",
                "size 10000, 0.1 ms of CPU time a call; larger ones are not tried: input and "
                "answer have ... MB already; generate(rng), without a size, may make them "
                "larger",
                id="bytes",
            ),
            pytest.param(
                "narrow",
                "1e-3",
                "size 1000000, 1 ms of CPU time a call; no larger one is tried",
                id="sizes",
            ),
            pytest.param(
                "short",
                "1e-3",
                "size 30, 1 ms of CPU time a call; no larger one is made and answered",
                id="generator",
            ),
            pytest.param(
                "short",
                "1e-7",
                "size 30, less than 10 us of CPU time a call; no larger one is made and "
                "answered",
                id="nothing",
            ),
        ],
    )
    def test_what_chose_the_size_is_told(
        self, shop: Path, generator: str, cost: str, told: str
    ) -> None:
        found = re.sub(r"[\d.]+ MB", "... MB", planned(shop, generator, cost=cost).choice)
        assert found == f"measured on inputs of {told}"

    def test_the_seconds_are_those_of_a_call_on_the_measured_size(self, shop: Path) -> None:
        assert planned(shop, "sized", cost="len(values) * 1e-3").seconds == pytest.approx(0.1)

    def test_where_the_smallest_answer_is_too_large_it_is_refused(self, shop: Path) -> None:
        told = "size 1 is too large for one call: its answer has 30 MB, 16 is the most"
        with pytest.raises(ProblemError, match=told):
            planned(shop, "vast", cost="0.001")


class TestSeeded:
    def test_large_answers_make_few_cases(self, shop: Path) -> None:
        assert len(planned(shop, "wide_seeds", cost="0.001").cases) == 11

    def test_one_seed_that_is_raised_on_is_not_all_of_them(self, shop: Path) -> None:
        assert len(planned(shop, "mixed_seeds", cost="0.001").cases) == 150

    def test_many_seeds_are_taken_where_calls_are_quick(self, shop: Path) -> None:
        assert len(planned(shop, "seeded", cost="0.001").cases) == 150
        assert len(planned(shop, "seeded", cost="0.1").cases) == 30
        assert len(planned(shop, "seeded", cost="2.0").cases) == 8

    def test_few_seeds_make_thin_evidence(self, shop: Path) -> None:
        assert planned(shop, "seeded", cost="0.001").notes == ()
        (note,) = planned(shop, "seeded", cost="0.1").notes
        assert "30 distinct inputs, fewer than 50" in note


class TestListed:
    def test_the_search_never_sees_the_final_inputs(self, shop: Path) -> None:
        ladder = planned(shop, "listed").ladder
        assert not ladder.fresh
        assert len(ladder.search) == len(ladder.final) == 40
        assert not set(ladder.search) & set(ladder.final)

    def test_a_comparison_takes_all_of_them(self, shop: Path) -> None:
        ladder = planned(shop, "listed", split=False).ladder
        assert ladder.search == ladder.final
        assert len(ladder.search) == 80

    def test_inputs_that_are_equal_count_once(self, shop: Path) -> None:
        found = planned(shop, "FEW")
        assert (len(found.cases), found.distinct) == (3, 2)
        assert any("same inputs serve" in note for note in found.notes)

    def test_of_few_inputs_the_tiny_ones_are_compared_and_not_timed(self, shop: Path) -> None:
        found = planned(shop, "UNEVEN", cost="0.01 if len(values) > 2 else 1e-6")
        assert len(found.cases) == 3
        assert [expr.code for expr in found.ladder.final] == ["_listed(0)", "_listed(2)"]
        assert "1 of 3 inputs is too short to be timed beside the others" in found.notes[-1]
        assert len(planned(shop, "UNEVEN", cost="1e-6").ladder.final) == 3
        assert len(planned(shop, "UNEVEN", cost="0.01").ladder.final) == 3

    def test_examples_beside_a_list_count_as_distinct_inputs(self, shop: Path) -> None:
        found = planned(shop, "FEW", examples=("f([3])",))
        assert (len(found.cases), found.distinct) == (4, 3)

    @pytest.mark.tier("runs")
    def test_answers_that_do_not_fit_together_are_refused(self, shop: Path) -> None:
        with pytest.raises(ProblemError, match="all inputs together have an answer") as caught:
            planned(shop, "WIDE", cost="0.001")
        assert "fewer" in caught.value.hint

    def test_recorded_calls_are_inputs(self, shop: Path) -> None:
        calls = tuple(wire.dumps(([n, 0],)) for n in range(60))
        found = planned(shop, recorded=calls)
        assert (found.distinct, found.notes) == (60, ())
        assert found.cases[0].name == "recorded call 0"

    def test_examples_and_recorded_calls_come_before_generated_ones(self, shop: Path) -> None:
        found = planned(shop, "seeded", examples=("f([1])",), recorded=(wire.dumps(([2],)),))
        assert [c.name for c in found.cases[:3]] == ["f([1])", "recorded call 0", "seed 0"]
        assert found.ladder.expr(InputSet.FINAL, 0) is not None


@pytest.mark.parametrize(
    ("generator", "cost", "said"),
    [
        pytest.param("sized", "5.0", "size 1 is too large for one call: TLE", id="size"),
        pytest.param(
            "seeded", "5.0", "the input of seed 0 is too large for one call", id="seed"
        ),
        pytest.param("listed", "5.0 * (len(values) == 7)", "input 7 is too large", id="item"),
    ],
)
def test_what_takes_too_long_is_named(shop: Path, generator: str, cost: str, said: str) -> None:
    with pytest.raises(ProblemError, match=rf"tools.py:f: {said}") as caught:
        planned(shop, generator, cost=cost)
    assert "make it smaller" in caught.value.hint


class TestWaiting:
    @pytest.mark.parametrize("generator", ["sized", "seeded", "listed"])
    def test_a_function_that_mostly_waits_is_refused(self, shop: Path, generator: str) -> None:
        told = r"tools.py:f: it waits: [\d.]+ [um]s of CPU time in [\d.]+ m?s on the wall"
        with pytest.raises(ProblemError, match=told) as caught:
            planned(shop, generator, cost="0.001", waiting=0.1)
        assert "--set objective=wall" in caught.value.hint

    def test_files_that_are_read_for_the_first_time_are_no_waiting(self, shop: Path) -> None:
        assert planned(shop, "seeded", cost="0.001", late=3.0).cases

    def test_a_function_that_others_keep_waiting_computes(self, shop: Path) -> None:
        """Where six more wanted a core, a function of 30 ms took 310 ms, twice."""
        assert planned(shop, "seeded", cost="0.03", crowded=12.0).cases

    def test_one_that_waits_is_refused_on_a_busy_machine_too(self, shop: Path) -> None:
        with pytest.raises(ProblemError, match="it waits"):
            planned(shop, "seeded", cost="0.001", waiting=0.2, crowded=4.0)

    def test_where_wall_time_counts_it_may_wait(self, shop: Path) -> None:
        assert planned(shop, "seeded", cost="0.001", waiting=0.1, may_wait=True).cases

    def test_a_function_that_waits_a_little_is_left_to_the_measurement(
        self, shop: Path
    ) -> None:
        assert planned(shop, "seeded", cost="0.05", waiting=0.1).cases


@pytest.mark.parametrize(
    ("generator", "said"),
    [
        ("three", "takes a, b, c, not"),
        ("raises", "LookupError: no luck"),
        ("NONE", "raises ValueError: no values on every input"),
        ("odd", "raises LookupError: an odd one on every input, of every size"),
        ("EMPTY", "--inputs cases.py:EMPTY: it gives no input"),
    ],
)
def test_inputs_that_lead_nowhere_are_an_error(shop: Path, generator: str, said: str) -> None:
    with pytest.raises(ProblemError, match=said) as caught:
        planned(shop, generator)
    assert caught.value.hint


@pytest.mark.parametrize("generator", ["untupled", "BARE"])
def test_what_is_no_tuple_of_arguments_is_told_how_to_be_one(
    shop: Path, generator: str
) -> None:
    with pytest.raises(ProblemError, match="gives list, not a tuple of arguments") as caught:
        planned(shop, generator)
    assert "`return (values,)`" in caught.value.hint


@pytest.mark.parametrize("broken", ["tools.py", "cases.py"])
def test_a_package_that_is_not_found_is_told_where_it_is_imported(
    shop: Path, broken: str
) -> None:
    for name, text in {"tools.py": "def f(values): return values\n", "cases.py": CASES}.items():
        missing = "import no_such_package\n" if name == broken else ""
        (shop / name).write_text(missing + text, encoding="utf-8")
    target = find(f"{shop / 'tools.py'}:f")
    given = source(target, "cases.py:seeded", ["f([1])"])
    with pytest.raises(ProblemError, match=f"{broken}:.* No module named 'no_such_p") as caught:
        plan(Survey(Caller(OpenJail(), target), given), split=True)
    assert "--python VENV" in caught.value.hint
