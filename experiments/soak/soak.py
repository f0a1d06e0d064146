"""A soak: two lanes run programs side by side, and stop every few seconds to be looked at.

The first lane measures nothing, so that its fork server lasts from start to end. The second
also measures, so that its fork server is started again and again, as in a run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import Any

from experiments.soak.honest import HONEST, Honest, Result, alone
from experiments.soak.lane import Lane, Ran, endless, evaluators_on, suited
from experiments.soak.verdict import LEAST, Sample, Verdict, left, verdicts
from experiments.soak.watch import Watch, watched
from se_agent.values.randomness import Purpose, rng_at
from tests.hostile.attack import Attack
from tests.hostile.programs import ATTACKS

LANES = 2
Row = dict[str, Any]  # JSON
Tell = Callable[[Row], None]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a soak does.

    Attributes:
        level: Level of isolation.
        seconds: How long programs are begun; there are `LEAST` samples, however long it takes.
        seed: Seed of the order.
        every: Seconds between two samples.
        honest: The programs that must not notice.
        hostile: The others.
        machine: What is counted besides; None: all that there is.
    """

    level: str = "jail"
    seconds: float = 1800.0
    seed: int = 0
    every: float = 5.0
    honest: Sequence[Honest] = HONEST
    hostile: Sequence[Attack] = ATTACKS
    machine: Mapping[str, Callable[[], int]] | None = None


@dataclass
class Tally:
    """What ran so far; lanes add to it at the same time."""

    tell: Tell
    honest: int = 0
    hostile: int = 0
    harmed: int = 0
    strange: int = 0
    _guard: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def evaluations(self) -> int:
        """How many programs ended."""
        return self.honest + self.hostile

    def add(self, ran: Ran) -> None:
        """Count a program, and tell of one that did not end as it should."""
        with self._guard:
            if isinstance(ran.work, Attack):
                self.hostile += 1
                self.strange += not ran.well
            else:
                self.honest += 1
                self.harmed += not ran.well
            if not ran.well:
                wanted, found = ran.wanted._asdict(), ran.found._asdict()
                self.tell(
                    {"kind": "strange", "name": ran.work.name, "wanted": wanted, "found": found}
                )

    def verdicts(self) -> list[Verdict]:
        """Judge how programs ended."""
        honest = f"{self.honest} ran, {self.harmed} not as in isolation"
        hostile = f"{self.hostile} ran, {self.strange} not as stated"
        return [
            Verdict("honest programs", honest, well=self.honest > 0 and not self.harmed),
            Verdict("hostile programs", hostile, well=self.hostile > 0 and not self.strange),
        ]


class Soak:
    """One soak; `run` it once.

    Args:
        plan: What it does.
        tell: Is given a row for every sample and for whatever is strange.
    """

    def __init__(self, plan: Plan, tell: Tell) -> None:
        self.tally = Tally(tell)
        self.interrupted = False
        self._plan = plan
        self._tell = tell
        self._samples: list[Sample] = []
        self._pausing = threading.Event()
        self._ended = threading.Event()
        self._meeting = threading.Barrier(LANES + 1)

    def run(self) -> list[Verdict]:
        """Run until the time is over, or until Ctrl-C; return what is to be said."""
        rng_at(self._plan.seed, 0, Purpose.PAIR_ORDER)  # numpy is loaded, and keeps a thread
        with watched(self._plan.machine) as watch:
            before = watch.sample(0.0, 0)
            try:
                self._soaked(watch)
            except KeyboardInterrupt:
                self.interrupted = True
            after = watch.sample(0.0, self.tally.evaluations)
        return [*self.tally.verdicts(), *verdicts(self._samples), *left(before, after)]

    def _soaked(self, watch: Watch) -> None:
        known = {honest.name: self._alone(honest) for honest in self._plan.honest}
        with ExitStack() as stack:
            lanes = []
            for _ in range(LANES):
                lanes.append(Lane(self._plan.level, known))
                stack.callback(lanes[-1].close)
            pool = stack.enter_context(ThreadPoolExecutor(LANES))
            stack.callback(self._break_off)
            running = [pool.submit(self._drive, lane, n) for n, lane in enumerate(lanes)]
            self._look(watch, running)

    def _alone(self, honest: Honest) -> Result:
        """Return what a program comes to alone; its table has to say the same."""
        found = alone(honest, self._plan.level, evaluators_on)
        self.tally.add(Ran(honest, honest.known, found))
        return found

    def _look(self, watch: Watch, running: Sequence[Future[None]]) -> None:
        begun = time.monotonic()
        over = False
        while not over:
            self._ended.wait(self._plan.every)
            self._pausing.set()
            self._meet(running)  # now nothing runs
            sample = watch.sample(time.monotonic() - begun, self.tally.evaluations)
            self._samples.append(sample)
            self._tell({"kind": "sample", **asdict(sample)})
            over = sample.seconds >= self._plan.seconds and len(self._samples) >= LEAST
            if over:
                self._ended.set()
            self._pausing.clear()
            self._meet(running)

    def _meet(self, running: Sequence[Future[None]]) -> None:
        try:
            self._meeting.wait()
        except threading.BrokenBarrierError:
            for future in running:  # one of them knows why
                future.result()
            raise

    def _break_off(self) -> None:
        """Let lanes end with the program that they are at; they never wait for us again."""
        self._ended.set()
        self._meeting.abort()

    def _drive(self, lane: Lane, number: int) -> None:
        """Run programs until the end; in a pause, have a fork server and nothing else."""
        steady = number == 0
        honest = suited(self._plan.honest, steady=steady)
        hostile = suited(self._plan.hostile, steady=steady)
        try:
            for work in endless(honest, hostile, seed=self._plan.seed, lane=number):
                if self._pausing.is_set():
                    self.tally.add(lane.run(honest[0]))
                    self._meeting.wait()
                    self._meeting.wait()
                if self._ended.is_set():
                    return
                self.tally.add(lane.run(work))
        except threading.BrokenBarrierError:
            return
        except BaseException:
            self._meeting.abort()
            raise
