"""Graphs as a number of nodes and a list of edges: parts, cycles, orders, colours.

Not here: their shortest paths (`routes`), graphs as tables of neighbours (`neighbours`).
"""

from functools import partial
from heapq import heapify, heappop, heappush

from operators.known_functions.archetype import archetype

undirected = partial(
    archetype,
    family="graphs",
    complexity="O(n + m)",
    source="union of sets with path halving",
    limits="nodes 0..n-1; each edge goes both ways",
    takes=("int", "pairs"),
    gives="int",
)
directed = partial(
    undirected, source="Kahn's algorithm", limits="nodes 0..n-1; each edge goes one way"
)


@undirected()
def count_components(n, edges):
    """Count the connected parts of a graph of n nodes."""
    root = list(range(n))
    for edge in edges:
        a, b = edge
        while root[a] != a:
            root[a] = a = root[root[a]]
        while root[b] != b:
            root[b] = b = root[root[b]]
        if a != b:
            root[a] = b
            n -= 1
    return n


@undirected(gives="list[int]")
def component_sizes(n, edges):
    """Return the sizes of the connected parts, descending."""
    root, size = list(range(n)), [1] * n
    for edge in edges:
        a, b = edge
        while root[a] != a:
            root[a] = a = root[root[a]]
        while root[b] != b:
            root[b] = b = root[root[b]]
        if a != b:
            if size[a] > size[b]:
                a, b = b, a
            root[a] = b
            size[b] += size[a]
    return sorted([size[node] for node in range(n) if root[node] == node], reverse=True)


@undirected(gives="int", uses=("component_sizes",))
def largest_component(n, edges):
    """Return the size of the largest connected part, 0 without nodes."""
    return max(component_sizes(n, edges), default=0)


@undirected(gives="int", uses=("component_sizes",))
def count_unreachable_pairs(n, edges):
    """Count the pairs of nodes that no path connects."""
    return (n * n - sum([size * size for size in component_sizes(n, edges)])) // 2


@undirected(gives="bool", uses=("count_components",))
def is_connected(n, edges):
    """Whether every two nodes are connected; so is the graph without nodes."""
    return n < 2 or (len(edges) >= n - 1 and count_components(n, edges) == 1)


@undirected(gives="bool", uses=("count_components",))
def is_tree(n, edges):
    """Whether the graph is connected and has no cycle; one without nodes is none."""
    return n > 0 and len(edges) == n - 1 and count_components(n, edges) == 1


@undirected(gives="bool", limits="nodes 0..n-1; an edge given twice is a cycle")
def has_undirected_cycle(n, edges):
    """Whether the edges, each going both ways, close a cycle."""
    root = list(range(n))
    for edge in edges:
        a, b = edge
        while root[a] != a:
            root[a] = a = root[root[a]]
        while root[b] != b:
            root[b] = b = root[root[b]]
        if a == b:
            return True
        root[a] = b
    return False


@undirected(takes=("int", "pairs", "int", "int"), gives="bool", source="breadth first")
def are_connected(n, edges, start, end):
    """Whether a path connects two nodes; each edge goes both ways."""
    near = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    seen, todo = {start}, [start]
    for node in todo:
        fresh = [other for other in near[node] if other not in seen]
        seen.update(fresh)
        todo += fresh
    return end in seen


@undirected(gives="bool", source="two colours, breadth first")
def is_bipartite(n, edges):
    """Whether two colours suffice so that no edge connects two nodes of one colour."""
    near = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    colour = [None] * n
    for start in range(n):
        if colour[start] is not None:
            continue
        colour[start], todo = True, [start]
        for node in todo:
            for other in near[node]:
                if colour[other] is None:
                    colour[other] = not colour[node]
                    todo.append(other)
                elif colour[other] == colour[node]:
                    return False
    return True


@undirected(gives="list[int]", source="counting")
def node_degrees(n, edges):
    """Return the number of edge ends at each node."""
    degree = [0] * n
    for a, b in edges:
        degree[a] += 1
        degree[b] += 1
    return degree


@undirected(
    takes=("pairs",),
    gives="list",
    limits="hashable nodes; refused where there is no cycle",
)
def first_closing_edge(edges):
    """Return the first edge that connects nodes which edges before it connect already."""
    root = {}
    for edge in edges:
        a, b = edge
        while root.setdefault(a, a) != a:
            root[a] = a = root[root[a]]
        while root.setdefault(b, b) != b:
            root[b] = b = root[root[b]]
        if a == b:
            return edge
        root[a] = b
    raise ValueError("no edge closes a cycle")


@undirected(
    takes=("int", "list[list[int]]"),
    complexity="O(m log m)",
    source="Kruskal's algorithm",
    limits="edges of two nodes 0..n-1 and a weight; refused where it is not connected",
)
def spanning_tree_weight(n, edges):
    """Return the smallest total weight of edges that connect all nodes."""
    root, total, parts = list(range(n)), 0, n
    for edge in sorted(edges, key=lambda edge: edge[2]):
        a, b, weight = edge
        while root[a] != a:
            root[a] = a = root[root[a]]
        while root[b] != b:
            root[b] = b = root[root[b]]
        if a != b:
            root[a] = b
            total += weight
            parts -= 1
    if parts != 1:
        raise ValueError("the graph is not connected")
    return total


@directed(gives="bool")
def has_directed_cycle(n, edges):
    """Whether the edges, each going one way, close a cycle."""
    after, before = [[] for _ in range(n)], [0] * n
    for a, b in edges:
        after[a].append(b)
        before[b] += 1
    free = [node for node in range(n) if not before[node]]
    for node in free:
        for other in after[node]:
            before[other] -= 1
            if not before[other]:
                free.append(other)
    return len(free) < n


@directed(gives="list[int]", limits="nodes 0..n-1; empty where there is a cycle")
def topological_order(n, edges):
    """Return the nodes so that edges go forward, as Kahn's queue finds them; [] for a cycle."""
    after, before = [[] for _ in range(n)], [0] * n
    for a, b in edges:
        after[a].append(b)
        before[b] += 1
    free = [node for node in range(n) if not before[node]]
    for node in free:
        for other in after[node]:
            before[other] -= 1
            if not before[other]:
                free.append(other)
    return free if len(free) == n else []


@directed(gives="list[int]", limits="nodes 0..n-1; empty where there is a cycle")
def order_by_prerequisites(n, edges):
    """Return a topological order for pairs of task and its prerequisite; [] for a cycle."""
    after, before = [[] for _ in range(n)], [0] * n
    for task, needed in edges:
        after[needed].append(task)
        before[task] += 1
    free = [node for node in range(n) if not before[node]]
    for node in free:
        for other in after[node]:
            before[other] -= 1
            if not before[other]:
                free.append(other)
    return free if len(free) == n else []


@directed(
    gives="list[int]",
    complexity="O((n + m) log n)",
    source="Kahn's algorithm with a heap",
    imports=("from heapq import heapify, heappop, heappush",),
    limits="nodes 0..n-1; empty where there is a cycle",
)
def smallest_topological_order(n, edges):
    """Return the lexicographically smallest order in which edges go forward; [] for a cycle."""
    after, before, result = [[] for _ in range(n)], [0] * n, []
    for a, b in edges:
        after[a].append(b)
        before[b] += 1
    free = [node for node in range(n) if not before[node]]
    heapify(free)
    while free:
        node = heappop(free)
        result.append(node)
        for other in after[node]:
            before[other] -= 1
            if not before[other]:
                heappush(free, other)
    return result if len(result) == n else []


@directed(
    source="lengths along Kahn's order", limits="nodes 0..n-1; refused where there is a cycle"
)
def longest_directed_path(n, edges):
    """Return the number of edges of the longest path of a graph without cycles."""
    after, before, length = [[] for _ in range(n)], [0] * n, [0] * n
    for a, b in edges:
        after[a].append(b)
        before[b] += 1
    free = [node for node in range(n) if not before[node]]
    for node in free:
        for other in after[node]:
            length[other] = max(length[other], length[node] + 1)
            before[other] -= 1
            if not before[other]:
                free.append(other)
    if len(free) < n:
        raise ValueError("the graph has a cycle")
    return max(length, default=0)


@directed(source="Tarjan's and Kosaraju's two searches, without recursion")
def count_strong_components(n, edges):
    """Count the largest sets of nodes that all reach each other."""
    after, before = [[] for _ in range(n)], [[] for _ in range(n)]
    for a, b in edges:
        after[a].append(b)
        before[b].append(a)
    order, seen = [], [False] * n
    for start in range(n):
        stack = [] if seen[start] else [start]
        while stack:
            node = stack.pop()
            if node < 0:
                order.append(~node)
            elif not seen[node]:
                seen[node] = True
                stack.append(~node)
                stack += [other for other in after[node] if not seen[other]]
    count, left = 0, [True] * n
    for start in reversed(order):
        count += left[start]
        stack = [start]
        while stack:
            node = stack.pop()
            if left[node]:
                left[node] = False
                stack += [other for other in before[node] if left[other]]
    return count
