"""Settings that may change while a run goes on, and why all others may not.

A change is an event: a replay, and whoever resumes the run later, sees it where it was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from se_agent.config.key_errors import place_in
from se_agent.config.marks import CAN_CHANGE, CAN_SHRINK
from se_agent.config.run_file import Run, run_of_record, run_with_settings
from se_agent.config.settings import Setting
from se_agent.config.sources import overrides as written
from se_agent.config.tables import has_mark, is_known, keys, place_of, places, tables
from se_agent.errors import ConfigError

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
        _check(config, setting)
    again = run_with_settings(config, settings).model_dump(mode="json")
    before = config.model_dump(mode="json")
    for setting in settings:
        if has_mark(Run, setting.path, CAN_SHRINK):
            _check_shorter(setting, _at(before, setting.path), _at(again, setting.path))
    return {".".join(setting.path): _at(again, setting.path) for setting in settings}


def changed(config: Run, settings: Mapping[str, Any]) -> Run:  # TOML values
    """Return a run file with other settings, by dotted key."""
    if not settings:
        return config
    return run_of_record(merged_table(config.model_dump(mode="json"), settings))


def left_out(config: Run, settings: Mapping[str, Any]) -> Run:  # TOML values
    """Return a run file without the folds and tiers that later settings leave out.

    A run is resumed and replayed without them from its first event on: what was left out for
    good may not even be installed any more.
    """
    keys = [key for key in settings if has_mark(Run, key.split("."), CAN_SHRINK)]
    return changed(config, {key: settings[key] for key in keys})


def merged_table(table: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run file as JSON with other settings, by dotted key; what is given stays."""
    found: dict[str, Any] = {**table}
    for key, value in settings.items():
        first, _, rest = key.partition(".")
        found[first] = merged_table(found.get(first) or {}, {rest: value}) if rest else value
    return found


def more(settings: Mapping[str, object]) -> bool:
    """Say whether settings may let a search go on that had ended."""
    return any(key.startswith("budget.") for key in settings)


def can_change() -> str:
    """Return which keys may change, in words."""
    found: dict[tuple[str, ...], list[str]] = {}
    for path, field in keys(Run):
        if CAN_CHANGE in field.metadata:
            key = f"{path[-1]}.*" if place_of(field).section else path[-1]
            found.setdefault(path[:-1], []).append(key)
    shallow_first = sorted(found.items(), key=lambda table: len(table[0]))
    told = (word for above, marked in shallow_first for word in _in_words(above, marked))
    shrinking = (".".join(path) for path, field in keys(Run) if CAN_SHRINK in field.metadata)
    return (
        f"{', '.join(told)} may change; names in {' and '.join(shrinking)} may be left out; "
        "all else needs a new run"
    )


def _in_words(above: Sequence[str], marked: Sequence[str]) -> Sequence[str]:
    """Return keys of one table; several of a deep one in braces."""
    if above and len(marked) > 1:
        return (f"{'.'.join(above)}.{{{','.join(marked)}}}",)
    return [".".join((*above, key)) for key in marked]


def _check(config: Run, setting: Setting) -> None:
    """Raise ConfigError for a key that may not change; unknown ones come later."""
    path = setting.path
    if not is_known(Run, path) or has_mark(Run, path, CAN_SHRINK):
        return
    if has_mark(Run, path, CAN_CHANGE) and _there(config, path):
        return
    why = _WHY.get(path[0], _ELSE)
    place = place_in(path, [setting], "--set")
    raise ConfigError(f"{place}: it cannot change any more: {why}", hint=can_change())


def _check_shorter(setting: Setting, before: Sequence[str], after: Sequence[str]) -> None:
    """Raise ConfigError unless some names were left out, and nothing else was changed."""
    left = iter(before)
    if all(name in left for name in after):
        return
    new = next((name for name in after if name not in before), "")
    why = f"{new!r} would be new" if new else "their order would be another one"
    raise ConfigError(
        f"{place_in(setting.path, [setting], '--set')}: names can only be left out: {why}",
        hint=f"the run has {','.join(before) or 'none'}",
    )


def _there(config: Run, path: tuple[str, ...]) -> bool:
    """Say whether the run has the table of a key: a run gets no new model."""
    above = [path for path, _ in tables(config)]
    named = [n for n, place in enumerate(places(Run, path)) if place.named and n < len(path)]
    return all(path[: n + 1] in above for n in named)


def _at(table: Mapping[str, Any], path: tuple[str, ...]) -> Any:  # a TOML value
    found: Any = table
    for key in path:
        found = found[key]
    return found
