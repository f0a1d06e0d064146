"""Graph traversal: steps from a node to each other one; -1 where no way leads."""

from collections import deque
from collections.abc import Sequence

Edges = Sequence[tuple[int, int]]


def slow(nodes: int, edges: Edges, start: int) -> list[int]:
    """Look through all edges for each node."""
    steps, queue = [-1] * nodes, [start]
    steps[start] = 0
    while queue:
        node = queue.pop(0)
        for one, other in edges:
            if one == node and steps[other] < 0:
                steps[other] = steps[node] + 1
                queue.append(other)
    return steps


def fast(nodes: int, edges: Edges, start: int) -> list[int]:
    """Build the neighbours once; each edge is looked at once."""
    neighbours: list[list[int]] = [[] for _ in range(nodes)]
    for one, other in edges:
        neighbours[one].append(other)
    steps, queue = [-1] * nodes, deque([start])
    steps[start] = 0
    while queue:
        node = queue.popleft()
        for other in neighbours[node]:
            if steps[other] < 0:
                steps[other] = steps[node] + 1
                queue.append(other)
    return steps
