"""A jail without processes: programs run here, and every call takes scripted seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from se_agent import wire
from se_agent.user_function.jail_calls import ENTRY, TOO_MUCH, Answered, CallResult

START = 0.005
"""CPU seconds that every process takes besides its calls."""

ROOM = 64 << 20
"""Bytes that all answers of one process may have."""


class OpenJail:
    """Runs what the survey asks with `exec`; a program may define `cost(*arguments)`, of CPU.

    Args:
        waiting: Seconds on the wall that each call waits.
        late: Seconds on the wall that the first process to call it waits, for its files.
        crowded: Seconds on the wall that a second of CPU time takes.
        loading: CPU seconds that every process takes besides its calls.
    """

    def __init__(
        self,
        waiting: float = 0.0,
        late: float = 0.0,
        crowded: float = 1.0,
        loading: float = START,
    ) -> None:
        self._loading = loading
        self._waiting = waiting
        self._late = late
        self._crowded = crowded

    def call(
        self,
        program: str,
        entry_point: str,
        arguments: Sequence[bytes],
        *,
        cpu_seconds: float,
        warm: int = 0,
    ) -> CallResult:
        """Return what the real one would."""
        space: dict[str, Any] = {"__name__": "main"}
        try:
            exec(program, space)
        except Exception as err:  # noqa: BLE001 - whatever the user's code raises
            return CallResult(answers=(), cpu_seconds=0.0, failure=said(err))
        answers, spent, before = list[Answered](), 0.0, 0.0
        for number, data in enumerate(arguments):
            given = wire.loads(data)
            before = spent if number == warm else before
            if not program.endswith("return None\n"):
                spent += space.get("__cost__", 0.0) or cost(space, given)
            if spent > cpu_seconds:
                return CallResult(
                    answers=tuple(answers), cpu_seconds=spent, failure="TLE: limit"
                )
            answers.append(answered(space[entry_point], given))
            if sum(len(answer.data) for answer in answers) > ROOM:
                told = f"{TOO_MUCH} {ROOM} bytes"
                return CallResult(answers=tuple(answers[:-1]), cpu_seconds=spent, failure=told)
        idle = program.endswith("return None\n") or entry_point != ENTRY
        waited = 0.0 if idle else self._waiting * len(arguments) + self._late
        self._late = self._late if idle else 0.0
        calls = spent - before if warm else None
        spent += self._loading
        wall = self._crowded * spent + waited
        return CallResult(
            answers=tuple(answers), cpu_seconds=spent, wall_seconds=wall, calls_seconds=calls
        )


def cost(space: dict[str, Any], given: tuple[Any, ...]) -> float:
    """Return what the user's module says that a call costs."""
    function = getattr(space.get("entry"), "__globals__", {}).get("cost")
    return float(function(*given)) if function else 0.0


def answered(function: Any, given: tuple[Any, ...]) -> Answered:
    """Return the value in wire form, or the exception."""
    try:
        return Answered(data=wire.dumps(function(*given)))
    except Exception as err:  # noqa: BLE001 - whatever the user's code raises
        return Answered(error=said(err))


def said(err: Exception) -> str:
    return f"{type(err).__name__}: {err}"
