"""Processes that keep harvests and write the graph in one memory until they are killed.

`python -m tests.memory.experience.killed keep FOLDER NAME RUN` keeps what the run RUN left,
under another name each time, without end; `write FOLDER NAME` calls the tools with which agents
write the graph. Each prints what it has done once that is durable. With a number instead of
these it kills that many processes, eight at a time at random moments, and says what is lost, is
there twice, or differs. Exit code 1: something is.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from se_agent.engine.journal.journal import Journal
from se_agent.mcp_server.arguments import ContentsGiven, EntityGiven
from se_agent.mcp_server.context import ServerContext
from se_agent.mcp_server.graph_tools import GraphTools
from se_agent.memory import Harvest, Workspace, harvest_of, promote, rebuild_memory
from se_agent.memory.graph import EntityType, open_nodes
from se_agent.memory.graph.ontology import entity_name
from se_agent.store.database import Database
from tests.fakes import number_problem
from tests.memory.experience.journals import finished

ROOT = Path(__file__).parents[3]
SHARED = "shared by all"
"""An entity to which all writers add facts."""

_LONGEST = 0.4  # seconds from the last first word to the kills
_TABLES = ("executions", "test_runs", "item_sources", "exposures", "runs")
_RUNS = "SELECT name FROM entities WHERE entity_type = 'run'"
_AT = "2026-11-28T10:00:00+00:00"


def kill_round(
    folder: Path, run: Path, seed: int, *, keepers: int = 5, writers: int = 3
) -> list[str]:
    """Run processes, kill them all at a random moment, and return what they acknowledged."""
    rng = random.Random(seed)
    kinds: list[tuple[str, ...]] = [
        ("keep", str(folder), f"{seed} {n}", str(run)) for n in range(keepers)
    ]
    kinds += [("write", str(folder), f"{seed} {n}") for n in range(writers)]
    started = [_process(*words) for words in kinds]
    first = [one.stdout.readline() for one in started if one.stdout]  # all are at work
    time.sleep(rng.uniform(0, _LONGEST))
    rng.shuffle(started)
    for one in started:
        one.send_signal(signal.SIGKILL)
    rest = [line for one in started for line in one.communicate()[0].splitlines(keepends=True)]
    return [line.strip() for line in (*first, *rest) if line.endswith("\n")]


def check(folder: Path, run: Path, acknowledged: Iterable[str]) -> list[str]:
    """Return what is lost, is there twice, or differs between the items and the graph."""
    told = [line.partition(" ") for line in acknowledged]
    kept = {name for word, _, name in told if word == "kept"}
    wrote = {name for word, _, name in told if word == "wrote"}
    with Workspace.open(folder) as workspace:
        db = workspace.items().db
        known = [name for (name,) in db.rows("SELECT run FROM runs", where="its runs")]
        wrong = [f"lost: {name}" for name in kept - set(known)]
        wrong += _odd_counts(db, run, known)
        runs = {entity_name(EntityType.RUN, name) for name in known}
        found = db.rows(
            "SELECT name FROM entities WHERE entity_type = 'run'", where="its graph"
        )
        wrong += [f"in one of items and graph only: {n}" for n in {n for (n,) in found} ^ runs]
        (shared,) = open_nodes(workspace.graph(), [SHARED]).entities
        wrong += [f"lost: {name}" for name in wrote - set(shared.observations)]
        there = open_nodes(workspace.graph(), [*wrote]).entities
        wrong += [f"lost: {name}" for name in wrote - {entity.name for entity in there}]
        made = rebuild_memory(workspace, _harvests(run, known), datetime.now(UTC))
        wrong += [] if made.is_equal else [f"made anew it differs: {', '.join(made.changed)}"]
    return wrong


def _odd_counts(db: Database, run: Path, known: Iterable[str]) -> Iterator[str]:
    """Yield the runs that have not as many rows in each table as one that nobody disturbed."""
    (alone,) = _harvests(run, ["alone"])
    with Workspace.open(run.parent / "undisturbed") as undisturbed:
        promote(alone, undisturbed.items(), at=_AT)
        wanted = {
            table: _counts(undisturbed.items().db, table).get("alone", 0) for table in _TABLES
        }
    for table, number in wanted.items():
        counts = _counts(db, table)
        for name in known:
            if counts.get(name, 0) != number:
                yield f"{table}: {counts.get(name, 0)} rows of {name}, not {number}"


def _counts(db: Database, table: str) -> dict[str, int]:
    query = f"SELECT run, COUNT(*) FROM {table} GROUP BY run"
    return dict(db.rows(query, where=table))


def _harvests(run: Path, names: Iterable[str]) -> Iterator[Harvest]:
    with Journal(run / "run.db", write=False) as journal:
        events = list(journal.numbered_events())
    for name in names:
        found = harvest_of(events, (), run=name, problem=number_problem())
        assert found is not None
        yield found


def _process(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.memory.experience.killed", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _keep(folder: Path, name: str, run: Path) -> None:
    names = (f"{name} {n}" for n in count())
    with Workspace.open(folder) as workspace:
        for found in _harvests(run, names):
            promote(found, workspace.items(), at=_AT)
            _say("kept", found.run.run)


def _write(folder: Path, name: str) -> None:
    context = ServerContext(folder=folder, results=folder.parent, root=folder, write=True)
    tools = GraphTools(context)
    note = EntityGiven.model_validate({"name": SHARED, "entityType": "note"})
    tools.create_entities([note])
    for n in count():
        own = f"{name} {n}"
        added = {"entityName": SHARED, "contents": [own]}
        tools.create_entities([note.model_copy(update={"name": own})])
        tools.add_observations([ContentsGiven.model_validate(added)])
        _say("wrote", own)


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def _main(words: list[str]) -> int:
    match words:
        case ["keep", folder, name, run]:
            _keep(Path(folder), name, Path(run))
        case ["write", folder, name]:
            _write(Path(folder), name)
        case [number]:
            return _repeat(int(number))
    return 0


def _repeat(kills: int) -> int:
    with TemporaryDirectory() as place:
        folder, run = Path(place) / ".se_agent", Path(finished(Path(place) / "runs").run)
        acknowledged = list[str]()
        for seed in range(-(-kills // 8)):
            acknowledged += kill_round(folder, run, seed)
            _say(8 * (seed + 1), "killed,", len(acknowledged), "acknowledged")
        wrong = check(folder, run, acknowledged)
    _say(len(wrong), "wrong", *wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
