"""Names of folds in a run file: each stands there once, and none is a name of the engine's."""

from __future__ import annotations

from collections.abc import Sequence

from se_agent.errors import ConfigError

FOLDS_OF_THE_ENGINE = (
    *("costs", "open_steps", "outputs", "dedup_index", "budget", "model_returns"),
    *("trial_history", "population", "counterexamples", "search_context", "observations"),
    *("memory", "histories", "open_generation", "exhaustion", "experience", "policy"),
    *("progress", "trims", "run_record"),
)
"""The names of the engine's folds, in the order in which they are told of an event."""


def check_folds(names: Sequence[str], place: str) -> None:
    """Make sure that a run file may name these folds.

    Args:
        names: What it names, in its order.
        place: Where it names them, for the message.

    Raises:
        ConfigError: One is a fold of the engine's, or is named twice.
    """
    for at, name in enumerate(names):
        if name in FOLDS_OF_THE_ENGINE:
            told = f"{place}: the engine has a fold named {name!r} itself"
            raise ConfigError(told, hint="register yours under another name")
        if name in names[:at]:
            raise ConfigError(f"{place}: {name!r} is named twice", hint="name each fold once")
