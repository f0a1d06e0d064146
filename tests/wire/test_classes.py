"""What a value of a class holds: a field that was never set is nothing, not None."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from se_agent import wire
from se_agent.errors import WireError


@dataclass(frozen=True, slots=True)
class Place:
    row: int
    column: int | None


def test_a_slot_that_stayed_empty_is_not_sent_as_none() -> None:
    half = object.__new__(Place)
    object.__setattr__(half, "row", 1)
    assert wire.holds_records(wire.dumps([Place(1, None)]))
    with pytest.raises(WireError, match="unsupported value of type"):
        wire.dumps([half])
