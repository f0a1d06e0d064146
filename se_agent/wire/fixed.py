"""Which bytes hold values that nobody can change: read off the text, decoding costs more."""

from __future__ import annotations

import re

_SCALARS = re.compile(
    rb"""\{"t":(?:
        \[(?:[^\[\]{}]++|\{"[bfi]":"[^"{}]*"\})*+\]   # one by one
        |\{"[FIQ]":"[0-9a-f]*"\}                      # numbers of one type
    )\}""",
    re.VERBOSE,
)


def fixed(data: bytes) -> bool:
    """Say whether the bytes are a tuple of scalars.

    A text with brackets in it is taken for a list: what is fixed may be missed, and what can be
    changed never is.
    """
    return _SCALARS.fullmatch(data) is not None
