"""The loop over cells: their order, how many run at a time, and how it is interrupted."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.grid.cell_loop import EndedCell, RunningCell, run_cells


@dataclass
class Countdown:
    """Ends when it was looked at so many times."""

    left: int
    stopped: list[int] = field(default_factory=list)

    def poll(self) -> str | None:
        self.left -= 1
        return "done" if self.left < 0 else None

    def stop(self) -> None:
        self.stopped.append(self.left)


@given(st.lists(st.integers(0, 2), max_size=8), st.integers(1, 4))
def test_each_cell_ends_once_and_no_more_run_than_may(waits: list[int], jobs: int) -> None:
    ended, beside = list[int](), list[int]()

    def begin(number: int, running: int) -> RunningCell[str]:
        beside.append(running)
        return Countdown(waits[number])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("se_agent.grid.cell_loop._PAUSE", 0.0)
        run_cells(range(len(waits)), begin, lambda n, _: ended.append(n), jobs=jobs)
    assert sorted(ended) == list(range(len(waits)))
    assert max(beside, default=1) <= jobs


def test_cells_that_run_are_stopped_when_it_is_interrupted() -> None:
    running: list[Countdown] = []

    def begin(number: int, _: int) -> RunningCell[str]:
        if number == 2:
            raise KeyboardInterrupt("Ctrl-C")
        running.append(Countdown(1000))
        return running[-1]

    with pytest.raises(KeyboardInterrupt, match="Ctrl-C"):
        run_cells(range(5), begin, lambda *_: None, jobs=3)
    assert [len(each.stopped) for each in running] == [1, 1]


def test_a_cell_that_ends_at_once_takes_no_turn_of_waiting() -> None:
    found: list[str] = []
    run_cells("abc", lambda item, _: EndedCell(item), lambda _, each: found.append(each))
    assert found == ["a", "b", "c"]


def test_who_waits_is_told_of_the_cells_that_run() -> None:
    told: list[tuple[int, ...]] = []
    run_cells(
        range(3),
        lambda number, _: Countdown(2 * number),
        lambda *_: None,
        jobs=2,
        on_wait=lambda cells: told.append(tuple(cells)),
    )
    assert told == [(1, 2), (2,), (2,)]
