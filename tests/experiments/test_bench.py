"""The benchmarks' machinery: what is read from the kernel, and how figures are told."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from evaluators.sandbox.server.fork_server import ForkServer
from experiments.bench import __main__ as bench
from experiments.bench import (
    first,
    flight,
    footprint,
    left_out,
    noted,
    rates,
    user_run,
)
from experiments.bench.aim import at_least, at_most
from se_agent.environment import process_files
from tests.contracts.sandbox import call

_BURN = "import time\nwhile time.process_time() < 0.3: pass\n"
_PARENT = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {_BURN!r}])\n"
_WAITING = "print(flush=True)\nsys.stdin.read()"


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        pytest.param(at_most(0.987, 1.0, "s"), "0.987 s (at most 1 s: held)", id="below"),
        pytest.param(at_most(1.01, 1.0, "s"), "1.01 s (at most 1 s: missed)", id="above"),
        pytest.param(at_least(90, 90, "%"), "90 % (at least 90 %: held)", id="reached"),
        pytest.param(at_least(89.6, 90, "%"), "89.6 % (at least 90 %: missed)", id="not"),
    ],
)
def test_a_figure_stands_beside_its_target(told: str, wanted: str) -> None:
    assert told == wanted


def test_latency_is_the_median_and_the_99th_percentile() -> None:
    assert rates.latency([float(n) for n in range(101)]) == {"p50_ms": 50.0, "p99_ms": 99.0}


ROW = {
    "drivers": 2, "bare": 200.0, "once": 300.0, "jailed": 170.0, "namespace": 80.0,
    "of_bare": 0.85, "of_once": 0.57, "p50_ms": 6.1, "p99_ms": 9.25,
}  # fmt: skip


def test_rates_and_latency_stand_in_two_lines() -> None:
    often, long = rates.words(ROW)
    assert often == (
        "jailed evaluations, 2 drivers: 170 a second, namespace 80; "
        "of bare 85 % (at least 90 %: missed)"
    )
    assert long == "latency of an evaluation, 2 drivers: p50 6.1 ms, p99 9.25 ms"


def test_a_machine_without_namespaces_has_a_row_all_the_same() -> None:
    row = {name: value for name, value in ROW.items() if name != "namespace"}
    assert "namespace" not in " ".join(rates.words(row))


def test_time_to_the_first_evaluation_is_told_as_a_whole_and_in_parts() -> None:
    seen = {
        "loading": (0.3, 0.25),
        "fork server": (0.5, 0.5),
        "inputs and right answers": (1.25, 1.0),
        "trial of the initial program": (1.375, 1.125),
        "rest of the preflight": (1.5, 1.25),
        "self-test": (7.5, 7.25),
        "first generation": (8.0, 7.75),
    }
    *parts, begun, ended, whole, work = first.words(first.summed(seen))
    assert parts == [
        "first evaluation, loading: 0.3 s, 0.25 s CPU",
        "first evaluation, fork server: 0.2 s, 0.25 s CPU",
        "first evaluation, inputs and right answers: 0.75 s, 0.5 s CPU",
        "first evaluation, trial of the initial program: 0.125 s, 0.125 s CPU",
        "first evaluation, rest of the preflight: 0.125 s, 0.125 s CPU",
        "first evaluation, self-test: 6 s, 6 s CPU",
        "first evaluation, first generation: 0.5 s, 0.5 s CPU",
    ]
    assert begun == (
        "first evaluation, of the initial program, until it begins: "
        "1.25 s (at most 1 s: missed), 1 s CPU"
    )
    assert ended == (
        "first evaluation, of the initial program, until it ends: "
        "1.38 s (at most 1 s: missed), 1.12 s CPU"
    )
    assert whole == (
        "first evaluation, of a candidate, as a user waits: "
        "8 s (at most 1 s: missed), 7.75 s CPU"
    )
    assert work == (
        "first evaluation, of a candidate, without preflight and self-test: "
        "1 s (at most 1 s: held), 1 s CPU"
    )


def test_the_first_of_all_trials_is_noted_with_both_ends(tmp_path: Path) -> None:
    note, seen = tmp_path / "note", list[list[noted.Moment]]()

    def work(value: int) -> int:
        seen.append(noted.moments(note))
        return value + 1

    noting = noted.noted(work, note)
    assert noting(1) == 2
    (first_of_all, end) = noted.moments(note)
    assert first_of_all <= end
    assert noting(2) == 3
    assert seen == [[], [first_of_all, end]]
    assert noted.moments(note) == [first_of_all, end]


def test_of_a_run_the_trial_of_the_initial_program_is_noted(tmp_path: Path) -> None:
    """It is made in the preflight: before the first event, which nobody waits for here."""
    note = tmp_path / "note"
    with user_run.started(program=(noted.__name__, str(note))) as run:
        while not noted.moments(note):
            assert not run.over
            time.sleep(0.01)
        ((begun, spent), (ended, more)) = noted.moments(note)
        assert run.begun < begun < ended
        assert 0 < spent <= more
        assert not [e for e in run.events() if e.at.timestamp() < ended]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        pytest.param(
            {"of_ideal": 98.6, "cpu_ms": 5.13},
            "steady     declared   8 in flight, generations of  8:   39.5 steps a second, "
            "of the ideal 98.6 % "
            "(at least 95 %: held); CPU a step 5.13 ms (at most 10 ms: held)",
            id="both-held",
        ),
        pytest.param(
            {"of_ideal": 87.3, "cpu_ms": 13.5},
            "steady     declared   8 in flight, generations of  8:   39.5 steps a second, "
            "of the ideal 87.3 % "
            "(at least 95 %: missed); CPU a step 13.5 ms (at most 10 ms: missed)",
            id="both-missed",
        ),
        pytest.param(
            {"of_ideal": 11.8, "cpu_ms": 5.0, "extraction": "each"},
            "steady     each       8 in flight, generations of  8:   39.5 steps a second, "
            "of the ideal 11.8 % "
            "(of 5 a second that a lesson each allows: 790 %); "
            "CPU a step 5 ms (at most 10 ms: held)",
            id="the-share-has-no-target",
        ),
        pytest.param(
            {"of_ideal": 83.2, "cpu_ms": 7.0, "extraction": "batch"},
            "steady     batch      8 in flight, generations of  8:   39.5 steps a second, "
            "of the ideal 83.2 %; CPU a step 7 ms (at most 10 ms: held)",
            id="nor-where-a-generation-is-small",
        ),
        pytest.param(
            {"of_ideal": 83.2, "cpu_ms": 7.0, "extraction": "batch", "generation": 32},
            "steady     batch      8 in flight, generations of 32:   39.5 steps a second, "
            "of the ideal 83.2 % (at least 95 %: missed); "
            "CPU a step 7 ms (at most 10 ms: held)",
            id="a-large-one-has",
        ),
    ],
)
def test_calls_in_flight_are_told_with_their_targets(row: flight.Row, told: str) -> None:
    common = {"schedule": "steady", "extraction": "declared", "in_flight": 8, "generation": 8}
    assert flight.words({**common, "per_second": 39.5, **row}) == told


def test_memory_is_told_with_its_target() -> None:
    row = {"evaluations": 60, "engine_mb": 95.0, "fork_server_mb": 20.5, "fork_servers": 2}
    assert footprint.words(row) == (
        "memory of the engine in 60 evaluations: 95 MB (at most 120 MB: held); "
        "beside it 2 fork servers of at most 20.5 MB each"
    )


class TestProcess:
    @pytest.mark.parametrize("script", [_BURN, _PARENT], ids=["own", "of-a-child"])
    def test_cpu_time_is_that_of_all(self, script: str) -> None:
        command = [sys.executable, "-c", f"{script}\nimport sys\n{_WAITING}"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            assert process_files.cpu_seconds(child.pid) >= 0.28
            child.communicate()

    def test_the_peak_of_memory_stays_when_it_was_given_back(self) -> None:
        script = f"import sys\ndata = bytearray(90 << 20)\ndel data\n{_WAITING}"
        command = [sys.executable, "-c", script]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            assert 90 << 20 < process_files.peak_bytes(child.pid) < 140 << 20
            child.communicate()
        assert process_files.peak_bytes(child.pid) == 0

    def test_fork_servers_are_told_from_other_children(self) -> None:
        other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        with other, closing(ForkServer()) as server:
            before = process_files.fork_servers(os.getpid())
            server.run(call("def f(): return 1"))
            (found,) = set(process_files.fork_servers(os.getpid())) - set(before)
            assert found in process_files.children(os.getpid())
            assert found != other.pid
            other.communicate(b"\n")


def test_a_run_is_started_as_by_a_user_and_ended() -> None:
    with user_run.started("budget.evaluations=1") as run:
        assert run.events() == []
        while not run.screen.stat().st_size:
            assert not run.over
            time.sleep(0.01)
        assert "checking the problem" in run.screen.read_text(encoding="utf-8")
    assert run.over


def test_the_page_holds_every_line_and_the_machine() -> None:
    page = bench.page(["start: 1 s (at most 1 s: held)", "step: 4 ms"])
    assert page.endswith("\n- start: 1 s (at most 1 s: held)\n- step: 4 ms\n")
    assert "cores.\n" in page


@pytest.mark.parametrize(
    ("before", "after"),
    [pytest.param(before, after, id=name) for name, before, after in left_out.pairs()],
)
def test_a_rewrite_that_was_left_out_gives_the_same(
    before: left_out.Act, after: left_out.Act
) -> None:
    assert before() == after()
    assert left_out.ratio(before, after, times=1) > 0
