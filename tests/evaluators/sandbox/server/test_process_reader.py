"""The time on the wall of a child, whatever else its parent is kept from."""

from __future__ import annotations

import os
import time

from evaluators.sandbox.server.delay import Delay
from evaluators.sandbox.server.process_reader import ProcessReader
from evaluators.sandbox.usage import Watch


def test_a_child_may_have_run_for_a_while_when_we_hear_of_it() -> None:
    observer = ProcessReader(Watch())
    observer.start()
    time.sleep(0.02)  # it runs, and others have our core
    observer.begin(os.getpid())
    observer.settle(0.0)
    assert observer.usage(0, 0.0).wall_seconds >= 0.02


def test_the_time_in_which_others_had_its_core_is_a_part_of_that_on_the_wall() -> None:
    observer = ProcessReader(Watch())
    observer.start()
    observer.begin(os.getpid())
    sum(range(100_000))
    observer.settle(0.0)
    usage = observer.usage(0, 0.0)
    observer.close()
    assert usage.delayed_seconds is not None
    assert usage.delayed_seconds >= 0.0


def test_memory_is_read_while_it_is_there_and_not_charged_whole_afterwards() -> None:
    observer = ProcessReader(Watch(memory=True))
    observer.start()
    observer.begin(os.getpid())
    observer.settle(0.0)
    usage = observer.usage(1 << 50, 0.0)
    observer.close()
    assert usage.footprint is not None
    assert not usage.footprint.whole
    assert 0 < usage.footprint.added_bytes < 1 << 50


def test_of_a_process_that_is_gone_no_delay_is_known() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    delay = Delay(child)
    assert delay.seconds() is None
    delay.close()
