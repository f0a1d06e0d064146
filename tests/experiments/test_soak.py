"""The soak: what it says of made samples, and of a short soak that leaks or does not."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from evaluators.sandbox.job import Sandbox
from experiments.soak.honest import HONEST, Evaluators, Honest, Result
from experiments.soak.kills import Kills
from experiments.soak.lane import endless, restarting, suited
from experiments.soak.soak import Plan, Row, Soak
from experiments.soak.verdict import COUNTED, LEAST, Sample, Verdict, left, verdicts
from tests.hostile.attack import Attack
from tests.hostile.programs import ATTACKS

MB = 1 << 20
AT_THE_END = "left when all is closed"
QUICK = ("exits", "forged-everywhere", "endless-loop", "caches-global", "score-none", "tcp")


def samples(
    descriptors: Callable[[int], int] = lambda _: 9,
    own: Callable[[int], int] = lambda _: 60 * MB,
    count: int = 40,
) -> list[Sample]:
    """Return samples, 100 programs apart; what varies is a function of the number."""
    counts = dict.fromkeys(COUNTED, 2)
    return [
        Sample(
            seconds=5.0 * n,
            evaluations=100 * n,
            counts=counts | {"descriptors": descriptors(n)},
            bytes={"own": own(n), "oldest": 20 * MB, "newest": 20 * MB},
        )
        for n in range(count)
    ]


def failed(found: Sequence[Verdict]) -> set[str]:
    return {one.what for one in found if not one.well}


class TestVerdicts:
    def test_nothing_grew(self) -> None:
        found = verdicts(samples())
        assert failed(found) == set()
        assert len(found) == len(COUNTED) + 3

    @pytest.mark.parametrize("name", COUNTED)
    def test_one_more_of_anything_is_a_leak(self, name: str) -> None:
        seen = samples()
        late = [replace(one, counts=dict(one.counts) | {name: 3}) for one in seen[25:]]
        assert failed(verdicts(seen[:25] + late)) == {COUNTED[name]}

    def test_one_less_is_not_as_it_was(self) -> None:
        assert failed(verdicts(samples(lambda n: 9 - n // 20))) == {"our open descriptors"}

    def test_what_was_there_for_a_moment_is_told_and_is_no_leak(self) -> None:
        (found, *_) = verdicts(samples(lambda n: 11 if n == 20 else 9))
        assert (found.well, found.words) == (True, "9 -> 9: as it was (once 11)")

    def test_memory_may_settle_within_its_limit(self) -> None:
        found = verdicts(samples(own=lambda n: (60 + min(n, 8)) * MB))
        assert failed(found) == set()

    def test_memory_that_grows_on_is_a_leak_with_its_slope(self) -> None:
        found = verdicts(samples(own=lambda n: 60 * MB + n * MB))
        assert failed(found) == {"memory of our process"}
        (own,) = (one for one in found if one.what == "memory of our process")
        assert "+10.00 MB per 1,000 evaluations" in own.words

    def test_few_samples_prove_nothing(self) -> None:
        assert failed(verdicts(samples(count=LEAST - 1))) == {"samples"}

    def test_a_fork_server_that_is_hardly_ever_there_is_no_good_sign(self) -> None:
        seen = [replace(one, bytes={"own": 1, "oldest": 1}) for one in samples()]
        gone = [replace(one, bytes={"own": 1}) for one in seen[4:]]
        assert failed(verdicts(seen[:4] + gone)) == {"memory of the older fork server"}

    def test_what_is_left_at_the_end_is_named(self) -> None:
        before, after = samples(lambda n: 9 + n, count=2)
        assert failed(left(before, before)) == set()
        (found,) = left(before, after)
        assert (found.well, found.words) == (False, "our open descriptors +1")


class TestOrder:
    def test_is_the_same_for_a_seed_and_another_for_another(self) -> None:
        def order(seed: int, lane: int) -> list[str]:
            return [
                work.name for work in islice(endless(HONEST, ATTACKS, seed=seed, lane=lane), 50)
            ]

        assert order(1, 0) == order(1, 0)
        assert len({tuple(order(1, 0)), tuple(order(1, 1)), tuple(order(2, 0))}) == 3

    def test_every_hostile_program_comes_once_in_a_round(self) -> None:
        drawn = islice(endless(HONEST, ATTACKS, seed=0, lane=0), 4 * len(ATTACKS))
        names = [work.name for work in drawn if isinstance(work, Attack)]
        assert sorted(names) == sorted(attack.name for attack in ATTACKS)

    def test_a_steady_lane_measures_nothing(self) -> None:
        steady = suited([*HONEST, *ATTACKS], steady=True)
        assert not any(map(restarting, steady))
        assert any(map(restarting, suited([*HONEST, *ATTACKS], steady=False)))


class Leaky:
    """An honest program that its evaluator does not clean up after."""

    name = "leaky"
    known = Result("AC", "")
    restarts = False

    def __init__(self, leave: Callable[[], object]) -> None:
        self._leave = leave

    def run(self, sandbox: Sandbox, evaluators: Evaluators) -> Result:
        self._leave()
        return self.known


def soaked(
    honest: Sequence[Honest], hostile: Sequence[str], seconds: float = 0.0
) -> tuple[set[str], list[Row]]:
    """Soak for a moment, in a few programs; nothing that others use is counted."""
    rows: list[Row] = []
    chosen = [attack for attack in ATTACKS if attack.name in hostile]
    plan = Plan(seconds=seconds, every=0.1, honest=honest, hostile=chosen, machine={})
    return failed(Soak(plan, rows.append).run()), rows


def leaking(leave: Callable[[], object]) -> set[str]:
    """Return what a soak finds wrong where each run of a program leaves something."""
    return soaked([Leaky(leave), HONEST[0]], ["exits"])[0]


@pytest.fixture
def open_() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class TestSoak:
    def test_finds_nothing_where_nothing_leaks(self) -> None:
        wrong, rows = soaked(HONEST[1::3], QUICK, seconds=3.0)
        assert wrong == set(), rows
        seen = [row for row in rows if row["kind"] == "sample"]
        assert len(seen) >= LEAST
        assert seen[-1]["evaluations"] > seen[0]["evaluations"]
        assert len({row["server"] for row in seen}) == 1

    def test_finds_a_descriptor(self, open_: ExitStack) -> None:
        def leave() -> None:
            open_.callback(os.close, os.open(os.devnull, os.O_RDONLY))

        assert leaking(leave) == {"our open descriptors", AT_THE_END}

    def test_finds_a_process_that_somebody_else_adopted(self, open_: ExitStack) -> None:
        def leave() -> None:
            command = ["/bin/sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!"]
            pid = int(subprocess.check_output(command))
            open_.callback(os.kill, pid, 9)

        assert leaking(leave) == {
            "processes with our mark, anywhere",
            AT_THE_END,
        }

    def test_finds_a_folder(self) -> None:
        assert leaking(tempfile.mkdtemp) == {
            "entries in our temporary folder",
            AT_THE_END,
        }

    def test_finds_an_honest_program_that_ends_otherwise_beside_others(self) -> None:
        class Fickle(Leaky):
            def run(self, sandbox: Sandbox, evaluators: Evaluators) -> Result:
                self.known, known = Result("AC", "another"), self.known
                return known

        wrong, rows = soaked([Fickle(lambda: None), HONEST[0]], ["exits"])
        assert wrong == {"honest programs"}
        assert {row["name"] for row in rows if row["kind"] == "strange"} == {"leaky"}

    def test_says_what_it_has_when_it_is_interrupted(self) -> None:
        def tell(row: Row) -> None:
            if row["kind"] == "sample":
                raise KeyboardInterrupt

        hostile = [attack for attack in ATTACKS if attack.name == "exits"]
        soak = Soak(Plan(every=0.1, honest=HONEST[:1], hostile=hostile, machine={}), tell)
        found = soak.run()
        assert soak.interrupted
        assert failed(found) == {"samples"}
        assert {"honest programs", AT_THE_END} <= {one.what for one in found}


@pytest.mark.timeout(600)  # three processes and two whole runs, beside whatever else runs
def test_a_run_a_saver_and_a_collector_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    # Of this seed the saver is killed late, when a slow machine has saved something, too.
    kills = Kills(tmp_path, seed=5, runs=1, savers=1)
    kills.round(0)
    found = kills.found
    assert found.wrong == []
    assert found.whole == 1
    # How much CPU time a run takes is not for us to say: one that ended sooner is not killed.
    assert found.killed.keys() == {"run", "save", "collect"}
    assert 1 <= sum(found.killed.values()) <= 3
    assert found.contents
    assert found.counts()["events"] == found.events
    found.contents.append("0" * 64)
    kills.round(1)
    assert any("0" * 12 in lost for lost in found.wrong)
