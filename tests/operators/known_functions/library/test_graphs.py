"""Graphs against paths that are all tried out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise, permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import graphs as g
from operators.known_functions.library import neighbours as nb
from operators.known_functions.library import routes as r

from .agreement import Law, by_name, check, without_law

Edges = Iterable[list[int]]
INF = float("inf")


def both(edges: Edges) -> list[list[int]]:
    return [*(list(e) for e in edges), *([e[1], e[0], *e[2:]] for e in edges)]


def reach(n: int, edges: Edges) -> list[list[int]]:
    """Steps between all nodes along the edges, by trying ever longer walks."""
    steps = [[0 if i == j else -1 for j in range(n)] for i in range(n)]
    for length in range(1, n + 1):
        for start in range(n):
            for a, b, *_ in edges:
                if steps[start][a] == length - 1 and steps[start][b] < 0:
                    steps[start][b] = length
    return steps


def components(n: int, edges: Edges) -> list[frozenset[int]]:
    far = reach(n, both(edges))
    found = {frozenset(j for j in range(n) if far[i][j] >= 0) for i in range(n)}
    return sorted(found, key=lambda part: (-len(part), min(part)))


def closes(n: int, edges: Edges) -> bool:
    edges = list(edges)
    return any(reach(n, both(edges[:i]))[a][b] >= 0 for i, (a, b) in enumerate(edges))


def bipartite(n: int, edges: Edges) -> bool:
    return any(all(c[a] != c[b] for a, b in edges) for c in product([0, 1], repeat=n))


def closing(edges: list[list[int]]) -> list[int]:
    return [e for i, e in enumerate(edges) if reach(5, both(edges[:i]))[e[0]][e[1]] >= 0][
        0:1
    ].pop()


def spanning(n: int, edges: Edges) -> int:
    if n < 1:
        raise ValueError
    return min(
        sum(w for _, _, w in chosen)
        for chosen in combinations(list(edges), n - 1)
        if len(components(n, [list(e[:2]) for e in chosen])) == 1
    )


def cyclic(n: int, edges: Edges) -> bool:
    far = reach(n, edges)
    return any(far[b][a] >= 0 for a, b in edges)


def orders(n: int, edges: Edges) -> list[list[int]]:
    return [
        list(p)
        for p in permutations(range(n))
        if all(p.index(a) < p.index(b) for a, b in edges)
    ]


def kahn(n: int, edges: Edges) -> list[int]:
    """The order of the queue: a node enters when the last edge to it is followed."""
    left, order = list(edges), [v for v in range(n) if all(b != v for _, b in edges)]
    done = 0
    while done < len(order):
        for edge in [e for e in left if e[0] == order[done]]:
            left.remove(edge)
            if all(b != edge[1] for _, b in left):
                order.append(edge[1])
        done += 1
    return order if len(order) == n else []


def longest(n: int, edges: Edges) -> int:
    if cyclic(n, edges):
        raise ValueError
    known = {(a, b) for a, b in edges}
    return max(
        (
            len(p) - 1
            for size in range(1, n + 1)
            for p in permutations(range(n), size)
            if all(step in known for step in pairwise(p))
        ),
        default=0,
    )


def cheapest(n: int, edges: Edges, start: int, hops: int | None = None) -> list[float]:
    best: list[float] = [INF] * n
    best[start] = 0
    for _ in range(n if hops is None else hops):
        before = list(best)
        for a, b, w in edges:
            best[b] = min(best[b], before[a] + w)
    return best


def known(value: float) -> float:
    return -1 if value == INF else value


def no_bad_cycle(n: int, edges: Edges, start: int) -> list[float]:
    if cheapest(n, edges, start, n) != cheapest(n, edges, start, n + 1):
        raise ValueError
    return cheapest(n, edges, start)


def in_layers(graph: Any, start: Any) -> list[Any]:
    order, layer = [start], [start]
    while layer:
        fresh = dict.fromkeys(x for v in layer for x in neighbours(graph, v) if x not in order)
        layer = list(fresh)
        order += layer
    return order


def neighbours(graph: Any, node: Any) -> list[Any]:
    return list(graph.get(node, ())) if isinstance(graph, dict) else list(graph[node])


def recursive(graph: Any, node: Any, seen: list[Any] | None = None) -> list[Any]:
    seen = [] if seen is None else seen
    seen.append(node)
    for other in neighbours(graph, node):
        if other not in seen:
            recursive(graph, other, seen)
    return seen


def edges_of(graph: Any) -> list[list[int]]:
    nodes = graph if isinstance(graph, dict) else range(len(graph))
    return [[v, other] for v in nodes for other in neighbours(graph, v)]


def first_shortest(graph: dict[int, list[int]], start: int, end: int) -> list[int]:
    paths = [[start]]
    for _ in range(6):
        for path in paths:
            if path[-1] == end:
                return path
        paths = [[*p, v] for p in paths for v in graph.get(p[-1], ()) if v not in p]
    raise ValueError


def to_last(graph: list[list[int]], path: tuple[int, ...] = (0,)) -> list[list[int]]:
    if path[-1] == len(graph) - 1:
        return [list(path)]
    return [found for v in graph[path[-1]] for found in to_last(graph, (*path, v))]


def table_edges(table: list[list[Any]]) -> list[list[Any]]:
    n = range(len(table))
    return [[i, j, table[i][j]] for i in n for j in n if table[i][j] not in (0, INF)]


def edge(n: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, n - 1), min_size=2, max_size=2)


def with_weights(low: int) -> st.SearchStrategy[tuple[int, list[list[int]], int]]:
    return st.integers(1, 5).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(
                st.tuples(edge(n), st.integers(low, 9)).map(lambda e: [*e[0], e[1]]), max_size=8
            ),
            st.integers(0, n - 1),
        )
    )


graph = st.integers(0, 5).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(edge(n), max_size=7) if n else st.just([]))
)
forward = st.integers(0, 5).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(edge(n).map(sorted).filter(lambda e: e[0] < e[1]), max_size=7)
        if n > 1
        else st.just([]),
    )
)
weights = with_weights(0)
two_ends = weights.flatmap(lambda w: st.tuples(*map(st.just, w), st.integers(0, w[0] - 1)))
hops = two_ends.flatmap(lambda w: st.tuples(*map(st.just, w), st.integers(0, 3)))
listed = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
)
acyclic = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        *[
            st.lists(st.integers(i + 1, n - 1), unique=True) if i < n - 1 else st.just([])
            for i in range(n)
        ]
    ).map(list)
)
mapped = listed.map(lambda xs: {i: x for i, x in enumerate(xs) if x or i % 2})
mirrored = listed.map(
    lambda xs: {
        i: sorted({*x, *(j for j, y in enumerate(xs) if i in y)}) for i, x in enumerate(xs)
    }
)
node = st.integers(0, 4)
from_node = listed.flatmap(lambda xs: st.tuples(st.just(xs), st.integers(0, len(xs) - 1)))
from_to = from_node.flatmap(
    lambda p: st.tuples(*map(st.just, p), st.integers(0, len(p[0]) - 1))
)
bit_table = st.integers(0, 5).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 1), min_size=n, max_size=n), min_size=n, max_size=n
    )
)
symmetric = bit_table.map(
    lambda t: [[t[min(i, j)][max(i, j)] for j in range(len(t))] for i in range(len(t))]
)
weight_table = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 5), min_size=n, max_size=n), min_size=n, max_size=n
    )
)
even_weights = weight_table.map(
    lambda t: [
        [t[min(i, j)][max(i, j)] if i != j else 0 for j in range(len(t))] for i in range(len(t))
    ]
)
far_table = weight_table.map(
    lambda t: [
        [0 if i == j else x or INF for j, x in enumerate(row)] for i, row in enumerate(t)
    ]
)
tables = weight_table.map(
    lambda t: {i: {j: x for j, x in enumerate(row) if x} for i, row in enumerate(t)}
)
LAWS = [
    Law(g.count_components, lambda n, e: len(components(n, e)), graph),
    Law(g.component_sizes, lambda n, e: [len(c) for c in components(n, e)], graph),
    Law(g.largest_component, lambda n, e: max(map(len, components(n, e)), default=0), graph),
    Law(
        g.count_unreachable_pairs,
        lambda n, e: sum(x < 0 for row in reach(n, both(e)) for x in row) // 2,
        graph,
    ),
    Law(g.is_connected, lambda n, e: len(components(n, e)) < 2, graph),
    Law(g.is_tree, lambda n, e: len(components(n, e)) == 1 and not closes(n, e), graph),
    Law(g.has_undirected_cycle, closes, graph),
    Law(
        g.are_connected,
        lambda n, e, a, b: reach(n, both(e))[a][b] >= 0,
        two_ends.map(lambda w: (w[0], [e[:2] for e in w[1]], w[2], w[3])),
    ),
    Law(g.is_bipartite, bipartite, graph),
    Law(
        g.node_degrees,
        lambda n, e: [sum(pair.count(v) for pair in e) for v in range(n)],
        graph,
    ),
    Law(g.first_closing_edge, closing, graph.map(lambda p: p[1])),
    Law(g.spanning_tree_weight, spanning, weights.map(lambda w: w[:2])),
    Law(g.has_directed_cycle, cyclic, graph | forward),
    Law(g.topological_order, kahn, graph | forward),
    Law(
        g.order_by_prerequisites,
        lambda n, e: kahn(n, [x[::-1] for x in e]),
        graph | forward,
    ),
    Law(g.smallest_topological_order, lambda n, e: [*orders(n, e), []][0], graph | forward),
    Law(g.longest_directed_path, longest, graph | forward),
    Law(
        g.count_strong_components,
        lambda n, e: len(
            {
                frozenset(j for j in range(n) if reach(n, e)[i][j] >= 0 <= reach(n, e)[j][i])
                for i in range(n)
            }
        ),
        graph,
    ),
    Law(r.directed_distances, cheapest, weights),
    Law(r.undirected_distances, lambda n, e, s: cheapest(n, both(e), s), weights),
    Law(r.directed_distance, lambda n, e, s, t: known(cheapest(n, e, s)[t]), two_ends),
    Law(r.undirected_distance, lambda n, e, s, t: known(cheapest(n, both(e), s)[t]), two_ends),
    Law(r.distances_with_negatives, no_bad_cycle, with_weights(-3)),
    Law(
        r.distance_with_stops,
        lambda n, e, s, t, k: known(cheapest(n, e, s, k + 1)[t]),
        hops,
    ),
    Law(nb.breadth_first, in_layers, st.tuples(mapped, node)),
    Law(nb.depth_first, recursive, st.tuples(mapped, node)),
    Law(nb.breadth_first_numbered, in_layers, from_node),
    Law(nb.depth_first_numbered, recursive, from_node),
    Law(nb.steps_from, lambda x, s: reach(len(x), edges_of(x))[s], from_node),
    Law(nb.steps_between, lambda x, s, t: reach(len(x), edges_of(x))[s][t], from_to),
    Law(
        nb.links_between,
        lambda x, s, t: reach(5, edges_of(x))[s][t],
        st.tuples(mapped, node, node),
    ),
    Law(nb.shortest_path, first_shortest, st.tuples(mapped, node, node)),
    Law(
        nb.has_path,
        lambda x, s, t: reach(5, edges_of(x))[s][t] >= 0,
        st.tuples(mapped, node, node),
    ),
    Law(nb.count_groups, lambda x: len(components(len(x), edges_of(x))), mirrored),
    Law(nb.table_has_cycle, lambda x: cyclic(5, edges_of(x)), mapped),
    Law(
        nb.two_colours_suffice,
        lambda x: bipartite(len(x), edges_of(x)),
        mirrored.map(lambda m: list(m.values())),
    ),
    Law(nb.all_paths_to_last, to_last, acyclic),
    Law(
        nb.count_provinces,
        lambda t: len(components(len(t), [e[:2] for e in table_edges(t)])),
        symmetric,
    ),
    Law(
        nb.transitive_closure,
        lambda t: [
            [
                int(
                    any(
                        a == i and reach(len(t), table_edges(t))[b][j] >= 0
                        for a, b, _ in table_edges(t)
                    )
                )
                for j in range(len(t))
            ]
            for i in range(len(t))
        ],
        bit_table,
    ),
    Law(
        nb.all_distances,
        lambda t: [cheapest(len(t), table_edges(t), s) for s in range(len(t))],
        far_table,
    ),
    Law(nb.spanning_weight_of_table, lambda t: spanning(len(t), table_edges(t)), even_weights),
    Law(
        nb.distances_in_table,
        lambda t, s: cheapest(len(t), table_edges(t), s),
        weight_table.flatmap(lambda t: st.tuples(st.just(t), st.integers(0, len(t) - 1))),
    ),
    Law(
        nb.distances_in_mapping,
        lambda t, s: dict(
            enumerate(cheapest(len(t), [[a, b, w] for a in t for b, w in t[a].items()], s))
        ),
        tables.flatmap(lambda t: st.tuples(st.just(t), st.sampled_from(list(t)))),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(g, LAWS) | without_law(nb, LAWS) | without_law(r, LAWS) == set()
