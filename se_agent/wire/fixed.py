"""What bytes hold, read off the text: decoding costs more."""

from __future__ import annotations

import re

_SCALARS = re.compile(
    rb"""\{"t":(?:
        \[(?:[^\[\]{}]++|\{"[befhimwy]":"[^"{}]*"\})*+\]  # one by one
        |\{"[FIQ]":"[0-9a-f]*"\}                            # numbers of one type
    )\}""",
    re.VERBOSE,
)


_RECORDS = (b'{"K":', b'{"W":', b'{"E":', b'{"V":')


def is_fixed(data: bytes) -> bool:
    """Say whether the bytes are a tuple of scalars.

    A text with brackets in it is taken for a list: what is fixed may be missed, and what can be
    changed never is.
    """
    return _SCALARS.fullmatch(data) is not None


def holds_records(data: bytes) -> bool:
    """Say whether a value of a class is in it; in a text the quotes of a tag are escaped."""
    return any(tag in data for tag in _RECORDS)
