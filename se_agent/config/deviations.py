"""Which settings of a recorded run differ from the default. Pure.

A record may be older than the settings of today: a key that is not known any more is told as it
was. Not here: the run file itself (`config`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any  # a setting may have any value that JSON has

if TYPE_CHECKING:
    from se_agent.events import Started

_APART = frozenset({"problem", "results", "name", "seed"})
"""What every run says of its own: which problem, where it is kept, and with which seed."""


def deviations(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that differ from the default, by dotted key, in order.

    Args:
        config: A whole run file as it was recorded. Of a model all keys are told that differ.
    """
    usual = dict(_flat(_usual(config)))
    return {
        key: value
        for key, value in _flat(config)
        if key not in _APART and (key not in usual or usual[key] != value)
    }


def deviating(started: Started) -> dict[str, Any]:
    """Return the settings of a run that differ from the default.

    An older journal does not say what was given: there all operators are named, as in every
    record, and it cannot be told whether that was asked for.
    """
    if started.settings is not None:
        return started.settings
    return {k: v for k, v in deviations(started.config).items() if k != "operators"}


def _flat(config: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in config.items():
        if isinstance(value, Mapping) and value and key != "weights":
            yield from _flat(value, f"{above}{key}.")
        elif not (isinstance(value, Mapping) and key == "models"):
            yield f"{above}{key}", value


def _usual(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the defaults of a run with these models: some depend on whether there is one."""
    from pydantic import ValidationError

    from se_agent.config.run_file import Run
    from se_agent.config.sections import Endpoint

    try:
        run = Run.model_validate({"problem": "-", "models": config.get("models", {})})
    except ValidationError:
        run = Run(problem="-")
    of_models = {
        name: Endpoint.model_construct().model_dump(mode="json") for name in run.models
    }
    return {**run.model_dump(mode="json"), "models": of_models}


def in_words(found: Mapping[str, Any]) -> str:
    """Return settings as `--set` takes them, such as `workers=2, budget.evaluations=14`."""
    import json

    told = (f"{key}={json.dumps('none' if v is None else v)}" for key, v in found.items())
    return ", ".join(told)
