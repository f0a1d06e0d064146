"""A program whose object keeps calls in order: it is given how it adds and takes them."""

from __future__ import annotations

import textwrap

from tests.operators.rewrite.cases import dedented


def desk(
    push: str,
    pop: str = "return self._calls.pop(0)",
    more: str = "",
    above: str = "",
) -> str:
    """Return a program whose list is in `push` and `pop`, the bodies of two methods."""
    bodies = (textwrap.indent(dedented(body), " " * 8) for body in (push, pop))
    return (
        dedented(
            """
        ABOVE
        class Call:
            def __init__(self, time, number):
                self.time = time
                self.number = number
                self.gone = False

        class Desk:
            def __init__(self):
                self._calls = []
                self.count = 0

            def push(self, time, number):
        PUSH
            def pop(self):
        POP
        MORE
        def solve(xs):
            desk, out = Desk(), []
            for i, x in enumerate(xs):
                desk.push(x, i)
                if x % 3 == 0:
                    out.append(desk.pop())
            return [o.number if isinstance(o, Call) else o for o in out]
        """
        )
        .replace("ABOVE\n", above)
        .replace("PUSH", next(bodies))
        .replace("POP", next(bodies))
        .replace("MORE\n", textwrap.indent(dedented(more), " " * 4) + "\n")
    )


ADD = "self._calls.append(Call(time, number))\n"
SORT = "self._calls.sort(key=lambda call: call.time)\n"
ANEW = "self._calls = sorted(self._calls, key=lambda call: call.time)\n"
TAKE = "return self._calls.pop(0)\n"
PAIR = "self._calls.append((time, number))\nself._calls.sort()\n"
ENTRY = "self._calls.append(Entry(time, number))\nself._calls.sort()\n"
ORDERED = (
    "from dataclasses import dataclass, field\n\n@dataclass(order=True)\nclass Entry:\n"
    "    time: int\n    number: int\n    gone: bool = field(default=False, compare=False)\n\n"
)
COMPARED = (
    "class Entry:\n    def __init__(self, time, number):\n        self.time = time\n"
    "        self.number = number\n        self.asked = 0\n\n"
    "    def __lt__(self, other):\n        return self.time < other.time\n\n"
)
RANK = "self._calls.sort(key=self._rank)\n"
