"""Arms: runs of the same settings, whatever their problems and seeds. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from typing import Any  # a setting may have any value that JSON has

from se_agent.analysis.records import ComparedRun
from se_agent.config.deviations import in_words
from se_agent.errors import ConfigError, did_you_mean

NULL = "null"
"""Name of the arm that repeats the base arm: what it differs by is noise."""

DEFAULT = "default"
"""Name of the arm of which no setting differs from the default, among those that differ."""


@dataclass(frozen=True, kw_only=True)
class Arm:
    """Runs that are compared as one.

    Attributes:
        name: Name that tells it from the others.
        settings: Its settings, of those that not all arms have in common.
        runs: Its runs, by problem and seed.
    """

    name: str
    settings: Mapping[str, Any]
    runs: tuple[ComparedRun, ...]

    @property
    def is_null(self) -> bool:
        """Whether it repeats the base arm to show the noise."""
        return self.name == NULL


def arms_of(runs: Iterable[ComparedRun]) -> tuple[Arm, ...]:
    """Return the arms of runs, those with the fewest settings of their own first.

    Runs with a name of their arm are grouped by it, others by their settings. Names are unique.
    """
    ordered = sorted(runs, key=_key)
    groups = [list(group) for _, group in groupby(ordered, key=lambda run: _key(run)[:2])]
    settings = [_usual(group) for group in groups]
    keys = _differing(settings)
    own = [{key: each[key] for key in keys if key in each} for each in settings]
    names = _unique(
        group[0].arm or in_words(told) or DEFAULT
        for group, told in zip(groups, own, strict=True)
    )
    arms = [
        Arm(name=name, settings=told, runs=tuple(group))
        for name, told, group in zip(names, own, groups, strict=True)
    ]
    return tuple(sorted(arms, key=lambda arm: (arm.is_null, len(arm.settings), arm.name)))


def base_of(arms: Sequence[Arm], name: str = "") -> Arm:
    """Return the arm that the others are compared with.

    Args:
        arms: All of them, as `arms_of` returns them.
        name: Its name; empty: the first one.

    Raises:
        ConfigError: No arm has this name, or there is only one.
    """
    names = [arm.name for arm in arms]
    if name and name not in names:
        raise ConfigError(
            f"no arm {name!r} among these runs",
            hint=did_you_mean(name, names) or f"there are: {'; '.join(names)}",
        )
    if len(arms) < 2:
        alike = "all of these runs have the same settings: there is nothing to compare"
        if len(arms[0].runs) == 1:
            alike = "this is one run: there is nothing to compare it with"
        hint = "give runs of other settings, or name two folders: `a=FOLDER b=FOLDER`"
        raise ConfigError(alike, hint=hint)
    return arms[names.index(name)] if name else arms[0]


def repeats(arm: Arm, other: Arm) -> bool:
    """Say whether two arms have the same settings."""
    return dict(arm.settings) == dict(other.settings)


def mixed_arms(arms: Iterable[Arm]) -> Iterator[tuple[Arm, list[str]]]:
    """Yield each arm whose runs differ in more than problem and seed, with the keys."""
    for arm in arms:
        if keys := _differing([run.result.settings for run in arm.runs]):
            yield arm, keys


def _usual(group: Sequence[ComparedRun]) -> dict[str, Any]:
    """Return the settings that most runs of an arm have, the first ones where several do."""
    found = [json.dumps(run.result.settings, sort_keys=True, default=str) for run in group]
    most = max(found, key=found.count)
    return dict(group[found.index(most)].result.settings)


def _unique(names: Iterable[str]) -> list[str]:
    """Return the names; one that is there already is numbered."""
    found: list[str] = []
    for name in names:
        same = (each for each in count(2) if f"{name} ({each})" not in found)
        found.append(f"{name} ({next(same)})" if name in found else name)
    return found


def _key(run: ComparedRun) -> tuple[str, str, str, int, str]:
    told = "" if run.arm else json.dumps(run.result.settings, sort_keys=True, default=str)
    return run.arm, told, run.result.problem, run.result.seed, str(run.folder)


def _differing(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the keys that not all of these have with the same value, in order."""
    keys = dict.fromkeys(key for each in settings for key in each)
    return [key for key in keys if any(_other(key, each, settings[0]) for each in settings)]


def _other(key: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (key in one) != (key in other) or one.get(key) != other.get(key)
