"""SIGKILL at random moments of saves, collections and whole runs that share a workspace.

Usage: python -m experiments.soak.kills [--kills N] [--seed N]

Eight processes work at a time: five runs of a tiny problem (`tiny`), two that save outputs
without end, one that ends and sweeps them without end and without grace. Each is killed once it
has used as much CPU as the seed says. The runs are resumed then. Exit code 0: nothing that was
acknowledged is lost, no row is without its content, and every run ends in the events of one
that nobody disturbed; 1: something is, or does not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from experiments.figures.rows import ROOT
from experiments.soak.tiny import TOLD, Stateless, Telling, write_problem
from se_agent.cli.app import ended
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.session_logs import session_logs, sessions_folder
from se_agent.environment.process_files import cpu_seconds
from se_agent.errors import JournalError
from se_agent.events import Event, Seeded
from se_agent.memory import group_of
from tests.memory.artifacts.killed import check

_RUNS, _SAVERS = 5, 2
_STORE_CPU = 1.5  # seconds within which a saver or a collector is killed
_GLANCE = 0.01  # seconds between two looks at what a process has used
_LIVING = 300.0  # seconds after which a process that uses no CPU is killed all the same
_SETTINGS = (
    "memory.prior=false",
    "memory.session.shown=true",
    "memory.knowledge.shown=true",
    "memory.context.history=outcomes",
    "operators=mutation,repair",
    "models.main.name=stateless",
    f"models.main.provider={Stateless.__module__}:{Stateless.__name__}",
    f"folds={Telling.name}",
    "budget.evaluations=10",
    "generation_size=4",
)


@dataclass
class Found:
    """What came of the kills.

    Attributes:
        killed: Processes that were killed, by kind; those that had ended before are not here.
        events: Events that were acknowledged before a run was killed.
        contents: Contents that were acknowledged before their saver was killed.
        whole: Runs that ended in the events of one that nobody disturbed.
        wrong: What is lost, or differs.
    """

    killed: dict[str, int] = field(default_factory=dict)
    events: int = 0
    contents: list[str] = field(default_factory=list)
    whole: int = 0
    wrong: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Return all of it in numbers."""
        told = {"events": self.events, "contents": len(self.contents), "whole": self.whole}
        return {**self.killed, **told, "wrong": len(self.wrong)}


class Kills:
    """Processes that share a workspace, and are killed.

    Args:
        home: An empty folder.
        seed: Decides the moments.
        runs: At a time.
        savers: At a time; one process collects beside them.
    """

    def __init__(
        self, home: Path, seed: int, *, runs: int = _RUNS, savers: int = _SAVERS
    ) -> None:
        self._home, self._seed, self._runs, self._savers = home, seed, runs, savers
        self._shared = home / "shared"
        self._problem = write_problem(home / "tiny")
        self.found = Found()
        started = self._started("whole")
        self._cpu = _wait(started)
        self._whole = _canonical(self._run("whole"), "whole")

    def round(self, number: int) -> None:
        """Begin the processes, kill each at its moment, resume the runs, and check."""
        rng = random.Random(f"{self._seed} {number}")
        names = [f"{number:02}-{n}" for n in range(self._runs)]
        runs = [self._started(name) for name in names]
        groups = [f"saver {number} {n}" for n in range(self._savers)]
        stores = [_store("save", str(self._shared), group) for group in groups]
        # The savers' outputs end at once; those of the runs stay, for models read them.
        stores += [_store("collect", str(self._shared), f"{groups[0]} {rng.randrange(3)}")]
        moments = [rng.uniform(0.2, self._cpu) for _ in runs]
        moments += [rng.uniform(0.2, _STORE_CPU) for _ in stores]
        with ThreadPoolExecutor(len(moments)) as pool:
            hit = list(pool.map(_kill, [*runs, *stores], moments))
        kinds = ["run"] * self._runs + ["save"] * self._savers + ["collect"]
        for kind, (was_hit, said) in zip(kinds, hit, strict=True):
            self.found.killed[kind] = self.found.killed.get(kind, 0) + was_hit
            self.found.contents += _acknowledged(said) if kind == "save" else ()
        with ThreadPoolExecutor(self._runs) as pool:
            for wrong in pool.map(self._resumed, names):
                self.found.wrong += wrong
        self.found.wrong += check(self._shared, self.found.contents)

    def _run(self, name: str) -> Path:
        return self._home / "results" / name

    def _started(self, name: str) -> subprocess.Popen[str]:
        places = (f"results={self._home / 'results'}", f"name={name}")
        shared = f"memory.workspace.path={self._shared}"
        sets = [word for one in (*places, shared, *_SETTINGS) for word in ("--set", one)]
        told = {TOLD: str(self._home / f"{name}.told")}
        return _process("se_agent", "run", str(self._problem), *sets, environ=told)

    def _resumed(self, name: str) -> list[str]:
        """Resume a run, and return what is wrong with it then."""
        folder, told = self._run(name), self._home / f"{name}.told"
        lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
        told.unlink(missing_ok=True)
        before = _events(folder)
        # Without an event `resume` says that it never started, and to run it again.
        resumed = _resume(folder) if before else self._started(name)
        _wait(resumed)
        after = _events(folder)
        known = {f"{e.slot} {e.kind} {e.at.isoformat()}" for e in after}
        self.found.events += max(len(lines), len(before))
        wrong = [f"{name}: lost {line}" for line in lines if line not in known]
        wrong += [f"{name}: lost {e.kind} of {e.slot}" for e in before if e not in after]
        if _canonical(folder, name) != self._whole:
            wrong.append(f"{name}: it ends in other events (exit {resumed.returncode})")
        elif not wrong:
            self.found.whole += 1
        return wrong + [f"{name}: {what}" for what in self._log_differences(folder)]

    def _log_differences(self, folder: Path) -> Iterator[str]:
        """Yield session logs that are not those of the journal."""
        place = sessions_folder(self._shared, group_of(folder, self._shared))
        with Journal(folder / "run.db", write=False) as journal:
            made = session_logs(journal.events(), journal.text)
        for log, pair in made.items():
            path = place / f"{log}.jsonl"
            if not path.is_file() or path.read_text(encoding="utf-8") != pair.rows:
                yield f"its log {log} is not as the journal says"


def _process(*words: str, environ: dict[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, **(environ or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _resume(folder: Path) -> subprocess.Popen[str]:
    return _process("se_agent", "resume", str(folder))


def _store(*words: str) -> subprocess.Popen[str]:
    return _process("tests.memory.artifacts.killed", *words)


def _kill(process: subprocess.Popen[str], moment: float) -> tuple[bool, str]:
    """Kill a process once it has used so many seconds of CPU.

    Returns:
        Whether it was killed, and had not ended before; and what it had printed.
    """
    latest = time.monotonic() + _LIVING
    with ThreadPoolExecutor(1) as reader:
        said = reader.submit(process.communicate)
        while (
            time.monotonic() < latest and not said.done() and cpu_seconds(process.pid) < moment
        ):
            time.sleep(_GLANCE)
        process.send_signal(signal.SIGKILL)
        out, _ = said.result()
    return process.returncode == -signal.SIGKILL, out


def _acknowledged(said: str) -> list[str]:
    """Return what a saver says that it has kept; a torn last line says nothing."""
    whole, _, _ = said.rpartition("\n")
    words = (line.split() for line in whole.splitlines())
    return [each[1] for each in words if len(each) > 1 and each[0] == "saved"]


def _wait(process: subprocess.Popen[str]) -> float:
    """Wait for a process that nobody disturbs, and return the CPU seconds that it has used."""
    used = 0.0
    with ThreadPoolExecutor(1) as reader:
        said = reader.submit(process.communicate)
        while not said.done():
            used = max(used, cpu_seconds(process.pid))
            time.sleep(_GLANCE)
    return used


def _events(folder: Path) -> list[Event]:
    """Return the events on record; none where a run was killed before the first one."""
    try:
        with Journal(folder / "run.db", write=False) as journal:
            return list(journal.events())
    except JournalError:
        return []


def _canonical(folder: Path, name: str) -> list[str]:
    """Return the events of a run, without its name, and without what chance alone decides."""
    events = (event for event in _events(folder) if not isinstance(event, Seeded))
    return [line.replace(f'"{name}"', '"a run"') for line in canonical(events)]


def main(words: Sequence[str] | None = None) -> int:
    """Kill, show the counts, return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.soak.kills", description=__doc__
    )
    parser.add_argument("--kills", type=int, default=200, help="at least; default: 200")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as home:
        kills, number = Kills(Path(home), asked.seed), 0
        while sum(kills.found.killed.values()) < asked.kills:
            kills.round(number)
            number += 1
            print(json.dumps({"rounds": number, **kills.found.counts()}), flush=True)
    print(*kills.found.wrong, sep="\n")
    return 1 if kills.found.wrong else 0


if __name__ == "__main__":
    ended(main)
