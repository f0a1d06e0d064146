"""Axes of a grid: the values of a key, and all combinations of several keys. Pure."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple  # any value of a key

from se_agent.config.settings import Setting
from se_agent.errors import ConfigError, did_you_mean

_ENDS = ("from", "to", "step")
_LONGEST = 40
_MOST = 10_000
_UNKNOWN = "known in a range: from, to, step"
_EXAMPLE = "such as lag = [1, 4, 16], or { from = 10, to = 50, step = 20 }"


class AxisValue(NamedTuple):
    """One value of an axis.

    Attributes:
        label: Its part of the name of an arm, such as `lag=4`.
        setting: The setting that it is.
    """

    label: str
    setting: Setting


def product(axes: Sequence[Sequence[AxisValue]]) -> Iterator[tuple[AxisValue, ...]]:
    """Yield all combinations, the last axis fastest; one empty one where there is no axis."""
    yield from itertools.product(*axes)


def axis_values(
    settings: Sequence[Setting],
    path: Path,
    require_free: Callable[[tuple[str, ...], str], None],
) -> list[list[AxisValue]]:
    """Return the values of each axis.

    Args:
        settings: Settings of the table of axes, by the key that they are about.
        path: The grid's file, for messages.
        require_free: Refuses a key that is none of an axis.

    Raises:
        ConfigError: An axis has no value, or a value twice, or is neither list nor range.
    """
    place = f"{path}: grid.axes"
    ranges = {each.path[:-1] for each in settings if each.path[-1] in _ENDS}

    def key_of(path: tuple[str, ...]) -> tuple[str, ...]:
        return path[:-1] if path[:-1] in ranges else path

    keys = dict.fromkeys(key_of(setting.path) for setting in settings)
    found = []
    for key in keys:
        own = [setting for setting in settings if key_of(setting.path) == key]
        where = f"{place}.{'.'.join(key)}"
        require_free(key, where)
        values = _values(key, own, where)
        found.append(_labelled(key, values, own[-1], where, _short(key, list(keys))))
    return found


def _short(key: tuple[str, ...], keys: Sequence[tuple[str, ...]]) -> str:
    """Return the last part of a key, or all of it where another axis ends like it."""
    same = [each for each in keys if each[-1] == key[-1]]
    return key[-1] if len(same) == 1 else ".".join(key)


def _values(key: tuple[str, ...], own: Sequence[Setting], where: str) -> Sequence[Any]:
    last = own[-1]
    if last.path != key:
        ends = {setting.path[-1]: setting.value for setting in own if setting.path != key}
        return range_values(ends, where, _EXAMPLE)
    if not isinstance(last.value, list):
        meant = did_you_mean(key[-1], _ENDS)
        raise ConfigError(f"{where}: neither a list nor a range", hint=meant or _EXAMPLE)
    if not last.value:
        raise ConfigError(f"{where}: an empty axis: no cell is left", hint=_EXAMPLE)
    return last.value


def range_values(ends: Mapping[str, Any], where: str, example: str) -> list[float]:
    """Return the values of a range, its last one included.

    Args:
        ends: Its `from`, `to` and `step`.
        where: Where it stands, for messages.
        example: A hint that shows how it is written.

    Raises:
        ConfigError: It has another key, is not of numbers, or has no value or too many.
    """
    if unknown := next((name for name in ends if name not in _ENDS), ""):
        hint = did_you_mean(unknown, _ENDS) or _UNKNOWN
        raise ConfigError(f"{where}.{unknown}: unknown key of a range", hint=hint)
    missing = [name for name in ("from", "to") if name not in ends]
    step = ends.get("step", 1)
    numbers = [value for value in ends.values() if type(value) in (int, float)]
    if missing or len(numbers) < len(ends) or not all(map(math.isfinite, numbers)):
        raise ConfigError(f"{where}: not a range of numbers", hint=example)
    if step <= 0 or ends["to"] < ends["from"]:
        raise ConfigError(f"{where}: an empty range: no cell is left", hint=example)
    steps = (ends["to"] - ends["from"]) / step + 1e-9
    if steps >= _MOST:
        raise ConfigError(f"{where}: {steps:.6g} values", hint=f"at most {_MOST} make sense")
    return [_exact(ends["from"] + step * place) for place in range(math.floor(steps) + 1)]


def _exact(value: float) -> float:
    """Return a number without what adding up has left in its last digits."""
    return value if isinstance(value, int) else round(value, 12)


def _labelled(
    key: tuple[str, ...], values: Sequence[Any], given: Setting, where: str, name: str
) -> list[AxisValue]:
    texts = [json.dumps(value, sort_keys=True, default=str) for value in values]
    twice = next((text for text, count in Counter(texts).items() if count > 1), None)
    if twice is not None:
        raise ConfigError(
            f"{where}: {twice} stands there twice, and cells would be run twice",
            hint="leave one of them out",
        )
    labels = [_label(value) for value in values]
    counts = Counter(labels)
    return [
        AxisValue(
            f"{name}={label if counts[label] == 1 else f'{label}-{number}'}",
            Setting(key, value, f"{given.source}: grid.axes.{'.'.join(key)}", given.folder),
        )
        for number, (label, value) in enumerate(zip(labels, values, strict=True))
    ]


def _label(value: object) -> str:
    """Return a value as a part of the name of a folder."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return re.sub(r"[^\w.+-]+", "_", text).strip("_")[:_LONGEST] or "none"
