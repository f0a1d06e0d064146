"""Typed JSON: Python values as bytes and back, with their exact types, and when they are equal.

The text is JSON. None, bool, str and ints of 64 bits stand for themselves, a JSON array is a
list, and a JSON object has one key, the tag of any other type. Runs of numbers are packed
as hexadecimal, because encoding is part of what is measured. Never pickle: reading these
bytes builds values and calls nothing. Values of a user's own classes come back as records
(`records`). Not here: framing and size caps.

What does not survive: identity (one list that stands twice comes back as two), a factory
of a `defaultdict` that is not a builtin type, the name of a time zone, and the memory order of
an array. Times in zones other than `datetime.timezone` do not cross.
"""

from se_agent.wire.decode import loads
from se_agent.wire.encode import IMMUTABLE, MAX_DEPTH, TOO_DEEP, UNSUPPORTED, dumps
from se_agent.wire.fixed import holds_records, is_fixed
from se_agent.wire.records import RecordMember, WireRecord
from se_agent.wire.revival import Revival
from se_agent.wire.same import same
from se_agent.wire.tolerance import EXACT, Tolerance

CROSSING = (
    "None, numbers, text, bytes, lists, tuples, sets, dicts, deque, Counter, defaultdict, "
    "OrderedDict, range, dates and times, Decimal, named tuples, data classes, "
    "members of enums, and numpy arrays of numbers, truth values, text, bytes, dates or times, "
    f"nested {MAX_DEPTH} levels deep at most"
)
"""What crosses a pipe, as people are told."""


def is_refused(told: str) -> bool:
    """Say whether a failure is that of a value which does not cross: see `CROSSING`."""
    return any(why in told for why in (UNSUPPORTED, TOO_DEEP))


__all__ = [
    "CROSSING",
    "EXACT",
    "IMMUTABLE",
    "MAX_DEPTH",
    "TOO_DEEP",
    "RecordMember",
    "Revival",
    "Tolerance",
    "WireRecord",
    "dumps",
    "holds_records",
    "is_fixed",
    "is_refused",
    "loads",
    "same",
]
