"""Parameters that no input varies are told, and only these."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from se_agent import wire
from se_agent.user_function.function import UserFunction, find
from se_agent.user_function.unvaried import unvaried


def target(folder: Path, head: str) -> UserFunction:
    (folder / "tools.py").write_text(f"def f({head}): return 1\n", encoding="utf-8")
    return find(f"{folder / 'tools.py'}:f")


@pytest.mark.parametrize(
    ("head", "inputs", "told"),
    [
        pytest.param("a, b", [(1, 2), (2, 3)], None, id="both are varied"),
        pytest.param("a, b", [(1, [2])], None, id="one input says nothing"),
        pytest.param("a, b", [(1, [2]), (1, [2])], None, id="nor do two that are the same"),
        pytest.param("a, b", [(1, [2]), (2, [2])], "`b` has one value", id="a value"),
        pytest.param("a, b=0", [(1,), (2,)], "`b` is left out", id="a default"),
        pytest.param("a, b=0", [(1,), (2, 0)], None, id="a default now and then"),
        pytest.param("a, b=0", [(1,), (1, 5)], "`a` has one value", id="beside a default"),
        pytest.param("a, *, b=0, c=1", [(1,), (2,)], "`b`, `c` are left out", id="keywords"),
        pytest.param(
            "a, b, c=1",
            [(1, "x"), (2, "x")],
            "`b` has one value, and `c` is left out",
            id="both kinds",
        ),
        pytest.param("a, b", [(1, 1), (2, 1.0)], None, id="kinds are told apart"),
        pytest.param("*a", [(1, 1), (2, 1)], None, id="those without a name are none"),
    ],
)
def test_what_is_the_same_in_all_inputs_is_named(
    tmp_path: Path, head: str, inputs: list[tuple[Any, ...]], told: str | None
) -> None:
    found = list(unvaried(target(tmp_path, head), [wire.dumps(each) for each in inputs]))
    assert found == (
        [f"In all inputs {told}: how a change answers others is not seen."] if told else []
    )


@given(inputs=some.lists(some.tuples(some.integers(0, 1), some.integers(0, 1)), min_size=2))
def test_a_parameter_is_named_if_and_only_if_it_never_varies(
    tmp_path_factory: pytest.TempPathFactory, inputs: list[tuple[int, int]]
) -> None:
    both = target(tmp_path_factory.mktemp("tools"), "a, b")
    said = " ".join(unvaried(both, [wire.dumps(each) for each in inputs]))
    for place, name in enumerate("ab"):
        alone = len({each[place] for each in inputs}) == 1 and len(set(inputs)) > 1
        assert (f"`{name}`" in said) == alone
