"""Verdicts on the programs of the corpus, measured once on a machine, and read by all arms.

Whether a program is right says the real evaluator. What it costs is its CPU time beside that of
the initial program, in a few blocks of inputs; the effect between two programs is the
difference of theirs, block by block. So arms differ by what they choose, never by the noise of
another measurement. A program that is not in the corpus, which a reply can make by accident, is
measured when it is met, and kept, too.

Not here: how gains are measured for others (`evaluators`): these programs are our own, and run
in this process, where hundreds of them are compared in minutes.
"""

from __future__ import annotations

import copy
import json
import math
import random
import statistics
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from experiments.arena.corpus import FOLDER, Lot, address, lots
from experiments.figures.rows import HOME, Row, fill, kept
from se_agent.config.run_file import Run
from se_agent.engine.run.resolve import registered_evaluator
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    FailedCase,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.solution import Solution

FIGURE = "arena_verdicts"
BLOCKS, INPUTS, CHECKED = 4, 3, 60
SETTINGS = {"blocks": BLOCKS, "inputs": INPUTS, "checked": CHECKED}
_ROUNDS = 5
_SECONDS = 0.02  # CPU time of a round at least


@dataclass(frozen=True)
class Record:
    """What was measured of a program.

    Attributes:
        evaluation: Evaluation of its answers.
        effects: Effects of its blocks against the initial program; none where it is not right.
        seconds: Net CPU seconds that the initial program takes for an input.
    """

    evaluation: Evaluation
    effects: tuple[float, ...]
    seconds: float

    @property
    def gain(self) -> float:
        """ln(initial / program), -inf for one that is not right."""
        return statistics.fmean(self.effects) if self.effects else -math.inf

    def at(self, number: int) -> float:
        """Return the effect of a block; those that were measured come again and again."""
        return self.effects[number % len(self.effects)]


_RECORD = TypeAdapter(Record)


class Recorded:
    """An evaluator that knows what was measured of the programs of a lot."""

    def __init__(self, lot: Lot, known: Mapping[str, Record], path: Path) -> None:
        self.lot, self._path = lot, path
        self.known = dict(known) | _read(path)

    @property
    def top(self) -> float:
        """The largest gain that there is in the corpus."""
        return max(self.known[each.content].gain for each in self.lot.programs)

    @property
    def kind(self) -> ComparisonKind:
        """Blocks of paired times."""
        return ComparisonKind.TIMED

    def preflight(self, solution: Solution) -> Preflight:
        """Return what was found out when the table was made."""
        record = self.of(solution)
        return Preflight(evaluation=record.evaluation, seconds=record.seconds)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Look it up; a content that is new is evaluated."""
        return self.of(solution).evaluation

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return the difference of the effects in the block of this number."""
        old, new = self.of(reference), self.of(candidate)
        before = effect = 0.0
        if old.effects and new.effects:
            # The initial program was compared with itself: that is what noise there is.
            before = 0.0 if reference.content == candidate.content else old.at(number)
            effect = new.at(number) - before
        base = old.seconds * math.exp(-before)
        return Block(
            number=number,
            effect=effect,
            reference=base,
            candidate=base * math.exp(-effect),
            pairs=pairs,
            status=new.evaluation.status,
            reference_status=old.evaluation.status,
            pair_effects=(effect,) * pairs,
        )

    def close(self) -> None:
        """Nothing is held: what measures a new content is closed at once."""

    def of(self, solution: Solution) -> Record:
        """Return what is known of a solution; measure what is not."""
        content = address(solution.text)
        if content not in self.known:
            (record,) = measured(self.lot, [solution.text])
            self.known[content] = record
            line = {"content": content, **_RECORD.dump_python(record, mode="json")}
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")
        return self.known[content]


def _read(path: Path) -> dict[str, Record]:
    if not path.is_file():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row.pop("content"): _RECORD.validate_python(row, strict=False) for row in rows}


def measured(lot: Lot, texts: Sequence[str]) -> list[Record]:
    """Evaluate programs, and time those that are right beside the initial one."""
    config = Run(problem=str(FOLDER / lot.name))
    with closing(registered_evaluator(lot.problem, config)) as evaluator:
        found = [
            evaluator.evaluate(Solution(id="Gen1_Sol_0", files={lot.problem.path: text}))
            for text in texts
        ]
    found = [
        _refuted(lot, text) or each if each.status is Status.AC else each
        for text, each in zip(texts, found, strict=True)
    ]
    right = [n for n, each in enumerate(found) if each.status is Status.AC]
    if not right:
        return [Record(each, (), 0.0) for each in found]
    blocks = [
        _times(lot, [lot.initial.text, *(texts[n] for n in right)], block)
        for block in range(BLOCKS)
    ]
    seconds = statistics.median(times[0] for times in blocks)
    effects: dict[int, tuple[float, ...]] = {
        n: tuple(math.log(times[0] / times[place]) for times in blocks)
        for place, n in enumerate(right, 1)
    }
    return [Record(each, effects.get(n, ()), seconds) for n, each in enumerate(found)]


def _refuted(lot: Lot, text: str) -> Evaluation | None:
    """Return how a program that passed its tests is wrong on another input, if it is.

    A search meets such an input when it measures, or when it looks for one.
    """
    entry = lot.problem.entry_point
    mine, theirs = _defined(text, entry), _defined(lot.initial.text, entry)
    for level in (1, 2):
        for given in _inputs(lot, level, CHECKED, seed=level):
            expected, got = (_answer(each, given) for each in (theirs, mine))
            if got != expected:
                cut = [each[:300] for each in (expected, got, repr(given))]
                case = FailedCase(name="found later", expected=cut[0], got=cut[1], input=cut[2])
                return Evaluation(status=Status.WA, failing=(case,), feedback="wrong answer")
    return None


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    given = copy.deepcopy(arguments)
    try:
        return repr((function(*given), given))
    except (LookupError, TypeError, ValueError, ArithmeticError) as err:
        return repr(err)


def _inputs(lot: Lot, level: int | None, number: int, seed: int) -> list[tuple[Any, ...]]:
    """Return inputs of a size of the problem; None: of the final one."""
    source = (lot.folder / "generator.py").read_text(encoding="utf-8")
    toml = tomllib.loads((lot.folder / "problem.toml").read_text(encoding="utf-8"))["inputs"]
    size = toml["final"] if level is None else toml["sizes"][level]
    rng, generate = random.Random(seed), _defined(source, "generate")
    return [generate(rng, size) for _ in range(number)]


def _times(lot: Lot, texts: Sequence[str], block: int) -> list[float]:
    """Return the CPU seconds of each program for an input, on the same inputs."""
    inputs = _inputs(lot, None, INPUTS, seed=block)
    called = [_defined(text, lot.problem.entry_point) for text in texts]
    return [_seconds(function, inputs) for function in called]


def _defined(text: str, name: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec(compile(text, "<corpus>", "exec"), namespace)
    found: Callable[..., Any] = namespace[name]
    return found


def _seconds(function: Callable[..., Any], inputs: Sequence[tuple[Any, ...]]) -> float:
    """Return the least mean over the inputs that was seen in a few rounds."""
    best = math.inf
    for _ in range(_ROUNDS):
        calls, start = 0, time.process_time()
        while calls == 0 or time.process_time() - start < _SECONDS:
            for arguments in inputs:
                function(*arguments)
            calls += len(inputs)
        best = min(best, (time.process_time() - start) / calls)
    return best


def _row(lot: Lot) -> Row:
    found = measured(lot, [program.text for program in lot.programs])
    named = zip(lot.programs, found, strict=True)
    return {p.name: _RECORD.dump_python(record, mode="json") for p, record in named}


def rows() -> dict[str, Row]:
    """Measure what is missing and return a row a problem, with a record a program."""
    tasks = {lot.name: partial(_row, lot) for lot in lots()}
    return fill(FIGURE, tasks, settings=SETTINGS, jobs=1)


def known(lot: Lot, home: Path = HOME) -> dict[str, Record]:
    """Return the records of a lot's programs by content, as far as they are on disk."""
    row = kept(FIGURE, settings=SETTINGS, home=home).get(lot.name, {})
    return {
        program.content: _RECORD.validate_python(row[program.name], strict=False)
        for program in lot.programs
        if program.name in row
    }


def recorded(lot: Lot, home: Path = HOME) -> Recorded:
    """Return the evaluator of a lot, with what was measured here beyond the corpus."""
    return Recorded(lot, known(lot, home), home / FIGURE / f"{lot.name}.jsonl")


if TYPE_CHECKING:
    _: Callable[..., Evaluator] = Recorded
