"""Type hints widen what inputs left open, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from evaluators.counterexample.function.hints import hinted, widened
from evaluators.counterexample.function.shape import shape_of


def admits(hint: str, seen: list[Any], value: Any, head: str = "") -> bool:
    text = f"{head}\ndef top(first, second: {hint}, third):\n    return 1\n"
    shape = widened(shape_of([(1, one, 2) for one in seen]), hinted(text, "top"))
    return shape.admits((1, value, 2))


@pytest.mark.parametrize(
    ("hint", "seen", "value"),
    [
        pytest.param("list[int]", [[]], [0, 9], id="empty-list"),
        pytest.param("typing.List['int']", [[]], [1, 2], id="empty-list-as-text"),
        pytest.param("list[tuple[int, str]]", [[]], [(1, "ab")], id="empty-list-of-records"),
        pytest.param("dict[str, list[float]]", [{}], {"ab": [0.5]}, id="empty-mapping"),
        pytest.param("Sequence[str]", [()], ("ab",), id="empty-sequence"),
        pytest.param("list[list[int]]", [[[]], [[], []]], [[1]], id="empty-rows"),
        pytest.param("int | None", [5], None, id="or-none"),
        pytest.param("Optional[list[int]]", [[1, 2]], None, id="optional"),
        pytest.param("list[Optional[int]]", [[1, 2, 1]], [1, None], id="optional-inside"),
        pytest.param("Union[int, str]", [5], "ab", id="union"),
        pytest.param("float", [1, 5], 2.5, id="float-never-seen"),
        pytest.param("list[float]", [[1, 5]], [1.5, 2], id="floats-never-seen"),
        pytest.param("Annotated[float, 'EUR']", [1, 5], 2.5, id="annotated"),
    ],
)
def test_a_hint_widens_what_was_left_open(hint: str, seen: list[Any], value: Any) -> None:
    assert admits(hint, seen, value)
    assert not admits("object", seen, value)
    assert all(admits(hint, seen, one) for one in seen)


@pytest.mark.parametrize(
    ("hint", "seen", "value"),
    [
        pytest.param("float", [1, 5], 9.5, id="range"),
        pytest.param("int", [1, 5], 9, id="range-of-ints"),
        pytest.param("str", ["ab"], "A", id="letters"),
        pytest.param("list[int]", [[1, 2]], [], id="size"),
        pytest.param("float", ["ab", "c"], 2.5, id="does-not-fit"),
        pytest.param("list[Thing]", [[]], [1], id="unknown"),
        pytest.param("Loop", [1], None, id="endless"),
        pytest.param("'not a type ('", [1], None, id="no-type"),
    ],
)
def test_a_hint_does_not_widen_what_was_seen(hint: str, seen: list[Any], value: Any) -> None:
    assert not admits(hint, seen, value, head="Loop = Loop")


def test_names_of_the_module_are_read() -> None:
    head = "Row = tuple[int, str]\nRows = list[Row]"
    assert admits("Rows", [[]], [(1, "ab")], head=head)


def test_a_record_may_hold_under_each_name_what_the_hint_has_for_all() -> None:
    seen = [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
    assert admits("dict[str, int | None]", seen, {"a": None, "b": 2})
    assert not admits("dict[str, int]", seen, {"a": None, "b": 2})
    assert not admits("dict[str, int | None]", seen, {"a": None, "c": 2})


@pytest.mark.parametrize("text", ["def top(", "top = 1", "class A:\n    def top(a: int): 1\n"])
def test_without_a_function_to_read_nothing_changes(text: str) -> None:
    seen = shape_of([(1,), (5,)])
    assert widened(seen, hinted(text, "top")) == seen


def test_nothing_of_the_text_is_run() -> None:
    text = "raise SystemExit\ndef top(a: exit(1) or int | None): 1\n"
    assert not widened(shape_of([(1,)]), hinted(text, "top")).admits((None,))
