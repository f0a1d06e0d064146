"""A figure beside what it is meant to be, in words. Pure."""

from __future__ import annotations


def at_most(value: float, most: float, unit: str) -> str:
    """Return a figure with its upper limit, and whether it holds."""
    return f"{value:.3g} {unit} (at most {most:g} {unit}: {_held(well=value <= most)})"


def at_least(value: float, least: float, unit: str) -> str:
    """Return a figure with its lower limit, and whether it holds."""
    return f"{value:.3g} {unit} (at least {least:g} {unit}: {_held(well=value >= least)})"


def _held(*, well: bool) -> str:
    return "held" if well else "missed"
