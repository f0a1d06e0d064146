"""Rows of a set become problems; what cannot be measured says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import NotMeasurableError, ProblemError
from se_agent.problem.dataset import DatasetRow, problem, read
from se_agent.problem.model import ProblemKind
from se_agent.values.evaluation import InputSet


def row(**changes: Any) -> dict[str, Any]:
    return {
        "id": "mine/1",
        "kind": "function",
        "statement": "Double it.",
        "entry_point": "double",
        "prelude": "import math\n",
        "slow": {"code": "def double(x):\n    return x + x\n", "origin": "here"},
        "tests": [{"args": "[3]", "expected": "6"}, {"args": "(4,)", "expected": "8"}],
        "perf_inputs": [{"level": 1, "expr": f"[{n}]", "seed": n} for n in range(5)],
        "measured": {"slow_ms": 1.0},
    } | changes


def made(**changes: Any) -> DatasetRow:
    return DatasetRow.model_validate(row(**changes))


def written(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(r) for r in rows) + "\n\n", encoding="utf-8")
    return path


def test_a_row_becomes_a_problem(tmp_path: Path) -> None:
    (one,) = read(written(tmp_path / "set.jsonl", row()))
    found = problem(one)
    assert (found.name, found.kind, found.family) == ("mine/1", ProblemKind.FUNCTION, "mine")
    assert found.initial().text.startswith("def double")
    assert [(c.name, c.expected) for c in found.cases] == [("test 1", None), ("test 2", None)]
    assert {eval(c.input.code) for c in found.cases} == {(3,), (4,)}


def test_a_row_with_a_check_is_held_to_its_stated_values() -> None:
    assert problem(made()).stated == ("6", "8")
    found = problem(made(check="def check(args, expected, output): return True"))
    assert found.stated == ()
    assert [c.expected for c in found.cases] == ["6", "8"]
    assert "def check" in found.checker


def test_with_a_generator_unseen_seeds_give_final_inputs_of_the_largest_level() -> None:
    inputs = [
        {"level": 2, "expr": "make(size=9)", "seed": 1},
        {"level": 1, "expr": "make(size=3)", "seed": 2},
    ]
    found = problem(made(input_generator="def make(size): ...", perf_inputs=inputs))
    final = found.ladder.expr(InputSet.FINAL, 0)
    search = found.ladder.expr(InputSet.SEARCH, 0)
    assert final is not None
    assert search is not None
    assert final.code == "tuple(make(size=9))"
    assert search.code == "tuple(make(size=3))"
    searched = (found.ladder.expr(InputSet.SEARCH, n, 1) for n in range(50))
    assert final.seed not in {expr.seed for expr in searched if expr}


@given(st.integers(2, 12), st.integers(1, 3))
def test_without_one_the_two_sides_never_share_and_both_hold_the_largest_level(
    count: int, levels: int
) -> None:
    inputs = [{"level": n % levels + 1, "expr": f"[{n}]", "seed": 0} for n in range(count)]
    ladder = problem(made(perf_inputs=inputs)).ladder
    search, final = ({e.code for e in side} for side in (ladder.search, ladder.final))
    assert search
    assert final
    assert not search & final
    assert len(search | final) == count
    top = {f"tuple([{n}])" for n in range(count) if n % levels + 1 == min(levels, count)}
    if len(top) > 1:
        assert search & top
        assert final & top


@pytest.mark.parametrize(
    ("expr", "inputs"),
    [
        pytest.param("[1, 2]", 1, id="a-literal"),
        pytest.param("[[str(i) for i in range(9)]]", 1, id="builtins-draw-nothing"),
        pytest.param("[sorted(range(9), key=lambda x: -x)]", 1, id="a-lambda's-own-name"),
        pytest.param("[rng.random()]", 3, id="rng"),
        pytest.param("[__import__('random').random()]", 3, id="an-import"),
        pytest.param("make(9)", 3, id="a-function-of-the-prelude"),
        pytest.param("[rng.random(", 1, id="no-expression"),
    ],
)
def test_another_seed_is_another_input_where_the_seed_can_matter(
    expr: str, inputs: int
) -> None:
    given = [{"expr": expr, "seed": seed} for seed in (1, 2, 3, 3)]
    more = [{"expr": "[1]", "seed": 1}, {"expr": "[0]", "seed": 1}]
    ladder = problem(made(perf_inputs=[*given, *more])).ladder
    sides = [*ladder.search, *ladder.final]
    assert [e.code for e in sides].count(f"tuple({expr})") == inputs
    assert len({(e.code, e.seed) for e in sides}) == len(sides) == inputs + 2


def test_a_single_largest_input_confirms() -> None:
    inputs = [{"expr": f"[{n}]", "level": 1 + (n == 3)} for n in range(5)]
    ladder = problem(made(perf_inputs=inputs)).ladder
    assert "tuple([3])" in {e.code for e in ladder.final}


@pytest.mark.parametrize("inputs", [[], [{"expr": "[1]"}], [{"expr": "[1]"}] * 3])
def test_fewer_than_two_inputs_are_not_measurable(inputs: list[dict[str, Any]]) -> None:
    with pytest.raises(NotMeasurableError, match="not measurable"):
        problem(made(perf_inputs=inputs))


def test_constants_beside_a_generator_are_shared_out() -> None:
    generator = "def make(size): return [rng.random() for _ in range(size)]"
    inputs = [{"expr": f"[list(range({n}))]", "seed": n} for n in range(5)]
    ladder = problem(made(input_generator=generator, perf_inputs=inputs)).ladder
    sides = {e.code for e in ladder.search}, {e.code for e in ladder.final}
    assert not ladder.fresh
    assert not sides[0] & sides[1]
    assert len(sides[0] | sides[1]) == 5


def test_one_constant_beside_a_generator_is_not_measurable() -> None:
    inputs = [{"expr": "[list(range(9))]", "seed": seed} for seed in range(3)]
    with pytest.raises(NotMeasurableError, match="1 distinct inputs, and none is drawn"):
        problem(made(input_generator="def make(size): ...", perf_inputs=inputs))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "no row", id="empty"),
        pytest.param("{", r"set.jsonl:1: ", id="not-json"),
        pytest.param(json.dumps({"id": "x"}), r"set.jsonl:1: entry_point: Field", id="missing"),
        pytest.param(f"{json.dumps(row())}\n{json.dumps(row())}", "two rows", id="twice"),
    ],
)
def test_a_broken_file_names_the_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "set.jsonl").write_text(text)
    with pytest.raises(ProblemError, match=message):
        read(tmp_path / "set.jsonl")


def test_a_missing_file_and_an_unknown_kind_are_told() -> None:
    with pytest.raises(ProblemError, match="cannot be read"):
        read(Path("no such file.jsonl"))
    with pytest.raises(ProblemError, match="kind 'stdio'"):
        problem(made(kind="stdio"))
