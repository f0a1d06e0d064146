"""Settings that may change while a run goes on, and why all others may not.

A change is an event: a replay, and whoever resumes the run later, sees it where it was made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from se_agent.config.run_file import Run, reset
from se_agent.config.sources import overrides as written
from se_agent.errors import ConfigError

_MODEL_KEYS = ("base_url", "key", "timeout_seconds", "total_seconds")
_WHY = {
    "problem": "the run is about it",
    "program": "all gains of the run are over it",
    "results": "the run is there already",
    "name": "the run has it already",
    "judge": "gains that were judged otherwise cannot be compared",
    "measure": "figures that were measured otherwise cannot be compared",
    "objective": "figures of something else cannot be compared",
    "weights": "figures of something else cannot be compared",
    "sandbox": "figures that were measured elsewhere cannot be compared",
}
_ELSE = "what was tried so far follows from it, and a replay would come to something else"
_HINT = (
    "budget.*, workers, asking.in_flight and models.NAME.{base_url,key,timeout_seconds,"
    "total_seconds} may change; all else needs a new run"
)


def changes_of(config: Run, overrides: Sequence[str]) -> dict[str, Any]:  # TOML values
    """Return what overrides change of the settings of a run that goes on, by dotted key.

    Args:
        config: The settings so far.
        overrides: `key=value` texts, as `--set` takes them.

    Raises:
        ConfigError: A key is unknown, its value is none, or it may not change any more.
    """
    settings = [*written(overrides)]
    for setting in settings:
        _check(config, setting.path)
    again = reset(config, settings).model_dump(mode="json")
    return {".".join(setting.path): _at(again, setting.path) for setting in settings}


def changed(config: Run, settings: Mapping[str, Any]) -> Run:  # TOML values
    """Return a run file with other settings, by dotted key."""
    if not settings:
        return config
    table = merged(config.model_dump(mode="json"), settings)
    return Run.model_validate_json(json.dumps(table))


def merged(table: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run file as JSON with other settings, by dotted key; what is given stays."""
    found: dict[str, Any] = {**table}
    for key, value in settings.items():
        first, _, rest = key.partition(".")
        found[first] = merged(found.get(first) or {}, {rest: value}) if rest else value
    return found


def more(settings: Mapping[str, object]) -> bool:
    """Say whether settings may let a search go on that had ended."""
    return any(key.startswith("budget.") for key in settings)


def _check(config: Run, path: tuple[str, ...]) -> None:
    """Raise ConfigError for a key that may not change; unknown ones are told by `reset`."""
    if path[0] == "budget" or path in (("workers",), ("asking", "in_flight")):
        return
    if path[0] not in Run.model_fields:
        return
    of_model = path[0] == "models" and len(path) == 3 and path[1] in config.models
    if of_model and path[2] in _MODEL_KEYS:
        return
    why = _WHY.get(path[0], _ELSE)
    raise ConfigError(f"--set {'.'.join(path)}: it cannot change any more: {why}", hint=_HINT)


def _at(table: Mapping[str, Any], path: tuple[str, ...]) -> Any:  # a TOML value
    found: Any = table
    for key in path:
        found = found[key]
    return found
