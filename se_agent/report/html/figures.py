"""Figures as a page has them: finite, and of as many digits as anybody reads. Pure."""

from __future__ import annotations

import datetime as dt
import math


def short(value: object) -> object:
    """Return a value that JSON can hold: floats short and finite, times as texts."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    if isinstance(value, dt.datetime):
        return value.isoformat(timespec="seconds")
    return value
