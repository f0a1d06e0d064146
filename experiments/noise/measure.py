"""Makes the rows of a session: the self-test, then one comparison after the other, all raw."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from evaluators.kinds.function import FunctionEvaluator
from experiments.figures.rows import HOME, Row, fill, kept
from experiments.noise.apart import apart
from experiments.noise.load import loaded, others
from experiments.noise.plan import FIRST, IDLE, Planned, Session, comparisons, sessions
from experiments.noise.table import ended
from se_agent.config.sections import Judge, Measure
from se_agent.environment.process_files import machine_cpu_seconds
from se_agent.noise.trials import NoiseTrial, NoiseTrials
from se_agent.stats.sequential import self_test_spread
from se_agent.values.evaluation import Block

T = TypeVar("T")

JUDGE, MEASURE = Judge(), Measure()
SETTINGS = {"protocol": 2}
"""What rows are measured by; those of an older one are measured anew. Since 2 malloc learns
nothing from what was freed, and a candidate that waits is refused."""

QUIET = 1.05
"""Cores busy in the idle half at most, what the host of a virtual machine took included.

The comparison itself keeps one busy. What took more was not made on an idle machine, however it
ended: it is made again.
"""

_TRIES = 3  # at a row of the idle half, before the next one


def measure(session: Session, *, load: bool = True, most: int | None = None) -> None:
    """Make the rows of a session that are missing, sequentially.

    Comparisons of which the rule of today wants to see more are taken up where they ended;
    those of the idle half that were disturbed are made anew.

    Args:
        session: Idle or loaded.
        load: Keep the other cores busy in the loaded half; else something else does.
        most: Make no more comparisons than the first so many; for a trial of the machinery.
    """
    planned = {f"{session.half}/{one.key}": one for one in comparisons(session.world)[:most]}
    rows = kept(name(session.half), settings=SETTINGS)
    done = {
        key: rows[key] for key in planned if key in rows and _counts(session.half, rows[key])
    }
    begun = {key: row for key, row in done.items() if ended(row) is None}
    if len(done) == len(planned) and not begun:
        return
    problem = session.world.problem()
    with ExitStack() as stack:
        evaluator = stack.enter_context(
            closing(FunctionEvaluator(problem, measure=MEASURE, seed=session.world.number))
        )
        if session.half == "loaded" and load:
            stack.enter_context(loaded(others()))
        trials = NoiseTrials(evaluator, JUDGE, MEASURE)
        spread = _spread(trials, session, rows)
        if spread is None:
            print(f"{session.key}: others use the machine or its host; left for later")
            return
        tasks = {
            key: partial(
                quietly,
                session,
                partial(_compared, trials, one, spread, begun.get(key)),
                rows.get(key),
            )
            for key, one in planned.items()
            if key not in done or key in begun
        }
        fill(name(session.half), tasks, settings=SETTINGS, jobs=1, anew=tasks)


def name(half: str) -> str:
    """Return the name under which the rows of a half are kept."""
    return f"noise-{half}"


def _spread(trials: NoiseTrials, session: Session, rows: Mapping[str, Row]) -> float | None:
    """Return the spread of the session's self-test; a session that goes on keeps its own.

    None for one of the idle half that could not be had undisturbed. `rows` are those on record.
    """
    key = f"{session.key}/self-test"
    row = rows.get(key)
    if row is None or not _counts(session.half, row):
        tasks = {key: partial(quietly, session, partial(_tested, trials, session), row)}
        row = fill(name(session.half), tasks, settings=SETTINGS, jobs=1, anew=tasks)[key]
    if not _counts(session.half, row):
        return None
    return self_test_spread([block["effect"] for block in row["blocks"]])


def counted(half: str, *, home: Path = HOME) -> dict[str, Row]:
    """Return the rows of a half, without those of the idle one that were disturbed."""
    rows = kept(name(half), settings=SETTINGS, home=home)
    return {key: row for key, row in rows.items() if _counts(half, row)}


def missing(half: str) -> int:
    """Return how many comparisons of the first sessions of a half are not on record."""
    done = counted(half)
    wanted = (f"{half}/{c.key}" for s in sessions(half, FIRST) for c in comparisons(s.world))
    return sum(key not in done for key in wanted)


def _counts(half: str, row: Row) -> bool:
    return half != IDLE or row.get("cores", 1.0) <= QUIET  # the first self-tests do not say


def quietly(session: Session, make: Callable[[], Row], earlier: Row | None = None) -> Row:
    """Make a row, in the idle half again while others use the machine or its host.

    What was disturbed stays in the row: how many cores were busy, and what was decided.

    Args:
        session: Session of the row.
        make: Makes it.
        earlier: The row that it takes the place of, in a start before this one.
    """
    half, disturbed = session.half, list[Row]()
    if earlier is not None:
        disturbed += earlier.get("disturbed", [])
        disturbed += [] if _counts(half, earlier) else [_in_short(earlier)]
    row, tries = make(), 1
    while not _counts(half, row) and tries < _TRIES:
        disturbed.append(_in_short(row))
        row, tries = make(), tries + 1
    return {**row, "disturbed": disturbed} if disturbed else row


def _in_short(row: Row) -> Row:
    return {key: row[key] for key in ("cores", "decision") if key in row}


def _watched(act: Callable[[], T]) -> tuple[T, float]:
    """Return what was made, and how many cores were busy meanwhile."""
    before, begin = machine_cpu_seconds(), time.monotonic()
    made = act()
    return made, (machine_cpu_seconds() - before) / (time.monotonic() - begin)


def _tested(trials: NoiseTrials, session: Session) -> Row:
    found, cores = _watched(partial(trials.self_test, session.world.problem().initial()))
    return {
        "family": str(session.world.family),
        "cores": cores,
        "blocks": [raw(b) for b in found.blocks],
    }


def _compared(trials: NoiseTrials, planned: Planned, spread: float, begun: Row | None) -> Row:
    pair = planned.pair()
    known = [_block(*one) for one in _numbered(begun)]
    found, cores = _watched(partial(trials.compare, pair, spread, known=known))
    if begun:
        return {**begun, **_outcome(found), "cores": max(begun["cores"], cores)}
    return {
        "family": str(planned.world.family),
        "world": f"{planned.world.family}/{planned.world.number}",
        "pair": planned.key,
        "gain": planned.gain,
        "kind": planned.kind,
        "spread": spread,
        "cores": cores,
        **_outcome(found),
        "apart": [] if planned.gain else _short(apart(planned.world, pair, planned.variant)),
    }


def _outcome(found: NoiseTrial) -> Row:
    return {
        "decision": str(found.decision),
        "cost_seconds": found.cost_seconds,
        "blocks": [raw(block) for block in found.blocks],
    }


def _numbered(begun: Row | None) -> Iterator[tuple[int, Row]]:
    return enumerate(begun["blocks"] if begun else [])


def _block(number: int, told: Row) -> Block:
    """Return a block that was kept; see `raw`."""
    return Block(number=number, **{**told, "pair_effects": tuple(told["pair_effects"])})


def raw(block: Block) -> dict[str, Any]:
    """Return what was measured in a block, as JSON."""
    kept_fields = (
        "effect", "reference", "candidate", "pairs", "inputs", "level", "cost_seconds",
        "pair_effects",
    )  # fmt: skip
    whole = dataclasses.asdict(block)
    told = {field: _short(whole[field]) for field in kept_fields}
    return {**told, "pair_effects": [round(effect, 4) for effect in block.pair_effects]}


def _short(value: Any) -> Any:  # a field of a block
    """Return a value with five digits: the sixth is beyond what any clock here tells."""
    if isinstance(value, (list, tuple)):
        return [_short(each) for each in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value
