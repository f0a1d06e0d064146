"""What inputs have in common: kept by what is like them, broken by what is not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.counterexample.function.relations import features, mended, relations
from evaluators.counterexample.function.shape import shape_of
from evaluators.counterexample.function.values import linked, links_of, smaller, weight


def windows(seed: int) -> tuple[Any, ...]:
    """Return a sorted list, as many texts, and windows into the list."""
    rng = random.Random(seed)
    size = rng.randrange(3, 12)
    starts = [rng.randrange(size - 1) for _ in range(size)]
    return (
        sorted(rng.randrange(1, 1000) for _ in range(size)),
        ["ab"[rng.randrange(2)] * 2 for _ in range(size)],
        [(start, rng.randrange(start + 1, size)) for start in starts],
    )


SEEN = [windows(seed) for seed in range(40)]
SHAPE, TIES = shape_of(SEEN), relations(SEEN)


def inside(arguments: tuple[Any, ...]) -> bool:
    known = features(arguments)
    return SHAPE.admits(arguments) and all(tie.holds(known) for tie in TIES)


@pytest.mark.parametrize("seed", range(40))
def test_what_was_seen_is_inside(seed: int) -> None:
    assert inside(windows(seed))


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(([8, 9], ["bb", "aa"], [(0, 1), (0, 1)]), id="shorter-than-any"),
        pytest.param(([8, 9, 10], ["aa"] * 3, [(0, 1)] * 3), id="texts-and-windows-twice"),
        pytest.param(([*range(8, 19)], ["aa"] * 11, [(0, 10)] * 11), id="the-longest"),
        pytest.param(
            (
                [SHAPE.parts[0].parts["*"].low, SHAPE.parts[0].parts["*"].high],
                ["aa"] * 2,
                [(0, 1)] * 2,
            ),
            id="edges-of-the-range",
        ),
    ],
)
def test_what_keeps_all_rules_is_inside(arguments: tuple[Any, ...]) -> None:
    assert inside(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(([10, 8, 9], ["aa"] * 3, [(0, 1)] * 3), id="not-sorted"),
        pytest.param(([8, 9.0, 10], ["aa"] * 3, [(0, 1)] * 3), id="another-type"),
        pytest.param(([-1, 9, 10], ["aa"] * 3, [(0, 1)] * 3), id="negative"),
        pytest.param(([8, 9, 1001], ["aa"] * 3, [(0, 1)] * 3), id="larger-than-any"),
        pytest.param(([8, 8, 9], ["aa"] * 3, [(0, 1)] * 3), id="distinct-numbers-twice"),
        pytest.param(([*range(8, 20)], ["aa"] * 12, [(0, 1)] * 12), id="longer-than-any"),
        pytest.param(([8], ["aa"], [(0, 1)]), id="a-single-element"),
        pytest.param(([8, 9, 10], ["aa"] * 2, [(0, 1)] * 3), id="another-length"),
        pytest.param(([8, 9, 10], ["aA"] * 3, [(0, 1)] * 3), id="other-letters"),
        pytest.param(([8, 9, 10], ["aa"] * 3, [(1, 0)] * 3), id="window-turned-round"),
        pytest.param(([8, 9, 10], ["aa"] * 3, [(0, 3)] * 3), id="beyond-the-list"),
        pytest.param(([], [], []), id="empty"),
    ],
)
def test_what_breaks_a_rule_is_outside(arguments: tuple[Any, ...]) -> None:
    assert not inside(arguments)


def test_of_few_inputs_the_size_is_free_but_what_they_had_in_common_counts() -> None:
    few = [([1, 2, 3], [4, 5, 6]), ([7, 8, 9], [1, 1, 1])]
    shape, ties = shape_of(few), relations(few)
    assert shape.admits(([1, 2], [1, 4]))
    assert not shape.admits(([], []))
    assert not all(tie.holds(features(([1, 2], [4, 5, 6]))) for tie in ties)


NEVER_TWICE = [([n * 10**6 + i * 7919 for i in range(12)][::-1],) for n in range(10)]


def test_numbers_that_were_never_seen_twice_are_distinct() -> None:
    for seen in ([(random.Random(n).sample(range(12), 12),) for n in range(10)], NEVER_TWICE):
        ((first, _, *others),) = seen[0]
        assert not shape_of(seen).admits(([first, first, *others],))
    assert shape_of([([1, 1, 2],), ([2, 3, 4],)]).admits(([2, 2, 2],))


def test_a_column_is_distinct_only_where_chance_would_have_had_numbers_meet() -> None:
    def rules(span: int) -> frozenset[str]:
        rng = random.Random(1)
        seen = [[[n, 0] for n in rng.sample(range(span), 12)] for _ in range(10)]
        return shape_of(seen).rules

    assert "distinct 0" in rules(20)
    assert "distinct 0" not in rules(10**6)


@pytest.mark.parametrize(
    ("seen", "inside", "outside"),
    [
        pytest.param([1, 40, 9], [1, 40, 17], [0, -1, 41, 2**70, True, 1.0], id="numbers"),
        pytest.param([0.0, 9.5], [0.5, 9.0], [0.25, -0.0, 1e-300, 9.6], id="floats"),
        pytest.param([0.5, float("nan")], [float("nan")], [float("inf")], id="not-a-number"),
        pytest.param([True], [True], [False], id="a-flag"),
        pytest.param(
            ["ab", "cde"], ["xy", "zab"], ["", "a", "Ab", "a1", "\u00e9a"], id="letters"
        ),
        pytest.param(["\u00e9t\u00e9"], ["\u00e8t\u00e8"], ["\u0431a"], id="alphabets"),
        pytest.param(["a b", "ab c d"], ["a bc", "a b c"], ["a  b", " ab", "ab "], id="spaces"),
        pytest.param(["(())", "()()"], ["()"], [")(", "(("], id="brackets"),
        pytest.param(["up", "down"] * 12, ["up"], ["pu", "upup"], id="words"),
        pytest.param(["ACGT" * 40], ["CAT"], ["CAB"], id="few-letters"),
        pytest.param([1, 10, 100] * 8, [10], [11], id="few-numbers"),
        pytest.param([[1, "a"], [2, "b"]], [[2, "c"]], [["a", 1], [1, "a", 2]], id="records"),
        pytest.param([b"ab"], [b"xy"], [b"", b"abc"], id="bytes"),
        pytest.param([{"a": 1}, {}], [{}, {"b": 1}], [{"a": 2}, {"a": 1, "b": 1}], id="dicts"),
    ],
)
def test_what_counts_at_one_place(
    seen: list[Any], inside: list[Any], outside: list[Any]
) -> None:
    shape = shape_of(seen)
    assert [v for v in (*seen, *inside) if not shape.admits(v)] == []
    assert [v for v in outside if shape.admits(v)] == []


def test_a_square_stays_one() -> None:
    ties = relations([([[1, 2], [3, 4]],), ([[1] * 3] * 3,)])
    assert not all(tie.holds(features(([[1, 2]],))) for tie in ties)
    assert all(tie.holds(features(([[7]],))) for tie in ties)


def test_an_input_is_bent_to_keep_its_relations() -> None:
    bent = mended(([1, 2, 3, 4], ["aa"] * 3, [(0, 9)] * 3), TIES)
    assert all(tie.holds(features(bent)) for tie in TIES)


values = st.recursive(
    st.integers() | st.text(max_size=4) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner),
    max_leaves=12,
)


@given(st.tuples(values, values))
def test_every_step_of_shrinking_keeps_the_arguments_and_some_are_smaller(
    arguments: tuple[Any, ...],
) -> None:
    steps = list(smaller(arguments))
    assert all(len(step) == 2 for step in steps)
    plain = weight(arguments)[0]
    assert all(weight(step)[0] <= plain for step in steps)


def test_one_object_twice_survives_the_wire() -> None:
    row = [1]
    arguments = ([row, row, [1]], {"a": row})
    links = links_of(arguments)
    assert links == (((0, 0), (0, 1)), ((0, 0), (1, "a")))
    again = linked(([[1], [1], [1]], {"a": [1]}), links)
    assert again[0][0] is again[0][1] is again[1]["a"]
    assert again[0][2] is not again[0][0]


ROWS = [([{"id": n, "name": "ab"[n % 2]} for n in range(3, size)],) for size in range(4, 9)]


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        pytest.param({"id": 5, "name": "b"}, True, id="same-keys"),
        pytest.param({"name": "b", "id": 5}, True, id="another-order"),
        pytest.param({"id": 5}, False, id="one-is-missing"),
        pytest.param({"id": 5, "name": "b", "x": 1}, False, id="one-more"),
        pytest.param({"id": 5, "mane": "b"}, False, id="another-key"),
        pytest.param({"id": "b", "name": 5}, False, id="values-exchanged"),
        pytest.param({"id": 99, "name": "b"}, False, id="beyond-the-range"),
        pytest.param({}, False, id="empty"),
    ],
)
def test_a_record_keeps_its_keys_and_what_each_of_them_means(
    row: dict[str, Any], *, kept: bool
) -> None:
    shape = shape_of(ROWS)
    assert shape.admits(([row, {"id": 4, "name": "a"}],)) is kept
    assert shape.typed(([{"mane": 5}],))


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        pytest.param({"id": 5, "name": "b", "due": 7}, True, id="all-keys"),
        pytest.param({"id": 5, "name": "b"}, True, id="without-an-optional-one"),
        pytest.param({"name": "b", "due": 7}, False, id="without-one-that-all-have"),
        pytest.param({"id": 5, "name": "b", "x": 1}, False, id="another-key"),
    ],
)
def test_a_record_may_lack_what_some_records_lacked(row: dict[str, Any], *, kept: bool) -> None:
    rows = [{"id": n, "name": "ab"[n % 2]} | ({"due": n} if n % 3 else {}) for n in range(9)]
    assert shape_of([(one,) for one in rows]).admits((row,)) is kept
    assert shape_of([(one,) for one in rows[:7]]).admits(({"name": "b", "due": 4},))


def test_keys_that_vary_are_no_names() -> None:
    seen = [({"a": 1, "b": 2},), ({"b": 3, "c": 4},)]
    assert shape_of(seen).admits(({"a": 4, "c": 1},))
    assert shape_of([({1: 2, 3: 4},)] * 9).admits(({3: 2, 1: 4},))
    edges = [({"a": 1} | {"bc"[n % 2]: n},) for n in range(9)]
    assert shape_of(edges).admits(({"b": 1, "c": 4},))
