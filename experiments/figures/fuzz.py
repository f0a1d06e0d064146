"""Two versions of a function on many small inputs: where do they differ?

Run as `python -m experiments.figures.fuzz FOLDER FUNCTION NUMBER`, in a process of its own: a
version may never end, or take all memory. The folder has the versions, `before.py` and
`code.py`, and `cases.py` with `fuzz(rng)`. It prints the first input on which they differ and
both outcomes as one JSON text, an empty one if there is none.
"""

from __future__ import annotations

import copy
import json
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any  # arguments and answers are plain data of any type

from experiments.figures.rows import ROOT
from se_agent.wire.same import same

NEVER_ENDS = "never ends"
"""Told of a call that takes longer than 5 seconds."""

_SECONDS = 5.0  # on the wall, for one call
_MEMORY = 4 << 30
_PATIENCE = 600  # seconds for all inputs of a function
_SHOWN = 40  # characters of an outcome


class NeverEndsError(BaseException):
    """A call took too long."""


@dataclass(frozen=True)
class Outcome:
    """What a call comes to.

    Attributes:
        told: The answer, or the name of the type of the exception.
        arguments: What became of them.
        held: Places of the arguments that are the answer itself.
    """

    told: Any
    arguments: tuple[Any, ...]
    held: tuple[int, ...]

    def __str__(self) -> str:
        spelled = repr(self.told)[:_SHOWN]
        after = repr(self.arguments)[:_SHOWN]
        return f"{spelled} (arguments after: {after}, handed out: {self.held})"

    def is_like(self, other: Outcome) -> bool:
        """Say whether another call came to the same; a copy is as good as an argument."""
        told = same((self.told, self.arguments), (other.told, other.arguments))
        return told and set(other.held) <= set(self.held)


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call a function with copies and return what came of it; the answer is emptied then."""
    given = copy.deepcopy(arguments)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        answer = function(*given)
    except Exception as err:  # noqa: BLE001 - an answer like any other
        return Outcome(("raises", type(err).__name__), given, ())
    except NeverEndsError:
        return Outcome(("raises", NEVER_ENDS), given, ())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    changeable = isinstance(answer, list | dict | set)
    held = tuple(i for i, one in enumerate(given) if changeable and one is answer)
    told = Outcome(copy.deepcopy(answer), copy.deepcopy(given), held)
    if changeable:
        answer.clear()
    return told


def differing(
    before: Callable[..., Any],
    after: Callable[..., Any],
    fuzz: Callable[[random.Random], tuple[Any, ...]],
    number: int,
) -> str:
    """Return the first input on which two functions differ, with both outcomes; empty: none.

    Args:
        before: One function.
        after: The other.
        fuzz: Makes the arguments of a call.
        number: Number of inputs.
    """
    rng = random.Random(0)
    for _ in range(number):
        arguments = fuzz(rng)
        old, new = outcome(before, arguments), outcome(after, arguments)
        if not old.is_like(new):
            return f"{repr(arguments)[:_SHOWN]}: {old} became {new}"
    return ""


def write(folder: Path, *, before: str, after: str, cases: str) -> None:
    """Write two versions of a module and what makes their inputs, as `differing_in` reads them.

    Args:
        folder: Where they are written.
        before: Text of one version.
        after: Text of the other.
        cases: Text of a module with `fuzz(rng)`, which returns the arguments of a call.
    """
    for name, text in {"before.py": before, "code.py": after, "cases.py": cases}.items():
        (folder / name).write_text(text, encoding="utf-8")


def differing_in(folder: Path, function: str, number: int) -> str:
    """Return what `differing` finds of the versions in a folder, in a process of its own."""
    command = [sys.executable, "-m", "experiments.figures.fuzz", str(folder), function]
    done = subprocess.run(
        [*command, str(number)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=_PATIENCE,
    )
    found: str = json.loads(done.stdout)
    return found


def main(folder: str, function: str, number: str) -> None:
    """Compare the versions in a folder and print where they differ."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGALRM, _too_long)
    names = {"before.py": function, "code.py": function, "cases.py": "fuzz"}
    before, after, fuzz = (defined(Path(folder) / file, name) for file, name in names.items())
    print(json.dumps(differing(before, after, fuzz, int(number))))


def defined(path: Path, name: str) -> Callable[..., Any]:
    """Return a function of a file, which is run for it."""
    space: dict[str, Any] = {"__name__": path.stem}
    exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), space)
    found: Callable[..., Any] = space[name]
    return found


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise NeverEndsError


if __name__ == "__main__":
    main(*sys.argv[1:])
