"""The true size of an edit: instructions, counted by valgrind's callgrind.

One process counts all programs of a session. `os.getppid` marks where a count begins: valgrind
writes down what it counted whenever that function of the C library is called.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from experiments.figures.rows import Row, fill
from experiments.noise.apart import arguments
from experiments.noise.plan import FIRST, MORE, edits
from se_agent.noise.families import World
from se_agent.noise.kernels import Family

NAME = "noise-counts"
_COUNTED = """
import gc, json, os, sys
with open(sys.argv[1]) as file:
    texts, given = json.load(file)
mark = os.getppid
for text in texts:
    gc.collect()
    mark()
    code, space = compile(text, "main.py", "exec"), {}
    mark()
    exec(code, space)
    mark()
    space["solve"](*given)
    mark()
"""


@dataclass(frozen=True)
class Count:
    """Instructions of a program.

    Attributes:
        load: To load it, compiled: the clock leaves compiling out, too.
        call: To answer one input.
    """

    load: int
    call: int

    def run(self, inputs: int) -> int:
        """Return those of a run that answers so many inputs."""
        return self.load + inputs * self.call


def rows(numbers: range = range(FIRST.start, MORE.stop)) -> dict[str, Row]:
    """Count what is not counted yet: a row a world, two at a time."""
    worlds = [World(family, number) for number in numbers for family in Family]
    return fill(NAME, {_key(world): partial(_counted, world) for world in worlds})


def gain_of(counts: Row, key: str, inputs: int) -> float:
    """Return the true gain of a pair, as a fraction of the candidate's instructions.

    Args:
        counts: The row of its world.
        key: Key of the comparison.
        inputs: Number of inputs that a run answered.
    """
    reference, candidate = (Count(*one) for one in counts["counts"][key])
    return reference.run(inputs) / candidate.run(inputs) - 1


def _key(world: World) -> str:
    return f"{world.family}/{world.number}"


def _counted(world: World) -> Row:
    pairs = {planned.key: planned.pair() for planned in edits(world)}
    texts = list(
        dict.fromkeys(
            solution.text
            for pair in pairs.values()
            for solution in (pair.reference, pair.candidate)
        )
    )
    found = dict(zip(texts, count(texts, arguments(world, 1)[0]), strict=True))
    both = {
        key: [_plain(found[pair.reference.text]), _plain(found[pair.candidate.text])]
        for key, pair in pairs.items()
    }
    return {"counts": both}


def count(texts: list[str], given: list[object]) -> list[Count]:
    """Return the instructions of programs, in order.

    The first of them runs twice: the first run of all also fills the interpreter's tables.
    """
    with tempfile.TemporaryDirectory() as folder:
        task = Path(folder) / "task.json"
        task.write_text(json.dumps([[texts[0], *texts], given]), encoding="utf-8")
        command = [
            "valgrind",
            "--tool=callgrind",
            "--dump-before=getppid",
            f"--callgrind-out-file={folder}/count",
            *(sys.executable, "-I", "-c", _COUNTED, str(task)),
        ]
        env = {**os.environ, "PYTHONHASHSEED": "0"}
        subprocess.run(command, env=env, capture_output=True, check=True)
        dumps = sorted(Path(folder).glob("count.*"), key=lambda path: int(path.suffix[1:]))
        totals = [_total(path) for path in dumps]
    return [Count(*totals[at + 2 : at + 4]) for at in range(4, 4 * len(texts) + 4, 4)]


def _plain(found: Count) -> list[int]:
    return [found.load, found.call]


def _total(path: Path) -> int:
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(("summary:", "totals:")):
                return int(line.split()[1])
    raise ValueError(f"{path.name}: valgrind wrote no sum")
