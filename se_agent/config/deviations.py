"""The settings of a recorded run that differ from the default. Pure.

A record may be older than the settings of today: a key that has another name now is told by
that, and one that is not known any more as it was. Not here: the run file itself (`config`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any  # a setting may have any value that JSON has

from se_agent.config.renamed_keys import KeyPath, names_of_today, table_with_new_keys
from se_agent.config.tables import TablePlace
from se_agent.config.toml_text import key_text, value_text
from se_agent.errors import ConfigError

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.events import Started

_APART = frozenset({"problem", "results", "name", "seed"})
"""What every run says of its own: which problem, where it is kept, and with which seed."""


def deviations(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that differ from the default, by dotted key, in order.

    Args:
        config: A whole run file as it was recorded. Of a model all keys are told that differ.
    """
    found = {".".join(path): value for path, value in _differing(config).items()}
    return {key: value for key, value in found.items() if key not in _APART}


def deviating(started: Started) -> dict[str, Any]:
    """Return the settings of a run that differ from the default.

    An older journal does not say what was given: there all operators are named, as in every
    record, and it cannot be told whether that was asked for.
    """
    if started.settings is not None:
        return names_of_today(started.settings)
    return {k: v for k, v in deviations(started.config).items() if k != "operators"}


def changed_lines(run: Run) -> list[str]:
    """Return `key = value` for each key that is not as by default, the problem left out."""
    found = _differing(run.model_dump(mode="json"))
    told = {path: value for path, value in found.items() if path != ("problem",)}
    ordered = sorted(told, key=lambda path: len(path) > 1)  # keys come before tables
    return [f"{key_text(path)} = {value_text(told[path])}" for path in ordered]


def _differing(config: Mapping[str, Any]) -> dict[KeyPath, Any]:
    """Return what differs from the default in a run file of any age, by its path."""
    from se_agent.config.run_file import Run

    table = table_with_new_keys(config)
    return dict(_different(table, _usual(config), TablePlace(Run)))


def _different(
    table: Mapping[str, Any], usual: Mapping[str, Any], here: TablePlace, *above: str
) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the keys of a table that are not as usual, then go on with the tables in it."""
    for key, value in table.items():
        below = here.below(key)
        if not isinstance(value, Mapping) or _is_value(below, value):
            if key not in usual or usual[key] != value:
                yield (*above, key), value
        else:
            inner = below or TablePlace(None)
            beside = usual.get(key, _defaults(inner) if here.named else {})
            beside = beside if isinstance(beside, Mapping) else {}
            yield from _different(value, beside, inner, *above, key)


def _is_value(below: TablePlace | None, value: Mapping[str, Any]) -> bool:
    """Say whether a table of the record is one value, as an empty one that is not known is."""
    return not value if below is None else below.section is None


def _defaults(here: TablePlace) -> Mapping[str, Any]:
    """Return the defaults of a table with a name of the user's choice; some keys have none."""
    return here.section.model_construct().model_dump(mode="json") if here.section else {}


def _usual(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the defaults of a run with these models and roles: some depend on them."""
    from se_agent.config.run_file import run_of_record

    try:
        rows: dict[str, object] = {name: {} for name in config.get("roles", {})}
        run = run_of_record({"problem": "-", "models": config.get("models", {}), "roles": rows})
    except ConfigError:
        run = run_of_record({"problem": "-"})
    return {**run.model_dump(mode="json"), "models": {}}  # of a model all keys are told


def in_words(found: Mapping[str, Any]) -> str:
    """Return settings as `--set` takes them, such as `workers=2, budget.evaluations=14`."""
    import json

    told = (f"{key}={json.dumps('none' if v is None else v)}" for key, v in found.items())
    return ", ".join(told)
