"""From what the user said of inputs to the inputs of a problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.target.function import find
from se_agent.target.inputs import source
from se_agent.target.plan import Plan, plan
from se_agent.target.survey import Survey
from se_agent.types import InputSet
from tests.target.jails import OpenJail

TOOLS = """\
def f(values):
    if values is None: raise ValueError("no values")
    if values and values[0] == "odd": raise LookupError("an odd one")
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
def seeded(rng): return ([rng.random() for _ in range(9)],)
def listed():
    for size in range(80): yield (list(range(size)),)
FEW = [([1],), ([2],), ([1],)]
NONE = [(None,)]
EMPTY = []
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
) -> Plan:
    (shop / "tools.py").write_text(TOOLS.format(cost=cost), encoding="utf-8")
    target = find(f"{shop / 'tools.py'}:f")
    given = source(target, generator and f"cases.py:{generator}", examples, recorded)
    return plan(Survey(OpenJail(), target, given), split=split)


class TestSized:
    def test_the_largest_size_that_is_quick_enough_is_measured(self, shop: Path) -> None:
        found = planned(shop, "sized", cost="len(values) * 1e-3")
        sizes = [code for (code,) in found.ladder.rungs]
        assert sizes[found.ladder.final_level] == "_tuple(_made(rng, 100))"
        assert sizes[-1] == "_tuple(_made(rng, 300))"
        assert found.ladder.fresh

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


class TestSeeded:
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
