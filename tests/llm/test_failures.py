"""What a failure means: tables; waits: laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.llm.failures import ALWAYS, CallFailure, asked_to_wait, of_status, wait_before

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
LATER = "Sun, 06 Nov 1994 08:50:07 GMT"


def status(number: int, code: str = "") -> CallFailure:
    return of_status(number, "words", key="KEY", code=code)


@pytest.mark.parametrize(
    ("failure", "fatal", "again"),
    [
        pytest.param(status(400), False, False, id="bad-request"),
        pytest.param(status(401), True, False, id="wrong-key"),
        pytest.param(status(402), True, False, id="no-credit"),
        pytest.param(status(403), True, False, id="forbidden"),
        pytest.param(status(404), True, False, id="unknown"),
        pytest.param(status(408), False, True, id="timeout"),
        pytest.param(status(413), False, False, id="too-long"),
        pytest.param(status(422), False, False, id="unprocessable"),
        pytest.param(status(429), False, True, id="too-many"),
        pytest.param(status(429, code="insufficient_quota"), True, False, id="quota"),
        pytest.param(status(500), False, True, id="500"),
        pytest.param(status(503), False, True, id="503"),
        pytest.param(status(529), False, True, id="529"),
    ],
)
def test_of_a_status(failure: CallFailure, fatal: bool, again: bool) -> None:
    assert (failure.fatal, failure.tries == ALWAYS) == (fatal, again)
    assert "words" in failure.what
    assert failure.hint


@pytest.mark.parametrize(
    ("number", "message", "code", "too_long"),
    [
        pytest.param(413, "", "", True, id="413"),
        pytest.param(
            400, "This model's maximum context length is 8192 tokens.", "", True, id="openai"
        ),
        pytest.param(400, "Your input exceeds the context window", "", True, id="window"),
        pytest.param(400, "prompt is too long: 9 > 8", "", True, id="too-long"),
        pytest.param(
            400, "the request exceeds the available context size", "", True, id="llama.cpp"
        ),
        pytest.param(
            400,
            "The decoder prompt is longer than the maximum model length",
            "",
            True,
            id="vllm",
        ),
        pytest.param(500, "no", "context_length_exceeded", True, id="code-under-500"),
        pytest.param(504, "upstream took too long", "", False, id="a-gateway-waited-too-long"),
        pytest.param(429, "too long a queue", "", False, id="too-many"),
        pytest.param(400, "unknown field", "", False, id="another-refusal"),
    ],
)
def test_a_prompt_that_is_too_long_is_told_from_trouble(
    number: int, message: str, code: str, too_long: bool
) -> None:
    found = of_status(number, message, key="KEY", code=code)
    assert found.too_long == too_long
    assert found.tries == 1 or not too_long


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({}, None, id="nothing"),
        pytest.param({"retry-after": "7"}, 7.0, id="seconds"),
        pytest.param({"retry-after": "1", "retry-after-ms": "1500"}, 1.5, id="milliseconds"),
        pytest.param({"retry-after": "2", "retry-after-ms": "soon"}, 2.0, id="one-of-both"),
        pytest.param({"retry-after": "0.25"}, 0.25, id="part-of-a-second"),
        pytest.param({"retry-after": "-1"}, 0.0, id="the-past"),
        pytest.param({"retry-after": LATER, "date": DATE}, 30.0, id="date"),
        pytest.param({"retry-after": DATE, "date": LATER}, 0.0, id="past-date"),
        pytest.param({"retry-after": LATER}, 0.0, id="past-date-on-our-clock"),
        pytest.param({"retry-after": "soon"}, None, id="words"),
        pytest.param({"retry-after": "inf"}, 1e9, id="for-ever"),
        pytest.param({"retry-after": "nan"}, 0.0, id="no-number"),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_to_wait(headers) == seconds


CHANCE = st.floats(0, 1, exclude_max=True)


@given(st.integers(1, 10**6), CHANCE)
def test_a_wait_grows_and_stays_bounded(attempt: int, chance: float) -> None:
    wait = wait_before(attempt, None, chance)
    assert 0.25 <= wait <= 30
    assert wait_before(attempt + 2, None, 0.0) >= min(15, wait_before(attempt, None, 0.0))


@given(st.integers(1, 10**6), st.floats(0, 1e9), CHANCE)
def test_nobody_comes_back_before_time(attempt: int, after: float, chance: float) -> None:
    usual = wait_before(attempt, None, chance)
    assert after <= wait_before(attempt, after, chance) <= max(after * 1.1, usual)


@pytest.mark.parametrize(("attempt", "waits"), [(1, False), (3, False), (4, True), (90, True)])
def test_who_asks_for_no_wait_again_and_again_is_not_believed(
    attempt: int, waits: bool
) -> None:
    assert (wait_before(attempt, 0.0, 0.5) > 0) == waits


def test_a_zone_that_is_none_is_no_date() -> None:
    far = "Mon, 01 Jan 2020 00:00:00 +99999999999999999999"
    assert asked_to_wait({"retry-after": far}) is None
    assert asked_to_wait({"retry-after": LATER, "date": far}) is not None
