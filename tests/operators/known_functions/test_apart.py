"""Comparison in another process: functions without an end cost a little, and nothing else."""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from multiprocessing.connection import Pipe
from pathlib import Path

import pytest

from operators.known_functions.apart import LOST, ComparisonProcess, Worker, matches
from operators.known_functions.archetype import Archetype, archetype
from se_agent.errors import SandboxError
from se_agent.stats import side_processes
from tests.operators.known_functions.watching import watched

of_list = archetype(
    family="tests", complexity="O(?)", source="none", takes=("list[int]",), gives="list[int]"
)


@of_list
def hungry(xs: list[int]) -> list[int]:
    """All orders at once."""
    return [*list(permutations(xs * 3))[0]]  # noqa: RUF015 - all of them are the point


@of_list
def slow(xs: list[int]) -> list[int]:
    """Nothing, for a long time, in C."""
    return [sum(range(10**12)), *xs]


@of_list
def deadly(xs: list[int]) -> list[int]:
    """Take the process along."""
    os._exit(len(xs))


@of_list
def ascending(xs: list[int]) -> list[int]:
    """Return the numbers in order."""
    return sorted(xs)


def known() -> Mapping[str, Archetype]:
    each = (hungry, slow, deadly, ascending)
    return {function.__name__: vars(function)["archetype"] for function in each}


def endless() -> Mapping[str, Archetype]:
    """Give more functions that take the process along than are asked, and a good one."""
    lost = {f"deadly_{n}": vars(deadly)["archetype"] for n in range(LOST)}
    return lost | {"ascending": vars(ascending)["archetype"]}


ROOT = Path(__file__).parents[3]
LISTS = [([n, 5, 3, 1, 2, 9 - n],) for n in range(12)]
SORTED = watched(sorted, LISTS)


@pytest.mark.tier("library")
def test_what_has_no_end_is_passed_over_and_the_rest_is_found() -> None:
    apart, before = (
        ComparisonProcess(load=f"{__name__}:known", seconds=0.2, memory=2**27),
        side_processes.seconds(),
    )
    assert [match.archetype.name for match in apart.matches(SORTED)] == ["ascending"]
    assert [match.archetype.name for match in apart.matches(SORTED)] == ["ascending"]
    assert side_processes.seconds() - before >= 0.4


@pytest.mark.tier("library")
def test_where_one_function_after_the_other_has_no_end_the_rest_is_not_asked() -> None:
    """The time of a comparison has a bound, however many functions there are."""
    apart = ComparisonProcess(load=f"{__name__}:endless", seconds=0.2, memory=2**27)
    assert apart.matches(SORTED) == ()


@pytest.mark.tier("library")
def test_threads_may_ask_at_a_time() -> None:
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(matches, [SORTED, SORTED[:-1], SORTED[1:]]))
    assert [{match.archetype.gives for match in each} for each in found]
    assert len({each[0].archetype.name for each in found}) == 1


def test_a_process_that_does_not_start_is_no_empty_answer(
    capfd: pytest.CaptureFixture[str],
) -> None:
    globals()["only_here"] = known
    with pytest.raises(SandboxError, match="only_here does not start"):
        ComparisonProcess(load=f"{__name__}:only_here").matches(SORTED)
    assert "only_here" in capfd.readouterr().err


@pytest.mark.tier("library")
@pytest.mark.parametrize("within", [False, True])
def test_a_process_whose_asker_has_ended_says_nothing(
    capfd: pytest.CaptureFixture[str], within: bool
) -> None:
    ours, theirs = Pipe()
    if within:
        os.write(ours.fileno(), b"\0\0\1\0the beginning of a question")
        with socket.fromfd(ours.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.shutdown(socket.SHUT_WR)
    else:
        ours.close()  # as after Ctrl-C: before the other process has even begun
    asked = (theirs.fileno(), f"{__name__}:known", 2**27)
    code = f"from operators.known_functions.apart import serve; serve(*{asked!r})"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, pass_fds=[theirs.fileno()], cwd=ROOT, check=False, timeout=60)
    assert (done.returncode, capfd.readouterr().err) == (0, "")


def test_a_worker_takes_no_more_time_than_went_by_on_all_cores() -> None:
    begin, worker = time.monotonic(), Worker(f"{__name__}:known", 2**27)
    worker.line.recv()  # it is ready
    taken = worker.cpu_seconds
    worker.close()
    assert 0 < taken <= (time.monotonic() - begin) * (os.cpu_count() or 1) + 0.1


def test_numbers_of_thousands_of_digits_are_compared() -> None:
    calls = watched(math.factorial, [(n,) for n in (*range(25), 1600, 2000, 2500)])
    assert [match.archetype.name for match in matches(calls)] == ["factorial"]
