"""Graphs as neighbours of each node or as square tables: orders, distances, parts, closures.

Not here: graphs as lists of edges (`graphs`).
"""

from functools import partial
from heapq import heappop, heappush

from operators.known_functions.archetype import archetype

near = partial(
    archetype,
    family="neighbours",
    complexity="O(n + m)",
    source="breadth first",
    limits="a table of neighbours; nodes without an entry have none",
    takes=("dict", "any"),
    gives="list",
)
numbered = partial(near, takes=("list[list[int]]", "int"), limits="nodes 0..n-1")
square = partial(
    near,
    complexity="O(n^2)",
    source="depth first",
    takes=("list[list[int]]",),
    gives="int",
    limits="a square table",
)


@near()
def breadth_first(graph, start):
    """Return the nodes in the order of a breadth first search."""
    seen, order = {start}, [start]
    for node in order:
        for other in graph.get(node, ()):
            if other not in seen:
                seen.add(other)
                order.append(other)
    return order


@near(source="depth first")
def depth_first(graph, start):
    """Return the nodes as a recursive depth first search enters them."""
    seen, order, stack = {start}, [start], [iter(graph.get(start, ()))]
    while stack:
        for other in stack[-1]:
            if other not in seen:
                seen.add(other)
                order.append(other)
                stack.append(iter(graph.get(other, ())))
                break
        else:
            stack.pop()
    return order


@numbered()
def breadth_first_numbered(graph, start):
    """Return the nodes in the order of a breadth first search; the i-th list is node i's."""
    seen, order = {start}, [start]
    for node in order:
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                order.append(other)
    return order


@numbered(source="depth first")
def depth_first_numbered(graph, start):
    """Return the nodes as a recursive depth first search enters them."""
    seen, order, stack = {start}, [start], [iter(graph[start])]
    while stack:
        for other in stack[-1]:
            if other not in seen:
                seen.add(other)
                order.append(other)
                stack.append(iter(graph[other]))
                break
        else:
            stack.pop()
    return order


@numbered(gives="list[int]")
def steps_from(graph, start):
    """Return the number of edges from a node to each, -1 where no path leads."""
    far, order = [-1] * len(graph), [start]
    far[start] = 0
    for node in order:
        for other in graph[node]:
            if far[other] < 0:
                far[other] = far[node] + 1
                order.append(other)
    return far


@numbered(takes=("list[list[int]]", "int", "int"), gives="int")
def steps_between(graph, start, end):
    """Return the number of edges of the shortest path, -1 where no path leads."""
    far, order = {start: 0}, [start]
    for node in order:
        if node == end:
            return far[node]
        for other in graph[node]:
            if other not in far:
                far[other] = far[node] + 1
                order.append(other)
    return -1


@near(takes=("dict", "any", "any"), gives="int")
def links_between(graph, start, end):
    """Return the number of edges of the shortest path, -1 where no path leads."""
    far, order = {start: 0}, [start]
    for node in order:
        if node == end:
            return far[node]
        for other in graph.get(node, ()):
            if other not in far:
                far[other] = far[node] + 1
                order.append(other)
    return -1


@near(takes=("dict", "any", "any"), limits="refused where no path leads")
def shortest_path(graph, start, end):
    """Return the nodes of the shortest path that breadth first search finds first."""
    came, order = {start: None}, [start]
    for node in order:
        if node == end:
            break
        for other in graph.get(node, ()):
            if other not in came:
                came[other] = node
                order.append(other)
    path = [end]
    while path[-1] != start:
        path.append(came[path[-1]])
    return path[::-1]


@near(takes=("dict", "any", "any"), gives="bool")
def has_path(graph, start, end):
    """Whether a path leads from one node to another; to itself it does."""
    seen, order = {start}, [start]
    for node in order:
        if node == end:
            return True
        for other in graph.get(node, ()):
            if other not in seen:
                seen.add(other)
                order.append(other)
    return False


@near(takes=("dict",), gives="int", limits="each edge stands with both of its ends")
def count_groups(graph):
    """Count the connected parts of a table of neighbours."""
    seen, count = set(), 0
    for start in graph:
        if start in seen:
            continue
        count += 1
        seen.add(start)
        order = [start]
        for node in order:
            fresh = [other for other in dict.fromkeys(graph[node]) if other not in seen]
            seen.update(fresh)
            order += fresh
    return count


@near(takes=("dict",), gives="bool", source="depth first with open nodes")
def table_has_cycle(graph):
    """Whether edges that go one way close a cycle."""
    state = {}
    for start in graph:
        if start in state:
            continue
        state[start], stack = 1, [(start, iter(graph[start]))]
        while stack:
            node, rest = stack[-1]
            for other in rest:
                if state.get(other) == 1:
                    return True
                if other not in state:
                    state[other] = 1
                    stack.append((other, iter(graph.get(other, ()))))
                    break
            else:
                state[node] = 2
                stack.pop()
    return False


@numbered(takes=("list[list[int]]",), gives="bool", source="two colours, breadth first")
def two_colours_suffice(graph):
    """Whether two colours suffice so that no neighbours share one."""
    colour = {}
    for start in range(len(graph)):
        if start in colour:
            continue
        colour[start], order = 0, [start]
        for node in order:
            for other in graph[node]:
                if other not in colour:
                    colour[other] = 1 - colour[node]
                    order.append(other)
                elif colour[other] == colour[node]:
                    return False
    return True


@numbered(
    takes=("list[list[int]]",),
    gives="list[list[int]]",
    complexity="O(size of the result)",
    source="depth first",
    limits="no cycles",
)
def all_paths_to_last(graph):
    """Return all paths from node 0 to the last in the order of a depth first search."""
    end, result = len(graph) - 1, []

    def visit(path):
        if len(path) > len(graph):
            raise ValueError("the graph has a cycle")
        if path[-1] == end:
            result.append(path)
        else:
            for other in graph[path[-1]]:
                visit([*path, other])

    visit([0])
    return result


@square(limits="a symmetric square table of 0 and 1")
def count_provinces(table):
    """Count the connected parts of a square table of 0 and 1."""
    left, count = set(range(len(table))), 0
    while left:
        count += 1
        stack = [left.pop()]
        while stack:
            row = table[stack.pop()]
            found = [node for node in left if row[node]]
            left.difference_update(found)
            stack += found
    return count


@square(
    gives="list[list[int]]",
    complexity="O(n^3 / word)",
    source="Warshall's algorithm on bit sets",
)
def transitive_closure(table):
    """Return a table with 1 where a path of one edge or more leads, else 0."""
    size = len(table)
    rows = [sum([1 << j for j in range(size) if row[j]]) for row in table]
    for k in range(size):
        through = rows[k]
        rows = [row | through if row >> k & 1 else row for row in rows]
    return [[row >> j & 1 for j in range(size)] for row in rows]


@square(
    takes=("list[list[number]]",),
    gives="list[list[number]]",
    complexity="O(n^3)",
    source="the algorithm of Floyd and Warshall, a row at a time",
    limits="infinity where there is no edge; no cycle of negative total",
)
def all_distances(table):
    """Return the smallest total weights between all nodes of a table of weights."""
    best = [list(row) for row in table]
    for k, through in enumerate(best):
        for i, row in enumerate(best):
            far = row[k]
            if far != float("inf") and i != k:
                best[i] = [
                    min(here, far + more) for here, more in zip(row, through, strict=True)
                ]
    return best


@square(source="Prim's algorithm", limits="weights, 0 where there is no edge; connected")
def spanning_weight_of_table(table):
    """Return the smallest total weight of edges that connect all nodes of a table."""
    far, total = {node: table[0][node] or float("inf") for node in range(1, len(table))}, 0
    while far:
        node = min(far, key=far.__getitem__)
        total += far.pop(node)
        row = table[node]
        for other in far:
            if 0 < row[other] < far[other]:
                far[other] = row[other]
    if total == float("inf"):
        raise ValueError("the graph is not connected")
    return total


@square(
    takes=("list[list[int]]", "int"),
    gives="list",
    source="Dijkstra's algorithm without a heap",
    limits="weights from 0, 0 where there is no edge; infinity where no path leads",
)
def distances_in_table(table, start):
    """Return the smallest total weight from a node to each of a table of weights."""
    best = [float("inf")] * len(table)
    best[start], left = 0, set(range(len(table)))
    while left:
        node = min(left, key=best.__getitem__)
        left.remove(node)
        if best[node] == float("inf"):
            break
        row, far = table[node], best[node]
        for other in left:
            if row[other] and far + row[other] < best[other]:
                best[other] = far + row[other]
    return best


@near(
    takes=("dict", "any"),
    gives="dict",
    complexity="O(m log m)",
    source="Dijkstra's algorithm with a heap",
    imports=("from heapq import heappop, heappush",),
    limits="weights from 0, comparable nodes; infinity where no path leads",
)
def distances_in_mapping(graph, start):
    """Return the smallest total weight from a node to each of a table of tables."""
    best, heap = dict.fromkeys(graph, float("inf")), [(0, start)]
    best[start] = 0
    while heap:
        far, node = heappop(heap)
        if far > best[node]:
            continue
        for other, weight in graph[node].items():
            if far + weight < best[other]:
                best[other] = far + weight
                heappush(heap, (far + weight, other))
    return best
