"""Two programs in one address-space layout: single runs, checked, losers cut short.

Not here: which inputs a run answers (`size`), and how many runs make a block (`block`).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace

from evaluators.answers.bench import Batch, Bench, ProgramTrial
from evaluators.answers.inputs import patient
from evaluators.measure.reading import Base, ClockReading
from evaluators.measure.watched import Watched
from evaluators.sandbox.job import Sandbox
from evaluators.sandbox.usage import Watch
from se_agent import wire
from se_agent.errors import NotMeasurableError
from se_agent.stats import waiting
from se_agent.stats.waiting import Seconds
from se_agent.values.evaluation import Status
from se_agent.values.objective import CPU_TIME, Objective
from se_agent.values.solution import Solution

LOST_FACTOR = 3.0
"""A candidate that takes so many times the CPU of its reference has lost."""

LOST_SECONDS = 0.05
"""CPU seconds of grace on top, so that no start-up hiccup is a loss."""

PATIENT_FACTOR = 20.0
"""The same where CPU time is not what is compared: beyond it nothing is worth the wait."""

PATIENT_SECONDS = 1.0
"""CPU seconds of grace on top of that."""

WAIT_SECONDS = 1.0
"""Seconds on the wall of grace where a candidate waits: as a rule a whole block shows it."""

_PROBE_EMPTY = 3
_PATIENCE = 10.0  # times the CPU limit: the inputs of a rung may be larger than the tests

Key = tuple[str, str]
"""Content addresses of a reference and a candidate."""


class DuelSide(enum.IntEnum):
    """The program of a duel that runs."""

    REFERENCE = 0
    CANDIDATE = 1


class SideEndedError(Exception):
    """A run that ends the block; caught by the block, never seen outside."""

    def __init__(self, side: DuelSide, trial: ProgramTrial) -> None:
        super().__init__(f"{side.name.lower()}: {trial.status}")
        self.side = side
        self.trial = trial


class TimingLostError(Exception):
    """The candidate used up its time cap; caught by the block, never seen outside.

    Attributes:
        nets: Net CPU seconds an input of the reference, and those of the cap.
    """

    def __init__(self, nets: tuple[float, float]) -> None:
        super().__init__(f"net seconds {nets}")
        self.nets = nets


def in_calls(duel: Duel) -> bool:
    """Say whether calls of a living process are compared, apart from all the rest."""
    return duel.objective == CPU_TIME and duel.bench.runner.most > 1


def waited(seconds: Seconds) -> SideEndedError:
    """Return the error of a candidate that took so long, and did not compute all the while."""
    trial = ProgramTrial(
        status=Status.TLE, cpu_seconds=seconds.cpu, feedback=waiting.waiting_finding(*seconds)
    )
    return SideEndedError(DuelSide.CANDIDATE, trial)


@dataclass
class Duel:
    """Runs either side on batches of inputs, one at a time.

    Attributes:
        bench: Where they run.
        reference: What the candidate is measured against.
        candidate: The other.
        objective: In which they are compared.
        patient: Whether a candidate may take as long as a reference may, however much slower
            it is.
    """

    bench: Bench
    reference: Solution
    candidate: Solution
    objective: Objective = CPU_TIME
    patient: bool = False
    _slowest: dict[Batch, Seconds] = field(default_factory=dict)
    _empty: dict[Batch, list[ClockReading]] = field(default_factory=dict)
    _probed: dict[Batch, tuple[float, float]] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """The content addresses of the two: the same for every block of a comparison."""
        return self.reference.content, self.candidate.content

    def watched(self, watch: Watch) -> Duel:
        """Return a duel of the same two, of whose runs more is read; it knows nothing yet."""
        return self.on(Watched(self.bench.sandbox, watch))

    def on(self, sandbox: Sandbox) -> Duel:
        """Return a duel of the same two in another sandbox; it knows nothing yet."""
        bench = replace(self.bench, sandbox=sandbox)
        return Duel(bench, self.reference, self.candidate, self.objective, self.patient)

    def probe(self, batch: Batch) -> tuple[float, float]:
        """Run both once, reference first, and return net CPU seconds: first impressions.

        Where calls are apart, what lies between them is in these: it makes a run as long. It
        warms up, too: asked again about a batch, it runs nothing.

        Raises:
            SideEndedError: A run failed, or an answer is wrong.
            LostError: The candidate ran into the cap.
        """
        if batch not in self._probed:
            for _ in range(_PROBE_EMPTY):
                self.empty(batch)
            clock = self.base(batch).clock
            runs = [self.run(side, batch).cpu for side in DuelSide]
            nets = [clock.net(run) + clock.net_between(run) for run in runs]
            self._probed[batch] = nets[0], nets[1]
        return self._probed[batch]

    def run(self, side: DuelSide, batch: Batch) -> ClockReading:
        """Return what one run took; empty ones come first.

        Once the reference has run on a batch, its time caps that of the candidate.

        Raises:
            SideEndedError: A run failed, an answer is wrong, or the candidate waits.
            LostError: The candidate ran into the cap.
        """
        slowest = self._slowest.get(batch)
        if side is DuelSide.CANDIDATE and slowest is not None:
            return self._computed(batch, slowest)
        run = self._run(side, batch, self._most)
        if side is DuelSide.CANDIDATE:
            return run
        self._slowest[batch] = Seconds(*map(max, run.seconds, slowest or run.seconds))
        return run.without_loading()

    def _computed(self, batch: Batch, slowest: Seconds) -> ClockReading:
        """Run the candidate; where it waits for long, once more: a machine may stand still."""
        run = self._capped(batch, slowest)
        if self._idle(run.seconds, slowest):
            run = self._capped(batch, slowest)
        if self._idle(run.seconds, slowest):
            raise waited(run.seconds)
        return run

    @property
    def _most(self) -> float:
        """CPU seconds of a run that nothing else limits."""
        return _PATIENCE * self.bench.problem.limits.cpu_seconds

    def _capped(self, batch: Batch, slowest: Seconds) -> ClockReading:
        if self.patient:
            return self._run(DuelSide.CANDIDATE, batch, self._most)
        if self.objective != CPU_TIME:
            cap = PATIENT_FACTOR * slowest.cpu + PATIENT_SECONDS
            return self._run(DuelSide.CANDIDATE, batch, cap)
        cap = LOST_FACTOR * slowest.cpu + LOST_SECONDS
        try:
            return self._run(DuelSide.CANDIDATE, batch, cap)
        except SideEndedError as err:
            on_the_wall = err.trial.cpu_seconds < cap
            if err.trial.status is not Status.TLE or on_the_wall:
                raise
            clock = self.base(batch).clock
            reference, capped = (clock.net_of(seconds) for seconds in (slowest.cpu, cap))
            each = len(batch.inputs)
            raise TimingLostError((reference / each, capped / each)) from err

    def _idle(self, run: Seconds, slowest: Seconds) -> bool:
        """Say whether a run waited so long that nobody wants to wait for more of them."""
        long = run.wall > LOST_FACTOR * slowest.wall + WAIT_SECONDS
        return long and self.objective.blind_to_waiting and waiting.waits(*run)

    def empty(self, batch: Batch) -> None:
        """Run a program that does nothing on these inputs: what its CPU time is, all pay.

        Where loading does not count, it loads what the reference does. No code of the
        candidate is in it: that could see where it is, and waste the time that others get.
        """
        if self.objective != CPU_TIME and any(map(wire.holds_records, batch.inputs)):
            named = ", ".join(sorted(self.objective.quantities))
            raise NotMeasurableError(
                f"inputs that are values of the program's own classes: {named} cannot be "
                "compared, a candidate would gain by declaring its classes otherwise",
                hint="leave `objective` out, or let the function make them of tuples or dicts",
            )
        runner, limits = self.bench.runner, patient(self.bench.problem.limits)
        nothing = runner.empty(runner.program_of(self.reference))
        outcome = runner.run(self.bench.sandbox, nothing, batch.inputs, limits, warm=batch.warm)
        self._empty.setdefault(batch, []).append(ClockReading.of(outcome))

    def base(self, batch: Batch) -> Base:
        """Return what is subtracted from runs on a batch: the empty runs so far.

        It is the same for both sides: what a candidate takes to be loaded beyond its
        reference counts, and what it takes less is no gain. The reference itself is never
        charged: single runs that happen to load slowly would make it look slow.
        """
        return Base(self._empty.get(batch, ()))

    def _run(self, side: DuelSide, batch: Batch, cpu_seconds: float) -> ClockReading:
        solution = self.candidate if side is DuelSide.CANDIDATE else self.reference
        program = self.bench.runner.program_of(solution)
        trial = self.bench.trial(program, batch, cpu_seconds=cpu_seconds)
        if trial.status is not Status.AC:
            raise SideEndedError(side, trial)
        return ClockReading.of(trial)
