"""Cheapest paths of graphs that are a number of nodes and a list of weighted edges.

Not here: paths without weights, and weights as tables (`neighbours`).
"""

from functools import partial
from heapq import heappop, heappush

from operators.known_functions.archetype import archetype

weighted = partial(
    archetype,
    family="routes",
    complexity="O(m log m)",
    source="Dijkstra's algorithm with a heap",
    takes=("int", "list[list[int]]", "int"),
    gives="number",
    imports=("from heapq import heappop, heappush",),
    limits="edges of start, end and weight from 0; nodes 0..n-1",
)


@weighted(gives="list")
def directed_distances(n, edges, start):
    """Return the smallest total weight from a node to each; infinity where no path leads."""
    after = [[] for _ in range(n)]
    for a, b, weight in edges:
        after[a].append((b, weight))
    best, heap = [float("inf")] * n, [(0, start)]
    best[start] = 0
    while heap:
        far, node = heappop(heap)
        if far > best[node]:
            continue
        for other, weight in after[node]:
            if far + weight < best[other]:
                best[other] = far + weight
                heappush(heap, (far + weight, other))
    return best


@weighted(gives="list", uses=("directed_distances",), imports=())
def undirected_distances(n, edges, start):
    """Return the smallest total weight from a node to each, edges going both ways."""
    return directed_distances(n, [*edges, *[(b, a, weight) for a, b, weight in edges]], start)


@weighted(
    takes=("int", "list[list[int]]", "int", "int"),
    gives="number",
    uses=("directed_distances",),
    imports=(),
)
def directed_distance(n, edges, start, end):
    """Return the smallest total weight from one node to another, -1 if no path leads."""
    far = directed_distances(n, edges, start)[end]
    return far if far < float("inf") else -1


@weighted(
    takes=("int", "list[list[int]]", "int", "int"),
    gives="number",
    uses=("undirected_distances",),
    imports=(),
)
def undirected_distance(n, edges, start, end):
    """Return the smallest total weight between two nodes, -1 if no path leads."""
    far = undirected_distances(n, edges, start)[end]
    return far if far < float("inf") else -1


@weighted(
    gives="list",
    complexity="O(n m), less where little changes",
    source="Bellman's and Ford's rounds",
    limits="weights of any sign; refused where a cycle has a negative total",
    imports=(),
)
def distances_with_negatives(n, edges, start):
    """Return the smallest total weight from a node to each; infinity where no path leads."""
    best = [float("inf")] * n
    best[start] = 0
    for _ in range(n):
        changed = False
        for a, b, weight in edges:
            if best[a] + weight < best[b]:
                best[b] = best[a] + weight
                changed = True
        if not changed:
            return best
    raise ValueError("a cycle has a negative total")


@weighted(
    takes=("int", "list[list[int]]", "int", "int", "int"),
    complexity="O(k m)",
    source="Bellman's and Ford's rounds, k + 1 of them",
    imports=(),
)
def distance_with_stops(n, edges, start, end, k):
    """Return the smallest total weight of a path with at most k nodes between, or -1."""
    best = [float("inf")] * n
    best[start] = 0
    for _ in range(k + 1):
        following = list(best)
        for a, b, weight in edges:
            if best[a] + weight < following[b]:
                following[b] = best[a] + weight
        best = following
    return best[end] if best[end] < float("inf") else -1
