"""Two programs the way most harnesses compare them: two processes, each timing its own calls.

What our rule is measured against. The programs are ours, so that they may hold the clock.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import ExitStack

from se_agent.noise.families import ProgramPair, World
from se_agent.values.randomness import Purpose, rng_at

PAIRS = 24
_CALLS = 2  # distinct inputs a run
_SERVER = """
import json, sys, time
text, inputs = json.loads(sys.stdin.readline())
space = {}
exec(compile(text, "main.py", "exec"), space)
solve = space["solve"]
print("ready", flush=True)
for line in sys.stdin:
    begin = time.process_time()
    for given in inputs:
        solve(*given)
    print(time.process_time() - begin, flush=True)
"""


def apart(world: World, pair: ProgramPair, variant: int) -> list[tuple[float, float]]:
    """Return CPU seconds of reference and candidate in `PAIRS` pairs, in random order within.

    Nothing warms up: the first pair is the one run each that most engines decide on.
    """
    inputs = arguments(world, _CALLS)
    rng = rng_at(world.number, variant, Purpose.PAIR_ORDER)
    with ExitStack() as stack:
        sides = [
            stack.enter_context(_Side(solution.text, inputs))
            for solution in (pair.reference, pair.candidate)
        ]
        found = []
        for _ in range(PAIRS):
            seconds = [0.0, 0.0]
            for side in rng.permutation(2):
                seconds[side] = sides[side].seconds()
            found.append((seconds[0], seconds[1]))
        return found


def arguments(world: World, count: int) -> list[list[object]]:
    """Return inputs of a world, as its generator makes them."""
    space: dict[str, object] = {}
    exec(world.problem().generator, space)
    generate = space["generate"]
    assert callable(generate)
    return [list(generate(random.Random(seed))) for seed in range(count)]


class _Side:
    """A process that holds one program."""

    def __init__(self, text: str, inputs: list[list[object]]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._ask(json.dumps([text, inputs]))

    def __enter__(self) -> _Side:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def seconds(self) -> float:
        """Run once and return the CPU seconds by the program's own clock."""
        return float(self._ask("run"))

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()
