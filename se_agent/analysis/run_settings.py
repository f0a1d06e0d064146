"""Settings of the run file as Python gives them: keyword arguments, and mappings for tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any  # a setting may have any value that TOML has

from se_agent.config.toml_text import value_text


def override_texts(settings: Mapping[str, Any]) -> list[str]:
    """Return settings as `--set` takes them, such as `budget.evaluations=30`."""
    return [f"{key}={value_text(value)}" for key, value in _flat(settings)]


def _flat(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted keys with their values."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
