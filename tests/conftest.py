"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no_clock", deadline=None)  # a busy machine is not a failure
settings.load_profile("no_clock")
