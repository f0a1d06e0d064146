"""The calls of one function, decoded and ready for comparison.

Not here: the comparison (`matching`), and what the calls can tell (`evidence`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any  # arguments and results are plain data of any type

from se_agent.values.observation import Call
from se_agent.wire.same import same

_ARITY = 6


@dataclass(frozen=True)
class Seen:
    """A call with its values at hand.

    Attributes:
        arguments: Before the call.
        result: Value that was returned.
        target: The list that some calls of this function change, such as `a0`; empty: none.
        after: The same list after the call.
    """

    arguments: tuple[Any, ...]
    result: Any
    target: str = ""
    after: Any = None

    @property
    def wanted(self) -> Any:
        """What the call was made for: its result, or else its effect."""
        return self.after if self.target and self.result is None else self.result

    @cached_property
    def told(self) -> str:
        """All that the call gave, as a text: calls are told apart by it."""
        return repr((self.result, self.after))


def comparable(calls: Sequence[Call]) -> list[Seen]:
    """Return the calls of the usual number of arguments, small ones first.

    None at all when they change something else than one list, always the same.
    """
    arity = Counter(len(call.arguments) for call in calls).most_common(1)
    if not arity or not 0 < arity[0][0] <= _ARITY:
        return []
    kept = sorted(
        (call for call in calls if len(call.arguments) == arity[0][0]), key=lambda c: c.size
    )
    changed = {i for call in kept if call.changed for i in _changed(call)}
    if not changed:
        return [Seen(call.arguments, call.result) for call in kept]
    place = min(changed)
    if len(changed) > 1 or not all(isinstance(call.after[place], list) for call in kept):
        return []
    return [Seen(c.arguments, c.result, f"a{place}", c.after[place]) for c in kept]


def _changed(call: Call) -> list[int]:
    both = zip(call.arguments, call.after, strict=True)
    return [i for i, (before, after) in enumerate(both) if not same(before, after)]
