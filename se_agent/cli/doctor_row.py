"""A line of `doctor`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DoctorRow:
    """One finding.

    Attributes:
        name: Name of what was tried.
        ok: Whether it is as it should be.
        detail: What was found.
        cost: What is lost where `ok` is false.
        needed: Whether nothing goes without it.
    """

    name: str
    ok: bool
    detail: str
    cost: str = ""
    needed: bool = True
