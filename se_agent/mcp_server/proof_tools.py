"""Tools that prove and optimize functions: the commands of the same names, as processes.

A process of its own is ended when its time is over, with all that it started. Functions lie
below the folder that the server works in. Not here: what the commands do (`se_agent.cli`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from se_agent.environment.child_process import PYTHON, USUAL, environment
from se_agent.errors import ConfigError
from se_agent.mcp_server.arguments import Examples, Place, Seconds
from se_agent.mcp_server.context import ServerContext

_MOST = 1 << 20  # characters of what a command prints
_START = 30.0  # seconds that a command has besides its budget


@dataclass(frozen=True)
class ProofTools:
    """Each public method is a tool; its docstring is what an agent reads of it."""

    _context: ServerContext

    def prove(
        self,
        old: Place,
        new: Place,
        examples: Examples | None = None,
        seconds: Seconds = 120,
    ) -> str:
        """Compare two functions: same results, faster, by how much, how sure? Changes nothing.

        Examples are calls, such as "f(1, [2, 3])".
        """
        places = [self._place(one) for one in (old, new)]
        return self._answer(["prove", *places, *_given(examples)], seconds)

    def optimize(
        self,
        function: Place,
        examples: Examples | None = None,
        seconds: Seconds = 120,
    ) -> str:
        """Make a function faster within a budget of seconds; gives verdict and diff.

        The file stays as it is. Examples are calls, such as "f(1, [2, 3])".
        """
        words = ["optimize", self._place(function), *_given(examples)]
        budget = f"budget.wall_seconds={seconds:g}"
        results = f"results={self._context.results.absolute()}"
        return self._answer([*words, "--set", budget, "--set", results], seconds)

    def _place(self, place: str) -> str:
        """Return a function as commands take it.

        Raises:
            ConfigError: Its file does not lie below the folder of the server.
        """
        file, _, function = place.rpartition(":")
        root = self._context.root.resolve()
        path = (root / file).resolve()
        if not path.is_relative_to(root) or not path.is_file():
            told = f"{file}: there is no such file below the folder of the server"
            raise ConfigError(
                told, hint="give a path relative to it, such as src/shop.py:total"
            )
        return f"{path}:{function}"

    def _answer(self, words: Sequence[str], seconds: float) -> str:
        command = [sys.executable, "-m", "se_agent", *words, "--json"]
        with subprocess.Popen(
            command,
            cwd=self._context.root,
            env=environment((*USUAL, *PYTHON)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(timeout=seconds + _START)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                told = {"verdict": "out_of_time", "seconds": seconds}
                return self._context.answer({"results": [told]})
        last = out[-_MOST:].strip().rpartition("\n")[2]
        try:
            result = json.loads(last)
        except ValueError:
            lines = [line for line in err.splitlines() if line][-8:]
            result = {"verdict": "failed", "said": lines}
        return self._context.answer({"results": [result]}, exitCode=process.returncode)


def _given(examples: Sequence[str] | None) -> Iterator[str]:
    for example in examples or ():
        yield from ("--example", example)
