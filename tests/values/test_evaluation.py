"""What an evaluation says of costs that nobody measured."""

from __future__ import annotations

from se_agent.values.evaluation import Measurement


def test_memory_that_nobody_measured_is_never_the_most() -> None:
    unmeasured, measured = (
        Measurement(cpu_seconds=1.0),
        Measurement(cpu_seconds=2.0, peak_bytes=1),
    )
    assert max(unmeasured, measured, key=lambda one: one.peak_bytes) is measured
    assert unmeasured.peak_bytes == 0
