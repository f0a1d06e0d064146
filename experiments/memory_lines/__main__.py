"""Say which lines and functions of the memory three real runs reach, and documented commands.

Usage: python -m experiments.memory_lines [--keep FOLDER]

The first run has no model, and a tier of its own. The second has a scripted model behind a real
server on loopback, to which prompts show all of the memory, and so has the third, which is
interrupted and resumed, and shares its graph with a memory server. Then come the commands of
docs/memory.md. Five to twenty minutes.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from experiments.arena.server import MODEL, serving
from experiments.figures.rows import ROOT
from experiments.memory_lines.commands import commands, told_while_it_stands_still
from experiments.memory_lines.model import Speaker
from experiments.memory_lines.problem import write_problem
from experiments.memory_lines.traced import (
    MEMORY,
    Function,
    Line,
    functions_of,
    lines_of,
    modules,
    read,
)
from se_agent.cli.app import ended
from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError

_ASKED = "experiments/arena/problems/overtakes"
_QUICK = (
    "workers=1",
    "measure.self_test_blocks=3",
    "measure.fast_seconds=0.003",
    "measure.slow_seconds=0.02",
    "judge.pairs=4",
    "judge.counterexample_seconds=2",
)
_PLAIN = (
    "budget.evaluations=8",
    "memory.local.compression=none",
    "memory.local.token_limit=150",
    "memory.local.item_token_limit=60",
    "memory.tiers=experiments.memory_lines.own_tier:OperatorGains",
)
_SHOWN = (
    "memory.session.shown=true",
    "memory.knowledge.shown=true",
    "memory.knowledge.rules=true",
    "memory.messages.shown=true",
    "memory.graph.shown=true",
    "memory.experience.lessons=true",
    "memory.experience.edits=true",
    "memory.experience.guide_pack=true",
    "memory.retrieval.shown=true",
    "operators=analyse,plan,replan,mutation,rewriting,recombination,repair,mend,set_membership",
)
_FIRST = (
    *_SHOWN,
    "policy=portfolio",
    "memory.context.history=full",
    "memory.extraction=each",
    "budget.calls=60",
)
_SECOND = (
    *_SHOWN,
    "policy=supervisor",
    "memory.context.history=outcomes",
    "memory.extraction=batch",
    "memory.artifacts.sweep_days=0.0001",
    "memory.graph.send=true",
    "memory.local.compression=model",
    "memory.local.token_limit=400",
    "budget.calls=60",
    "seed=2",
)
_INTERRUPTED_AFTER = 10  # steps: there is a version to go back to
_SECONDS = 900.0


class Place:
    """Where the runs lie, and what their processes reached."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results = folder / "results"

    def start(
        self, kept: str, *arguments: str, stdin: int = subprocess.DEVNULL
    ) -> subprocess.Popen[str]:
        """Start `se-agent` with its lines noted under a name."""
        module = "experiments.memory_lines.traced"
        return subprocess.Popen(
            [sys.executable, "-m", module, str(self.folder / f"{kept}.lines"), *arguments],
            cwd=ROOT,
            env={**os.environ, "OPENAI_API_KEY": "none"},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def call(self, kept: str, *arguments: str) -> str:
        """Run `se-agent` to its end, and return what it printed."""
        process = self.start(kept, *arguments)
        told, _ = process.communicate(timeout=_SECONDS)
        print(f"{process.returncode}  se-agent {' '.join(arguments)}", flush=True)
        (self.folder / "said.txt").open("a").write(f"$ {' '.join(arguments)}\n{told}\n")
        return told

    def reached(self, *kept: str) -> frozenset[Line]:
        """Return what was reached under some names."""
        return frozenset().union(*(read(self.folder / f"{one}.lines") for one in kept))


def run(place: Place, name: str, problem: str, *settings: str) -> Sequence[str]:
    """Return the arguments that make a run."""
    given = (f"name={name}", f"results={place.results}", *_QUICK, *settings)
    return ["run", problem, *(word for each in given for word in ("--set", each))]


def three_runs(place: Place) -> None:
    """Make the three runs."""
    problem = write_problem(place.folder / "names")
    place.call("plain", *run(place, "plain", str(problem), *_PLAIN))
    with serving(Speaker()) as url:
        model = ("--model", MODEL, "--set", f"models.main.base_url={url}")
        place.call("asked", *run(place, "asked", _ASKED, *_FIRST), *model)
        server = f"se-agent serve --write --results {place.folder / 'shared'}"
        shared = f"memory.graph.server={server}"
        settings = run(place, "resumed", _ASKED, *_SECOND, shared)
        process = place.start("resumed", *settings, *model)
        interrupt(process, place.results / "resumed" / "run.db")
        told_while_it_stands_still(place, str(place.results / "resumed"))
        place.call("resumed", "resume", str(place.results / "resumed"))


def interrupt(process: subprocess.Popen[str], journal: Path) -> None:
    """Press Ctrl-C once some steps are on record."""
    end = time.monotonic() + _SECONDS
    while process.poll() is None and steps(journal) < _INTERRUPTED_AFTER:
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=_SECONDS)


def steps(journal: Path) -> int:
    """Return the number of steps on record."""
    try:
        with Journal(journal, write=False) as opened:
            return sum(event.kind == "learned" for event in opened.events())
    except (JournalError, OSError):
        return 0


def report(runs: frozenset[Line], commanded: frozenset[Line]) -> Iterator[str]:
    """Yield a line a room, the sums, and the functions that nothing reaches."""
    rooms = sorted({path.relative_to(MEMORY).parts[0] for path in modules()})
    yield "| room | lines | reached by runs | and commands |\n|---|--:|--:|--:|"
    both = runs | commanded
    lines = {path: lines_of(path) for path in modules()}
    for room in rooms:
        own = (found for path, found in lines.items() if MEMORY / room in (path, *path.parents))
        yield _row(room, frozenset().union(*own), runs, both)
    yield _row("all", frozenset().union(*lines.values()), runs, both)
    functions = [each for path in modules() for each in functions_of(path)]
    unrun = [each for each in functions if not each.lines & runs]
    yield from _named("reached by commands only", [f for f in unrun if f.lines & both])
    yield from _named("reached by neither", [f for f in unrun if not f.lines & both])


def _row(name: str, own: frozenset[Line], runs: frozenset[Line], both: frozenset[Line]) -> str:
    shares = (f"{len(own & found) / len(own):.1%}" for found in (runs, both))
    return f"| {name} | {len(own)} | {' | '.join(shares)} |"


def _named(title: str, functions: Iterable[Function]) -> Iterator[str]:
    found = sorted(functions, key=lambda f: (-len(f.lines), f.name))
    yield f"\n{title}: {len(found)} functions, {sum(len(f.lines) for f in found)} lines\n"
    yield from (f"{len(each.lines):4}  {each.name}" for each in found)


def main(words: Sequence[str] | None = None) -> None:
    """Make the runs, call the commands, print the report."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.memory_lines", description=__doc__
    )
    parser.add_argument("--keep", type=Path, help="folder for the runs, which stays")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(asked.keep or Path(folder))
        place.folder.mkdir(parents=True, exist_ok=True)
        three_runs(place)
        commands(place)
        runs = place.reached("plain", "asked", "resumed")
        print(*report(runs, place.reached("commands")), sep="\n")


if __name__ == "__main__":
    ended(main)
