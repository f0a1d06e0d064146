"""Watches right programs in the jail: on small inputs for their calls, on others for hot lines.

Where time counts, also for the lines that allocate, and for how time grows with the input. Not
here: how a program is watched (`tracer`), and what is kept of it (`report`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from random import Random
from typing import Any  # what a program reports may be of any type

from evaluators.answers.bench import Bench
from evaluators.counterexample.asking import Input
from evaluators.counterexample.corpus import Corpus
from evaluators.counterexample.forms import Form
from evaluators.counterexample.loading import Loading, granted
from evaluators.observing import tracer
from evaluators.observing.branches import untaken
from evaluators.observing.report import LineCosts, ProgramText, calls, reached
from evaluators.observing.scaling import scaling
from evaluators.reported import rows
from evaluators.sandbox.job import Job
from se_agent import wire
from se_agent.errors import ProblemError, WireError
from se_agent.program.language import Language
from se_agent.values.evaluation import InputSet
from se_agent.values.observation import Observation
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Solution

_SECONDS = 0.5  # CPU seconds of each of the three jobs, the loading of the program included
_WATCH = 0.3  # after these it is enough, where the clock may say so
_LINES = 40_000  # that are run under watch, in all
_LINES_FOR_MEMORY = 10_000  # the same, where each allocation is written down
_INPUTS = 64  # whose calls are watched, those at the edges apart
_SEEN = 24  # of these, at most, visible ones and such of the search
_DRAWN = 40  # of each kind, from which those are taken that count
_CASES = 8  # visible ones whose lines are watched
_LARGEST = 64 << 10  # bytes of an input
_OUTPUT = 2 << 20  # bytes of all reports of a job
_WATCHED = """

_watched = TracedCode(
    {text!r},
    {path!r},
    {prelude!r},
    {entry!r},
    most={most},
    seconds={seconds},
    watched={watched!r},
)
calls, lines, memory = _watched.calls, _watched.lines, _watched.memory
"""


@dataclass(frozen=True)
class Observer:
    """Watches Python programs of one problem.

    Attributes:
        bench: Where they run.
        growing: Makes inputs for their lines, the smallest first.
        small: Makes inputs for their calls, and such beyond those seen, which have a process of
            their own: a program may take any time for them. None where answers are rated. Then
            how often a line was reached says what it costs, and nothing is measured: each run
            sees the same.
    """

    bench: Bench
    growing: Callable[[], list[bytes]]
    small: Callable[[], tuple[list[bytes], list[bytes]]] | None = None

    def observe(self, solution: Solution) -> Observation:
        """Return what is seen of a right program; whatever goes wrong, it is less."""
        problem = self.bench.problem
        if problem.language is not Language.PYTHON:
            return Observation()
        before, timed = self.bench.sandbox.spent, self.small is not None
        sent = self.bench.runner.program_of(solution)
        loaded = problem.workload is not None
        program = ProgramText.loading(solution.files, sent) if loaded else ProgramText.of(sent)
        seen = self._watched(program, timed=timed)
        loading = self._loading(sent)
        grown = scaling(self.bench, sent, loading) if timed else None
        return replace(seen, scaling=grown, cost_seconds=self.bench.sandbox.spent - before)

    def _watched(self, program: ProgramText, *, timed: bool) -> Observation:
        few, beyond, more = self._inputs
        each = [self._reports(program, "calls", some, _LINES) for some in (few, beyond)]
        found = calls(program, chain(*each))
        lines = self._reports(program, "lines", more, _LINES)
        initial = program.sent == self.bench.oracle.program
        small = [
            self._reports(program, "lines", some if initial else [], _LINES)
            for some in (few, beyond)
        ]
        taken = self._reports(program, "memory", more if timed else [], _LINES_FOR_MEMORY)
        costs = _sums(lines, LineCosts(program, timed=timed))
        return Observation(
            calls=found,
            hot=costs.hot(),
            functions=costs.functions(),
            allocations=_sums(taken, LineCosts(program, timed=True)).allocations(),
            untaken=untaken(program, reached(program, chain(lines, *small))) if initial else (),
        )

    @cached_property
    def _inputs(self) -> tuple[list[bytes], list[bytes], list[bytes]]:
        """Inputs for calls, such beyond those seen, and for lines; none where none is made."""
        try:
            return *(self.small() if self.small else ([], [])), self.growing()
        except ProblemError:  # the run will end by it where it needs them
            return [], [], []

    def _loading(self, text: str) -> float:
        """Return the CPU seconds that are granted for loading a program that is a package."""
        if self.bench.problem.workload is None:
            return 0.0
        return granted(self._known.seconds(text, wire.dumps(())))

    @cached_property
    def _known(self) -> Loading:
        return Loading(self.bench)

    def _reports(
        self, program: ProgramText, what: str, inputs: Sequence[bytes], most: int
    ) -> list[Any]:
        if not inputs:
            return []
        problem, runner = self.bench.problem, self.bench.runner
        watched = _WATCHED.format(
            text=program.sent,
            watched=dict(program.watched),
            path=problem.sent_path,
            prelude=problem.prelude,
            entry=problem.entry_point,
            most=most,
            seconds=_WATCH if self.small else _SECONDS,
        )
        called, seconds = runner.form == "tuple", _SECONDS + self._loading(program.sent)
        job = Job(
            program=inspect.getsource(tracer) + watched,
            entry_point=what,
            path="tracer.py",
            inputs=tuple(d if called else wire.dumps((runner.typed(d),)) for d in inputs),
            limits=replace(problem.limits, cpu_seconds=seconds, output_bytes=_OUTPUT),
            keep_errors=True,
        )
        answers = self.bench.sandbox.run(job).answers
        return [*_read(answer.value for answer in answers if not answer.error)]


def _sums(reports: Sequence[Any], empty: LineCosts) -> LineCosts:
    """Add up the reports on inputs that were answered to the end, or on all others."""
    for wanted in (True, False):
        costs = replace(empty, lines={}, whole={})
        for report in reports:
            with suppress(TypeError, ValueError):
                ended, *sums = rows(report)
                if ended is wanted:
                    costs.add(*sums)
        if costs.lines:
            break
    return costs


def _read(values: Iterable[bytes]) -> Iterable[Any]:
    for value in values:
        with suppress(WireError):
            yield wire.loads(value)


def small(corpus: Corpus, seed: int) -> tuple[list[bytes], list[bytes]]:
    """Return small inputs: such as those seen, and such beyond them.

    Of the first are inputs seen, such made up that a program has to answer, and those at the
    edges; of the others there are none where the problem says what is valid.

    Args:
        corpus: Knows the inputs seen, and what makes others up.
        seed: Seed of the run.
    """
    seen = sorted(corpus.seen, key=len)[:_SEEN]
    form = corpus.form
    if not form.bounds.makes:
        return seen, []
    rng = Random(int(rng_at(seed, 0, Purpose.OBSERVATION).integers(1 << 32)))  # noqa: S311
    values = [value for _ in range(_DRAWN) for value in _drawn(form, rng)]
    fair, _ = _parted(corpus, values)
    near, beyond = _parted(corpus, form.edges())
    made = [*_spread(_by_weight(form, fair), _INPUTS - len(seen)), *near]
    asked = _by_weight(form, [*map(Input, seen), *made])
    others = [] if corpus.stated else _by_weight(form, beyond)
    return list(dict.fromkeys(one.data for one in asked)), [one.data for one in others]


def _by_weight(form: Form, inputs: Iterable[Input]) -> list[Input]:
    """Return inputs, the smallest first: a program may have no time for the largest."""
    return sorted(inputs, key=lambda one: form.weight(form.value(one)))


def _parted(corpus: Corpus, values: Iterable[Any]) -> tuple[list[Input], list[Input]]:
    """Return the inputs of values, each once: those like the ones seen, and all others."""
    form = corpus.form
    made = [one for one in map(form.input, values) if one is not None and not one.links]
    fresh = list({form.name(one): one for one in made}.values())
    sides: dict[bool, list[Input]] = {True: [], False: []}
    for one, counts in zip(fresh, corpus.fair(fresh), strict=True):
        sides[counts].append(one)
    return sides[True], sides[False]


def growing(bench: Bench) -> list[bytes]:
    """Return visible inputs, and one of each rung that the search may begin with, as they grow.

    Raises:
        ProblemError: One cannot be made.
    """
    ladder = bench.problem.ladder
    levels = range(ladder.search_level + 2) if ladder.fresh else [None]
    exprs = [expr for level in levels for expr in bench.exprs(InputSet.SEARCH, 1, level=level)]
    made = bench.pool.real([*(case.input for case in bench.problem.cases[:_CASES]), *exprs])
    return sorted((data for data in dict.fromkeys(made) if len(data) <= _LARGEST), key=len)


def _drawn(form: Form, rng: Random) -> Iterable[Any]:
    yield form.fresh(rng, wild=False, tiny=True)
    yield form.fresh(rng, wild=False, tiny=False)
    yield form.changed(rng, wild=False)


def _spread(ordered: Sequence[Input], count: int) -> Iterable[Input]:
    """Yield some of them, evenly: of the smallest, of the largest, and from between."""
    count = min(count, len(ordered))
    return (ordered[i * len(ordered) // count] for i in range(count))
