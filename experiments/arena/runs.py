"""One search on one problem of the corpus, and its course: the best gain after each call.

Ours and those of others ask a market of their own with the same seed, and draw from the same
records. Not here: which runs there are, and what they amount to (`figure`).
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from experiments.arena.judge import Judge, judging
from experiments.arena.recorded import Recorded
from experiments.arena.server import Market, serving
from experiments.figures.rows import ROOT, Row
from se_agent.chat.events import Replied
from se_agent.config.run_file import load
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import start
from se_agent.events import BlockMeasured, Event
from se_agent.report.story import Story

RUN_FILE = Path(__file__).with_name("arena.toml")
PEERS = Path(__file__).with_name("peers")
_HOURS = 6 * 3600  # seconds that a search of others may take


def ours(
    evaluator: Recorded,
    place: Path,
    seed: int,
    calls: int,
    settings: Sequence[str] = (),
) -> Row:
    """Run a search of ours.

    Args:
        evaluator: The evaluator of the problem.
        place: Folder for the run; what is there is thrown away.
        seed: Seed of the search and of the market.
        calls: Budget, in every role together.
        settings: `key=value` texts, over those of the run file.
    """
    shutil.rmtree(place, ignore_errors=True)
    # The market asks for no key, the client wants one.
    os.environ.setdefault("OPENAI_API_KEY", "none")
    market = Market(seed)
    with serving(market) as url:
        fixed = {
            "problem": str(evaluator.lot.folder),
            "results": str(place.parent),
            "name": place.name,
            "seed": seed,
            "budget.calls": calls,
            "models.main.base_url": url,
        }
        given = [f"{key}={json.dumps(value)}" for key, value in fixed.items()]
        config = load(RUN_FILE, [*settings, *given])
        found = start(config, evaluators=lambda _problem, _config: evaluator)
    with Journal(Path(found.run) / "run.db", write=False) as journal:
        gains, cpu = _course(journal.events(), evaluator)
    return _row(gains, calls, market, evaluator) | {"cpu": spent_by_call(cpu, calls)}


def _course(
    events: Iterable[Event], evaluator: Recorded
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Return the calls with the best gain at closed steps, and with the CPU time of blocks."""
    story, closed = Story(), 0
    calls: Counter[int] = Counter()
    found, cpu = [], []
    for event in events:
        if isinstance(event, Replied):
            calls[event.slot] += 1
        if isinstance(event, BlockMeasured) and event.slot >= 0:
            block = event.block
            cpu.append((calls.total(), block.pairs * (block.reference + block.candidate)))
        story.apply(event)
        if story.closed > closed:
            closed = story.closed
            best = story.solutions[story.best]
            found.append((calls.total(), max(0.0, evaluator.of(best).gain)))
    return found, cpu


def spent_by_call(cpu: Iterable[tuple[int, float]], calls: int) -> list[float]:
    """Return the CPU seconds that were spent after each call and before the next one."""
    found = [0.0] * calls
    for call, seconds in cpu:
        if 0 < call <= calls:
            found[call - 1] += seconds
    return [round(seconds, 4) for seconds in found]


def installed(peer: str) -> bool:
    """Say whether a published search can be run here."""
    return _variable(peer) in os.environ or importlib.util.find_spec(peer) is not None


def _variable(peer: str) -> str:
    return f"SE_AGENT_{peer.upper()}"


def others(evaluator: Recorded, place: Path, seed: int, calls: int, peer: str) -> Row:
    """Run a published search in the interpreter that SE_AGENT_<PEER> names, or in this one.

    Args:
        evaluator: The evaluator of the problem.
        place: Folder for the run; what is there is thrown away.
        seed: Seed of the search and of the market.
        calls: After which it stops, as far as it counts them itself.
        peer: Its program in `peers`.
    """
    own, market = evaluator.lot, Market(seed)
    shutil.rmtree(place, ignore_errors=True)
    python = os.environ.get(_variable(peer), sys.executable)
    judge = Judge(evaluator, market)
    with serving(market) as url, judging(judge) as verdicts:
        files = (own.folder / "statement.md", own.folder / "initial.py")
        words = [url, verdicts, *files, calls, seed, place]
        command = [python, str(PEERS / f"{peer}.py"), *map(str, words)]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_HOURS, cwd=ROOT, check=False
        )
    shutil.rmtree(place, ignore_errors=True)
    if done.returncode:
        raise RuntimeError(f"{peer} ended with {done.returncode}: {done.stderr[-800:]}")
    row = _row(_best(judge.course), calls, market, evaluator)
    return row | {"cpu": spent_by_call(judge.cpu, calls)}


def _row(
    gains: Sequence[tuple[int, float]], calls: int, market: Market, evaluator: Recorded
) -> Row:
    return {
        "course": filled(gains, calls),
        "calls": gains[-1][0] if gains else 0,
        "tokens": market.tokens[:calls],
        "top": evaluator.top,
    }


def _best(course: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the best gain so far after each verdict."""
    pairs = list(course)
    best = itertools.accumulate((gain for _, gain in pairs), max, initial=0.0)
    next(best)
    return [(calls, gain) for (calls, _), gain in zip(pairs, best, strict=True)]


def filled(course: Sequence[tuple[int, float]], calls: int) -> list[float]:
    """Return the gain after each call up to the budget; what ends sooner keeps what it has."""
    found, place, gain = [], 0, 0.0
    for call in range(1, calls + 1):
        while place < len(course) and course[place][0] <= call:
            gain = course[place][1]
            place += 1
        found.append(round(gain, 4) if math.isfinite(gain) else 0.0)
    return found
