"""The threads of a search: how many of each kind, and in what order they begin."""

from __future__ import annotations

import threading

import pytest

from se_agent.engine.step.worker_pool import Work, WorkerPool


@pytest.mark.parametrize(
    ("work", "at_once"), [(Work.ASK, 4), (Work.MEASURE, 3), (Work.CLOSE, 1)]
)
def test_a_kind_has_its_threads(work: Work, at_once: int) -> None:
    """Twice as many ask as calls may be under way: the others have their prompts ready."""
    begun, ready = threading.Semaphore(0), threading.Event()

    def waiting() -> bool:
        begun.release()
        return ready.wait(10)

    with WorkerPool(in_flight=2, workers=3) as crew:
        for slot in range(at_once + 1):
            crew.give(work, slot, waiting)
        assert all(begun.acquire(timeout=10) for _ in range(at_once))
        assert not begun.acquire(timeout=0.05), "one more than there are threads"
        ready.set()
        done = [crew.wait() for _ in range(at_once + 1)]
    assert {one.slot for one in done} == set(range(at_once + 1))
    assert all(one.result for one in done)


def test_what_work_raises_is_raised_where_it_is_waited_for() -> None:
    def failing() -> object:
        raise ArithmeticError("of no use")

    with WorkerPool(in_flight=1, workers=1) as crew:
        crew.give(Work.MEASURE, 7, failing)
        with pytest.raises(ArithmeticError, match="of no use"):
            crew.wait()


def test_one_call_at_a_time_is_made_in_the_order_of_the_slots() -> None:
    asked: list[int] = []
    with WorkerPool(in_flight=1, workers=1) as crew:
        for slot in range(50):
            crew.give(Work.ASK, slot, lambda slot=slot: asked.append(slot))  # type: ignore[misc]
        for _ in range(50):
            crew.wait()
    assert asked == list(range(50))
