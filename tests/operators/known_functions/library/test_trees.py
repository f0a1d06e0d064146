"""Trees against all paths and plain recursion."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import trees as t

from .agreement import Law, by_name, check, without_law
from .drawn import small

Edges = list[list[int]]


def distances(n: int, edges: Edges) -> list[list[int]]:
    def visit(node: int, before: int, far: int) -> dict[int, int]:
        found = {node: far}
        for a, b, *weight in [*edges, *([b, a, *w] for a, b, *w in edges)]:
            if a == node and b != before:
                found.update(visit(b, node, far + (weight[0] if weight else 1)))
        return found

    return [[visit(start, -1, 0)[end] for end in range(n)] for start in range(n)]


def sizes(n: int, edges: Edges) -> list[int]:
    far = distances(n, edges)
    below = [[v for v in range(n) if far[0][v] == far[0][u] + far[u][v]] for u in range(n)]
    return list(map(len, below))


def centres(n: int, edges: Edges) -> list[int]:
    worst = [max(row) for row in distances(n, edges)]
    return [v for v in range(n) if worst[v] == min(worst)]


def way_up(parents: list[int], node: int) -> list[int]:
    return [] if node < 0 else [node, *way_up(parents, parents[node])]


def common(parents: list[int], a: int, b: int) -> int:
    both = [v for v in way_up(parents, b) if v in way_up(parents, a)]
    return both[0] if both else -1


def below(values: list[Any], at: int = 0) -> list[Any]:
    if at >= len(values) or values[at] is None:
        return []
    return [*below(values, 2 * at + 1), values[at], *below(values, 2 * at + 2)]


def search(values: list[Any], at: int = 0) -> bool:
    if at >= len(values) or values[at] is None:
        return True
    left, right = below(values, 2 * at + 1), below(values, 2 * at + 2)
    here = all(x < values[at] for x in left) and all(x > values[at] for x in right)
    return here and search(values, 2 * at + 1) and search(values, 2 * at + 2)


def levels(values: list[int]) -> int:
    if not values:
        return 0
    if len(set(values)) < len(values):
        raise ValueError
    root, *rest = values
    return 1 + max(levels([x for x in rest if x < root]), levels([x for x in rest if x > root]))


def whole(values: list[Any]) -> list[Any]:
    """The list without nodes whose parent is missing."""
    result = list(values)
    for i in range(1, len(result)):
        if result[(i - 1) // 2] is None:
            result[i] = None
    return result


def height(values: list[Any], at: int = 0) -> int:
    if at >= len(values) or values[at] is None:
        return 0
    return 1 + max(height(values, 2 * at + 1), height(values, 2 * at + 2))


def deep(item: Any) -> int:
    return 1 + max(map(deep, item), default=0) if isinstance(item, list) else 0


def weigh(item: Any, depth: int, *, by_depth: bool) -> int:
    if isinstance(item, list):
        return sum(weigh(x, depth + 1, by_depth=by_depth) for x in item)
    return int(item) * (depth if by_depth else 1)


parents = (
    st.integers(0, 7)
    .flatmap(
        lambda n: st.tuples(*[st.integers(0, i - 1) if i else st.just(-1) for i in range(n)])
    )
    .map(list)
)
shuffled = parents.filter(bool).flatmap(
    lambda up: st.permutations(range(len(up))).map(
        lambda to: (len(up), [[to[i], to[p]] for i, p in enumerate(up) if p >= 0])
    )
)
weighted = shuffled.flatmap(
    lambda tree: st.lists(st.integers(0, 9), min_size=len(tree[1]), max_size=len(tree[1])).map(
        lambda ws: (tree[0], [[*e, w] for e, w in zip(tree[1], ws, strict=True)])
    )
)
two_nodes = parents.filter(bool).flatmap(
    lambda up: st.tuples(st.just(up), *[st.integers(0, len(up) - 1)] * 2)
)
level_list = st.lists(st.none() | small, max_size=12).map(whole)
heap = st.lists(small, max_size=6) | st.lists(small, max_size=6).map(sorted)
falling = heap.map(lambda xs: xs[::-1])
search_like = st.sampled_from([[4, 2, 6, 1, 3, 5, 7], [2, 1, 4, None, None, 3], [1, None, 2]])
nested = st.lists(
    st.recursive(small, lambda x: st.lists(x, max_size=3), max_leaves=8), max_size=4
)
LAWS = [
    Law(t.tree_diameter, lambda n, e: max(map(max, distances(n, e))), shuffled),
    Law(t.weighted_tree_diameter, lambda n, e: max(map(max, distances(n, e))), weighted),
    Law(t.subtree_sizes, sizes, shuffled),
    Law(t.sums_of_tree_distances, lambda n, e: list(map(sum, distances(n, e))), shuffled),
    Law(t.tree_centres, centres, shuffled),
    Law(
        t.depths_of_nodes,
        lambda up: [len(way_up(up, v)) - 1 for v in range(len(up))],
        parents,
    ),
    Law(
        t.tree_levels,
        lambda up: max((len(way_up(up, v)) for v in range(len(up))), default=0),
        parents,
    ),
    Law(t.lowest_common_ancestor, common, two_nodes),
    Law(t.count_leaves, lambda up: sum(v not in up for v in range(len(up))), parents),
    Law(t.depth_of_level_list, height, level_list),
    Law(t.values_in_order, below, level_list),
    Law(t.is_search_tree, search, level_list | search_like),
    Law(
        t.is_max_heap,
        lambda x: all(x[i] >= y for i in range(len(x)) for y in x[2 * i + 1 : 2 * i + 3]),
        heap | falling,
    ),
    Law(
        t.is_min_heap,
        lambda x: all(x[i] <= y for i in range(len(x)) for y in x[2 * i + 1 : 2 * i + 3]),
        heap | falling,
    ),
    Law(
        t.depth_of_search_tree,
        levels,
        st.lists(small, max_size=6) | st.lists(small, unique=True),
    ),
    Law(t.nesting_depth, deep, nested),
    Law(t.nested_sum, lambda x: weigh(x, 0, by_depth=False), nested),
    Law(t.nested_sum_by_depth, lambda x: weigh(x, 0, by_depth=True), nested),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(t, LAWS) == set()
