"""Events of calls, as a journal without the younger fields has them."""

from __future__ import annotations

import pytest

from se_agent.chat.events import Lost, Objected, Replied, Unanswered
from se_agent.chat.messages import Role, Usage

CALL = {"slot": 3, "role": next(iter(Role)), "model": "main"}


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(Replied.model_validate(CALL | {"text": "yes"}), id="replied"),
        pytest.param(Unanswered.model_validate(CALL | {"why": "no"}), id="unanswered"),
        pytest.param(Lost.model_validate(CALL), id="lost"),
        pytest.param(
            Objected.model_validate({"slot": 3, "role": CALL["role"], "why": "no"}),
            id="objected",
        ),
    ],
)
def test_a_call_on_record_is_the_first_attempt_unless_it_says_otherwise(
    event: Replied | Unanswered | Lost | Objected,
) -> None:
    assert event.attempt == 0
    if not isinstance(event, Objected):
        assert event.paid == Usage()
