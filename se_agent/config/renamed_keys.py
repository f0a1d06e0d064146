"""Keys of the run file that have moved, and rules that are gone. Pure.

Old keys are still read. Who writes one is told the new one; a record is read without a word,
for it cannot be changed. It names all operators of its run, so each run of before would stop
at a rule that nobody needs: it goes on without. Who names one today is told that it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any  # whatever TOML can say

from se_agent.chat.messages import Role
from se_agent.config.sections import LocalSection
from se_agent.config.settings import Setting, flat, nested_table
from se_agent.errors import ConfigError

KeyPath = tuple[str, ...]

RENAMED: Mapping[KeyPath, KeyPath] = {
    ("memory", key): ("memory", "local", key) for key in LocalSection.model_fields
}
"""New keys by old ones."""

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
"""Rules that are gone; no operator may have such a name again."""


def with_new_keys(settings: Iterable[Setting]) -> list[Setting]:
    """Return what one file or one command line says, by the keys of today.

    Raises:
        ConfigError: A key is given by its old name and by its new one.
    """
    given = [*settings]
    there = {setting.path for setting in given}
    for setting in given:
        if RENAMED.get(setting.path) in there:
            raise _twice(setting)
    return [_renamed(setting) for setting in given]


def table_with_new_keys(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a run file as a table, by the keys of today; one that has no old key as it is.

    Raises:
        ConfigError: A key is given by its old name and by its new one.
    """
    settings = [*flat(table, "the run file")]
    if all(setting.path not in RENAMED for setting in settings):
        return table
    return nested_table(with_new_keys(settings))


def without_retired(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run file on record, as a table, without the rules that are gone.

    A run that had no other operator keeps them: an empty list would mean all that there are.
    """
    found = dict(table)
    for key in ("operators", "without"):
        if isinstance(names := found.get(key), list):  # a stranger's record can say anything
            left = [name for name in names if name not in RETIRED]
            found[key] = left if left or key == "without" else names
    return found


def names_of_today(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by dotted key under the keys of today."""
    new = {".".join(old): ".".join(path) for old, path in RENAMED.items()}
    return {new.get(key, key): value for key, value in settings.items()}


def notes(settings: Iterable[Setting]) -> Iterator[str]:
    """Yield a note for each key that was given by its old name, once."""
    given = [*settings]
    for old in dict.fromkeys(setting.old_path for setting in given):
        if old:
            yield f"note: {'.'.join(old)} is now {'.'.join(RENAMED[old])}"
    for path in dict.fromkeys(setting.path for setting in given):
        if path[2:] == ("weights", Role.MUTATE):
            yield f"note: {'.'.join(path)} is that of {Role.REWRITE} and of {Role.REFINE}"


def _renamed(setting: Setting) -> Setting:
    if setting.path not in RENAMED:
        return setting
    return setting._replace(path=RENAMED[setting.path], old_path=setting.path)


def _twice(setting: Setting) -> ConfigError:
    old, new = ".".join(setting.path), ".".join(RENAMED[setting.path])
    place = setting.source if setting.source.endswith(f" {old}") else f"{setting.source}: {old}"
    return ConfigError(
        f"{place}: given twice: it is now {new}, which is given, too", hint=f"leave out {old}"
    )
