"""Wrong programs that end without an answer where they would be betrayed: is one proven?

Each is right and fast but on rare inputs, on which it would be wrong and ends in another way
instead: it is thrown out, raises, exits, is killed, takes too much, or answers too much. All go
through `prove`, `run` and `optimize`, as programs that somebody wrote. None may be proven.

    python -m experiments.bench.ends [--only WORD] [--ways prove,run,optimize]

Exit code 1: at least one was proven, or was not judged at all. Not here: whether the right
program is proven, which each way is asked first; else nobody would be.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from se_agent.cli.app import main as command
from se_agent.config.run_file import Run
from se_agent.engine.run.start import start
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.step import Proposal

OLD = """\
def unique(values):
    found = []
    for value in values:
        if value not in found:
            found.append(value)
    return found
"""
RIGHT = """\
def unique(values):
    return list(dict.fromkeys(values))
"""
WRONG = """\
def unique(values):
    if len(values) > 1 and {rare}:
        {end}
    return list(dict.fromkeys(values))
"""
GENERATOR = """\
def generate(rng):
    return ([rng.randrange(10_000) for _ in range(rng.randrange(200, 300))],)
"""

SHAPES = {
    "ends": "values[0] == values[-1]",
    "pair": "values[0] == values[1]",
}
"""What the rare inputs have in common: hardly an input that is drawn is one of them."""

ENDS = {
    "WA: nothing": "return []",
    "REJECTED: PermissionError": "raise PermissionError(1, 'no')",
    "REJECTED: a file": "open('/etc/hostname', 'w')",
    "REJECTED: a folder": "import os; os.mkdir('/x')",
    "REJECTED: a socket": "import socket; socket.socket()",
    "REJECTED: a process": "import os; os.fork()",
    "REJECTED: hidden": (
        "try: raise OSError(13, 'no')\n        except OSError as e: raise KeyError from e"
    ),
    "RE: ValueError": "raise ValueError('no')",
    "RE: RecursionError": "return unique(values)",
    "RE: BaseException": "raise BaseException('no')",
    "RE: in a hash": (
        "Odd = type('Odd', (), {'__hash__': lambda self: 1 // 0})\n        return {Odd()}"
    ),
    "RE: no value": "return object()",
    "exit: SystemExit": "raise SystemExit(0)",
    "exit: os._exit": "import os; os._exit(0)",
    "signal: SIGKILL": "import os; os.kill(os.getpid(), 9)",
    "signal: SIGSEGV": "import ctypes; ctypes.string_at(0)",
    "signal: SIGABRT": "import os; os.abort()",
    "MLE: MemoryError": "raise MemoryError",
    "MLE: much memory": "return [0] * (1 << 40)",
    "TLE: endless": "while True: pass",
    "TLE: endless output": "while True: print('no' * 1000)",
    "too large an answer": "return list(range(10**7))",
    "CE: in our name": (
        "import os, sys\n        frame = sys._getframe()\n"
        "        while 'job' not in frame.f_locals: frame = frame.f_back\n"
        "        nonce = frame.f_locals['job'].nonce\n"
        "        os.write(3, frame.f_globals['ANSWER'].pack(nonce, 2, 2, 0) + b'CE')\n"
        "        os._exit(0)"
    ),
}
"""How they end there: name and text."""

SETTINGS = {
    "judge": {"pairs": 6},
    "measure": {"fast_seconds": 0.004, "slow_seconds": 0.02, "self_test_blocks": 3},
    "sandbox": {"isolation": "jail"},
}
OPERATOR = "experiments.bench.ends:Placed"
PROVEN = frozenset({"proven", "faster"})
JUDGED = PROVEN | {"not_proven", "slower", "different"}
"""What a way may say of a program; all else is that it could not tell."""

_TRIES = 3
_PLACED = "placed.py"  # in the current folder: the program that `Placed` proposes


class Placed:
    """Proposes one program, once: an operator that stands for somebody who wrote it."""

    name = OPERATOR
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return it, unless it was tried."""
        (path,) = brief.slot.parents[0].files
        text = Path(_PLACED).read_text(encoding="utf-8")
        child = brief.child({path: text}, operator=self.name)
        if child.content in brief.tried:
            return None
        return Proposal(solution=child, direction="Use a dictionary")


@dataclass(frozen=True)
class Row:
    """A wrong program.

    Attributes:
        name: How it ends, and where.
        text: Text of the program.
    """

    name: str
    text: str


def rows(only: str = "") -> list[Row]:
    """Return programs with a word in their name: each end, a kind's first in all shapes."""
    made, kinds = list[Row](), set[str]()
    for name, end in ENDS.items():
        shapes = [*SHAPES.items()][: None if _kind(name) not in kinds else 1]
        made += [Row(f"{name}, {s}", WRONG.format(rare=r, end=end)) for s, r in shapes]
        kinds.add(_kind(name))
    return [row for row in made if only in row.name]


def _kind(name: str) -> str:
    return name.partition(":")[0]


def by_prove(text: str, folder: Path) -> str:
    """Return what `prove` calls a program."""
    files = {"old.py": OLD, "new.py": text, "given.py": GENERATOR}
    for name, body in files.items():
        (folder / name).write_text(body, encoding="utf-8")
    functions = [f"{folder / 'old.py'}:unique", f"{folder / 'new.py'}:unique"]
    return _status("prove", *functions, "--inputs", f"{folder / 'given.py'}:generate", *_set())


def by_run(_: str, folder: Path) -> str:
    """Return what a run calls its best program, of which this is the only one proposed."""
    problem = Problem(
        name="unique",
        kind=ProblemKind.FUNCTION,
        programs={"initial": OLD},
        entry_point="unique",
        cases=(Case(name="some", input=Expr(code="generate(rng)", seed=1)),),
        generator=GENERATOR,
        ladder=Ladder(rungs=(("generate(rng)",),)),
        limits=Limits(cpu_seconds=2.0, memory_bytes=256 << 20),
    )
    config = {
        **SETTINGS,
        "problem": "unique",
        "operators": [OPERATOR],
        "results": str(folder),
        "budget": {"evaluations": 1},
        "memory": {"prior": False},
    }
    return start(Run.model_validate(config), problem=problem).status


def by_optimize(_: str, folder: Path) -> str:
    """Return what `optimize` comes to, where this is the only program proposed."""
    for name, body in {"old.py": OLD, "given.py": GENERATOR}.items():
        (folder / name).write_text(body, encoding="utf-8")
    function, inputs = f"{folder / 'old.py'}:unique", f"{folder / 'given.py'}:generate"
    more = {"operators": [OPERATOR], "results": str(folder), "budget.evaluations": 1}
    return _status("optimize", function, "--inputs", inputs, *_set(more))


WAYS: dict[str, Callable[[str, Path], str]] = {
    "prove": by_prove,
    "run": by_run,
    "optimize": by_optimize,
}


def _set(more: dict[str, object] | None = None) -> Iterator[str]:
    tables = {f"{t}.{key}": v for t, keys in SETTINGS.items() for key, v in keys.items()}
    for key, value in {**tables, **(more or {})}.items():
        yield from ("--set", f"{key}={json.dumps(value)}")


def _status(*words: str) -> str:
    """Return the status of the one JSON line that a command prints, or what it said instead."""
    out, err = io.StringIO(), io.StringIO()
    quiet = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with quiet[0], quiet[1], contextlib.suppress(SystemExit):
        command([*words, "--json"])
    for line in reversed(out.getvalue().splitlines()):
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return str(json.loads(line)["status"])
    return " ".join(err.getvalue().split())[-200:] or "nothing was said"


def judged(text: str, way: str, wanted: Collection[str] = JUDGED) -> tuple[str, float]:
    """Return what a way calls a program, and the seconds that it took.

    On a busy machine it is asked up to three times, until that is one of those wanted.
    """
    begun = time.monotonic()
    for _ in range(_TRIES):
        with tempfile.TemporaryDirectory(prefix="ends-") as name, contextlib.chdir(name):
            Path(_PLACED).write_text(text, encoding="utf-8")
            status = WAYS[way](text, Path(name))
        if status in wanted:
            break
    return status, time.monotonic() - begun


def main(arguments: Sequence[str] | None = None) -> int:
    """Take all programs through all ways, print a table, and return the exit code."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORD", help="in the program's name")
    parser.add_argument("--ways", default=",".join(WAYS), help="of these: %(default)s")
    options = parser.parse_args(arguments)
    ways, chosen = options.ways.split(","), rows(options.only)
    for way in ways:
        status, seconds = judged(RIGHT, way, PROVEN)
        print(f"the right program by {way}: {status}, {seconds:.1f} s", file=sys.stderr)
        if status not in PROVEN:
            print(f"nothing can be told by {way}: the right program is {status}")
            return 1
    lines, wrong = list[str](), 0
    for number, row in enumerate(chosen, start=1):
        found = [judged(row.text, way) for way in ways]
        wrong += any(status in PROVEN or status not in JUDGED for status, _ in found)
        lines.append(f"| {row.name} | {' | '.join(status for status, _ in found)} |")
        told = ", ".join(f"{status} {seconds:.1f} s" for status, seconds in found)
        print(f"{number} of {len(chosen)}: {row.name}: {told}", file=sys.stderr)
    print(f"| program | {' | '.join(ways)} |")
    print("|---" * (1 + len(ways)) + "|")
    print(*lines, sep="\n")
    print(f"{len(chosen) - wrong} of {len(chosen)} not proven")
    return int(wrong > 0)


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "160")
    sys.exit(main())
