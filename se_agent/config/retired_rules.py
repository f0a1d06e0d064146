"""Rules that are gone: a run on record that had one goes on without it. Pure.

The record of a run names all of its operators, so each run of before would stop at a name
that nobody needs. Whoever names one in a run file of today is still told that it is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any  # whatever TOML can say

RETIRED = (
    "affix_tuple",
    "attribute_offset",
    "factor_bound",
    "filtered_removal",
    "helper_invariant",
    "interval_table",
    "sort_key",
    "strided_range",
    "through_helper",
)
"""Names that no operator may have again."""


def without_retired(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run file on record, as a table, without the rules that are gone.

    A run that had no other operator keeps them: an empty list would mean all that there are.
    """
    found = dict(table)
    for key in ("operators", "without"):
        names = found.get(key) or ()
        left = [name for name in names if name not in RETIRED]
        found[key] = left if left or key == "without" else names
    return found
