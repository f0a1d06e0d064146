"""Methods and functions of Python by name that change an object they are asked of, or given.

Not here: what a text does with them (`side_effects`, and rewrite rules for themselves).
"""

from __future__ import annotations

CHANGING_METHODS = frozenset(
    {
        "__delitem__", "__iadd__", "__iand__", "__imul__", "__ior__", "__isub__", "__ixor__",
        "__setitem__", "add", "append", "appendleft", "clear", "difference_update", "discard",
        "extend", "extendleft", "frombytes", "insert", "intersection_update", "move_to_end",
        "pop", "popitem", "popleft", "remove", "reverse", "rotate", "setdefault", "sort",
        "subtract", "symmetric_difference_update", "update",
    }
)  # fmt: skip
"""Methods of containers that change them."""

CHANGING_FUNCTIONS = frozenset(
    {
        "delitem", "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "iadd",
        "iconcat", "insort", "insort_left", "insort_right", "next", "pack_into", "readinto",
        "setitem", "shuffle",
    }
)  # fmt: skip
"""Functions of modules, and methods, that change what they are given."""
