"""Trees as edges, as parents, as lists by level, and lists inside lists.

Not here: whether a graph is a tree (`graphs`).
"""

from bisect import bisect_left
from functools import partial
from itertools import pairwise

from operators.known_functions.archetype import archetype

linked = partial(
    archetype,
    family="trees",
    complexity="O(n)",
    source="one search from node 0, then back",
    limits="nodes 0..n-1, n - 1 edges that connect them",
    takes=("int", "pairs"),
    gives="int",
)
parented = partial(
    linked,
    source="depths that are known stay known",
    takes=("list[int]",),
    limits="the parent of each node, -1 for the root; no cycle",
)
levelled = partial(
    linked,
    source="places 2i + 1 and 2i + 2",
    takes=("list",),
    limits="a full list by level: children of i at 2i + 1 and 2i + 2, None where none is",
)


@linked(source="two searches, each to the farthest node")
def tree_diameter(n, edges):
    """Return the number of edges of the longest path of a tree."""
    near = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    far, start = [], 0
    for _ in range(2):
        far = [-1] * n
        far[start], order = 0, [start]
        for node in order:
            for other in near[node]:
                if far[other] < 0:
                    far[other] = far[node] + 1
                    order.append(other)
        start = order[-1]
    return far[start]


@linked(
    takes=("int", "list[list[int]]"),
    gives="number",
    source="two searches, each to the farthest node",
    limits="nodes 0..n-1, n - 1 edges with weights from 0 that connect them",
)
def weighted_tree_diameter(n, edges):
    """Return the largest total weight of a path of a tree."""
    near = [[] for _ in range(n)]
    for a, b, weight in edges:
        near[a].append((b, weight))
        near[b].append((a, weight))
    far, start = {}, 0
    for _ in range(2):
        far, order = {start: 0}, [start]
        for node in order:
            for other, weight in near[node]:
                if other not in far:
                    far[other] = far[node] + weight
                    order.append(other)
        start = max(far, key=far.__getitem__)
    return far[start]


@linked(gives="list[int]")
def subtree_sizes(n, edges):
    """Return for each node the number of nodes below it and itself; node 0 is the root."""
    near = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    above, order = [-1] * n, [0]
    for node in order:
        for other in near[node]:
            if other != above[node]:
                above[other] = node
                order.append(other)
    sizes = [1] * n
    for node in order[:0:-1]:
        sizes[above[node]] += sizes[node]
    return sizes


@linked(gives="list[int]", source="sizes of subtrees, then each sum from that of the parent")
def sums_of_tree_distances(n, edges):
    """Return for each node the sum of its distances to all others."""
    near = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    above, depth, order = [-1] * n, [0] * n, [0]
    for node in order:
        for other in near[node]:
            if other != above[node]:
                above[other], depth[other] = node, depth[node] + 1
                order.append(other)
    sizes = [1] * n
    for node in order[:0:-1]:
        sizes[above[node]] += sizes[node]
    sums = [sum(depth)] * n
    for node in order[1:]:
        sums[node] = sums[above[node]] + n - 2 * sizes[node]
    return sums


@linked(gives="list[int]", source="leaves peeled off, layer by layer")
def tree_centres(n, edges):
    """Return the one or two nodes in the middle of the longest paths, ascending."""
    near = [set() for _ in range(n)]
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    left, leaves = n, [node for node in range(n) if len(near[node]) < 2]
    while left > 2:
        left -= len(leaves)
        following = []
        for leaf in leaves:
            (other,) = near[leaf]
            near[other].remove(leaf)
            if len(near[other]) == 1:
                following.append(other)
        leaves = following
    return sorted(leaves)


@parented(gives="list[int]")
def depths_of_nodes(parents):
    """Return the number of edges from each node up to the root."""
    depth = [-1] * len(parents)
    for start in range(len(parents)):
        path, node = [], start
        while node >= 0 and depth[node] < 0:
            path.append(node)
            node = parents[node]
            if len(path) > len(parents):
                raise ValueError("the parents form a cycle")
        below = depth[node] + 1 if node >= 0 else 0
        for i, found in enumerate(reversed(path)):
            depth[found] = below + i
    return depth


@parented(uses=("depths_of_nodes",))
def tree_levels(parents):
    """Return the number of nodes on the longest way up to the root, 0 without nodes."""
    return max(depths_of_nodes(parents), default=-1) + 1


@parented(takes=("list[int]", "int", "int"), source="steps up from one, then from the other")
def lowest_common_ancestor(parents, a, b):
    """Return the deepest node that both nodes are below, or are themselves; -1 if none."""
    seen = set()
    while a >= 0 and a not in seen:
        seen.add(a)
        a = parents[a]
    for _ in parents:
        if b < 0 or b in seen:
            break
        b = parents[b]
    return b


@parented(source="nodes that are nobody's parent")
def count_leaves(parents):
    """Count the nodes without children."""
    return len(parents) - len(set(parents) - {-1})


@levelled()
def depth_of_level_list(values):
    """Return the number of nodes on the longest way down from the root."""
    last = max((i for i, value in enumerate(values) if value is not None), default=-1)
    return (last + 1).bit_length()


@levelled(gives="list")
def values_in_order(values):
    """Return the values from left to right: left part, node, right part."""
    result, stack, at = [], [], 0
    while stack or (at < len(values) and values[at] is not None):
        while at < len(values) and values[at] is not None:
            stack.append(at)
            at = 2 * at + 1
        at = stack.pop()
        result.append(values[at])
        at = 2 * at + 2
    return result


@levelled(gives="bool", uses=("values_in_order",), imports=("from itertools import pairwise",))
def is_search_tree(values):
    """Whether left parts are smaller and right parts larger than each node."""
    return all(a < b for a, b in pairwise(values_in_order(values)))


@levelled(gives="bool", limits="comparable values")
def is_max_heap(values):
    """Whether no value of a list by level is above that of its parent."""
    return all(values[(i - 1) // 2] >= values[i] for i in range(1, len(values)))


@levelled(gives="bool", limits="comparable values")
def is_min_heap(values):
    """Whether no value of a list by level is below that of its parent."""
    return all(values[(i - 1) // 2] <= values[i] for i in range(1, len(values)))


@levelled(
    source="depth is one more than that of the deeper neighbour in order",
    complexity="O(n log n) and n moves of memory",
    limits="distinct comparable values",
    imports=("from bisect import bisect_left",),
)
def depth_of_search_tree(values):
    """Return the number of levels when values are put into a search tree one by one."""
    ordered, depth = [], {}
    for x in values:
        at = bisect_left(ordered, x)
        ordered.insert(at, x)
        near = ordered[max(at - 1, 0) : at] + ordered[at + 1 : at + 2]
        if x in depth:
            raise ValueError("values repeat")
        depth[x] = 1 + max([depth[y] for y in near], default=0)
    return max(depth.values(), default=0)


@levelled(source="an explicit stack", limits="lists inside lists; the outermost counts")
def nesting_depth(items):
    """Return how many lists are inside each other at most."""
    best, stack = 0, [(items, 1)]
    while stack:
        here, depth = stack.pop()
        best = max(best, depth)
        stack += [(item, depth + 1) for item in here if isinstance(item, list)]
    return best


@levelled(gives="number", source="an explicit stack", limits="numbers and lists inside lists")
def nested_sum(items):
    """Return the sum of the numbers of lists inside lists."""
    total, stack = 0, [items]
    while stack:
        for item in stack.pop():
            if isinstance(item, list):
                stack.append(item)
            else:
                total += item
    return total


@levelled(gives="number", source="an explicit stack", limits="numbers and lists inside lists")
def nested_sum_by_depth(items):
    """Return the sum of numbers times their depth, which is 1 in the outermost list."""
    total, stack = 0, [(items, 1)]
    while stack:
        here, depth = stack.pop()
        for item in here:
            if isinstance(item, list):
                stack.append((item, depth + 1))
            else:
                total += depth * item
    return total
