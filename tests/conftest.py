"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("no_clock", deadline=None)  # a busy machine is not a failure
settings.register_profile(
    "same_draws", parent=settings.get_profile("no_clock"), derandomize=True
)
settings.load_profile("no_clock")

os.environ.pop("COLUMNS", None)  # set where tests run side by side; nothing here is a terminal
