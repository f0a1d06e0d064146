"""The benchmarks' machinery: what is read from the kernel, and how figures are told."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing

import pytest

from evaluators.sandbox.server import ForkServer
from experiments.bench import __main__ as bench
from experiments.bench import first, footprint, process, rates, user_run
from experiments.bench.aim import at_least, at_most
from se_agent.cli import processes
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
        "preflight": (1.5, 1.25),
        "self-test": (7.5, 7.25),
        "first generation": (8.0, 7.75),
    }
    *parts, initial, whole, work = first.words(first.summed(seen))
    assert parts == [
        "first evaluation, loading: 0.3 s, 0.25 s CPU",
        "first evaluation, fork server: 0.2 s, 0.25 s CPU",
        "first evaluation, preflight: 1 s, 0.75 s CPU",
        "first evaluation, self-test: 6 s, 6 s CPU",
        "first evaluation, first generation: 0.5 s, 0.5 s CPU",
    ]
    assert initial == (
        "first evaluation, of the initial program: 0.5 s (at most 1 s: held), 0.5 s CPU"
    )
    assert whole == (
        "first evaluation, of a candidate, as a user waits: "
        "8 s (at most 1 s: missed), 7.75 s CPU"
    )
    assert work == (
        "first evaluation, of a candidate, without preflight and self-test: "
        "1 s (at most 1 s: held), 1 s CPU"
    )


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
            assert processes.cpu_seconds(child.pid) >= 0.28
            child.communicate()

    def test_the_peak_of_memory_stays_when_it_was_given_back(self) -> None:
        script = f"import sys\ndata = bytearray(90 << 20)\ndel data\n{_WAITING}"
        command = [sys.executable, "-c", script]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            assert 90 << 20 < process.peak_bytes(child.pid) < 140 << 20
            child.communicate()
        assert process.peak_bytes(child.pid) == 0

    def test_fork_servers_are_told_from_other_children(self) -> None:
        other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        with other, closing(ForkServer()) as server:
            before = process.fork_servers(os.getpid())
            server.run(call("def f(): return 1"))
            (found,) = set(process.fork_servers(os.getpid())) - set(before)
            assert found in processes.children(os.getpid())
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
