"""What this machine has the means to measure, and at which level of isolation.

Not here: how it is measured (`reading`), nor whether the level itself can be had
(`evaluators.sandbox.server.probe`).
"""

from __future__ import annotations

from dataclasses import dataclass

from evaluators.counting.valgrind import installed
from evaluators.sandbox.isolation.levels import LEVELS
from se_agent.environment.process_files import can_open
from se_agent.errors import ConfigError
from se_agent.values.objective import Objective, Quantity

_OF_ONE_PROCESS = (Quantity.MEMORY, Quantity.MEMORY_TIME, Quantity.INSTRUCTIONS)
_CLEAR = "--set objective=cpu measures CPU time"


@dataclass(frozen=True)
class Means:
    """Whether one quantity can be measured.

    Attributes:
        quantity: The quantity.
        available: Whether it can, at some level.
        detail: How, or what is missing.
        hint: What to do where it cannot.
    """

    quantity: Quantity
    available: bool
    detail: str
    hint: str = ""


def means() -> tuple[Means, ...]:
    """Return what can be measured here, quantity by quantity."""
    readable = can_open("smaps")
    missing = "" if readable else "the kernel shows no /proc/PID/smaps"
    return (
        Means(Quantity.CPU, True, "the clock of each process, read from outside"),
        Means(Quantity.WALL, True, "at levels that permit threads"),
        Means(Quantity.MEMORY, readable, missing or "before the end of each process"),
        Means(Quantity.MEMORY_TIME, readable, missing or "sampled every millisecond"),
        Means(
            Quantity.INSTRUCTIONS,
            bool(installed()),
            f"counted by {installed()}" if installed() else "there is no valgrind",
            "install valgrind (a package of every distribution), or measure CPU time",
        ),
    )


def require(objective: Objective, isolation: str) -> None:
    """Make sure that an objective can be measured here, at this level.

    Raises:
        ConfigError: It cannot; message and hint say why, and what to do.
    """
    for found in means():
        if found.quantity in objective.quantities and not found.available:
            raise ConfigError(
                f"objective '{found.quantity}' cannot be measured here: {found.detail}",
                hint=found.hint or _CLEAR,
            )
    level = LEVELS[isolation]
    alone = [quantity for quantity in objective.quantities if quantity in _OF_ONE_PROCESS]
    if alone and Quantity.WALL in objective.quantities and (level.warded or not level.room):
        raise ConfigError(
            f"objectives 'wall' and '{alone[0]}' exclude each other: wall time is for programs "
            "with threads or children, and the other is read of one process",
            hint=f"weigh 'cpu' beside '{alone[0]}' instead of 'wall'; {_CLEAR}",
        )
    if alone and level.warded:
        raise ConfigError(
            f"objective '{alone[0]}' is read of one process; at isolation {isolation!r} a "
            "program may have more",
            hint=f"--set sandbox.isolation=jail keeps it to one; {_CLEAR}",
        )
    if Quantity.WALL in objective.quantities and not level.room:
        raise ConfigError(
            "objective 'wall' is for programs with threads or children, which isolation "
            f"{isolation!r} refuses",
            hint=f"--set sandbox.isolation=namespace permits them; {_CLEAR}",
        )
