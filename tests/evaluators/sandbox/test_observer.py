"""The time on the wall of a child, whatever else its parent is kept from."""

from __future__ import annotations

import os
import time

from evaluators.sandbox.observer import Observer
from evaluators.sandbox.usage import Watch


def test_a_child_may_have_run_for_a_while_when_we_hear_of_it() -> None:
    observer = Observer(Watch())
    observer.start()
    time.sleep(0.02)  # it runs, and others have our core
    observer.begin(os.getpid())
    observer.settle(0.0)
    assert observer.usage(0, 0.0).wall_seconds >= 0.02
